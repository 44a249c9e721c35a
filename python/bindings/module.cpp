#include "bindings.h"

NB_MODULE(_core, module) {
  using namespace softwood::python;
  module.attr("__version__") = SOFTWOOD_VERSION;
  bind_errors(module);
  bind_table(module);
  bind_loss(module);
  bind_options(module);
  bind_model(module);
  bind_train(module);
}
