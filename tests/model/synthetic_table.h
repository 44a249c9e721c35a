#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "model/number_column.h"
#include "softwood/options.h"
#include "softwood/table.h"

namespace softwood {

/// y = 3·sin(4·x1) + x2 + small noise, with a categorical column `city` that adds 1 for "b", and
/// missing cells in x2. `count` is a small count, `class` a text, and `half` equals y where the row
/// is even.
inline Table synthetic_table(std::size_t num_rows, std::uint64_t seed = 1) {
  const RandomStream random(seed, "synthetic");
  std::vector<double> x1, x2, y, count, half;
  Column city{.name = "city", .kind = ColumnKind::categorical, .levels = {"a", "b", "c"}};
  Column label{.name = "label", .kind = ColumnKind::categorical, .levels = {"low", "high, very"}};
  for (std::size_t row = 0; row < num_rows; ++row) {
    const auto uniform = [&](std::uint64_t which) { return random.uniform(row * 8 + which); };
    x1.push_back(2 * uniform(0) - 1);
    x2.push_back(4 * uniform(1) - 2);
    const auto code = static_cast<std::int32_t>(3 * uniform(2));
    city.codes.push_back(code);
    y.push_back(3 * std::sin(4 * x1.back()) + x2.back() + (code == 1 ? 1 : 0) + 0.1 * uniform(3));
    count.push_back(std::floor(std::exp(x1.back()) * 2 * uniform(4)));
    label.codes.push_back(y.back() > 0 ? 1 : 0);
    half.push_back(row % 2 == 0 ? y.back() : std::numeric_limits<double>::quiet_NaN());
    if (uniform(5) < 0.05) x2.back() = std::numeric_limits<double>::quiet_NaN();
  }
  return Table({number_column("x1", x1), number_column("x2", x2), city, number_column("y", y),
                number_column("count", count), label, number_column("half", half)});
}

/// Options that train in a moment on the features x1, x2, city.
inline TrainOptions quick_options(std::string target, std::string loss = "") {
  TrainOptions options;
  options.tasks = {{.target = std::move(target), .loss = std::move(loss)}};
  options.features = {"x1", "x2", "city"};
  options.trees = 20;
  options.epochs = 10;
  return options;
}

}  // namespace softwood
