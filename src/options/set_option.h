#pragma once

#include <string>
#include <string_view>

#include "options/declared_option.h"
#include "softwood/options.h"

namespace softwood {

/// Sets the option of this name (learning-rate or learning_rate) to what the text says: a number,
/// true or false, a word, or a list with commas. Throws Error for a name that there is not, with
/// the nearest one, for a text of the wrong kind and for a value out of range.
void set_option(TrainOptions& options, std::string_view name, const std::string& text);

/// Throws Error if a number is out of the option's range or a word is none of its choices.
void check_value(const DeclaredOption& option, double number);
void check_value(const DeclaredOption& option, const std::string& word);

/// The same for all options.
void check_values(const TrainOptions& options);

}  // namespace softwood
