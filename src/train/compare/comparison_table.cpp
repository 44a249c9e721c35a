#include <algorithm>
#include <limits>

#include "softwood/compare.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A column of texts; empty ones are missing.
template <class Text>
Column text_column(const char* name, const std::vector<ComparedLoss>& losses, Text text) {
  Column column{.name = name, .kind = ColumnKind::categorical};
  std::vector<std::int32_t> codes;
  for (const ComparedLoss& each : losses) {
    const std::string& cell = text(each);
    auto found = std::find(column.levels.begin(), column.levels.end(), cell);
    if (!cell.empty() && found == column.levels.end())
      found = column.levels.insert(column.levels.end(), cell);
    codes.push_back(cell.empty() ? -1 : static_cast<std::int32_t>(found - column.levels.begin()));
  }
  column.codes = std::move(codes);
  return column;
}

/// A column of numbers, missing where a loss has failed.
template <class Number>
Column number_column(const std::string& name, const std::vector<ComparedLoss>& losses,
                     Number number) {
  std::vector<double> values;
  for (const ComparedLoss& each : losses) {
    values.push_back(each.failure.empty() ? static_cast<double>(number(each)) : kMissing);
  }
  return {.name = name, .values = std::move(values)};
}

/// All metrics that some loss has, in the order in which they come.
std::vector<std::string> metric_names(const std::vector<ComparedLoss>& losses) {
  std::vector<std::string> names;
  for (const ComparedLoss& each : losses) {
    for (const auto& [name, value] : each.evaluation.metrics) {
      // The column "loss" is its name; of a likelihood, its value is "nll".
      if (name != "loss" && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

}  // namespace

Table Comparison::table() const {
  std::vector<Column> columns = {
      text_column(
          "loss", losses, [](const auto& each) -> const auto& { return each.loss; }),
      text_column(
          "chosen", losses, [](const auto& each) -> const auto& { return each.chosen; }),
      number_column("nll", losses, [](const auto& each) { return each.nll.value_or(kMissing); }),
      number_column("rows", losses, [](const auto& each) { return each.evaluation.num_rows; })};
  for (const std::string& metric : metric_names(losses)) {
    columns.push_back(number_column(metric, losses, [&](const ComparedLoss& each) {
      for (const auto& [name, value] : each.evaluation.metrics) {
        if (name == metric) return value;
      }
      return kMissing;
    }));
  }
  columns.push_back(
      number_column("trees", losses, [](const auto& each) { return each.num_trees; }));
  columns.push_back(
      number_column("seconds", losses, [](const auto& each) { return each.seconds; }));
  columns.push_back(text_column(
      "failure", losses, [](const auto& each) -> const auto& { return each.failure; }));
  Table table(std::move(columns));
  table.origin = "the comparison";
  return table;
}

}  // namespace softwood
