// Trainings a minute of a search over hyper-parameters: many small models of one table, one to a
// core, all in this process. Run by `./dev bench search`; --help lists what it takes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "softwood/train.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Workload {
  std::string recipe = "paper";
  std::string loss = "squared";
  std::size_t rows = 5000, columns = 10;
  int epochs = 100, batch_size = 0, trainings = 60, rounds = 3;
  int cores = static_cast<int>(std::thread::hardware_concurrency());
};

/// Numbers in [0, 1) by Weyl's sequence: the same on every machine.
double fraction(std::size_t index, double step) {
  const double at = static_cast<double>(index + 1) * step;
  return at - std::floor(at);
}

softwood::Table table_of(const Workload& workload) {
  std::vector<softwood::Column> columns(workload.columns + 1);
  std::vector<double> y(workload.rows);
  for (std::size_t c = 0; c < workload.columns; ++c) {
    std::vector<double> x(workload.rows);
    for (std::size_t row = 0; row < workload.rows; ++row) {
      x[row] = fraction(row * workload.columns + c,
                        0.6180339887498949 / (1 + 0.01 * static_cast<double>(c)));
      y[row] += std::sin(6 * x[row] + static_cast<double>(c));
    }
    columns[c] = {.name = fmt::format("x{}", c), .values = std::move(x)};
  }
  for (std::size_t row = 0; row < workload.rows; ++row)
    y[row] = std::floor(std::exp(0.5 * y[row]) + fraction(row, 0.7548776662466927));
  columns.back() = {.name = "y", .values = std::move(y)};
  return softwood::Table(std::move(columns));
}

/// A trial: 2 to 100 trees of depth 2 to 4, rates over two orders of magnitude.
softwood::TrainOptions trial(const Workload& workload, std::size_t index) {
  softwood::TrainOptions options;
  options.tasks = {{.target = "y", .loss = workload.loss}};
  options.recipe = workload.recipe;
  options.trees = 2 + static_cast<int>(99 * fraction(index, 0.8191725133961645));
  options.depth = 2 + static_cast<int>(3 * fraction(index, 0.6710436067037893));
  options.learning_rate = std::pow(10, -3 + 2 * fraction(index, 0.5497004779019703));
  options.epochs = workload.epochs;
  options.patience = 0;
  if (workload.batch_size > 0) options.batch_size = workload.batch_size;
  options.seed = index;
  options.threads = 1;
  return options;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds of one training, and of what is not its epochs: before the first and after the last.
struct Spent {
  double all = 0, around = 0;
};

Spent train_once(const softwood::Table& table, const softwood::TrainOptions& options) {
  const auto start = Clock::now();
  double first = 0, last = 0;
  softwood::Hooks hooks;
  hooks.on_epoch = [&](const softwood::Progress& progress, const softwood::EpochResult&) {
    last = seconds_since(start);
    if (progress.epoch == 1) first = last;
    return true;
  };
  softwood::train(table, options, hooks);
  const double all = seconds_since(start);
  const double epoch = (last - first) / std::max(1, *options.epochs - 1);
  return {all, all - (last - first) - epoch};
}

/// One round: every core takes the next trial until none is left.
void run_round(const Workload& workload, const softwood::Table& table) {
  const auto trials = static_cast<std::size_t>(workload.trainings);
  std::vector<Spent> spent(trials);
  std::atomic<std::size_t> next{0};
  const auto start = Clock::now();
  std::vector<std::jthread> cores;
  for (int core = 0; core < workload.cores; ++core) {
    cores.emplace_back([&] {
      for (std::size_t index = next++; index < trials; index = next++)
        spent[index] = train_once(table, trial(workload, index));
    });
  }
  cores.clear();
  const double seconds = seconds_since(start);
  Spent sum;
  for (const Spent& each : spent) sum = {sum.all + each.all, sum.around + each.around};
  fmt::print("{:.0f} trainings a minute; {:.1f} ms each, {:.1f} ms of them not in epochs\n",
             60 * static_cast<double>(trials) / seconds,
             1000 * sum.all / static_cast<double>(trials),
             1000 * sum.around / static_cast<double>(trials));
}

}  // namespace

int main(int count, char** words) {
  Workload workload;
  CLI::App app("Trainings a minute of a search over hyper-parameters");
  app.add_option("--recipe", workload.recipe)->capture_default_str();
  app.add_option("--loss", workload.loss)->capture_default_str();
  app.add_option("--rows", workload.rows)->capture_default_str();
  app.add_option("--columns", workload.columns)->capture_default_str();
  app.add_option("--epochs", workload.epochs)->capture_default_str();
  app.add_option("--batch-size", workload.batch_size, "0: the recipe's")->capture_default_str();
  app.add_option("--trainings", workload.trainings, "in a round")->capture_default_str();
  app.add_option("--rounds", workload.rounds)->capture_default_str();
  app.add_option("--cores", workload.cores)->capture_default_str();
  CLI11_PARSE(app, count, words);
  const softwood::Table table = table_of(workload);
  for (int round = 0; round < workload.rounds; ++round) run_round(workload, table);
}
