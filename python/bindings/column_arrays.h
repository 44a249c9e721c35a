#pragma once

#include <nanobind/nanobind.h>

#include "softwood/table.h"

namespace softwood::python {

/// A column as NumPy has it. Numbers: a read-only view of the memory, which `owner` keeps alive;
/// moments: datetime64[us], NaT for missing; texts: objects, None for missing.
nanobind::object column_array(const Column& column, nanobind::handle owner);

/// The numbers, or the seconds of moments, NaN for missing: a read-only view.
nanobind::object value_array(const Column& column, nanobind::handle owner);

/// The codes of a categorical column, −1 for missing: a read-only view.
nanobind::object code_array(const Column& column, nanobind::handle owner);

}  // namespace softwood::python
