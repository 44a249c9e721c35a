#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loss/language/loss_source.h"
#include "loss/language/syntax.h"

namespace softwood::loss {

/// What stands in the brackets of huber(2), multi_quantile(0.1, 0.9), poisson(exposure=years).
struct Arguments {
  std::vector<LossSetting> by_position;
  std::vector<std::pair<std::string, LossSetting>> by_name;
  /// A setting without a name came after one with a name.
  bool is_out_of_order = false;
  /// y or f stands there bare: the text is rather a formula.
  bool reads_formula_names = false;
};

/// "2, exposure=Exposure, levels=[0.1, 0.9]"; nothing if the text is not of that form. A column
/// whose name is no plain word stands in quotes.
std::optional<Arguments> read_arguments(std::string_view text);

/// Which parameter of the text each argument sets: in order, or by name; a vector that is the last
/// parameter takes all that are left. Throws Error: unknown, too many, twice.
std::map<std::string, LossSetting> assign_arguments(const Arguments& arguments,
                                                    const Syntax& syntax,
                                                    const std::string& loss_name);

/// Throws Error if a setting of the source is no parameter of its text.
void check_settings(const Syntax& syntax, const LossSource& source);

}  // namespace softwood::loss
