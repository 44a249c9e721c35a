#include "loss/constants/weighted_rows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace softwood::loss {

WeightedRows WeightedRows::with_response(const LossData& data,
                                         std::span<const double> row_weights) {
  WeightedRows rows;
  rows.columns.resize(data.columns.size());
  const double largest =
      row_weights.empty() ? 1 : *std::max_element(row_weights.begin(), row_weights.end());
  for (std::size_t row = 0; row < data.num_rows(); ++row) {
    const double weight = row_weights.empty() ? 1 : row_weights[row] / largest;
    if (std::isnan(data.y[row]) || !(weight > 0)) continue;
    rows.y.push_back(data.y[row]);
    rows.weights.push_back(weight);
    for (std::size_t k = 0; k < rows.columns.size(); ++k) {
      const auto& column = data.columns[k];
      rows.columns[k].push_back(column.empty() ? 0 : column[row]);
    }
  }
  if (rows.size() > 0) make_mean_one(rows.weights);
  rows.total_weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  return rows;
}

LossData WeightedRows::data() const {
  LossData result{.y = y, .columns = {}};
  for (const auto& column : columns) result.columns.emplace_back(column);
  return result;
}

void WeightedRows::append(const WeightedRows& source, std::size_t row) {
  y.push_back(source.y[row]);
  weights.push_back(source.weights[row]);
  total_weight += source.weights[row];
  for (std::size_t k = 0; k < columns.size(); ++k) columns[k].push_back(source.columns[k][row]);
}

WeightedRows WeightedRows::every_nth_up_to(std::size_t count) const {
  WeightedRows part;
  part.columns.resize(columns.size());
  const std::size_t stride = std::max<std::size_t>(1, (size() + count - 1) / count);
  for (std::size_t row = 0; row < size(); row += stride) part.append(*this, row);
  return part;
}

WeightedRows WeightedRows::merged() const {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto compare = [this](std::size_t a, std::size_t b) {
    if (y[a] != y[b]) return y[a] < y[b] ? -1 : 1;
    for (const auto& column : columns) {
      if (column[a] < column[b]) return -1;
      if (column[b] < column[a]) return 1;
    }
    return 0;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
  WeightedRows result;
  result.columns.resize(columns.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && compare(order[i - 1], order[i]) == 0) {
      result.weights.back() += weights[order[i]];
      result.total_weight += weights[order[i]];
    } else {
      result.append(*this, order[i]);
    }
  }
  return result;
}

WeightedRows WeightedRows::varied(double part) const {
  WeightedRows result;
  result.columns.resize(columns.size());
  for (std::size_t row = 0; row < size(); ++row) {
    for (const double factor : {1 - part, 1.0, 1 + part}) {
      result.append(*this, row);
      result.y.back() *= factor;
    }
  }
  return result;
}

Moments weighted_moments(const WeightedRows& rows) {
  Moments moments;
  if (rows.size() == 0) return moments;
  const double anchor = rows.y[0];
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    moments.mean += rows.share(i) * (rows.y[i] - anchor);
    moments.size += rows.share(i) * std::abs(rows.y[i]);
    largest = std::max(largest, std::abs(rows.y[i] - anchor));
  }
  const double centre = moments.mean;  // from the anchor
  moments.mean += anchor;
  if (!(largest > 0) || std::isinf(largest)) {
    moments.sd = largest;
    return moments;
  }
  double squares = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double distance = (rows.y[i] - anchor - centre) / largest;
    squares += rows.share(i) * distance * distance;
  }
  moments.sd = largest * std::sqrt(squares);
  return moments;
}

double weighted_median(const WeightedRows& rows) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.y[a] < rows.y[b]; });
  double below = 0;
  for (const std::size_t row : order) {
    below += rows.weights[row];
    if (below >= 0.5 * rows.total_weight) return rows.y[row];
  }
  return rows.y[order.back()];
}

void make_mean_one(std::vector<double>& weights) {
  const double largest = *std::max_element(weights.begin(), weights.end());
  double mean = 0;
  for (double& weight : weights) {
    weight /= largest;
    mean += weight;
  }
  mean /= static_cast<double>(weights.size());
  for (double& weight : weights) weight /= mean;
}

double median_of_finite_magnitudes(std::vector<double> values) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return 0;
  for (double& value : values) value = std::abs(value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace softwood::loss
