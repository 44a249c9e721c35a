#include "loss/lowering.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "loss/functions.h"
#include "softwood/error.h"

namespace softwood::loss {
namespace {

using Kind = Expression::Kind;

/// A value of the language: a number, a vector of numbers, or a condition (or a vector of them).
struct Value {
  std::vector<NodeId> nodes;
  bool is_vector = false;
  bool is_condition = false;
};

constexpr double kMaxVectorSize = 10000;

class Lowering {
 public:
  Lowering(const Syntax& syntax, const LossSource& source, std::size_t num_classes)
      : syntax_(syntax), source_(source), num_classes_(num_classes) {}

  Lowered run() {
    collect_defined_names();
    if (!has_statement(Statement::Kind::outputs)) add_output("f", std::nullopt);
    for (const Statement& statement : syntax_.statements) lower_statement(statement);
    if (!known_.contains("loss")) {
      throw Error(fmt::format("{}: no line says what the loss is; write 'loss = …'", source_.name));
    }
    result_.loss = number(known_.at("loss"), loss_at_, "the loss");
    check_settings();
    order_predictions();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(Position at, const std::string& message) const {
    fail_at(source_.name, at, message);
  }
  Graph& graph() { return result_.graph; }

  bool has_statement(Statement::Kind kind) const {
    return std::any_of(syntax_.statements.begin(), syntax_.statements.end(),
                       [&](const Statement& statement) { return statement.kind == kind; });
  }

  void collect_defined_names() {
    for (const Statement& statement : syntax_.statements) {
      if (statement.kind == Statement::Kind::define) defined_.push_back(statement.name);
    }
  }

  // --- statements ---

  void lower_statement(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::outputs:
        return lower_output(statement);
      case Statement::Kind::param:
        return lower_param(statement);
      case Statement::Kind::define:
        return lower_definition(statement);
      case Statement::Kind::unit:
        return lower_unit(statement);
      case Statement::Kind::cdf:
        return lower_cdf(statement);
      case Statement::Kind::require:
        result_.requirements.push_back({statement.source, condition_on_data(statement, "require")});
        return;
      case Statement::Kind::censored:
        if (result_.censored) fail(statement.at, "a loss has one 'censored' line; join them by or");
        result_.censored = condition_on_data(statement, "censored");
        return;
      case Statement::Kind::formula:
        fail(statement.at, "a line that is no definition; write 'loss = …', or 'NAME = …'");
    }
  }

  NodeId condition_on_data(const Statement& statement, std::string_view word) {
    const Value value = lower_expression(*statement.value);
    if (!value.is_condition || value.is_vector) {
      fail(statement.at, fmt::format("'{}' needs a condition, such as y >= 0", word));
    }
    if (reads(value.nodes, Op::output)) {
      fail(statement.at, fmt::format("'{}' is about the data; it cannot read an output", word));
    }
    return value.nodes[0];
  }

  /// q takes the place of the response, which nothing in a cdf may read.
  void lower_cdf(const Statement& statement) {
    if (result_.cdf) fail(statement.at, "the cdf is defined twice");
    if (known_.contains(statement.name)) {
      fail(statement.at, fmt::format("'{}' means something else above; choose another name for the "
                                     "argument of the cdf",
                                     statement.name));
    }
    cdf_argument_ = statement.name;
    result_.cdf = number(lower_expression(*statement.value), statement.at, "the cdf");
    cdf_argument_.clear();
    if (!reads({*result_.cdf}, Op::response)) {
      fail(statement.at, fmt::format("the cdf does not depend on '{}'", statement.name));
    }
  }

  void introduce(const Statement& statement, const Value& value) {
    if (!known_.try_emplace(statement.name, value).second) {
      fail(statement.at, fmt::format("'{}' is defined twice", statement.name));
    }
  }

  void add_output(const std::string& name, std::optional<std::size_t> size) {
    Value value{.nodes = {}, .is_vector = size.has_value()};
    for (std::size_t k = 0; k < size.value_or(1); ++k) {
      const auto index = static_cast<std::uint32_t>(result_.outputs.size());
      result_.outputs.push_back({size ? fmt::format("{}[{}]", name, k) : name, std::nullopt});
      value.nodes.push_back(graph().leaf(Op::output, index));
    }
    output_values_.emplace_back(name, value);
    known_[name] = std::move(value);
  }

