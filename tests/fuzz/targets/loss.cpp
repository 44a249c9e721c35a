#include <array>
#include <string>
#include <vector>

#include "fuzz/targets.h"
#include "loss/catalogue/find_loss.h"
#include "loss/language/loss_program.h"
#include "softwood/error.h"

namespace softwood::fuzz {
namespace {

constexpr std::array kResponses = {0.0, 1.0, 2.5};
constexpr std::size_t kNumRows = kResponses.size();
constexpr std::size_t kNumClasses = 3;

/// Everything that a program can be asked, on a few rows.
void run(const LossProgram& program) {
  const std::vector<double> column(kNumRows, 0.5);
  LossData data{.y = kResponses, .columns = {}};
  data.columns.assign(program.columns().size(), column);
  const std::size_t num_outputs = program.outputs().size();
  std::vector<double> f(num_outputs * kNumRows), slopes(f.size()), losses(kNumRows);
  for (std::size_t k = 0; k < f.size(); ++k) f[k] = 0.1 * static_cast<double>(k % 7) - 0.2;
  const MatrixView<const double> outputs(f.data(), num_outputs, kNumRows);
  program.value(data, outputs, losses);
  program.value_and_gradient(data, outputs, losses,
                             MatrixView<double>(slopes.data(), num_outputs, kNumRows));
  std::size_t num_predicted = 0;
  for (const auto& prediction : program.predictions()) num_predicted += prediction.size;
  std::vector<double> predicted(num_predicted * kNumRows);
  program.predict(data, outputs, MatrixView<double>(predicted.data(), num_predicted, kNumRows));
  if (program.has_cdf()) program.cdf(data, outputs, kResponses, losses);
  program.censored(data);
  program.check(data);
}

template <class Compile>
void compile_and_run(const Compile& compile) {
  try {
    run(compile());
  } catch (const Error&) {
  }
}

}  // namespace

/// The bytes as a loss's text, as a model file has it, and as what is written after --loss.
void loss(std::string_view bytes) {
  const std::string text(bytes);
  compile_and_run([&] { return LossProgram::compile({"input.loss", text, {}}, kNumClasses); });
  if (text.find('@') != text.npos) return;  // it may name a file of this machine
  compile_and_run([&] { return LossProgram::compile(find_loss(text), kNumClasses); });
}

}  // namespace softwood::fuzz
