#include "data/csv/numbers.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include <fast_float/fast_float.h>

#include "data/csv/cells.h"
#include "data/text/missing_text.h"
#include "data/text/plain_number.h"
#include "data/text/text_column.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// What came of one chunk.
struct ChunkOutcome {
  CsvNumbers numbers;
  const char* stop = nullptr;  // the start of the row after the last one read
  std::exception_ptr failure;
};

bool has_fraction(double value) {
  return std::isfinite(value) && value != std::floor(value);
}

/// Below 1000, with three decimals or none, and not 0.125, which no thousands begin with.
bool is_like_thousands(double value) {
  if (!(std::abs(value) < 1000)) return false;
  return !has_fraction(value) ||
         (std::abs(value) >= 1 && !has_fraction(std::round(value * 1e9) / 1e6));
}

/// Reads the rows of one chunk. `has_point`: the decimal sign is the point, as programs write it;
/// known in advance, because every cell asks.
template <bool has_point>
class NumberReader {
 public:
  NumberReader(const CsvSource& source, CsvColumnStates& states, const NumberStyle& style)
      : source_(source), states_(states), style_(style), delimiter_(source.delimiter) {}

  ChunkOutcome read(const CsvChunk& chunk) {
    ChunkOutcome outcome;
    try {
      reject_nul(source_, chunk.begin, chunk.end);
      outcome.stop = read_rows(chunk, outcome.numbers);
    } catch (...) {
      outcome.failure = std::current_exception();
    }
    return outcome;
  }

 private:
  const char* read_rows(const CsvChunk& chunk, CsvNumbers& numbers) {
    // A wrongly cut chunk may hold one row more than it has line ends.
    numbers.capacity = count_byte(chunk.begin, chunk.end, '\n') + 1;
    numbers.values =
        std::make_unique_for_overwrite<double[]>(numbers.capacity * source_.names.size());
    const char* place = chunk.begin;
    skip_blank_lines(source_, place, chunk.end);
    while (place < chunk.end) {
      read_row(place, numbers.values.get() + numbers.num_rows, numbers.capacity);
      ++numbers.num_rows;
      skip_blank_lines(source_, place, chunk.end);
    }
    return place;
  }

  /// Puts the row's values at out, out + stride, ….
  void read_row(const char*& place, double* out, std::size_t stride) {
    const char* row = place;
    const std::size_t last = source_.names.size() - 1;
    for (std::size_t column = 0; column < last; ++column, out += stride) {
      read_value(place, column, *out);
      go_to_next_cell(source_, place, row);
    }
    read_value(place, last, *out);
    go_to_next_row(source_, place, row);
  }

  void read_value(const char*& place, std::size_t column, double& out) {
    if (states_[column].load(std::memory_order_relaxed) == CsvColumnState::text) {
      read_cell(source_, place);
    } else if (!has_point || !read_unquoted_number(place, out)) {
      out = read_any_number(place, column);
    }
  }

  /// The common case: an unquoted number that ends at the delimiter or line end.
  bool read_unquoted_number(const char*& place, double& out) const {
    const char* stop = read_plain_number(place, out);
    if (stop == nullptr) {
      const char* digit = place + (*place == '-' ? 1 : 0);
      if (*digit < '0' || *digit > '9') return false;
      stop = fast_float::from_chars(place, source_.end(), out).ptr;
    }
    if (*stop == '\r' && stop[1] == '\n') ++stop;
    if (*stop != delimiter_ && *stop != '\n') return false;
    place = stop;
    return true;
  }

  double read_any_number(const char*& place, std::size_t column) {
    const char* begin = place;
    const std::string_view text = trimmed(read_cell(source_, place).text(scratch_));
    if (is_missing_text(text)) return kMissing;
    if (const std::optional<double> value = number_in(text, column)) return *value;
    if (is_missing_among_values(text)) return kMissing;
    // However numbers are written here, a word is none: no need to look at the rest of the file.
    if (must_be_numeric(column) && source_.on_error == OnError::stop && !has_digit(text)) {
      source_.fail(begin, not_a_number(source_.names[column], text));
    }
    states_[column].store(CsvColumnState::text, std::memory_order_relaxed);
    return kMissing;
  }

  bool must_be_numeric(std::size_t column) const {
    return states_[column].load(std::memory_order_relaxed) == CsvColumnState::must_be_numeric;
  }

  std::optional<double> number_in(std::string_view text, std::size_t column) const {
    if (must_be_numeric(column)) {
      if (equals_ignoring_case(text, "true")) return 1.0;
      if (equals_ignoring_case(text, "false")) return 0.0;
    }
    if constexpr (has_point) return parse_number(text);
    const std::optional<WrittenNumber> number = read_digits(text, style_);
    return number ? std::optional(number->value) : std::nullopt;
  }

  const CsvSource& source_;
  CsvColumnStates& states_;
  const NumberStyle& style_;
  const char delimiter_;
  std::string scratch_;
};

