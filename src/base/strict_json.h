#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "softwood/error.h"

/// Reading JSON that nobody vouches for: every value is of its own type and in its range, or an
/// Error tells its key. nlohmann's get<>() makes 2 of 2.9, wraps what is too large, and what a
/// double beyond an integer's range becomes is undefined. For rooms that link nlohmann_json.
namespace softwood::strict_json {

using Json = nlohmann::json;

[[noreturn]] inline void refuse(std::string_view key, std::string_view what) {
  throw Error(fmt::format("the model's '{}' {}.", key, what));
}

/// Of an object; an Error if it is none or has no such key.
inline const Json& entry(const Json& object, const char* key) {
  if (!object.is_object()) throw Error(fmt::format("the model has no object around '{}'.", key));
  const auto found = object.find(key);
  if (found == object.end()) refuse(key, "is missing");
  return *found;
}

inline const Json& list(const Json& object, const char* key) {
  const Json& value = entry(object, key);
  if (!value.is_array()) refuse(key, "is no list");
  return value;
}

inline const Json& object(const Json& parent, const char* key) {
  const Json& value = entry(parent, key);
  if (!value.is_object()) refuse(key, "is no object");
  return value;
}

/// `key` is what the value is called in an Error.
template <std::integral T>
T integer_of(const Json& value, const char* key, T least = std::numeric_limits<T>::min(),
             T most = std::numeric_limits<T>::max()) {
  if (!value.is_number_integer()) refuse(key, "is no whole number");
  const bool in_range = value.is_number_unsigned() ? std::in_range<T>(value.get<std::uint64_t>())
                                                   : std::in_range<T>(value.get<std::int64_t>());
  const T number = in_range ? value.get<T>() : T{};
  if (!in_range || number < least || number > most) refuse(key, "is out of range");
  return number;
}

inline double finite_of(const Json& value, const char* key) {
  if (!value.is_number()) refuse(key, "is no number");
  const double number = value.get<double>();
  if (!std::isfinite(number)) refuse(key, "is not finite");
  return number;
}

inline const std::string& text_of(const Json& value, const char* key) {
  if (!value.is_string()) refuse(key, "is no text");
  return value.get_ref<const std::string&>();
}

inline bool flag_of(const Json& value, const char* key) {
  if (!value.is_boolean()) refuse(key, "is neither true nor false");
  return value.get<bool>();
}

template <std::integral T>
T integer(const Json& object, const char* key, T least = std::numeric_limits<T>::min(),
          T most = std::numeric_limits<T>::max()) {
  return integer_of<T>(entry(object, key), key, least, most);
}

inline double finite_number(const Json& object, const char* key) {
  return finite_of(entry(object, key), key);
}

inline double positive_number(const Json& object, const char* key) {
  const double number = finite_number(object, key);
  if (!(number > 0)) refuse(key, "is not above 0");
  return number;
}

inline const std::string& text(const Json& object, const char* key) {
  return text_of(entry(object, key), key);
}

inline bool flag(const Json& object, const char* key) {
  return flag_of(entry(object, key), key);
}

/// What older files may lack.
inline bool flag_or(const Json& object, const char* key, bool otherwise) {
  return object.contains(key) ? flag(object, key) : otherwise;
}

template <std::integral T>
std::vector<T> integers(const Json& object, const char* key) {
  std::vector<T> numbers;
  for (const Json& value : list(object, key)) numbers.push_back(integer_of<T>(value, key));
  return numbers;
}

inline std::vector<double> finite_numbers(const Json& object, const char* key) {
  std::vector<double> numbers;
  for (const Json& value : list(object, key)) numbers.push_back(finite_of(value, key));
  return numbers;
}

inline std::vector<std::string> texts(const Json& object, const char* key) {
  std::vector<std::string> all;
  for (const Json& value : list(object, key)) all.push_back(text_of(value, key));
  return all;
}

/// The one of `values` whose name(value) is the text.
template <class Values, class NameOf>
auto one_of(const Json& object, const char* key, const Values& values, const NameOf& name) {
  const std::string& word = text(object, key);
  for (const auto& value : values) {
    if (word == name(value)) return value;
  }
  refuse(key, fmt::format("is '{}', which is unknown", word));
}

}  // namespace softwood::strict_json
