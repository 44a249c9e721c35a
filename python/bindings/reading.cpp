#include "reading.h"

#include <nanobind/stl/string.h>

#include "softwood/error.h"

namespace softwood::python {

namespace nb = nanobind;

std::function<void(const std::string&)> text_sink(nb::handle function) {
  if (function.is_none()) return {};
  return [function](const std::string& text) {
    const nb::gil_scoped_acquire gil;
    function(text);
  };
}

char one_letter(const std::string& name, const std::string& text) {
  if (text.size() > 1) {
    throw Error(name + " '" + text + "' must be one character, or '' to detect it.");
  }
  return text.empty() ? '\0' : text[0];
}

}  // namespace softwood::python
