#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "data/text/remark.h"
#include "data/text/text_tally.h"
#include "softwood/table.h"

namespace softwood {

/// Throws Error unless options.decimal and options.thousands can go together.
void check_separators(const ReadOptions& options);

/// The style that the options give, point by default; settled if they say which decimal sign.
NumberStyle given_style(const ReadOptions& options);

/// What one column of texts says about the decimal sign.
enum class SeparatorVote { none, point, comma, both, unclear };
SeparatorVote vote_of(const TextTally& tally);

/// A column of texts that may be numbers, and what they are.
struct TextCandidate {
  const Column* column = nullptr;
  TextTally tally;
};

struct StyleChoice {
  NumberStyle style;
  std::vector<Remark> remarks;
};

/// Decides once for a whole table how its numbers are written, by all columns of texts that look
/// like numbers. `find_point` gives a number of the other columns in which the point is the decimal
/// sign; it is asked only if there is something to decide. Where the columns contradict each other,
/// or nothing decides, the style is not settled and a warning says so.
StyleChoice choose_number_style(const ReadOptions& options,
                                std::span<const TextCandidate> candidates,
                                const std::function<std::optional<ShownCell>()>& find_point);

}  // namespace softwood
