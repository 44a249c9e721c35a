#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/reading.h"
#include "data/text/cell_text.h"
#include "data/text/missing_text.h"

namespace softwood {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text)
    result += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return result + "\"";
}

/// Texts with everything that CSV treats specially, and letters of more than one byte.
rc::Gen<std::string> nasty_texts() {
  const auto pieces = rc::gen::elementOf(std::vector<std::string>{
      "\"", ",", ";", "\n", "\r\n", "\t", " ", "|", "a", "B", "0", "NA", "ß", "€", "'", "\\", "#"});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(pieces),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

RC_GTEST_PROP(CsvRoundTrip, nasty_texts_come_back_as_written, ()) {
  const auto rows = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(nasty_texts(), nasty_texts()));
  const bool windows = *rc::gen::arbitrary<bool>();
  const std::string line_end = windows ? "\r\n" : "\n";
  std::string text = "first,second" + line_end;
  for (const auto& [first, second] : rows) text += quoted(first) + "," + quoted(second) + line_end;
  const ReadAs as_categories{ColumnKind::categorical};
  const ReadOptions options{.delimiter = ',',
                            .read_as = {{"first", as_categories}, {"second", as_categories}},
                            .threads = 2};
  const Table table = read_csv_text(text, options, 37);
  RC_ASSERT(table.num_rows() == rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& [name, cell] :
         {std::pair("first", rows[row].first), std::pair("second", rows[row].second)}) {
      const bool missing = is_missing_text(trimmed(cell));
      RC_ASSERT(table.column(name).is_missing(row) == missing);
      if (!missing) RC_ASSERT(table.column(name).text(row) == cell);
    }
  }
}

/// Any bit pattern that is not NaN: zeros of both signs, infinities, subnormals.
rc::Gen<double> any_double() {
  const auto bits = rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t pattern) {
    return std::bit_cast<double>(pattern);
  });
  const auto plain = rc::gen::map(rc::gen::inRange(-99999, 99999), [](int n) { return n / 100.0; });
  return rc::gen::suchThat(rc::gen::oneOf(bits, plain), [](double x) { return !std::isnan(x); });
}

RC_GTEST_PROP(CsvRoundTrip, numbers_come_back_bit_for_bit, ()) {
  const auto values = *rc::gen::container<std::vector<double>>(any_double());
  std::string text = "short,long\n";
  for (const double value : values) text += fmt::format("{},{:.17g}\n", value, value);
  const Table table = read_csv_text(text, {.threads = 2}, 50);
  for (std::size_t row = 0; row < values.size(); ++row) {
    for (const Column& column : table.columns()) {
      RC_ASSERT(std::bit_cast<std::uint64_t>(column.values[row]) ==
                std::bit_cast<std::uint64_t>(values[row]));
    }
  }
}

}  // namespace
}  // namespace softwood
