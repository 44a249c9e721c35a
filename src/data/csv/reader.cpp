#include "data/csv/reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "data/csv/cells.h"
#include "data/csv/deferred_numbers.h"
#include "data/csv/mistakes.h"
#include "data/csv/numbers.h"
#include "data/csv/points.h"
#include "data/csv/texts.h"
#include "data/file/read_mistakes.h"
#include "data/text/number_style.h"
#include "data/text/text_column.h"
#include "data/text/text_kind.h"

namespace softwood {
namespace {

/// Reads one CSV file: first everything as numbers, then the columns that are none as texts; what
/// these hold and how their numbers are written is decided once all are known.
class CsvReader {
 public:
  /// `deferred`: the file itself if the numbers are to stay in it, else nullptr.
  CsvReader(const FileBytes& file, std::shared_ptr<const FileBytes> deferred,
            const ReadOptions& options, std::size_t chunk_bytes)
      : source_(open_csv(file, options)),
        mistakes_(source_),
        options_(options),
        team_(options.threads),
        chunks_(cut_into_chunks(source_, chunk_bytes, team_)),
        states_(source_.names.size()),
        columns_(source_.names.size()) {
    if (source_.mapped != nullptr) deferred_ = std::move(deferred);
  }

  Table read() {
    check_separators(options_);
    NumberStyle style = given_style(options_);
    read_columns(style);
    StyleChoice choice = choose_style();
    if (choice.style.decimal != style.decimal) {
      read_columns(choice.style);
      find_candidates();
    }
    settle_texts(choice);
    tell_remarks(choice.remarks, options_,
                 [&](std::span<const std::size_t> rows) { return lines_of_rows(source_, rows); });
    Table table(std::move(columns_));
    table.origin = source_.origin;
    return settle_mistakes(std::move(table), mistakes_.in_words(), options_);
  }

 private:
  const ReadAs* read_as(std::size_t column) const {
    const auto found = options_.read_as.find(source_.names[column]);
    return found == options_.read_as.end() ? nullptr : &found->second;
  }

  void read_columns(const NumberStyle& style) {
    set_states();
    facts_.clear();
    if (deferred_ != nullptr) {
      defer_numbers(style);
    } else {
      const auto numbers = read_numbers(source_, chunks_, states_, style, team_);
      team_.for_each(columns_.size(), [&](std::size_t column) { gather(column, numbers); });
    }
    read_text_columns();
  }

  void defer_numbers(const NumberStyle& style) {
    const auto surveyed = survey_numbers(source_, chunks_, states_, style, team_);
    facts_.resize(columns_.size());
    std::vector<std::size_t> rows_in_chunks;
    for (const std::vector<NumberFacts>& chunk : surveyed) {
      rows_in_chunks.push_back(chunk.front().num_rows);
      for (std::size_t column = 0; column < facts_.size(); ++column) {
        facts_[column].add(chunk[column]);
      }
    }
    const auto numbers = std::make_shared<DeferredNumbers>(
        deferred_, source_, chunks_, std::move(rows_in_chunks), style, options_.threads);
    for (std::size_t column = 0; column < facts_.size(); ++column) {
      const NumberFacts& facts = facts_[column];
      if (states_[column] == CsvColumnState::numeric && facts.num_rows > 0 &&
          facts.num_missing == facts.num_rows) {
        states_[column] = CsvColumnState::text;
      }
      if (states_[column] == CsvColumnState::text) {
        facts_[column] = {};
        continue;
      }
      columns_[column] = {.name = source_.names[column],
                          .values = numbers->defer(column, states_[column], facts.num_missing)};
    }
  }

  /// Of the numbers in each column; of texts, nothing.
  const std::vector<NumberFacts>& facts() {
    if (!facts_.empty()) return facts_;
    facts_.resize(columns_.size());
    team_.for_each(columns_.size(), [&](std::size_t column) {
      if (states_[column] != CsvColumnState::text) {
        facts_[column].add(std::as_const(columns_[column]).values);
      }
    });
    return facts_;
  }

  void set_states() {
    for (std::size_t column = 0; column < states_.size(); ++column) {
      const ReadAs* wish = read_as(column);
      states_[column] = wish == nullptr                     ? CsvColumnState::numeric
                        : wish->kind == ColumnKind::numeric ? CsvColumnState::must_be_numeric
                                                            : CsvColumnState::text;
    }
  }

  /// Joins the chunks of a numeric column. One without any number may hold dashes alone, which are
  /// missing only among numbers: it is looked at as text.
  void gather(std::size_t column, const std::vector<CsvNumbers>& numbers) {
    if (states_[column] == CsvColumnState::text) return;
    std::vector<double> values;
    std::size_t num_rows = 0;
    for (const CsvNumbers& chunk : numbers) num_rows += chunk.num_rows;
    values.reserve(num_rows);
    for (const CsvNumbers& chunk : numbers) {
      const double* first = chunk.column(column);
      values.insert(values.end(), first, first + chunk.num_rows);
    }
    const auto is_missing = [](double value) { return std::isnan(value); };
    if (states_[column] == CsvColumnState::numeric && !values.empty() &&
        std::all_of(values.begin(), values.end(), is_missing)) {
      states_[column] = CsvColumnState::text;
      return;
    }
    columns_[column] = {.name = source_.names[column], .values = std::move(values)};
  }

