#pragma once

#include <cmath>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace softwood {

/// A number as JSON; those that JSON lacks as {"number": "inf"}, for a plain string may be a
/// column.
inline nlohmann::json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return {{"number", fmt::format("{}", value)}};
}

inline double number_from_json(const nlohmann::json& text) {
  if (!text.is_object()) return text.get<double>();
  return std::strtod(text.at("number").get<std::string>().c_str(), nullptr);
}

inline nlohmann::json numbers_to_json(const std::vector<double>& values) {
  nlohmann::json list = nlohmann::json::array();
  for (const double value : values) list.push_back(number_to_json(value));
  return list;
}

inline std::vector<double> numbers_from_json(const nlohmann::json& list) {
  std::vector<double> values;
  for (const nlohmann::json& value : list) values.push_back(number_from_json(value));
  return values;
}

}  // namespace softwood
