#include "data/arrow/column.h"

#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "data/arrow/texts.h"
#include "data/arrow/type.h"
#include "data/table/categories.h"
#include "data/text/cell_text.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using Kind = ArrowType::Kind;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::size_t count_rows(const std::vector<ArrowChunk>& chunks) {
  return std::accumulate(
      chunks.begin(), chunks.end(), std::size_t{0},
      [](std::size_t sum, const ArrowChunk& each) { return sum + each.num_rows; });
}

/// The chunk's cells where they are, if they are aligned and none is null.
template <class T>
std::optional<Cells<T>> borrow_cells(const ArrowChunk& chunk) {
  const auto* begin = static_cast<const T*>(chunk.array->buffers[1]);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(begin) % alignof(T) == 0;
  if (begin == nullptr || !is_aligned || chunk.has_nulls()) return std::nullopt;
  const std::size_t first = static_cast<std::size_t>(chunk.array->offset) + chunk.first;
  return Cells<T>::borrow({begin + first, chunk.num_rows}, chunk.array);
}

/// Numbers and moments.
class NumberChunks {
 public:
  NumberChunks(const ArrowType& type, bool are_doubles, const std::vector<ArrowChunk>& chunks)
      : type_(type), are_doubles_(are_doubles), chunks_(chunks) {}

  Cells<double> read() const {
    if (are_doubles_ && chunks_.size() == 1) {
      if (std::optional<Cells<double>> cells = borrow_cells<double>(chunks_[0])) return *cells;
    }
    std::vector<double> values(count_rows(chunks_), kMissing);
    std::size_t place = 0;
    for (const ArrowChunk& chunk : chunks_) {
      read_chunk(chunk, std::span(values).subspan(place, chunk.num_rows));
      place += chunk.num_rows;
    }
    return values;
  }

 private:
  void read_chunk(const ArrowChunk& chunk, std::span<double> out) const {
    // Without a buffer there are only nulls.
    if (type_.kind == Kind::nothing || chunk.array->buffers[1] == nullptr) return;
    type_.read(type_, *chunk.array, chunk.first, out);
    if (!chunk.has_nulls()) return;
    for (std::size_t row = 0; row < out.size(); ++row) {
      if (chunk.is_null(row)) out[row] = kMissing;
    }
  }

  const ArrowType& type_;
  const bool are_doubles_;
  const std::vector<ArrowChunk>& chunks_;
};

/// Levels in order of first appearance. `text_at(chunk, row)` is asked only for cells that are not
/// null.
template <class TextAt>
void read_texts(const std::vector<ArrowChunk>& chunks, const TextAt& text_at, Column& column) {
  LevelIndex levels;
  std::vector<std::int32_t> codes;
  codes.reserve(count_rows(chunks));
  for (const ArrowChunk& chunk : chunks) {
    const bool has_nulls = chunk.has_nulls();
    for (std::size_t row = 0; row < chunk.num_rows; ++row) {
      const std::string_view text =
          has_nulls && chunk.is_null(row) ? std::string_view() : text_at(chunk, row);
      codes.push_back(trimmed(text).empty() ? -1 : levels.add(text));
    }
  }
  // Texts that are no UTF-8 may turn out alike once they are.
  column = categorical_column(column.name, std::move(codes), levels.texts());
  column.undeclared = true;
}

/// The codes of a dictionary's chunk, −1 for null; −2, which is none, for what no level can have.
Cells<std::int32_t> read_codes(const ArrowChunk& chunk, std::string_view format) {
  if (format == "i" || format == "I") {
    if (std::optional<Cells<std::int32_t>> cells = borrow_cells<std::int32_t>(chunk)) return *cells;
  }
  const ArrowType type = find_arrow_type(format);
  std::vector<double> numbers(chunk.num_rows);
  std::vector<std::int32_t> codes(chunk.num_rows, -1);
  if (chunk.array->buffers[1] == nullptr) return codes;
  type.read(type, *chunk.array, chunk.first, numbers);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (chunk.is_null(row)) continue;
    const bool fits = numbers[row] >= 0 && numbers[row] <= std::numeric_limits<std::int32_t>::max();
    codes[row] = fits ? static_cast<std::int32_t>(numbers[row]) : -2;
  }
  return codes;
}

