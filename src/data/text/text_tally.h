#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "data/text/written_number.h"
#include "softwood/table.h"

namespace softwood {

/// A column whose cells are numbers (or dates) but for one in ten is one of numbers (dates); in a
/// short column, but for a single cell among five or more.
inline constexpr std::size_t kCellsPerStray = 10;
/// What has digits and is no number (V45, 3+, 10-20) is more often a code than a mistake: one in a
/// hundred.
inline constexpr std::size_t kCellsPerStrayCode = 100;
inline constexpr std::size_t kFewestCellsWithStray = 5;

/// What a text is, read as a number.
enum class TextReading : std::uint8_t {
  missing,  // also what is missing among numbers alone
  number,   // the same whatever the decimal sign
  point,    // only if the point is the decimal sign: 1.5
  comma,    // only if the comma is: 1,5
  plain,    // 1.234: with the point, as programs write; the comma would make it a thousand
  either,   // 1,234: a thousand or a little more than one
  word,     // no number, no digit
  code,     // no number, but digits
};

/// The cells of a text column by what they are.
struct TextTally {
  std::vector<std::size_t> counts = {};    // of each level
  std::vector<TextReading> readings = {};  // of each level
  std::array<std::size_t, 8> cells = {};   // of each reading

  std::size_t of(TextReading reading) const { return cells[static_cast<std::size_t>(reading)]; }
  /// Whether nearly all cells are numbers with this decimal sign.
  bool is_number(char decimal) const;
  /// Whether nearly all cells are numbers, some by one decimal sign, some by the other.
  bool is_number_by_turns() const;
  /// The first level that reads so.
  std::size_t find(TextReading reading) const;

 private:
  bool tolerates(std::size_t words, std::size_t codes) const;
};

/// Whether so few of so many cells may be strays.
bool are_strays(std::size_t strays, std::size_t cells, std::size_t cells_per_stray);

/// `text` is trimmed. `thousands`: as in NumberStyle.
TextReading reading_of(std::string_view text, char thousands = '\0');

/// Stops early, with `cells` incomplete, when the column can be
/// one of numbers by no means.
TextTally tally_texts(const Column& column, char thousands);

/// How often each level occurs.
std::vector<std::size_t> count_levels(const Column& column);

}  // namespace softwood
