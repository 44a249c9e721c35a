#pragma once

#include <span>
#include <string>
#include <string_view>

namespace softwood {

/// " Did you mean 'log'?" when a candidate is close to `name` (edit distance ≤ a third of the
/// length, case ignored), otherwise an empty string: to be appended to an error message.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

}  // namespace softwood
