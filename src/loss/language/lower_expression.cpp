#include "loss/language/lower_expression.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loss/language/functions.h"
#include "loss/language/limits.h"
#include "loss/language/operations.h"
#include "softwood/error.h"

namespace softwood::loss {

using Kind = Expression::Kind;

std::optional<std::size_t> as_vector_size(double size) {
  if (!(size >= 1 && size <= static_cast<double>(kMaxVectorSize) && size == std::floor(size)))
    return std::nullopt;
  return static_cast<std::size_t>(size);
}

std::string refused_vector_size(double size) {
  const std::string refused = fmt::format("a vector cannot have {} components", size);
  if (!(size > static_cast<double>(kMaxVectorSize))) return refused;
  return fmt::format("{}; the limit is {}", refused, kMaxVectorSize);
}

void ExpressionLowering::fail(Position at, const std::string& message) const {
  fail_at(source_.name, at, message);
}

bool ExpressionLowering::reads(const std::vector<NodeId>& nodes, Op leaf) {
  const Graph& all = result_.graph;
  for (auto id = static_cast<NodeId>(leaves_.size()); id < all.size(); ++id) {
    Leaves own{.output = all.is(id, Op::output), .response = all.is(id, Op::response)};
    for (const NodeId operand : all[id].operands) {
      own.output = own.output || leaves_[operand].output;
      own.response = own.response || leaves_[operand].response;
    }
    leaves_.push_back(own);
  }
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    return leaf == Op::output ? leaves_[id].output : leaves_[id].response;
  });
}

NodeId ExpressionLowering::number(const Value& value, Position at, std::string_view what) const {
  if (value.is_condition) {
    fail(at, fmt::format("{} is a condition, not a number; write if(condition, 1, 0)", what));
  }
  if (value.is_vector) {
    fail(at, fmt::format("{} is a vector of {}, not a number; use sum(…) or an index", what,
                         value.nodes.size()));
  }
  return value.nodes[0];
}

double ExpressionLowering::constant(const Expression& expression, std::string_view what) {
  const NodeId node = number(lower(expression), expression.at, what);
  if (!graph().is_constant(node)) fail(expression.at, fmt::format("{} must be a number", what));
  return graph()[node].value;
}

std::vector<double> ExpressionLowering::constants(const Value& value, Position at,
                                                  std::string_view what) const {
  std::vector<double> numbers;
  for (const NodeId node : value.nodes) {
    if (value.is_condition || !result_.graph.is_constant(node)) {
      fail(at, fmt::format("{} must be {}", what, value.is_vector ? "numbers" : "a number"));
    }
    numbers.push_back(result_.graph[node].value);
  }
  return numbers;
}

NodeId ExpressionLowering::column(const std::string& name) {
  auto& columns = result_.columns;
  const auto next = static_cast<std::uint32_t>(columns.size());
  const auto [place, fresh] = column_places_.try_emplace(name, next);
  if (fresh) columns.push_back(name);
  if (columns.size() > kMaxColumns) {
    throw Error(fmt::format("{}: the loss reads more than {} columns, which is the limit",
                            source_.name, kMaxColumns));
  }
  return graph().leaf(Op::column, place->second);
}

Value ExpressionLowering::lower_in_cdf(const Expression& expression, const std::string& argument) {
  cdf_argument_ = argument;
  Value value = lower(expression);
  cdf_argument_.clear();
  return value;
}

Value ExpressionLowering::lower(const Expression& expression) {
  switch (expression.kind) {
    case Kind::number:
      return {.nodes = {graph().constant(expression.number)}};
    case Kind::name:
      return lower_name(expression);
    case Kind::call:
      return lower_call(expression);
    case Kind::vector:
      return lower_vector(expression);
    case Kind::index:
      return lower_index(expression);
    case Kind::negate:
      return elementwise(Op::negate, expression);
    case Kind::logical_not:
      return elementwise(Op::logical_not, expression);
    case Kind::binary:
      return lower_binary(expression);
  }
  return {};
}

