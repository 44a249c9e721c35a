#include "options/option_texts.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "options/option_list.h"
#include "softwood/error.h"

namespace softwood {
namespace {

template <class T>
void convert(T&) {}
void convert(std::string& text) {
  text = as_utf8(text);
}
void convert(std::vector<std::string>& texts) {
  for (std::string& text : texts) convert(text);
}
void convert(std::optional<std::string>& text) {
  if (text) convert(*text);
}

}  // namespace

TrainOptions in_utf8(TrainOptions options) {
  visit_options(options, [](const DeclaredOption&, auto& field) { convert(field); });
  for (TaskOptions& task : options.tasks) {
    convert(task.target);
    if (!task.loss.starts_with('@')) convert(task.loss);
  }
  return options;
}

void check_texts(const Table& table) {
  for (const Column& column : table.columns()) {
    if (!is_utf8(column.name)) {
      throw Error(fmt::format("{}: the column name '{}' is not UTF-8: convert it.", table.origin,
                              as_utf8(column.name)));
    }
    for (const std::string& level : column.levels) {
      if (is_utf8(level)) continue;
      throw Error(fmt::format("{}: the text '{}' in column '{}' is not UTF-8: convert it.",
                              table.origin, as_utf8(level), column.name));
    }
  }
}

}  // namespace softwood
