#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "softwood/table.h"

namespace softwood {

/// A numeric column of these values.
inline Column number_column(std::string name, std::vector<double> values) {
  return {.name = std::move(name), .values = std::move(values)};
}
inline Column number_column(std::string name, std::span<const double> values) {
  return number_column(std::move(name), std::vector<double>(values.begin(), values.end()));
}

}  // namespace softwood
