#include "bindings.h"

NB_MODULE(_core, module) {
  using namespace softwood::python;
  module.attr("version") = SOFTWOOD_VERSION;
  bind_errors(module);
  bind_column(module);
  bind_table(module);
  bind_arrow(module);
  bind_pickle(module);
  bind_read(module);
  bind_loss(module);
  bind_options(module);
  bind_model(module);
  bind_explain(module);
  bind_train(module);
  bind_compare(module);
  bind_layer(module);
  bind_command(module);
}
