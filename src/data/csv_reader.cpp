#include "data/csv_reader.h"

#include "base/thread_team.h"
#include "data/csv_mistakes.h"
#include "data/csv_numbers.h"
#include "data/csv_texts.h"
#include "data/read_mistakes.h"
#include "data/text_column.h"

namespace softwood {
namespace {

/// Reads one CSV file: first everything as numbers, then the columns that are none as texts.
class CsvReader {
 public:
  CsvReader(const FileBytes& file, const ReadOptions& options, std::size_t chunk_bytes)
      : source_(open_csv(file, options)),
        mistakes_(source_),
        options_(options),
        team_(options.threads),
        chunks_(cut_into_chunks(source_, chunk_bytes, team_)),
        states_(source_.names.size()),
        columns_(source_.names.size()) {}

  Table read() {
    set_states();
    std::vector<CsvNumbers> numbers = read_numbers(source_, chunks_, states_, team_);
    team_.for_each(columns_.size(), [&](std::size_t column) { gather(column, numbers); });
    mistakes_.add(numbers);
    numbers.clear();
    read_text_columns();
    Table table(std::move(columns_));
    table.origin = source_.origin;
    return settle_mistakes(std::move(table), mistakes_.in_words(), options_);
  }

 private:
  const ReadAs* read_as(std::size_t column) const {
    const auto found = options_.read_as.find(source_.names[column]);
    return found == options_.read_as.end() ? nullptr : &found->second;
  }

  void set_states() {
    for (std::size_t column = 0; column < states_.size(); ++column) {
      const ReadAs* wish = read_as(column);
      states_[column] = wish == nullptr                     ? CsvColumnState::numeric
                        : wish->kind == ColumnKind::numeric ? CsvColumnState::must_be_numeric
                                                            : CsvColumnState::text;
    }
  }

  /// Joins the chunks of a numeric column.
  void gather(std::size_t column, const std::vector<CsvNumbers>& numbers) {
    if (states_[column] == CsvColumnState::text) return;
    columns_[column].name = source_.names[column];
    std::vector<double> values;
    std::size_t num_rows = 0;
    for (const CsvNumbers& chunk : numbers) num_rows += chunk.num_rows;
    values.reserve(num_rows);
    for (const CsvNumbers& chunk : numbers) {
      const double* first = chunk.column(column);
      values.insert(values.end(), first, first + chunk.num_rows);
    }
    columns_[column].values = std::move(values);
  }

  void read_text_columns() {
    std::vector<std::size_t> wanted;
    for (std::size_t column = 0; column < states_.size(); ++column) {
      if (states_[column] == CsvColumnState::text) wanted.push_back(column);
    }
    if (wanted.empty()) return;
    std::vector<Column> texts = read_texts(source_, chunks_, wanted, team_);
    for (std::size_t index = 0; index < wanted.size(); ++index) {
      columns_[wanted[index]] = std::move(texts[index]);
      settle_kind(wanted[index]);
    }
  }

  /// Dates, if the user said so or did not say and they all are.
  void settle_kind(std::size_t place) {
    const ReadAs* wish = read_as(place);
    if (wish != nullptr && wish->kind == ColumnKind::categorical) return;
    Column& column = columns_[place];
    const std::string order = wish == nullptr ? std::string() : wish->date_order;
    if (wish != nullptr && options_.on_error != OnError::stop) {
      mistakes_.add(place, read_dates_leniently(column, order));
      return;
    }
    const std::optional<std::size_t> bad_row = turn_into_dates(column, order);
    if (!bad_row || wish == nullptr) return;
    source_.fail(find_cell(source_, *bad_row, place),
                 not_a_date(column.name, column.text(*bad_row), order));
  }

  CsvSource source_;
  CsvMistakes mistakes_;
  const ReadOptions& options_;
  ThreadTeam team_;
  std::vector<CsvChunk> chunks_;
  CsvColumnStates states_;
  std::vector<Column> columns_;
};

}  // namespace

Table read_csv(const FileBytes& file, const ReadOptions& options, std::size_t chunk_bytes) {
  return CsvReader(file, options, chunk_bytes).read();
}

}  // namespace softwood