Value ExpressionLowering::lower_name(const Expression& expression) {
  const std::string& name = expression.text;
  const bool in_cdf = !cdf_argument_.empty();
  if (name == (in_cdf ? cdf_argument_ : "y")) return {.nodes = {graph().leaf(Op::response)}};
  if (in_cdf) refuse_response(expression);
  if (name == "classes") {
    result_.uses_classes = true;
    if (num_classes_ == 0) {
      fail(expression.at,
           "'classes' is the number of classes, but the target is not one of classes");
    }
    return {.nodes = {graph().constant(static_cast<double>(num_classes_))}};
  }
  if (const auto found = known.find(name); found != known.end()) {
    graph().count_steps(found->second.nodes.size() / kTermsPerStep);
    return found->second;
  }
  if (defined.contains(name)) {
    fail(expression.at, fmt::format("'{}' is used before its definition", name));
  }
  return {.nodes = {column(name)}};
}

void ExpressionLowering::refuse_response(const Expression& expression) {
  const auto found = known.find(expression.text);
  if (expression.text != "y" && (found == known.end() || !reads(found->second.nodes, Op::response)))
    return;
  fail(expression.at,
       fmt::format("the cdf is a function of '{}' and cannot read {}", cdf_argument_,
                   expression.text == "y" ? "y" : expression.text + ", which reads y"));
}

/// [a, v, b]: vectors inside are spliced.
Value ExpressionLowering::lower_vector(const Expression& expression) {
  Value result{.nodes = {}, .is_vector = true};
  for (const ExpressionPtr& operand : expression.operands) {
    const Value value = lower(*operand);
    if (value.is_condition)
      fail(operand->at, "a condition where a number is needed; write if(condition, 1, 0)");
    result.nodes.insert(result.nodes.end(), value.nodes.begin(), value.nodes.end());
    const auto size = static_cast<double>(result.nodes.size());
    if (!as_vector_size(size)) fail(operand->at, refused_vector_size(size));
  }
  return result;
}

Value ExpressionLowering::lower_index(const Expression& expression) {
  Value vector = lower(*expression.operands[0]);
  if (!vector.is_vector) fail(expression.at, "only a vector has components to pick with [ ]");
  if (vector.is_condition) fail(expression.at, "a vector of conditions has no components to pick");
  const Expression& position = *expression.operands[1];
  const NodeId at = number(lower(position), position.at, "an index");
  if (graph().is_constant(at)) {
    const double value = graph()[at].value;
    const auto size = static_cast<double>(vector.nodes.size());
    if (!(value >= 0 && value < size && value == std::floor(value))) {
      fail(position.at, fmt::format("index {} is outside 0 … {}", value, size - 1));
    }
  }
  std::vector<NodeId> operands = std::move(vector.nodes);
  operands.insert(operands.begin(), at);
  return {.nodes = {graph().make(Op::gather, std::move(operands))}};
}

Value ExpressionLowering::lower_binary(const Expression& expression) {
  static const std::map<std::string_view, Op> kOps = {
      {"+", Op::add},         {"-", Op::subtract},      {"*", Op::multiply},   {"/", Op::divide},
      {"^", Op::power},       {"==", Op::equal},        {"!=", Op::not_equal}, {"<", Op::less},
      {"<=", Op::less_equal}, {"and", Op::logical_and}, {"or", Op::logical_or}};
  if (expression.text == ">") return elementwise(Op::less, expression, true);
  if (expression.text == ">=") return elementwise(Op::less_equal, expression, true);
  return elementwise(kOps.at(expression.text), expression);
}

Value ExpressionLowering::lower_call(const Expression& expression) {
  const Function& function = *find_function(expression.text);
  switch (function.kind) {
    case Function::Kind::elementwise:
    case Function::Kind::conditional:
      return elementwise(function.op, expression);
    case Function::Kind::min_max:
      if (expression.operands.size() == 2) return elementwise(function.op, expression);
      return {.nodes = {reduce(function.op, vector_argument(expression))}};
    case Function::Kind::reduction:
      if (function.op != Op::logsumexp)
        return {.nodes = {reduce(function.op, vector_argument(expression))}};
      return {.nodes = {graph().make(Op::logsumexp, vector_argument(expression))}};
    case Function::Kind::vector_map:
      return vector_map(function.op, vector_argument(expression));
    case Function::Kind::size:
      return {.nodes = {graph().constant(static_cast<double>(vector_argument(expression).size()))}};
    case Function::Kind::range:
      return lower_range(expression);
  }
  return {};
}

