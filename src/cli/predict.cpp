#include <memory>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "cli/data_source.h"
#include "cli/verbs.h"
#include "data/csv_writer.h"
#include "softwood/error.h"
#include "softwood/model.h"

namespace softwood::cli {
namespace {

struct PredictCommand {
  std::string model, output;
  DataSource data;
  std::vector<std::string> keep;
  int threads = 0;
};

void run(const PredictCommand& command) {
  refuse_to_replace(command.output, {command.model, command.data.path});
  if (!command.output.empty() && command.output != "-") AtomicFile::check_writable(command.output);
  const Model model = Model::load(command.model);
  auto kinds = model.read_as();
  // Kept columns pass through as they are written.
  for (const std::string& name : command.keep)
    kinds.try_emplace(name, ReadAs{ColumnKind::categorical, {}});
  const Table table = command.data.read(command.data.path, command.threads, kinds);
  std::vector<Column> columns;
  for (const std::string& name : command.keep) columns.push_back(table.column(name));
  const Predictions predictions = model.predict(table, command.threads);
  for (const Column& column : predictions.table().columns()) columns.push_back(column);
  write_output(command.output, to_csv(Table(std::move(columns))));
}

}  // namespace

void add_predict(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("predict", "Predict the rows of a table");
  auto command = std::make_shared<PredictCommand>();
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
  verb->add_option("--threads", command->threads, "0 = as many as the machine has")
      ->option_text("N");
  verb->footer(
      "One column per prediction that the loss names, 'mean' first; for classes 'class' and\n"
      "'probability_LABEL'; with several tasks 'TASK.mean'.\n\n"
      "Examples:\n"
      "  softwood predict visits.softwood new.csv -o predictions.csv --keep id\n"
      "  zcat new.csv.gz | softwood predict visits.softwood - | head");
  verb->callback([command] { run(*command); });
}

}  // namespace softwood::cli
