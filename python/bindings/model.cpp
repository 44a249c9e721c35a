#include "bindings.h"

namespace softwood::python {

void bind_model(nanobind::module_& module) {
  (void)module;
}

}  // namespace softwood::python