/// The texts of a dictionary in its order, "" for null. Other values than texts are written as
/// Column::text writes them.
std::vector<std::string> dictionary_texts(const ArrowSchema& schema, const std::string& name,
                                          const ArrowChunk& indices) {
  const ArrowArray& dictionary = *indices.array->dictionary;
  const ArrowChunk values{
      {indices.array, &dictionary}, 0, static_cast<std::size_t>(dictionary.length)};
  const Column column = read_arrow_column(*schema.dictionary, name, {values}, true);
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < column.size(); ++row) texts.push_back(column.text(row));
  return texts;
}

/// Dictionaries that differ between chunks are merged, in the order of the chunks.
void read_dictionary(const ArrowSchema& schema, const std::vector<ArrowChunk>& chunks,
                     Column& column) {
  LevelIndex levels;
  std::vector<std::int32_t> joined;
  for (const ArrowChunk& chunk : chunks) {
    const std::vector<std::int32_t> numbers =
        add_categories(levels, dictionary_texts(schema, column.name, chunk));
    Cells<std::int32_t> codes = renumber(read_codes(chunk, schema.format), numbers, column.name);
    if (chunks.size() == 1) {
      column.codes = std::move(codes);
    } else {
      joined.insert(joined.end(), std::as_const(codes).begin(), std::as_const(codes).end());
    }
  }
  if (chunks.size() != 1) column.codes = std::move(joined);
  column.kind = ColumnKind::categorical;
  column.levels = levels.texts();
}

[[noreturn]] void refuse(const Column& column, std::string_view format) {
  throw Error(fmt::format(
      "column '{}' is of the Arrow type {}. A table holds numbers, texts, booleans, dates and "
      "times: turn the column into such ones, or drop it.",
      column.name, arrow_type_name(format)));
}

}  // namespace

bool ArrowChunk::has_nulls() const {
  if (array->null_count == 0 || array->n_buffers == 0 || array->buffers[0] == nullptr) return false;
  for (std::size_t row = 0; row < num_rows; ++row) {
    if (is_null(row)) return true;
  }
  return false;
}

bool ArrowChunk::is_null(std::size_t row) const {
  if (array->null_count == 0 || array->n_buffers == 0 || array->buffers[0] == nullptr) return false;
  return !arrow_bit(array->buffers[0], static_cast<std::size_t>(array->offset) + first + row);
}

Column read_arrow_column(const ArrowSchema& schema, std::string name,
                         const std::vector<ArrowChunk>& chunks, bool texts_of_booleans) {
  Column column{.name = std::move(name)};
  const std::string_view format = schema.format;
  const ArrowType type = find_arrow_type(format);
  if (schema.dictionary != nullptr) {
    read_dictionary(schema, chunks, column);
  } else if (type.kind == Kind::unknown) {
    refuse(column, format);
  } else if (type.kind == Kind::text) {
    read_texts(
        chunks,
        [&](const ArrowChunk& chunk, std::size_t row) {
          return ArrowTexts(*chunk.array, format)[chunk.first + row];
        },
        column);
  } else if (type.kind == Kind::boolean && texts_of_booleans) {
    const auto truth = [](const ArrowChunk& chunk, std::size_t row) {
      if (chunk.array->buffers[1] == nullptr) return std::string_view();
      const std::size_t place = static_cast<std::size_t>(chunk.array->offset) + chunk.first + row;
      return std::string_view(arrow_bit(chunk.array->buffers[1], place) ? "True" : "False");
    };
    read_texts(chunks, truth, column);
  } else {
    column.values = NumberChunks(type, format == "g", chunks).read();
    if (type.kind != Kind::moment) return column;
    column.kind = ColumnKind::datetime;
    column.date_order = "ymd";
  }
  return column;
}

}  // namespace softwood
