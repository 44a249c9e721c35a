#include "options/declared_option.h"

#include <fmt/format.h>

namespace softwood {

std::string help_text(const DeclaredOption& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += ": " + choices_text(option.choices);
  const Range& range = option.range;
  if (range.has_both_ends() && !range.below_most) text += "; " + range_text(range);
  const std::string by_default = option.by_default, in_paper = option.in_paper;
  if (!by_default.empty())
    text += fmt::format(" [{}{}{}]", by_default, in_paper.empty() ? "" : "; paper: ", in_paper);
  return text;
}

std::string or_auto(const DeclaredOption& option) {
  return option.knows_auto ? ", or auto" : "";
}

}  // namespace softwood
