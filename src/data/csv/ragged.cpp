#include "data/csv/ragged.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/csv/cells.h"

namespace softwood {
namespace {

std::vector<RaggedRow> find_ragged_rows(const CsvSource& source) {
  std::vector<RaggedRow> ragged;
  const char* place = source.first_row;
  skip_blank_lines(source, place, source.end());
  TextBehind behind(source, place);
  for (std::size_t row = 0; place < source.end(); ++row) {
    behind.walk_to(place);
    const char* begin = place;
    std::size_t cells = 1;
    for (read_cell(source, place); *place != '\n'; ++cells) read_cell(source, ++place);
    ++place;
    if (cells != source.names.size()) {
      ragged.push_back({row, cells, static_cast<std::size_t>(begin - source.text.data()),
                        static_cast<std::size_t>(place - source.text.data())});
    }
    skip_blank_lines(source, place, source.end());
  }
  return ragged;
}

/// The row without its line end, and without the cells after the last column if all of them are
/// empty; nothing if they are not.
std::string_view cells_to_keep(const CsvSource& source, const RaggedRow& row) {
  const char* begin = source.text.data() + row.begin;
  const char* place = begin;
  const char* end = nullptr;
  for (std::size_t cell = 0; cell < row.cells; ++cell) {
    if (cell > 0) ++place;
    const bool is_empty = read_cell(source, place).raw.empty();
    if (cell >= source.names.size() && !is_empty) return {};
    if (cell < source.names.size()) end = place;
  }
  if (*end == '\n' && end > begin && end[-1] == '\r') --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string mended(const CsvSource& source, const RaggedRow& row) {
  const std::string_view old = source.text.substr(row.begin, row.end - row.begin);
  std::string text(cells_to_keep(source, row));
  const std::size_t kept = row.cells < source.names.size() ? row.cells
                           : text.empty()                  ? 1
                                                           : source.names.size();
  text.append(source.names.size() - kept, source.delimiter);
  text += '\n';
  // Blank lines in place of those inside quotes, so that later lines keep their numbers; in a table
  // of one column they would be cells.
  if (source.names.size() > 1) {
    const auto lines = std::count(old.begin(), old.end(), '\n');
    text.append(static_cast<std::size_t>(lines - std::count(text.begin(), text.end(), '\n')), '\n');
  }
  return text;
}

void append(ByteBuffer& bytes, std::string_view text) {
  if (bytes.size() + text.size() > bytes.capacity()) {
    bytes.reserve(bytes.capacity() + bytes.capacity() / 2 + text.size());
  }
  std::copy(text.begin(), text.end(), bytes.data() + bytes.size());
  bytes.resize(bytes.size() + text.size());
}

}  // namespace

std::string RaggedRow::words(const CsvSource& source) const {
  return fmt::format("line {}: {} cell{} instead of {}", source.line_of(source.text.data() + begin),
                     cells, cells == 1 ? "" : "s", source.names.size());
}

MendedRows::MendedRows(CsvSource& source) {
  if (source.on_error == OnError::stop) return;
  rows_ = find_ragged_rows(source);
  if (rows_.empty()) return;
  text_.reserve(source.text.size() + FileBytes::kPadding);
  std::size_t copied = 0;
  for (RaggedRow& row : rows_) {
    append(text_, source.text.substr(copied, row.begin - copied));
    copied = row.end;
    const std::string text = mended(source, row);
    row.begin = text_.size();
    append(text_, text);
    row.end = text_.size();
  }
  append(text_, source.text.substr(copied));
  append(text_, std::string(FileBytes::kPadding, '\0'));
  text_.resize(text_.size() - FileBytes::kPadding);
  source.first_row = text_.data() + (source.first_row - source.text.data());
  source.text = text_.view();
  source.mapped = nullptr;
}

}  // namespace softwood
