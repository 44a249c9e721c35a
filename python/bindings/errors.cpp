#include "bindings.h"
#include "softwood/error.h"

namespace softwood::python {

/// softwood.Error is a ValueError, as scikit-learn expects of bad input; one about memory is also
/// the MemoryError that Python people catch.
void bind_errors(nanobind::module_& module) {
  const auto error = nanobind::exception<Error>(module, "Error", PyExc_ValueError);
  const nanobind::object bases = nanobind::make_tuple(error, nanobind::handle(PyExc_MemoryError));
  nanobind::exception<OutOfMemory>(module, "OutOfMemory", bases);
}

}  // namespace softwood::python
