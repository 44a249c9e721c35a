#include "loss/loss_testing.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace softwood {
namespace {

/// Owns the one-row columns that LossData only borrows.
struct OneRow {
  OneRow(const LossProgram& program, double response, const std::map<std::string, double>& columns)
      : y(response) {
    values.reserve(program.columns().size());
    for (const std::string& name : program.columns()) values.push_back(columns.at(name));
    data.y = std::span(&y, 1);
    for (const double& value : values) data.columns.emplace_back(&value, 1);
  }
  double y;
  std::vector<double> values;
  LossData data;
};

double loss_at(const LossProgram& program, const OneRow& row, const std::vector<double>& f) {
  double loss = 0;
  program.value(row.data, {f.data(), f.size(), 1}, {&loss, 1});
  return loss;
}

/// Central differences at steps h, h/2, h/4, …, extrapolated (Ridders): the entry of least change.
double extrapolated_slope(const LossProgram& program, const OneRow& row, std::vector<double> f,
                          std::size_t k) {
  constexpr int kLevels = 8;
  std::array<std::array<double, kLevels>, kLevels> table{};
  const double center = f[k];
  double step = 0.05 * std::max(1.0, std::abs(center)), best = 0, least_change = HUGE_VAL;
  for (int i = 0; i < kLevels; ++i, step /= 2) {
    f[k] = center + step;
    const double above = loss_at(program, row, f);
    f[k] = center - step;
    table[i][0] = (above - loss_at(program, row, f)) / (2 * step);
    double factor = 4;
    for (int j = 1; j <= i; ++j, factor *= 4) {
      table[i][j] = (factor * table[i][j - 1] - table[i - 1][j - 1]) / (factor - 1);
      const double change = std::max(std::abs(table[i][j] - table[i][j - 1]),
                                     std::abs(table[i][j] - table[i - 1][j - 1]));
      if (!(change < least_change)) continue;
      least_change = change;
      best = table[i][j];
    }
  }
  return best;
}

}  // namespace

LossProgram program_of(const std::string& spec, std::size_t num_classes) {
  return LossProgram::compile(find_loss(spec), num_classes);
}

Evaluated evaluate_at(const LossProgram& program, double y, const std::vector<double>& f,
                      const std::map<std::string, double>& columns) {
  const OneRow row(program, y, columns);
  Evaluated result{0, std::vector<double>(f.size())};
  program.value_and_gradient(row.data, {f.data(), f.size(), 1}, {&result.loss, 1},
                             {result.gradient.data(), f.size(), 1});
  return result;
}

std::map<std::string, std::vector<double>> predict_at(
    const LossProgram& program, const std::vector<double>& f,
    const std::map<std::string, double>& columns) {
  const OneRow row(program, 0, columns);
  std::size_t size = 0;
  for (const auto& prediction : program.predictions()) size += prediction.size;
  std::vector<double> out(size);
  program.predict(row.data, {f.data(), f.size(), 1}, {out.data(), size, 1});
  std::map<std::string, std::vector<double>> named;
  auto at = out.begin();
  for (const auto& prediction : program.predictions()) {
    named[prediction.name] = std::vector(at, at + static_cast<std::ptrdiff_t>(prediction.size));
    at += static_cast<std::ptrdiff_t>(prediction.size);
  }
  return named;
}

double cdf_at(const LossProgram& program, double q, const std::vector<double>& f) {
  double probability = 0;
  const std::vector<std::span<const double>> columns(program.columns().size());
  program.cdf({.y = {}, .columns = columns}, {f.data(), f.size(), 1}, {&q, 1}, {&probability, 1});
  return probability;
}

void expect_gradient(const LossProgram& program, double y, const std::vector<double>& f,
                     const std::map<std::string, double>& columns, double tolerance) {
  const Evaluated ours = evaluate_at(program, y, f, columns);
  ASSERT_TRUE(std::isfinite(ours.loss)) << program.source().text << "y = " << y;
  const OneRow row(program, y, columns);
  double scale = std::abs(ours.loss);
  for (const double slope : ours.gradient) scale = std::max(scale, std::abs(slope));
  for (std::size_t k = 0; k < f.size(); ++k) {
    EXPECT_NEAR(ours.gradient[k], extrapolated_slope(program, row, f, k),
                tolerance * std::max(scale, 1e-3))
        << program.source().text << "output " << k << " at y = " << y
        << ", f = " << ::testing::PrintToString(f);
  }
}

}  // namespace softwood
