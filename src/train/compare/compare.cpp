#include "softwood/compare.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "loss/catalogue/find_loss.h"
#include "loss/language/loss_program.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "train/compare/held_out_rows.h"
#include "train/prepare/examples.h"
#include "train/prepare/table_account.h"

namespace softwood {
namespace {

/// The tables and options that all the losses have in common.
struct CommonSetup {
  Table training;  ///< without the responses of the rows held out
  Table test;      ///< without all other responses; empty if each model reads its own way
  TrainOptions options;
};

void check_options(const CompareOptions& options) {
  if (options.target.empty()) throw Error("nothing to learn: name the response.");
  if (options.losses.empty()) throw Error("nothing to compare: name some losses.");
  for (const std::string& loss : options.losses) {
    if (loss.empty()) throw Error("one of the losses to compare is empty: name it.");
  }
  if (!options.training.tasks.empty())
    throw Error("what is learned is the target with each of the losses: leave out tasks.");
  if (!options.names.empty() && options.names.size() != options.losses.size())
    throw Error("each loss needs a name, or none has one.");
}

const std::vector<std::string>& names_of(const CompareOptions& options) {
  const std::vector<std::string>& names = options.names.empty() ? options.losses : options.names;
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    throw Error("a loss is named twice among those to compare.");
  return names;
}

/// What any of the losses reads is a feature for none of them, so that all see the same.
void share_features(TrainOptions& options, const std::vector<std::string>& losses,
                    const Table& table) {
  if (!options.features.empty()) return;
  std::set<std::string> read;
  for (const std::string& loss : losses) {
    try {
      const LossProgram program = LossProgram::compile(find_loss(loss), 2);
      read.insert(program.columns().begin(), program.columns().end());
    } catch (const Error&) {
      continue;  // its training will say why
    }
  }
  for (const std::string& name : read) {
    if (table.find(name) != nullptr) options.drop.push_back(name);
  }
}

/// What was read, in a sentence. `dropped`: by the user.
std::string account_of(const Table& table, const TrainOptions& options, const std::string& target,
                       const std::vector<std::string>& dropped) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.num_rows(); ++row) {
    if (!table.column(target).is_missing(row)) rows.push_back(row);
  }
  EncoderOptions encoding;
  encoding.features = choose_features(options, {}, table);
  std::erase(encoding.features, target);
  return table_account(table, find_left_out(table, rows, encoding), dropped);
}

CommonSetup prepare_setup(const Table& table, const CompareOptions& options, const Hooks& hooks) {
  table.column(options.target);
  CommonSetup setup{.training = {}, .test = {}, .options = options.training};
  share_features(setup.options, options.losses, table);
  if (hooks.on_note)
    hooks.on_note(account_of(table, setup.options, options.target, options.training.drop));
  if (options.read_test) {
    setup.training = table;
    return setup;
  }
  const Split split = held_out_rows(table, {.fraction = options.held_out,
                                            .seed = options.training.seed,
                                            .keep_together = options.training.keep_together,
                                            .target = options.target});
  setup.test = without_responses(table, options.target, split.training);
  setup.training = without_responses(table, options.target, split.validation);
  return setup;
}

/// The hooks of each training: what is said of the table is the same for all, and said once. A
/// warning that throws has not been heard, so that it stops every loss.
Hooks hooks_of_each(const Hooks& hooks) {
  Hooks each = hooks;
  each.on_note = nullptr;
  if (hooks.on_warning) {
    const auto told = std::make_shared<std::set<std::string>>();  // hooks are copied
    each.on_warning = [warn = hooks.on_warning, told](const std::string& text) {
      if (told->contains(text)) return;
      warn(text);
      told->insert(text);
    };
  }
  return each;
}

bool is_stopped(const Hooks& hooks) {
  return hooks.should_stop && hooks.should_stop();
}

Model train_one(const CommonSetup& setup, const CompareOptions& options, const std::string& loss,
                const Hooks& hooks) {
  TrainOptions training = setup.options;
  training.tasks = {{.target = options.target, .loss = loss}};
  return options.validation == nullptr
             ? train(setup.training, training, hooks)
             : train(setup.training, *options.validation, training, hooks);
}

/// What the model says of the loss. Its value on the test rows is a likelihood if it states a cdf;
/// a classifier's is comparable as what it is, the log-loss.
void fill_in(const std::string& loss, const Model& model, ComparedLoss& result) {
  const ModelParts& parts = ModelAccess::parts(model);
  const Task& task = parts.tasks[0];
  const std::string& trained = task.program.source().name;
  if (trained != find_loss(loss).name) result.chosen = trained;
  result.is_discrete = task.program.is_discrete();
  for (const auto& [name, value] : result.evaluation.metrics) {
    if (name == "loss" && task.program.has_cdf() && !task.is_classifier()) result.nll = value;
  }
  for (const Member& member : parts.members) {
    result.num_trees += member.ensemble.shape().num_trees();
  }
}

ComparedLoss try_loss(const CommonSetup& setup, const CompareOptions& options, std::size_t number,
                      const std::string& name, const CompareHooks& hooks) {
  ComparedLoss result{.loss = name};
  const std::string& loss = options.losses[number];
  try {
    const auto start = std::chrono::steady_clock::now();
    const Model model = train_one(setup, options, loss, hooks.training);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (is_stopped(hooks.training)) throw Error("interrupted.");
    result.seconds = taken.count();
    const int threads = setup.options.threads;
    result.evaluation = options.read_test ? model.evaluate(options.read_test(model), threads)[0]
                                          : model.evaluate(setup.test, threads)[0];
    fill_in(loss, model, result);
    if (hooks.on_model) hooks.on_model(number, model);
    result.model = model;
  } catch (const Error& error) {
    result = {.loss = name, .failure = error.what()};
  }
  return result;
}

void sort_losses(std::vector<ComparedLoss>& losses) {
  const auto place = [](const ComparedLoss& each) {
    const double last = std::numeric_limits<double>::infinity();
    const double nll = each.nll.value_or(last);
    return std::pair(each.failure.empty() ? 0 : 1, std::isnan(nll) ? last : nll);
  };
  std::stable_sort(losses.begin(), losses.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

}  // namespace

Comparison compare(const Table& table, const CompareOptions& options, const CompareHooks& hooks) {
  check_options(options);
  const std::vector<std::string>& names = names_of(options);
  const CommonSetup setup = prepare_setup(table, options, hooks.training);
  CompareHooks each = hooks;
  each.training = hooks_of_each(hooks.training);
  Comparison comparison{.target = options.target, .losses = {}};
  for (std::size_t number = 0; number < names.size() && !is_stopped(hooks.training); ++number) {
    if (hooks.on_loss) hooks.on_loss(number, names[number]);
    comparison.losses.push_back(try_loss(setup, options, number, names[number], each));
  }
  sort_losses(comparison.losses);
  return comparison;
}

}  // namespace softwood
