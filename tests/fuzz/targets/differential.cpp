#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/simd_target.h"
#include "fuzz/byte_source.h"
#include "fuzz/mutants/chance.h"
#include "fuzz/targets.h"
#include "softwood/error.h"
#include "softwood/train.h"

namespace softwood::fuzz {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A small problem: a table and what to make of it.
struct Problem {
  Table table;
  TrainOptions options;
  int rest_after = 1;  ///< epochs

  /// Where two splits are equally good, last bits choose, and what follows is not alike.
  bool has_greedy_start() const {
    return options.ensemble.find("narrow") != std::string::npos && options.columns_per_tree == 0;
  }
};

class ProblemMaker {
 public:
  explicit ProblemMaker(std::string_view bytes) : source_(bytes) {}

  Problem make() {
    Problem problem;
    problem.options = options();
    num_rows_ = 24 + source_.below(40);
    cells_ = Chance(source_.below(65'536));
    std::vector<Column> columns;
    const std::size_t num_features = 1 + source_.below(3);
    for (std::size_t k = 0; k < num_features; ++k)
      columns.push_back(source_.one_in(3) ? category(k) : number(k));
    add_response(columns, problem.options);
    if (source_.one_in(4)) {
      add_response(columns, problem.options);
      if (source_.one_in(2)) problem.options.share = source_.one_of(kShares);
    }
    problem.table = Table(std::move(columns));
    problem.rest_after = 1 + static_cast<int>(source_.below(3));
    return problem;
  }

 private:
  TrainOptions options() {
    TrainOptions options;
    options.depth = 1 + static_cast<int>(source_.below(3));
    options.epochs = 1 + static_cast<int>(source_.below(4));
    options.batch_size = 4 + static_cast<int>(source_.below(20));
    options.members = 1 + static_cast<int>(source_.below(2));
    options.seed = source_.below(256);
    if (source_.one_in(3)) {
      options.recipe = "paper";
      options.trees = 1 + static_cast<int>(source_.below(6));
    } else {
      options.ensemble = source_.one_of(kEnsembles);
      const bool is_narrow = options.ensemble.find("narrow") != std::string::npos;
      if (is_narrow && source_.one_in(2)) options.columns_per_tree = 1;
    }
    if (source_.one_in(4)) options.schedule = source_.one_of(kSchedules);
    if (source_.one_in(4)) options.activation = "smooth_step";
    if (source_.one_in(6)) options.clip = 0.5;
    if (source_.one_in(6)) options.l2_leaves = 0.01;
    if (source_.one_in(4)) options.bins = 2 + static_cast<int>(source_.below(6));
    return options;
  }

  bool is_gap() { return cells_.one_in(12); }

  Column number(std::size_t place) {
    std::vector<double> values;
    const std::size_t grain = 1 + source_.below(20);
    for (std::size_t row = 0; row < num_rows_; ++row)
      values.push_back(is_gap() ? kMissing : static_cast<double>(cells_.below(grain + 1)));
    return {.name = fmt::format("x{}", place), .values = std::move(values)};
  }
  Column category(std::size_t place) {
    std::vector<std::int32_t> codes;
    for (std::size_t row = 0; row < num_rows_; ++row)
      codes.push_back(is_gap() ? -1 : static_cast<std::int32_t>(cells_.below(3)));
    return {.name = fmt::format("x{}", place),
            .kind = ColumnKind::categorical,
            .codes = std::move(codes),
            .levels = {"a", "b", "c"}};
  }

  /// Some rule of the row's number and the first column, with noise, as fits the loss.
  void add_response(std::vector<Column>& columns, TrainOptions& options) {
    const std::string name = fmt::format("y{}", options.tasks.size());
    const std::string loss = source_.one_of(kLosses);
    options.tasks.push_back({.target = name, .loss = loss});
    if (loss == "softmax") {
      Column classes = category(0);
      classes.name = name;
      columns.push_back(std::move(classes));
      return;
    }
    std::vector<double> values;
    for (std::size_t row = 0; row < num_rows_; ++row) {
      const double noise = static_cast<double>(cells_.below(256)) / 64;
      const double signal = columns[0].kind == ColumnKind::categorical
                                ? columns[0].codes[row]
                                : std::sin(columns[0].values[row]);
      double y = 1 + (std::isnan(signal) ? 0 : signal) + noise;
      if (loss == "logistic") y = y > 2.5 ? 1 : 0;
      if (loss == "poisson" || loss == "zip") y = std::floor(y);
      values.push_back(is_gap() ? kMissing : std::max(y, 0.0));
    }
    columns.push_back({.name = name, .values = std::move(values)});
  }

  static constexpr std::array kEnsembles = {"wide=3", "narrow=3", "wide=3,narrow=2",
                                            "wide=2,narrow=2x2"};
  static constexpr std::array kShares = {"hard", "soft", "none", "partly"};
  static constexpr std::array kSchedules = {"constant", "cosine", "four_cycles", "doubling"};
  static constexpr std::array kLosses = {"squared", "absolute", "huber",  "normal",
                                         "poisson", "logistic", "softmax"};

  ByteSource source_;
  Chance cells_{0};
  std::size_t num_rows_ = 0;
};

/// What came of a training: a model, or the message of its Error.
struct Outcome {
  std::optional<Model> model;
  std::string bytes;

  static Outcome of(const auto& train) {
    Outcome outcome;
    try {
      outcome.model = train();
      outcome.bytes = outcome.model->to_bytes();
    } catch (const Error& error) {
      outcome.bytes = error.what();
    }
    return outcome;
  }
};

Outcome trained(const Problem& problem, int threads) {
  TrainOptions options = problem.options;
  options.threads = threads;
  return Outcome::of([&] { return train(problem.table, options); });
}

/// Stopped after some epochs and gone on with from its checkpoint.
Outcome trained_with_a_rest(const Problem& problem, const std::string& path) {
  TrainingInput input{.table = &problem.table,
                      .checkpoint = {.path = path, .every_epochs = 1, .resume = true}};
  TrainOptions options = problem.options;
  options.threads = 1;
  const auto stop = [&](const Progress&, const EpochResult& result) {
    return result.epoch < problem.rest_after;
  };
  const Outcome first = Outcome::of([&] { return train(input, options, {.on_epoch = stop}); });
  return Outcome::of([&] { return train(input, options); });
}

/// A checkpoint's place, in memory where there is such a folder; gone at the end.
class CheckpointPlace {
 public:
  CheckpointPlace()
      : path_(fmt::format("{}/softwood-fuzz-{}.point",
                          std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp", getpid())) {
    remove();
  }
  CheckpointPlace(const CheckpointPlace&) = delete;
  CheckpointPlace& operator=(const CheckpointPlace&) = delete;
  ~CheckpointPlace() { remove(); }
  const std::string& path() const { return path_; }

 private:
  void remove() const {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".before");
  }
  std::string path_;
};

void expect_same(const Outcome& one, const Outcome& other, const char* what) {
  if (one.bytes != other.bytes)
    throw std::logic_error(fmt::format("{}: not the same model or Error:\n{}\n{}", what,
                                       one.model ? "a model" : one.bytes,
                                       other.model ? "a model" : other.bytes));
}

/// Last bits differ, and grow from epoch to epoch: the first one's losses are what can be compared.
void expect_alike(const Outcome& one, const Outcome& other, const std::string& what) {
  if (one.model.has_value() != other.model.has_value())
    throw std::logic_error(what + ": a model by one, an Error by the other");
  if (!one.model) return expect_same(one, other, what.c_str());
  const Table first = one.model->history(), second = other.model->history();
  for (const Column& column : first.columns()) {
    if (!column.name.starts_with("training_loss") || column.size() == 0) continue;
    const double a = column.values[0], b = second.column(column.name).values[0];
    if (!(std::abs(a - b) <= 0.02 * (1 + std::abs(a) + std::abs(b))))
      throw std::logic_error(fmt::format("{}: {} is {} and {}", what, column.name, a, b));
  }
}

Outcome trained_by_the_reference(const Problem& problem) {
  setenv("SOFTWOOD_ENGINE", "reference", 1);
  Outcome outcome = trained(problem, 1);
  unsetenv("SOFTWOOD_ENGINE");
  return outcome;
}

}  // namespace

/// The bytes as a small problem, which every way of training has to solve alike.
void differential(std::string_view bytes) {
  const Problem problem = ProblemMaker(bytes).make();
  const std::vector<std::string> targets = simd_targets();
  std::optional<Outcome> best;
  for (const std::string& target : targets) {
    force_simd_target(target);
    Outcome alone = trained(problem, 1);
    expect_same(alone, trained(problem, 3), "one thread and three");
    if (best && !problem.has_greedy_start())
      expect_alike(*best, alone, targets[0] + " and " + target);
    if (!best) best = std::move(alone);
  }
  force_simd_target("");
  const Outcome reference = trained_by_the_reference(problem);
  if (!problem.has_greedy_start()) expect_alike(*best, reference, "kernels and reference");
  const CheckpointPlace place;
  expect_same(*best, trained_with_a_rest(problem, place.path()), "in one go and resumed");
}

}  // namespace softwood::fuzz
