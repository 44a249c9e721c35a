#include "bindings.h"

namespace softwood::python {

void bind_options(nanobind::module_& module) {
  (void)module;
}

}  // namespace softwood::python
