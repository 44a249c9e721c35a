#include "bindings.h"
#include "softwood/error.h"

namespace softwood::python {

/// softwood.Error is a ValueError, as scikit-learn expects of bad input.
void bind_errors(nanobind::module_& module) {
  nanobind::exception<Error>(module, "Error", PyExc_ValueError);
}

}  // namespace softwood::python
