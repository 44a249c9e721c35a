#pragma once

#include <nanobind/nanobind.h>

#include "softwood/options.h"

namespace softwood::python {

/// `tasks`: dicts of target, loss, weight, stop_weight. `values`: by name (learning_rate, …); None
/// leaves the default. Throws Error for a name that there is not and a value of the wrong type.
TrainOptions read_options(nanobind::list tasks, nanobind::dict values);

}  // namespace softwood::python
