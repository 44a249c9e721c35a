#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "cli/data_source.h"
#include "cli/output_files.h"
#include "cli/seed_option.h"
#include "cli/talk.h"
#include "cli/verbs.h"
#include "data/csv/writer.h"
#include "data/table/row_blocks.h"
#include "model/distribution/distribution_columns.h"
#include "softwood/error.h"
#include "softwood/model.h"

namespace softwood::cli {
namespace {

struct PredictCommand {
  std::string model, output;
  DataSource data;
  std::vector<std::string> keep;
  bool row_numbers = false;
  PredictOptions options;
};

void add_distribution_options(CLI::App& verb, PredictOptions& options) {
  const char* const group = "Distributions";
  const auto add = [&](const char* name, std::vector<double>& field, const char* values,
                       const char* help) {
    verb.add_option(name, field, help)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->option_text(values)
        ->group(group);
  };
  add("--quantiles", options.quantiles, "P,P",
      "Columns quantile_P: y is at most this with probability P, as in 0.05,0.5,0.95");
  add("--interval", options.intervals, "P",
      "Columns lower_P and upper_P: y is between with probability P, as much below as above");
  add("--prob-above", options.prob_above, "C,C", "Columns above_C: the probability that y > C");
  verb.add_option("--sample", options.samples, "Columns sample_1, …: N draws of y for every row")
      ->option_text("N")
      ->group(group);
  add_seed_option(verb, "--seed", options.seed, "Of the draws: same seed, same draws [0]")
      ->option_text("N")
      ->group(group);
  verb.add_flag("--moments", options.moments, "Columns mean, sd and variance of y")->group(group);
}

/// So many cells are predicted at a time.
constexpr std::size_t kBlockCells = std::size_t{1} << 22;

/// The rows of the table counted from 1 as they stand in the file, of which some were skipped.
class RowNumbers {
 public:
  explicit RowNumbers(const std::vector<std::size_t>& skipped)
      : skipped_(skipped), next_skipped_(skipped_.begin()) {}

  /// Of the next rows.
  Column take(std::size_t num_rows) {
    Column column{.name = "row"};
    for (; column.values.size() < num_rows; ++row_) {
      if (next_skipped_ != skipped_.end() && *next_skipped_ == row_) {
        ++next_skipped_;
      } else {
        column.values.push_back(static_cast<double>(row_ + 1));
      }
    }
    return column;
  }

 private:
  const std::vector<std::size_t>& skipped_;
  std::vector<std::size_t>::const_iterator next_skipped_;
  std::size_t row_ = 0;
};

/// The columns that `kinds` names, if the table has all of them; otherwise none.
std::vector<std::string> needed_columns(const Table& table, const ColumnKinds& kinds) {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds) {
    if (table.find(name) == nullptr) return {};
    names.push_back(name);
  }
  return names;
}

/// Rows of a table that are predicted together: all of a small one, else a few at a time.
std::size_t rows_per_block(const Table& table, std::size_t num_needed) {
  if (num_needed == 0) return table.num_rows();  // prediction says which column is missing
  return std::max<std::size_t>(1, kBlockCells / num_needed);
}

void run(const PredictCommand& command) {
  RunFiles()
      .reads(command.model)
      .reads(command.data.path)
      .writes("--output", command.output)
      .check();
  const Model model = Model::load(command.model);
  ColumnKinds kinds =
      model.read_as(asks_for_distributions(command.options) ? ColumnsFor::distributions
                                                            : ColumnsFor::predictions);
  // Kept columns pass through as they are written.
  for (const std::string& name : command.keep)
    kinds.try_emplace(name, ReadAs{ColumnKind::categorical, {}});
  std::vector<std::size_t> skipped;
  const Table table =
      command.data.read(command.data.path, command.options.threads, kinds, &skipped);
  const std::vector<std::string> needed = needed_columns(table, kinds);
  const std::size_t most_rows = rows_per_block(table, needed.size());
  RowNumbers numbers(skipped);
  PredictOptions options = command.options;
  TextOutput output(command.output);
  ThreadTeam team(options.threads);
  do {
    const std::size_t first = options.first_row;
    const std::size_t count = std::min(most_rows, table.num_rows() - first);
    const bool is_whole = count == table.num_rows();
    const Table block = is_whole ? table : copy_rows(table, needed, first, count);
    std::vector<Column> columns;
    if (command.row_numbers) columns.push_back(numbers.take(count));
    for (const std::string& name : command.keep) columns.push_back(block.column(name));
    const Predictions predictions = model.predict(block, options);
    for (const Column& column : predictions.table().columns()) columns.push_back(column);
    const Table answer(std::move(columns));
    for (const std::string& piece : to_csv_pieces(answer, /*with_header=*/first == 0, team))
      output.write(piece);
    options.first_row += count;
    options.on_note = {};  // it has been said
  } while (options.first_row < table.num_rows());
  output.commit();
}

}  // namespace

void add_predict(CLI::App& app, const ForeignReader& read_foreign) {
  CLI::App* verb = app.add_subcommand("predict", "Predict the rows of a table");
  auto command = std::make_shared<PredictCommand>();
  command->data.read_foreign = read_foreign;
  command->data.defer_numbers = true;
  verb->add_option("MODEL", command->model, "A file that softwood train wrote")
      ->required()
      ->option_text(" ");
  command->data.add_options(*verb, /*with_kinds=*/false);
  verb->get_option("DATA")->required();
  verb->add_option("-o,--output", command->output,
                   "CSV of predictions; - or nothing is standard output")
      ->option_text("FILE");
  verb->add_option("--keep", command->keep, "Columns of DATA to pass through, such as ids")
      ->delimiter(',')
      ->option_text("A,B");
  verb->add_flag("--row-numbers", command->row_numbers,
                 "A first column 'row': which row of DATA it is, from 1, header and blank lines "
                 "aside");
  verb->add_option(
          "--threads", command->options.threads,
          "0 = as many as the process may use: its processors, CPU quota and OMP_NUM_THREADS")
      ->option_text("N");
  add_distribution_options(*verb, command->options);
  command->options.on_note = [](const std::string& text) {
    talk_line("note: no distribution: " + text);
  };
  verb->footer(
      "One column per prediction that the loss names, 'mean' first; for classes 'class' and\n"
      "'probability_LABEL'; with several tasks 'TASK.mean'.\n"
      "What stands under Distributions needs a loss that states one (a line 'cdf(q) = …' in\n"
      "'softwood losses NAME'), built-in or your own; of several tasks, those that have one get "
      "the\n"
      "columns.\n"
      "With --on-error missing every row gets its prediction: a cell that cannot be read counts as "
      "missing, and\n"
      "so do the cells that a short row lacks and all cells of a row that is too long. With skip "
      "such rows\n"
      "are left out: --keep id or --row-numbers says which are there. A warning names the first.\n"
      "\n"
      "Examples:\n"
      "  softwood predict visits.softwood new.csv -o predictions.csv --keep id\n"
      "  softwood predict visits.softwood new.csv --quantiles 0.05,0.5,0.95 --prob-above 3,10\n"
      "  softwood predict visits.softwood new.csv --interval 0.9 --moments --sample 100 --seed 1\n"
      "  softwood predict visits.softwood new.csv --on-error skip --row-numbers\n"
      "  zcat new.csv.gz | softwood predict visits.softwood - | head");
  verb->callback([command] { run(*command); });
}

}  // namespace softwood::cli
