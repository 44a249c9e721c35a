#include "loss/language/loss_program.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "loss/language/evaluator.h"
#include "loss/language/expand.h"
#include "loss/language/gradient.h"
#include "loss/language/limits.h"
#include "loss/language/lowering.h"
#include "loss/language/operations.h"
#include "softwood/error.h"

namespace softwood {

using loss::InstructionList;
using loss::MissingRows;
using loss::NodeId;

LossData LossData::slice(std::size_t first, std::size_t count) const {
  LossData part{.y = y.empty() ? y : y.subspan(first, count), .columns = {}};
  for (const auto column : columns) {
    part.columns.push_back(column.empty() ? column : column.subspan(first, count));
  }
  return part;
}

struct LossProgram::Compiled {
  LossSource source;
  std::vector<Output> outputs;
  std::vector<std::string> columns;
  std::vector<std::size_t> prediction_columns;
  std::vector<Prediction> predictions;
  std::vector<std::string> requirements;
  bool uses_classes = false;
  std::vector<std::string> unset_parameters;
  InstructionList value;        // loss
  InstructionList gradient;     // loss, then one per output
  InstructionList prediction;   // every component of every prediction
  InstructionList requirement;  // 1 where the condition holds, else 0
  std::vector<std::size_t> distribution_columns;
  bool is_discrete = false;
  std::optional<InstructionList> cdf;       // reads q in y's place
  std::optional<InstructionList> censored;  // 1 where the condition holds, else 0
};

namespace {

InstructionList instructions_for(const loss::Graph& graph, const std::vector<NodeId>& roots) {
  loss::Graph expanded;
  const std::vector<NodeId> plain = loss::expand(graph, roots, expanded);
  return loss::list_instructions(expanded, plain);
}

[[noreturn]] void refuse_derivative(const loss::Lowered& lowered,
                                    const loss::Gradient::Missing& missing,
                                    const LossSource& source) {
  const loss::Lowered::Call& call = lowered.calls.at(lowered.graph[missing.node].operands);
  loss::fail_at(source.name, call.at,
                fmt::format("{} has no derivative in its {} argument, which depends on an output "
                            "here; the cdf and predictions may use it so, the loss may not",
                            call.function, missing.operand == 0 ? "first" : "second"));
}

std::vector<NodeId> with_gradient(loss::Lowered& lowered, const LossSource& source) {
  const loss::Gradient gradient =
      append_gradient(lowered.graph, lowered.loss, lowered.outputs.size());
  if (gradient.missing) refuse_derivative(lowered, *gradient.missing, source);
  std::vector<NodeId> roots = gradient.slopes;
  roots.insert(roots.begin(), lowered.loss);
  return roots;
}

std::vector<NodeId> prediction_roots(const loss::Lowered& lowered) {
  std::vector<NodeId> roots;
  for (const auto& prediction : lowered.predictions) {
    roots.insert(roots.end(), prediction.components.begin(), prediction.components.end());
  }
  return roots;
}

NodeId one_where(loss::Graph& graph, NodeId condition) {
  return graph.select(condition, graph.constant(1), graph.constant(0));
}

std::vector<NodeId> requirement_roots(loss::Lowered& lowered) {
  std::vector<NodeId> roots;
  for (const auto& requirement : lowered.requirements) {
    roots.push_back(one_where(lowered.graph, requirement.condition));
  }
  return roots;
}

/// q is floored wherever its size, not only its side of something, matters.
bool reads_whole_numbers(const loss::Graph& graph, NodeId cdf) {
  const std::vector<bool> needed = loss::reachable(graph, std::vector{cdf});
  bool floors = false;
  for (NodeId id = 0; id < needed.size(); ++id) {
    if (!needed[id]) continue;
    const loss::Node& node = graph[id];
    const bool reads_q =
        std::any_of(node.operands.begin(), node.operands.end(),
                    [&](NodeId operand) { return graph.is(operand, loss::Op::response); });
    if (!reads_q) continue;
    if (node.op != loss::Op::floor && !loss::is_boolean(node.op)) return false;
    floors = floors || node.op == loss::Op::floor;
  }
  return floors;
}

}  // namespace

LossProgram LossProgram::compile(const LossSource& source, std::size_t num_classes) {
  return compile(ParsedLoss(source), num_classes);
}

LossProgram LossProgram::compile(const ParsedLoss& source, std::size_t num_classes) try {
  loss::Lowered lowered = loss::lower(*source.syntax, source, num_classes);
  auto compiled = std::make_shared<Compiled>();
  compiled->source = source;
  compiled->columns = lowered.columns;
  compiled->uses_classes = lowered.uses_classes;
  compiled->unset_parameters = lowered.unset_parameters;
  for (const auto& output : lowered.outputs)
    compiled->outputs.push_back({output.name, output.unit, output.has_unit_of_response});
  for (const auto& prediction : lowered.predictions) {
    compiled->predictions.push_back(
        {prediction.name, prediction.components.size(), prediction.labels});
  }
  for (const auto& requirement : lowered.requirements) {
    compiled->requirements.push_back(requirement.source);
  }
  compiled->value = instructions_for(lowered.graph, {lowered.loss});
  compiled->prediction = instructions_for(lowered.graph, prediction_roots(lowered));
  compiled->requirement = instructions_for(lowered.graph, requirement_roots(lowered));
  if (lowered.cdf) {
    compiled->cdf = instructions_for(lowered.graph, {*lowered.cdf});
    compiled->is_discrete = reads_whole_numbers(lowered.graph, *lowered.cdf);
  }
  if (lowered.censored) {
    compiled->censored =
        instructions_for(lowered.graph, {one_where(lowered.graph, *lowered.censored)});
  }
  compiled->gradient = instructions_for(lowered.graph, with_gradient(lowered, source));
  const std::size_t num_columns = compiled->columns.size();
  const std::vector<bool> predicting = compiled->prediction.columns_read(num_columns);
  std::vector<bool> in_cdf(num_columns, false);
  if (compiled->cdf) in_cdf = compiled->cdf->columns_read(num_columns);
  for (std::size_t k = 0; k < num_columns; ++k) {
    if (predicting[k]) compiled->prediction_columns.push_back(k);
    if (predicting[k] || in_cdf[k]) compiled->distribution_columns.push_back(k);
  }
  LossProgram program;
  program.compiled_ = std::move(compiled);
  return program;
} catch (const loss::TooManySteps&) {
  throw Error(
      fmt::format("{}: compiling this loss and its gradient takes more than {} steps, which is the "
                  "limit; use smaller vectors, fewer lines, or sums of vectors instead of long "
                  "formulas",
                  source.name, loss::kMaxSteps));
}

const LossSource& LossProgram::source() const {
  return compiled_->source;
}
const std::vector<LossProgram::Output>& LossProgram::outputs() const {
  return compiled_->outputs;
}
const std::vector<std::string>& LossProgram::columns() const {
  return compiled_->columns;
}
const std::vector<std::size_t>& LossProgram::prediction_columns() const {
  return compiled_->prediction_columns;
}
const std::vector<LossProgram::Prediction>& LossProgram::predictions() const {
  return compiled_->predictions;
}
const std::vector<std::string>& LossProgram::unset_parameters() const {
  return compiled_->unset_parameters;
}
bool LossProgram::uses_classes() const {
  return compiled_->uses_classes;
}

bool LossProgram::has_cdf() const {
  return compiled_->cdf.has_value();
}
bool LossProgram::is_discrete() const {
  return compiled_->is_discrete;
}
const std::vector<std::size_t>& LossProgram::distribution_columns() const {
  return compiled_->distribution_columns;
}
bool LossProgram::has_censoring() const {
  return compiled_->censored.has_value();
}

void LossProgram::value(const LossData& data, MatrixView<const double> f,
                        std::span<double> loss) const {
  assert(f.cols == data.num_rows() && loss.size() == f.cols && f.rows == outputs().size());
  double* const result = loss.data();
  loss::evaluate(compiled_->value, data, f, f.cols, MissingRows::give_zero, {&result, 1});
}

void LossProgram::value_and_gradient(const LossData& data, MatrixView<const double> f,
                                     std::span<double> loss, MatrixView<double> gradient) const {
  assert(f.cols == data.num_rows() && loss.size() == f.cols && f.rows == outputs().size());
  assert(gradient.rows == f.rows && gradient.cols == f.cols);
  std::vector<double*> results{loss.data()};
  for (std::size_t k = 0; k < gradient.rows; ++k) results.push_back(gradient.row(k).data());
  loss::evaluate(compiled_->gradient, data, f, f.cols, MissingRows::give_zero, results);
}

void LossProgram::predict(const LossData& data, MatrixView<const double> f,
                          MatrixView<double> out) const {
  assert(f.rows == outputs().size() && out.rows == compiled_->prediction.results.size());
  assert(out.cols == f.cols && data.columns.size() == columns().size());
  thread_local std::vector<double*> results;  // kept: predicting row after row allocates nothing
  results.clear();
  for (std::size_t k = 0; k < out.rows; ++k) results.push_back(out.row(k).data());
  loss::evaluate(compiled_->prediction, data, f, f.cols, MissingRows::are_computed, results);
}

void LossProgram::cdf(const LossData& data, MatrixView<const double> f, std::span<const double> q,
                      std::span<double> out) const {
  assert(has_cdf() && f.rows == outputs().size());
  assert(q.size() == f.cols && out.size() == f.cols && data.columns.size() == columns().size());
  double* const result = out.data();
  loss::evaluate(*compiled_->cdf, {.y = q, .columns = data.columns}, f, f.cols,
                 MissingRows::are_computed, {&result, 1});
}

std::vector<bool> LossProgram::censored(const LossData& data) const {
  std::vector<double> holds(data.num_rows(), 0.0);
  double* const result = holds.data();
  if (has_censoring())
    loss::evaluate(*compiled_->censored, data, {}, data.num_rows(), MissingRows::are_computed,
                   {&result, 1});
  return {holds.begin(), holds.end()};
}

std::optional<LossProgram::RequireFailure> LossProgram::check(const LossData& data) const {
  const std::size_t count = compiled_->requirements.size();
  const std::size_t rows = data.num_rows();
  if (count == 0 || rows == 0) return std::nullopt;
  std::vector<double> holds(count * rows);
  std::vector<double*> results;
  for (std::size_t k = 0; k < count; ++k) results.push_back(holds.data() + k * rows);
  loss::evaluate(compiled_->requirement, data, {}, rows, MissingRows::are_computed, results);
  for (std::size_t row = 0; row < rows; ++row) {
    if (std::isnan(data.y[row])) continue;
    for (std::size_t k = 0; k < count; ++k) {
      if (holds[k * rows + row] == 0) return RequireFailure{row, compiled_->requirements[k]};
    }
  }
  return std::nullopt;
}

}  // namespace softwood
