#include "loss/language/lowering.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loss/catalogue/call_arguments.h"
#include "loss/language/limits.h"
#include "loss/language/lower_expression.h"
#include "softwood/error.h"

namespace softwood::loss {
namespace {

class Lowering {
 public:
  Lowering(const Syntax& syntax, const LossSource& source, std::size_t num_classes)
      : syntax_(syntax), source_(source), expressions_(source, num_classes, result_) {}

  Lowered run() {
    collect_defined_names();
    if (!has_statement(Statement::Kind::outputs)) add_output("f", std::nullopt);
    for (const Statement& statement : syntax_.statements) lower_statement(statement);
    if (!expressions_.known.contains("loss")) {
      throw Error(fmt::format("{}: no line says what the loss is; write 'loss = …'", source_.name));
    }
    result_.loss = expressions_.number(expressions_.known.at("loss"), loss_at_, "the loss");
    check_settings(syntax_, source_);
    order_predictions();
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(Position at, const std::string& message) const {
    expressions_.fail(at, message);
  }
  Graph& graph() { return result_.graph; }

  bool has_statement(Statement::Kind kind) const {
    return std::any_of(syntax_.statements.begin(), syntax_.statements.end(),
                       [&](const Statement& statement) { return statement.kind == kind; });
  }

  void collect_defined_names() {
    for (const Statement& statement : syntax_.statements) {
      if (statement.kind == Statement::Kind::define) expressions_.defined.insert(statement.name);
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
      case Statement::Kind::label:
        return lower_label(statement);
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
    const Value value = expressions_.lower(*statement.value);
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
    if (expressions_.known.contains(statement.name)) {
      fail(statement.at, fmt::format("'{}' means something else above; choose another name for the "
                                     "argument of the cdf",
                                     statement.name));
    }
    const Value value = expressions_.lower_in_cdf(*statement.value, statement.name);
    result_.cdf = expressions_.number(value, statement.at, "the cdf");
    if (!reads({*result_.cdf}, Op::response)) {
      fail(statement.at, fmt::format("the cdf does not depend on '{}'", statement.name));
    }
  }

  void introduce(const Statement& statement, const Value& value) {
    if (!expressions_.known.try_emplace(statement.name, value).second) {
      fail(statement.at, fmt::format("'{}' is defined twice", statement.name));
    }
  }

  void add_output(const std::string& name, std::optional<std::size_t> size) {
    Value value{.nodes = {}, .is_vector = size.has_value()};
    if (result_.outputs.size() + size.value_or(1) > kMaxOutputs) {
      throw Error(fmt::format("{}: the loss has more than {} outputs, which is the limit",
                              source_.name, kMaxOutputs));
    }
    for (std::size_t k = 0; k < size.value_or(1); ++k) {
      const auto index = static_cast<std::uint32_t>(result_.outputs.size());
      result_.outputs.push_back({size ? fmt::format("{}[{}]", name, k) : name, {}});
      value.nodes.push_back(graph().leaf(Op::output, index));
    }
    output_values_.emplace_back(name, value);
    expressions_.known[name] = std::move(value);
  }

  void lower_output(const Statement& statement) {
    if (expressions_.known.contains(statement.name)) {
      fail(statement.at, fmt::format("'{}' is defined twice", statement.name));
    }
    if (!statement.value) return add_output(statement.name, std::nullopt);
    const double stated = expressions_.constant(*statement.value, "the size of a vector");
    const auto size = as_vector_size(stated);
    if (!size) fail(statement.value->at, refused_vector_size(stated));
    add_output(statement.name, size);
  }

  void lower_param(const Statement& statement) {
    constexpr std::string_view kWhat = "the default of a parameter";
    Value value = expressions_.lower(*statement.value);
    expressions_.constants(value, statement.value->at, kWhat);
    if (const auto setting = source_.settings.find(statement.name);
        setting != source_.settings.end()) {
      value = setting_value(statement, setting->second, value.is_vector);
    } else {
      result_.unset_parameters.push_back(statement.name);
    }
    introduce(statement, value);
  }

  Value setting_value(const Statement& statement, const LossSetting& setting, bool wants_vector) {
    if (const std::string* name = std::get_if<std::string>(&setting)) {
      if (!wants_vector) return {.nodes = {expressions_.column(*name)}};
      refuse_setting(statement, fmt::format("needs numbers, not the column '{}'", *name));
    }
    if (const double* number = std::get_if<double>(&setting))
      return {.nodes = {graph().constant(*number)}, .is_vector = wants_vector};
    const auto& numbers = std::get<std::vector<double>>(setting);
    if (!wants_vector) {
      refuse_setting(statement, fmt::format("needs one number or column, not {}", numbers.size()));
    }
    if (numbers.empty()) refuse_setting(statement, "needs at least one number");
    if (numbers.size() > kMaxVectorSize) {
      refuse_setting(statement, fmt::format("has {} numbers; the limit is {}", numbers.size(),
                                            kMaxVectorSize));
    }
    Value value{.nodes = {}, .is_vector = true};
    for (const double number : numbers) value.nodes.push_back(graph().constant(number));
    return value;
  }

  [[noreturn]] void refuse_setting(const Statement& statement, const std::string& why) const {
    throw Error(fmt::format("{}: the parameter '{}' {}", source_.name, statement.name, why));
  }

  /// `unit mu = 0.5`, or `unit mu = y`: as large as the response's.
  void lower_unit(const Statement& statement) {
    const bool of_response =
        statement.value->kind == Expression::Kind::name && statement.value->text == "y";
    const double unit = of_response ? 1 : expressions_.constant(*statement.value, "a unit");
    if (!(unit > 0) || std::isinf(unit)) fail(statement.value->at, "a unit must be above 0");
    bool found = false;
    graph().count_steps(result_.outputs.size() / kTermsPerStep);
    const std::string vector = statement.name + "[";
    for (Lowered::Output& output : result_.outputs) {
      const bool component = output.name.starts_with(vector);
      if (output.name != statement.name && !component) continue;
      output.has_unit_of_response = of_response;
      output.unit = of_response ? std::nullopt : std::optional(unit);
      found = true;
    }
    if (!found)
      fail(statement.at, fmt::format("'{}' is not one of the outputs above", statement.name));
  }

  /// `label quantile = levels` names the components of a prediction by numbers.
  void lower_label(const Statement& statement) {
    const Value value = expressions_.lower(*statement.value);
    const std::vector<double> labels = expressions_.constants(value, statement.value->at, "labels");
    for (Lowered::Prediction& prediction : result_.predictions) {
      if (prediction.name != statement.name) continue;
      if (labels.size() != prediction.components.size()) {
        fail(statement.value->at, fmt::format("{} labels for {} components", labels.size(),
                                              prediction.components.size()));
      }
      prediction.labels.clear();
      for (const double label : labels) prediction.labels.push_back(fmt::format("{}", label));
      return;
    }
    fail(statement.at, fmt::format("'{}' is not one of the predictions above", statement.name));
  }

  void lower_definition(const Statement& statement) {
    Value value = expressions_.lower(*statement.value);
    if (statement.name == "loss") loss_at_ = statement.at;
    const bool helper = statement.name == "loss" || statement.name.starts_with('_');
    const bool predicts = !helper && !value.is_condition && reads(value.nodes, Op::output) &&
                          !reads(value.nodes, Op::response);
    if (predicts) add_prediction(statement, value);
    introduce(statement, value);
  }

  void add_prediction(const Statement& statement, const Value& value) {
    num_predicted_ += value.nodes.size();
    if (num_predicted_ > kMaxPredictions) {
      fail(statement.at,
           fmt::format("the predictions so far have more than {} components, which is "
                       "the limit; a name that starts with _ is none",
                       kMaxPredictions));
    }
    result_.predictions.push_back({statement.name, value.nodes, {}});
  }

  bool reads(const std::vector<NodeId>& nodes, Op leaf) { return expressions_.reads(nodes, leaf); }

  void order_predictions() {
    auto& predictions = result_.predictions;
    if (predictions.empty()) {
      const bool implicit = !has_statement(Statement::Kind::outputs);
      for (const auto& [name, value] : output_values_) {
        predictions.push_back({implicit ? "mean" : name, value.nodes, {}});
      }
    }
    std::stable_partition(predictions.begin(), predictions.end(),
                          [](const auto& prediction) { return prediction.name == "mean"; });
  }

  const Syntax& syntax_;
  const LossSource& source_;
  Lowered result_;
  ExpressionLowering expressions_;
  std::vector<std::pair<std::string, Value>> output_values_;
  Position loss_at_;
  std::size_t num_predicted_ = 0;  // components of all predictions
};

}  // namespace

Lowered lower(const Syntax& syntax, const LossSource& source, std::size_t num_classes) {
  return Lowering(syntax, source, num_classes).run();
}

}  // namespace softwood::loss