Value ExpressionLowering::lower_range(const Expression& expression) {
  const Expression& operand = *expression.operands[0];
  const double count = constant(operand, "the size of a range");
  const auto size = as_vector_size(count);
  if (!size) fail(operand.at, refused_vector_size(count));
  Value result{.nodes = {}, .is_vector = true};
  for (std::size_t k = 0; k < *size; ++k)
    result.nodes.push_back(graph().constant(static_cast<double>(k)));
  return result;
}

std::vector<NodeId> ExpressionLowering::vector_argument(const Expression& expression) {
  Value value = lower(*expression.operands[0]);
  if (!value.is_vector || value.is_condition) {
    fail(expression.operands[0]->at, fmt::format("{} needs a vector here", expression.text));
  }
  return std::move(value.nodes);
}

NodeId ExpressionLowering::reduce(Op op, const std::vector<NodeId>& components) {
  NodeId result = components[0];
  for (std::size_t k = 1; k < components.size(); ++k)
    result = graph().make(op, result, components[k]);
  return result;
}

Value ExpressionLowering::vector_map(Op op, const std::vector<NodeId>& components) {
  Value result{.nodes = {}, .is_vector = true};
  for (std::uint32_t k = 0; k < components.size(); ++k) {
    if (op == Op::softmax_at) {
      result.nodes.push_back(graph().make(op, components, k));
    } else if (k == 0) {
      result.nodes.push_back(components[0]);
    } else {  // cumsum adds what came out so far, diff takes away what stands before
      const NodeId other = op == Op::add ? result.nodes.back() : components[k - 1];
      result.nodes.push_back(op == Op::add ? graph().make(op, other, components[k])
                                           : graph().make(op, components[k], other));
    }
  }
  return result;
}

void ExpressionLowering::check_kind(Op op, std::size_t k, const Value& value, Position at) const {
  const bool wants_condition = k < static_cast<std::size_t>(operation(op).num_conditions);
  if (wants_condition == value.is_condition) return;
  fail(at, value.is_condition ? "a condition where a number is needed; write if(condition, 1, 0)"
                              : "a number where a condition is needed, such as y > 0");
}

/// Remembers where a function stands that may lack the derivative the loss needs.
NodeId ExpressionLowering::make(Op op, std::vector<NodeId> operands, const Expression& expression) {
  if (lacks_derivatives(op))
    result_.calls.try_emplace(operands, Lowered::Call{expression.text, expression.at});
  return graph().make(op, std::move(operands));
}

/// Applies an operation component by component; numbers go with every component.
Value ExpressionLowering::elementwise(Op op, const Expression& expression, bool reversed) {
  std::vector<Value> values;
  std::optional<std::size_t> size;
  for (std::size_t k = 0; k < expression.operands.size(); ++k) {
    const Expression& operand = *expression.operands[k];
    values.push_back(lower(operand));
    check_kind(op, k, values.back(), operand.at);
    if (!values.back().is_vector) continue;
    if (size && *size != values.back().nodes.size()) {
      fail(expression.at, fmt::format("vectors of {} and {} components do not go together", *size,
                                      values.back().nodes.size()));
    }
    size = values.back().nodes.size();
  }
  if (reversed) std::reverse(values.begin(), values.end());
  Value result{.nodes = {}, .is_vector = size.has_value(), .is_condition = is_boolean(op)};
  for (std::size_t k = 0; k < size.value_or(1); ++k) {
    std::vector<NodeId> operands;
    for (const Value& value : values) operands.push_back(value.nodes[value.is_vector ? k : 0]);
    result.nodes.push_back(make(op, std::move(operands), expression));
  }
  return result;
}

}  // namespace softwood::loss
