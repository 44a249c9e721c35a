#pragma once

#include <string_view>

namespace softwood {

/// A cell without a value, whatever its column holds: empty, ?, NA, N/A, NaN, NaT, null, <NA>, \N
/// and Excel's errors, in any case: what pandas, R, databases and spreadsheets write. `text` is
/// trimmed.
bool is_missing_text(std::string_view text);

/// The few of them that ARFF files and their writers have: empty, ?, NA, NaN, null, in any case.
bool is_missing_in_arff(std::string_view text);

/// Stands for a missing cell where the others are numbers or dates; among texts it may be a level
/// like any other: -, --, ., none, unknown, n.a. and their like, in any case. `text` is trimmed.
bool is_missing_among_values(std::string_view text);

}  // namespace softwood
