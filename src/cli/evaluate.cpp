#include <memory>

#include <fmt/format.h>

#include "base/printable.h"
#include "cli/data_source.h"
#include "cli/evaluation_text.h"
#include "cli/talk.h"
#include "cli/verbs.h"
#include "model/model_access.h"
#include "softwood/model.h"

namespace softwood::cli {
namespace {

struct EvaluateCommand {
  std::string model;
  DataSource data;
  bool json = false;
  int threads = 0;
};

/// Tasks whose response the table does not have.
void tell_absent(const Model& model, const Table& table) {
  for (const Task& task : ModelAccess::parts(model).tasks) {
    if (table.find(task.target) != nullptr) continue;
    talk_line(fmt::format("note: no column '{}' in {}: this task is not evaluated", task.target,
                          table.origin));
  }
}

void run(const EvaluateCommand& command) {
  const Model model = Model::load(command.model);
  const Table table =
      command.data.read(command.data.path, command.threads, model.read_as(ColumnsFor::evaluation));
  const std::vector<Evaluation> evaluations = model.evaluate(table, command.threads);
  tell_absent(model, table);
  write_output("-", command.json ? as_json(evaluations).dump(1) + "\n"
                                 : printable_lines(as_text(evaluations)));
}

}  // namespace

void add_evaluate(CLI::App& app, const ForeignReader& read_foreign) {
  CLI::App* verb =
      app.add_subcommand("evaluate", "Compare predictions with the responses in a table");
  auto command = std::make_shared<EvaluateCommand>();
  command->data.read_foreign = read_foreign;
  command->data.defer_numbers = true;
  verb->add_option("MODEL", command->model, "A file that softwood train wrote")
      ->required()
      ->option_text(" ");
  command->data.add_options(*verb, /*with_kinds=*/false);
  verb->get_option("DATA")->required();
  verb->add_flag("--json", command->json, "For programs: a list with one object per task");
  verb->add_option(
          "--threads", command->threads,
          "0 = as many as the process may use: its processors, CPU quota and OMP_NUM_THREADS")
      ->option_text("N");
  verb->footer(
      "Prints the mean loss and what fits the response: RMSE, MAE, R² for numbers; Poisson "
      "deviance and\n"
      "AUC of y > 0 for counts; log-loss, accuracy, AUC for classes; concordance where responses "
      "are\n"
      "censored; then predicted against observed means in ten bins by predicted value.\n"
      "For a loss with a distribution also\n"
      "  crps         the mean of the integral of (P(y <= z) - [z >= observed])^2 over z: an error "
      "in\n"
      "               the units of y, for whole distributions; of a sure prediction it is the\n"
      "               absolute error. The smaller, the better.\n"
      "  coverage_90  share of the responses inside their central 90% interval, ends included\n"
      "  PIT          where the responses fall in their own distributions; flat if these are "
      "right\n"
      "With several tasks also the averages of what has no unit (R², AUC, …). Tasks whose response "
      "is no\n"
      "column of DATA are left out, rows without a response take no part.\n\n"
      "Example:\n"
      "  softwood evaluate visits.softwood test.csv");
  verb->callback([command] { run(*command); });
}

}  // namespace softwood::cli