/// By induction over the chunks: the first begins rightly, and if one ends where the next begins,
/// that one begins rightly too. Only a failure in a chunk that begins rightly is the user's.
bool chunks_fit(const std::vector<CsvChunk>& chunks, const std::vector<ChunkOutcome>& outcomes) {
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    if (outcomes[chunk].failure) std::rethrow_exception(outcomes[chunk].failure);
    if (outcomes[chunk].stop != chunks[chunk].end) return false;
  }
  return true;
}

ChunkOutcome read_chunk(const CsvSource& source, const CsvChunk& chunk, CsvColumnStates& states,
                        const NumberStyle& style) {
  ChunkOutcome outcome = style.decimal == '.'
                             ? NumberReader<true>(source, states, style).read(chunk)
                             : NumberReader<false>(source, states, style).read(chunk);
  source.let_go(chunk.begin, chunk.end);
  return outcome;
}

/// Reads all chunks; keep(number of the chunk, its numbers) may take the numbers away. False if the
/// chunks were cut wrongly: then the states are as before.
template <class Keep>
bool try_chunks(const CsvSource& source, const std::vector<CsvChunk>& chunks,
                CsvColumnStates& states, const NumberStyle& style, ThreadTeam& team,
                const Keep& keep) {
  const std::vector<CsvColumnState> states_before(states.begin(), states.end());
  std::vector<ChunkOutcome> outcomes(chunks.size());
  team.for_each(chunks.size(), [&](std::size_t chunk) {
    source.refuse_cut();
    outcomes[chunk] = read_chunk(source, chunks[chunk], states, style);
    keep(chunk, std::move(outcomes[chunk].numbers));
    outcomes[chunk].numbers = {};
  });
  if (chunks_fit(chunks, outcomes)) return true;
  // Cells of a wrongly cut chunk say nothing about their columns.
  std::copy(states_before.begin(), states_before.end(), states.begin());
  return false;
}

/// What `take` makes of the numbers of each chunk, once the chunks are right.
template <class Taken, class Take>
std::vector<Taken> take_chunks(const CsvSource& source, std::vector<CsvChunk>& chunks,
                               CsvColumnStates& states, const NumberStyle& style, ThreadTeam& team,
                               const Take& take) {
  std::vector<Taken> taken(chunks.size());
  const auto keep = [&](std::size_t chunk, CsvNumbers numbers) {
    taken[chunk] = take(std::move(numbers));
  };
  if (try_chunks(source, chunks, states, style, team, keep)) return taken;
  const auto size = static_cast<std::size_t>(source.end() - source.first_row);
  chunks = cut_exactly(source, size / chunks.size() + 1);
  taken = std::vector<Taken>(chunks.size());
  if (try_chunks(source, chunks, states, style, team, keep)) return taken;
  chunks = {{source.first_row, source.end()}};
  taken = std::vector<Taken>(1);
  try_chunks(source, chunks, states, style, team, keep);
  return taken;
}

}  // namespace

void NumberFacts::add(std::span<const double> values) {
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double value = values[row];
    if (std::isnan(value)) {
      ++num_missing;
      continue;
    }
    const bool fractional = has_fraction(value);
    has_whole |= !fractional;
    fits_thousands = fits_thousands && is_like_thousands(value);
    if (!fractional || fraction) continue;
    fraction = value;
    fraction_row = num_rows + row;
  }
  num_rows += values.size();
}

void NumberFacts::add(const NumberFacts& below) {
  if (!fraction && below.fraction) {
    fraction = below.fraction;
    fraction_row = num_rows + below.fraction_row;
  }
  num_rows += below.num_rows;
  num_missing += below.num_missing;
  has_whole |= below.has_whole;
  fits_thousands = fits_thousands && below.fits_thousands;
}

std::vector<CsvNumbers> read_numbers(const CsvSource& source, std::vector<CsvChunk>& chunks,
                                     CsvColumnStates& states, const NumberStyle& style,
                                     ThreadTeam& team) {
  return take_chunks<CsvNumbers>(source, chunks, states, style, team,
                                 [](CsvNumbers numbers) { return numbers; });
}

std::vector<std::vector<NumberFacts>> survey_numbers(const CsvSource& source,
                                                     std::vector<CsvChunk>& chunks,
                                                     CsvColumnStates& states,
                                                     const NumberStyle& style, ThreadTeam& team) {
  using ChunkFacts = std::vector<NumberFacts>;
  return take_chunks<ChunkFacts>(
      source, chunks, states, style, team, [&](const CsvNumbers& numbers) {
        ChunkFacts facts(states.size());
        for (std::size_t column = 0; column < facts.size(); ++column) {
          facts[column].num_rows = numbers.num_rows;
          if (states[column] == CsvColumnState::text || numbers.num_rows == 0) continue;
          facts[column] = {};
          facts[column].add({numbers.column(column), numbers.num_rows});
        }
        return facts;
      });
}

CsvNumbers read_chunk_numbers(const CsvSource& source, const CsvChunk& chunk,
                              CsvColumnStates& states, const NumberStyle& style) {
  ChunkOutcome outcome = read_chunk(source, chunk, states, style);
  if (outcome.failure) std::rethrow_exception(outcome.failure);
  return std::move(outcome.numbers);
}

}  // namespace softwood