  void lower_output(const Statement& statement) {
    if (known_.contains(statement.name)) {
      fail(statement.at, fmt::format("'{}' is defined twice", statement.name));
    }
    if (!statement.value) return add_output(statement.name, std::nullopt);
    const double size = constant_value(*statement.value, "the size of a vector");
    if (!(size >= 1 && size <= kMaxVectorSize && size == std::floor(size))) {
      fail(statement.value->at, fmt::format("a vector cannot have {} components", size));
    }
    add_output(statement.name, static_cast<std::size_t>(size));
  }

  double constant_value(const Expression& expression, std::string_view what) {
    const NodeId node = number(lower_expression(expression), expression.at, what);
    if (!graph().is_constant(node)) fail(expression.at, fmt::format("{} must be a number", what));
    return graph()[node].value;
  }

  void lower_param(const Statement& statement) {
    const double fallback = constant_value(*statement.value, "the default of a parameter");
    NodeId node = graph().constant(fallback);
    if (const auto setting = source_.settings.find(statement.name);
        setting != source_.settings.end()) {
      if (const double* value = std::get_if<double>(&setting->second)) {
        node = graph().constant(*value);
      } else {
        node = column(std::get<std::string>(setting->second));
      }
    }
    introduce(statement, {.nodes = {node}});
  }

  void lower_unit(const Statement& statement) {
    const double unit = constant_value(*statement.value, "a unit");
    if (!(unit > 0) || std::isinf(unit)) fail(statement.value->at, "a unit must be above 0");
    bool found = false;
    for (Lowered::Output& output : result_.outputs) {
      const bool component = output.name.starts_with(statement.name + "[");
      if (output.name != statement.name && !component) continue;
      output.unit = unit;
      found = true;
    }
    if (!found)
      fail(statement.at, fmt::format("'{}' is not one of the outputs above", statement.name));
  }

  void lower_definition(const Statement& statement) {
    Value value = lower_expression(*statement.value);
    if (statement.name == "loss") loss_at_ = statement.at;
    const bool helper = statement.name == "loss" || statement.name.starts_with('_');
    const bool predicts = !helper && !value.is_condition && reads(value.nodes, Op::output) &&
                          !reads(value.nodes, Op::response);
    if (predicts) result_.predictions.push_back({statement.name, value.nodes});
    introduce(statement, std::move(value));
  }

  bool reads(const std::vector<NodeId>& nodes, Op leaf) {
    const std::vector<bool> needed = reachable(graph(), nodes);
    for (NodeId id = 0; id < needed.size(); ++id) {
      if (needed[id] && graph().is(id, leaf)) return true;
    }
    return false;
  }

  void check_settings() const {
    const std::vector<std::string> names = parameter_names(syntax_);
    for (const auto& [name, setting] : source_.settings) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      throw Error(fmt::format("{}: no parameter '{}'{}{}", source_.name, name,
                              suggestion(name, names),
                              names.empty() ? "; this loss has none" : ""));
    }
  }

  void order_predictions() {
    auto& predictions = result_.predictions;
    if (predictions.empty()) {
      const bool implicit = !has_statement(Statement::Kind::outputs);
      for (const auto& [name, value] : output_values_) {
        predictions.push_back({implicit ? "mean" : name, value.nodes});
      }
    }
    std::stable_partition(predictions.begin(), predictions.end(),
                          [](const auto& prediction) { return prediction.name == "mean"; });
  }

  // --- expressions ---

  /// The node of a value that must be one number.
  NodeId number(const Value& value, Position at, std::string_view what) const {
    if (value.is_condition) {
      fail(at, fmt::format("{} is a condition, not a number; write if(condition, 1, 0)", what));
    }
    if (value.is_vector) {
      fail(at, fmt::format("{} is a vector of {}, not a number; use sum(…) or an index", what,
                           value.nodes.size()));
    }
    return value.nodes[0];
  }

