#include "options.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/nearest_name.h"
#include "bindings.h"
#include "options/old_names.h"
#include "options/option_list.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

template <class T>
struct Unwrapped {
  using type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = T;
};
template <class Field>
using Value = typename Unwrapped<std::decay_t<Field>>::type;

std::string python_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

template <class T>
const char* type_name() {
  if constexpr (std::is_same_v<T, std::string>) return "str";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "list of str";
  if constexpr (std::is_floating_point_v<T>) return "float";
  if constexpr (std::is_same_v<T, bool>) return "bool";
  return "int";
}

template <class T>
const char* described() {
  if constexpr (std::is_same_v<T, bool>) return "True or False";
  return kind_of_value<T>();
}

/// "features": also one name alone.
template <class T>
T cast_value(const nb::handle& value) {
  if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    if (nb::isinstance<nb::str>(value)) return {nb::cast<std::string>(value)};
  }
  if (std::is_arithmetic_v<T> && nb::isinstance<nb::str>(value)) throw nb::cast_error();
  return nb::cast<T>(value);
}

/// "auto" is what holds where the user says nothing.
template <class T>
bool is_auto(const nb::handle& value, const std::optional<T>&) {
  return nb::isinstance<nb::str>(value) && nb::cast<std::string>(value) == "auto";
}
template <class T>
bool is_auto(const nb::handle&, const T&) {
  return false;
}

template <class Field>
void set_field(const std::string& name, const nb::handle& value, Field& field) {
  if (is_auto(value, field)) {
    field = Field();
    return;
  }
  try {
    field = cast_value<Value<Field>>(value);
  } catch (const nb::cast_error&) {
    throw Error(name + " is " + nb::cast<std::string>(nb::repr(value)) + "; it must be " +
                described<Value<Field>>() + (is_filled_in(field) ? ", or 'auto'." : "."));
  }
}

nb::object default_of(const std::string& text) {
  return text.empty() ? nb::none() : nb::cast(text);
}
nb::object default_of(const std::vector<std::string>&) {
  return nb::none();
}
template <class T>
nb::object default_of(const std::optional<T>&) {
  return nb::none();
}
template <class T>
requires std::is_arithmetic_v<T> nb::object default_of(T number) {
  return nb::cast(number);
}

/// A bound of a range, or None.
nb::object bound_of(double number) {
  return std::isfinite(number) ? nb::cast(number) : nb::none();
}

nb::list names_of(std::span<const Choice> choices) {
  nb::list names;
  for (const Choice& choice : choices)
    names.append(nb::str(choice.name.data(), choice.name.size()));
  return names;
}

nb::list list_options() {
  nb::list list;
  const TrainOptions options;
  visit_options(options, [&](const DeclaredOption& option, const auto& field) {
    nb::dict entry;
    entry["section"] = option.section;
    entry["name"] = python_name(option.name);
    entry["type"] = type_name<Value<decltype(field)>>();
    entry["default"] = default_of(field);
    entry["value_name"] = option.value_name;
    entry["help"] = help_text(option);
    entry["least"] = bound_of(option.range.least);
    entry["most"] = bound_of(option.range.most);
    entry["choices"] = names_of(option.choices);
    entry["knows_auto"] = option.knows_auto;
    list.append(entry);
  });
  return list;
}

nb::dict list_old_names() {
  nb::dict names;
  for (const OldName& each : kOldNames) {
    names[python_name(std::string(each.old_name)).c_str()] = python_name(std::string(each.name));
  }
  return names;
}

TaskOptions read_task(const nb::dict& told) {
  TaskOptions task;
  task.target = nb::cast<std::string>(told["target"]);
  task.loss = nb::cast<std::string>(told["loss"]);
  const auto set = [&](const char* key, auto& field) {
    if (told.contains(key) && !told[key].is_none()) set_field(key, told[key], field);
  };
  set("weight", task.weight);
  set("stop_weight", task.stop_weight);
  return task;
}

}  // namespace

TrainOptions read_options(nb::list tasks, nb::dict values) {
  TrainOptions options;
  for (const nb::handle& task : tasks) options.tasks.push_back(read_task(nb::cast<nb::dict>(task)));
  std::vector<std::string> names;
  visit_options(options, [&](const DeclaredOption& option, auto& field) {
    const std::string name = python_name(option.name);
    names.push_back(name);
    if (!values.contains(name.c_str())) return;
    const nb::object value = values[name.c_str()];
    if (!value.is_none()) set_field(name, value, field);
  });
  for (const nb::handle& key : values.keys()) {
    const auto name = nb::cast<std::string>(key);
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw Error("there is no option '" + name + "'." + did_you_mean(name, names));
  }
  return options;
}

void bind_options(nb::module_& module) {
  module.def(
      "options", &list_options, nb::sig("def options() -> list[dict[str, typing.Any]]"),
      "Every training option: section, name, type, default, value_name, help, least and most "
      "(None: no bound), choices, knows_auto (\"auto\" is a value).");
  module.def("old_names", &list_old_names, nb::sig("def old_names() -> dict[str, str]"),
             "Names that options had before, and what they are called now.");
  module.def("old_name_warning", &old_name_warning, nb::arg("old_name"), nb::arg("name"));
  module.def("both_names_error", &both_names_error, nb::arg("old_name"), nb::arg("name"));
}

}  // namespace softwood::python
