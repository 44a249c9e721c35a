#include "bindings.h"

namespace softwood::python {

void bind_train(nanobind::module_& module) {
  (void)module;
}

}  // namespace softwood::python
