// Row·outputs a second of value + gradient, one core, for every loss of the catalogue.
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "base/simd_target.h"
#include "loss/catalogue/catalogue.h"
#include "loss/catalogue/find_loss.h"
#include "loss/language/loss_program.h"

namespace {

using softwood::LossProgram;
using softwood::MatrixView;

constexpr std::size_t kRows = 4096;
constexpr std::size_t kClasses = 10;

/// Responses that every loss of the catalogue accepts.
std::vector<double> responses(const LossProgram& program, const std::string& name) {
  const softwood::RandomStream stream(1, "responses");
  std::vector<double> y(kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    const double u = stream.uniform(row);
    if (program.uses_classes()) {
      y[row] = std::floor(u * kClasses);
    } else if (name == "logistic") {
      y[row] = u < 0.3 ? 1 : 0;
    } else {
      y[row] = u < 0.3 && name != "gamma" && name != "lognormal" ? 0 : std::ceil(u * u * 12);
    }
  }
  return y;
}

void value_and_gradient(benchmark::State& state, const std::string& name) {
  softwood::choose_simd_target();
  const LossProgram program = LossProgram::compile(softwood::find_loss(name), kClasses);
  const std::size_t outputs = program.outputs().size();
  const std::vector<double> y = responses(program, name);
  const softwood::RandomStream stream(2, "outputs");
  std::vector<double> f(outputs * kRows), loss(kRows), gradient(outputs * kRows);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = 4 * stream.uniform(i) - 2;
  const softwood::LossData data{.y = y, .columns = {}};
  for (auto _ : state) {
    program.value_and_gradient(data, MatrixView<const double>(f.data(), outputs, kRows), loss,
                               MatrixView<double>(gradient.data(), outputs, kRows));
    benchmark::DoNotOptimize(gradient.data());
  }
  state.counters["row_outputs"] = benchmark::Counter(
      static_cast<double>(state.iterations() * kRows * outputs), benchmark::Counter::kIsRate);
}

const bool registered = [] {
  for (const auto& entry : softwood::loss_catalogue()) {
    benchmark::RegisterBenchmark(entry.name.c_str(), value_and_gradient, entry.name)->MinTime(0.1);
  }
  return true;
}();

}  // namespace
