#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/strict_json.h"

namespace softwood {

/// A number as JSON; those that JSON lacks as {"number": "inf"}, for a plain string may be a
/// column.
inline nlohmann::json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return {{"number", fmt::format("{}", value)}};
}

/// `key` is what it is called in an Error.
inline double number_from_json(const nlohmann::json& value, const char* key) {
  if (!value.is_object()) return strict_json::finite_of(value, key);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array<std::pair<std::string_view, double>, 4> kNumbers = {
      {{"inf", kInfinity},
       {"-inf", -kInfinity},
       {"nan", std::numeric_limits<double>::quiet_NaN()},
       {"-nan", -std::numeric_limits<double>::quiet_NaN()}}};
  return strict_json::one_of(value, "number", kNumbers, [](const auto& each) { return each.first; })
      .second;
}

inline nlohmann::json numbers_to_json(const std::vector<double>& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const double value : values) list.push_back(number_to_json(value));
  return list;
}

inline std::vector<double> numbers_from_json(const nlohmann::json& list, const char* key) {
  if (!list.is_array()) strict_json::refuse(key, "is no list");
  std::vector<double> values;
  for (const nlohmann::json& value : list) values.push_back(number_from_json(value, key));
  return values;
}

}  // namespace softwood
