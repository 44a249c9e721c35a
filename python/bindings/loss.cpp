#include "bindings.h"

namespace softwood::python {

void bind_loss(nanobind::module_& module) {
  (void)module;
}

}  // namespace softwood::python