  Value lower_expression(const Expression& expression) {
    switch (expression.kind) {
      case Kind::number:
        return {.nodes = {graph().constant(expression.number)}};
      case Kind::name:
        return lower_name(expression);
      case Kind::call:
        return lower_call(expression);
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

  Value lower_name(const Expression& expression) {
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
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    if (std::find(defined_.begin(), defined_.end(), name) != defined_.end()) {
      fail(expression.at, fmt::format("'{}' is used before its definition", name));
    }
    return {.nodes = {column(name)}};
  }

  void refuse_response(const Expression& expression) {
    const auto known = known_.find(expression.text);
    if (expression.text != "y" &&
        (known == known_.end() || !reads(known->second.nodes, Op::response)))
      return;
    fail(expression.at,
         fmt::format("the cdf is a function of '{}' and cannot read {}", cdf_argument_,
                     expression.text == "y" ? "y" : expression.text + ", which reads y"));
  }

  NodeId column(const std::string& name) {
    auto& columns = result_.columns;
    const auto found = std::find(columns.begin(), columns.end(), name);
    const auto index = static_cast<std::uint32_t>(found - columns.begin());
    if (found == columns.end()) columns.push_back(name);
    return graph().leaf(Op::column, index);
  }

  Value lower_index(const Expression& expression) {
    Value vector = lower_expression(*expression.operands[0]);
    if (!vector.is_vector) fail(expression.at, "only a vector has components to pick with [ ]");
    if (vector.is_condition)
      fail(expression.at, "a vector of conditions has no components to pick");
    const Expression& position = *expression.operands[1];
    const NodeId at = number(lower_expression(position), position.at, "an index");
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

  Value lower_binary(const Expression& expression) {
    static const std::map<std::string_view, Op> kOps = {
        {"+", Op::add},         {"-", Op::subtract},      {"*", Op::multiply},   {"/", Op::divide},
        {"^", Op::power},       {"==", Op::equal},        {"!=", Op::not_equal}, {"<", Op::less},
        {"<=", Op::less_equal}, {"and", Op::logical_and}, {"or", Op::logical_or}};
    if (expression.text == ">") return elementwise(Op::less, expression, true);
    if (expression.text == ">=") return elementwise(Op::less_equal, expression, true);
    return elementwise(kOps.at(expression.text), expression);
  }

  Value lower_call(const Expression& expression) {
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
    }
    return {};
  }

  std::vector<NodeId> vector_argument(const Expression& expression) {
    Value value = lower_expression(*expression.operands[0]);
    if (!value.is_vector || value.is_condition) {
      fail(expression.operands[0]->at, fmt::format("{} needs a vector here", expression.text));
    }
    return std::move(value.nodes);
  }

  NodeId reduce(Op op, const std::vector<NodeId>& components) {
    NodeId result = components[0];
    for (std::size_t k = 1; k < components.size(); ++k)
      result = graph().make(op, result, components[k]);
    return result;
  }

  Value vector_map(Op op, const std::vector<NodeId>& components) {
    Value result{.nodes = {}, .is_vector = true};
    for (std::uint32_t k = 0; k < components.size(); ++k) {
      if (op == Op::softmax_at) {
        result.nodes.push_back(graph().make(op, components, k));
      } else {
        result.nodes.push_back(k == 0 ? components[0]
                                      : graph().make(Op::add, result.nodes.back(), components[k]));
      }
    }
    return result;
  }

  /// Whether operand `k` of the operation must be a condition.
  static bool wants_condition(Op op, std::size_t k) {
    if (op == Op::select) return k == 0;
    return op == Op::logical_and || op == Op::logical_or || op == Op::logical_not;
  }

  void check_kind(Op op, std::size_t k, const Value& value, Position at) const {
    if (wants_condition(op, k) == value.is_condition) return;
    fail(at, value.is_condition ? "a condition where a number is needed; write if(condition, 1, 0)"
                                : "a number where a condition is needed, such as y > 0");
  }

  /// Applies an operation component by component; numbers go with every component.
  Value elementwise(Op op, const Expression& expression, bool reversed = false) {
    std::vector<Value> values;
    std::optional<std::size_t> size;
    for (std::size_t k = 0; k < expression.operands.size(); ++k) {
      const Expression& operand = *expression.operands[k];
      values.push_back(lower_expression(operand));
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
      result.nodes.push_back(graph().make(op, std::move(operands)));
    }
    return result;
  }

  const Syntax& syntax_;
  const LossSource& source_;
  std::size_t num_classes_;
  Lowered result_;
  std::map<std::string, Value> known_;
  std::vector<std::string> defined_;
  std::vector<std::pair<std::string, Value>> output_values_;
  Position loss_at_;
  std::string cdf_argument_;  // while the cdf is lowered
};

}  // namespace

Lowered lower(const Syntax& syntax, const LossSource& source, std::size_t num_classes) {
  return Lowering(syntax, source, num_classes).run();
}

std::vector<std::string> parameter_names(const Syntax& syntax) {
  std::vector<std::string> names;
  for (const Statement& statement : syntax.statements) {
    if (statement.kind == Statement::Kind::param) names.push_back(statement.name);
  }
  return names;
}

}  // namespace softwood::loss
