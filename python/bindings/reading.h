#pragma once

#include <functional>
#include <string>

#include <nanobind/nanobind.h>

#include "softwood/table.h"

namespace softwood::python {

/// Calls a Python function of one text, from wherever; nothing for None. The function must outlive
/// the result.
std::function<void(const std::string&)> text_sink(nanobind::handle function);

/// A setting of one character, or '' for none; Error for anything longer.
char one_letter(const std::string& name, const std::string& text);

}  // namespace softwood::python