  void read_text_columns() {
    texts_.clear();
    for (std::size_t column = 0; column < states_.size(); ++column) {
      if (states_[column] == CsvColumnState::text) texts_.push_back(column);
    }
    if (texts_.empty()) return;
    std::vector<Column> columns = read_texts(source_, chunks_, texts_, team_);
    for (std::size_t index = 0; index < texts_.size(); ++index) {
      columns_[texts_[index]] = std::move(columns[index]);
    }
  }

  /// Texts that may be numbers: nobody says what they are, or that they are numbers.
  void find_candidates() {
    candidates_.assign(texts_.size(), {});
    team_.for_each(texts_.size(), [&](std::size_t index) {
      const ReadAs* wish = read_as(texts_[index]);
      if (wish != nullptr && wish->kind != ColumnKind::numeric) return;
      const Column& column = columns_[texts_[index]];
      candidates_[index] = {&column, tally_texts(column, options_.thousands)};
    });
  }

  StyleChoice choose_style() {
    find_candidates();
    std::vector<TextCandidate> voters;
    std::copy_if(candidates_.begin(), candidates_.end(), std::back_inserter(voters),
                 [](const TextCandidate& each) { return each.column != nullptr; });
    StyleChoice choice =
        choose_number_style(options_, voters, [&] { return find_decimal_point(source_, facts()); });
    // Where the semicolon divides cells, commas are free to be decimal signs.
    if (source_.delimiter == ';' && choice.style.decimal == '.' && options_.decimal == '\0' &&
        options_.thousands == '\0') {
      if (auto doubt = doubtful_thousands(source_, facts())) {
        choice.remarks.push_back(std::move(*doubt));
      }
    }
    return choice;
  }

  void settle_texts(StyleChoice& choice) {
    std::vector<const Column*> texts;
    for (const std::size_t place : texts_) texts.push_back(&columns_[place]);
    const std::optional<Remark> total = find_total_row(texts);
    TextKinds kinds(choice.style);
    for (std::size_t index = 0; index < texts_.size(); ++index) {
      Column& column = columns_[texts_[index]];
      const ReadAs* wish = read_as(texts_[index]);
      if (wish != nullptr) {
        obey(*wish, texts_[index], candidates_[index].tally, choice.style);
      } else if (column.levels.empty()) {
        turn_into_numbers(column);
      } else {
        kinds.settle(column, candidates_[index].tally);
      }
    }
    for (Remark& remark : kinds.remarks()) choice.remarks.push_back(std::move(remark));
    if (total) choice.remarks.push_back(*total);
  }

  /// A kind that was asked for: every cell must be of it.
  void obey(const ReadAs& wish, std::size_t place, const TextTally& tally,
            const NumberStyle& style) {
    if (wish.kind == ColumnKind::categorical) return;
    Column& column = columns_[place];
    const bool date = wish.kind == ColumnKind::datetime;
    const bool unclear = !date && !style.is_settled && tally.of(TextReading::either) > 0;
    if (options_.on_error != OnError::stop && !unclear) {
      mistakes_.add(place,
                    date ? read_dates_leniently(column, wish.date_order)
                         : read_numbers_leniently(column, style),
                    date ? "date" : "number");
      return;
    }
    const std::optional<std::size_t> bad_row =
        date ? turn_into_dates(column, wish.date_order) : turn_into_numbers(column, style);
    if (!bad_row) return;
    const std::string text = column.text(*bad_row);
    source_.fail(find_cell(source_, *bad_row, place),
                 date ? not_a_date(column.name, text, wish.date_order)
                      : not_a_number(column.name, text, style));
  }

  CsvSource source_;
  CsvMistakes mistakes_;
  const ReadOptions& options_;
  ThreadTeam team_;
  std::vector<CsvChunk> chunks_;
  CsvColumnStates states_;
  std::shared_ptr<const FileBytes> deferred_;
  std::vector<NumberFacts> facts_;  // of the columns, once they are needed
  std::vector<Column> columns_;
  std::vector<std::size_t> texts_;         // places of the text columns
  std::vector<TextCandidate> candidates_;  // for each of them; without a column: no candidate
};

}  // namespace

Table read_csv(const FileBytes& file, const ReadOptions& options, std::size_t chunk_bytes) {
  return CsvReader(file, nullptr, options, chunk_bytes).read();
}

Table read_csv_deferred(std::shared_ptr<const FileBytes> file, const ReadOptions& options,
                        std::size_t chunk_bytes) {
  const FileBytes& bytes = *file;
  return CsvReader(bytes, std::move(file), options, chunk_bytes).read();
}

}  // namespace softwood
