#include "train/checkpoint/run_identity.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/fingerprint.h"
#include "base/simd_target.h"
#include "options/options_json.h"
#include "softwood/error.h"
#include "train/choices/recipe.h"

namespace softwood {
namespace {

using nlohmann::json;

std::string digits(const Fingerprint& fingerprint) {
  return fmt::format("{:016x}", fingerprint.value());
}

std::string engine_name() {
  const char* const name = std::getenv("SOFTWOOD_ENGINE");
  return name == nullptr ? "simd" : name;
}

std::string fingerprint_of(const Rows& rows, std::size_t column) {
  Fingerprint fingerprint;
  const auto cells = rows.view().row(column);
  fingerprint.add_bytes({reinterpret_cast<const char*>(cells.data()), cells.size_bytes()});
  return digits(fingerprint);
}

std::string fingerprint_of(const Responses& responses) {
  Fingerprint fingerprint;
  fingerprint.add(responses.y);
  for (const std::vector<double>& column : responses.columns) fingerprint.add(column);
  return digits(fingerprint);
}

json identity_of_columns(const Encoder& encoder, const Rows& rows) {
  json columns = json::object();
  for (std::size_t index = 0; index < rows.num_columns; ++index)
    columns[encoder.columns()[index].name()] = fingerprint_of(rows, index);
  return columns;
}

json identity_of_responses(const Tasks& tasks, const std::vector<Responses>& responses) {
  json by_target = json::object();
  for (const Task& task : tasks)
    by_target[task.target] = fingerprint_of(responses[task.index_in_model]);
  return by_target;
}

json identity_of_losses(const Tasks& tasks) {
  json by_target = json::object();
  for (const Task& task : tasks) {
    Fingerprint fingerprint;
    fingerprint.add_bytes(task.program.source().text);
    by_target[task.target] = digits(fingerprint);
  }
  return by_target;
}

std::string fingerprint_of_splits(const Preparation& preparation) {
  Fingerprint fingerprint;
  fingerprint.add(preparation.weights);
  fingerprint.add(preparation.learnable);
  for (const Split& split : preparation.splits) {
    fingerprint.add(split.training);
    fingerprint.add(split.validation);
  }
  if (preparation.own_validation) fingerprint.add(preparation.own_validation->weights);
  return digits(fingerprint);
}

/// The model that it starts from, by its numbers.
std::string fingerprint_of_start(const Preparation& preparation) {
  if (preparation.start == nullptr) return "";
  Fingerprint fingerprint;
  for (const Member& member : preparation.start->members) {
    fingerprint.add(member.values);
    fingerprint.add(member.offset);
    if (!member.linear) continue;
    fingerprint.add(
        std::vector<float>(member.linear->weights().begin(), member.linear->weights().end()));
  }
  return fmt::format("{}+{}", digits(fingerprint), preparation.num_added_trees);
}

[[noreturn]] void refuse(const std::string& difference) {
  throw Error(
      fmt::format("cannot resume: {} Give what the checkpoint was made with, or begin anew "
                  "with another --checkpoint and without --resume.",
                  difference));
}

std::string shown(const json& object, const std::string& key) {
  return object.contains(key) ? object.at(key).dump() : "not given";
}

void expect_same_options(const json& checkpoint, const json& asked) {
  json keys = checkpoint;
  keys.update(asked);
  for (const auto& [key, value] : keys.items()) {
    const std::string was = shown(checkpoint, key), is = shown(asked, key);
    if (was == is) continue;
    if (key == "tasks") {
      refuse(
          fmt::format("the targets, losses or weights are others: the checkpoint is of {}, asked "
                      "is {}.",
                      was, is));
    }
    refuse(fmt::format("--{} is {}, in the checkpoint {}.", key, is, was));
  }
}

/// What has a fingerprint by name.
void expect_same_parts(const char* what, const json& checkpoint, const json& given) {
  for (const auto& [name, fingerprint] : checkpoint.items()) {
    if (!given.contains(name)) {
      refuse(fmt::format("the checkpoint's table has a {} '{}', this one has not.", what, name));
    }
    if (given.at(name) != fingerprint)
      refuse(fmt::format("the {} '{}' is not what it was for the checkpoint.", what, name));
  }
  for (const auto& [name, fingerprint] : given.items()) {
    if (!checkpoint.contains(name))
      refuse(fmt::format("the {} '{}' is new: the checkpoint's table had none.", what, name));
  }
}

void expect_same_side(const char* which, const json& checkpoint, const json& given) {
  if (checkpoint.at("rows") != given.at("rows")) {
    refuse(fmt::format("{} has {} rows, for the checkpoint it had {}.", which,
                       given.at("rows").dump(), checkpoint.at("rows").dump()));
  }
  expect_same_parts("column", checkpoint.at("columns"), given.at("columns"));
  expect_same_parts("response", checkpoint.at("responses"), given.at("responses"));
}

void expect_texts(const json& object) {
  for (const auto& [key, value] : object.get_ref<const json::object_t&>())
    value.get_ref<const std::string&>();
}

void expect_side(const json& side) {
  side.at("rows").get_ref<const json::number_unsigned_t&>();
  expect_texts(side.at("columns"));
  expect_texts(side.at("responses"));
}

}  // namespace

json identity_of_run(const TrainOptions& options) {
  json told = options_to_json(options);
  // A rate that does not hang on the number of epochs lets a training go on for more.
  if (options.schedule.value_or(recipe_named(options.recipe).schedule) == "constant")
    told.erase("epochs");
  return {{"softwood", SOFTWOOD_VERSION},
          {"simd", simd_target()},
          {"engine", engine_name()},
          {"options", told}};
}

json identity_of_data(const Preparation& preparation) {
  json identity = {
      {"training",
       {{"rows", preparation.rows.num_rows},
        {"columns", identity_of_columns(preparation.encoder, preparation.rows)},
        {"responses", identity_of_responses(preparation.tasks, preparation.responses)}}},
      {"losses", identity_of_losses(preparation.tasks)},
      {"splits", fingerprint_of_splits(preparation)},
      {"start", fingerprint_of_start(preparation)}};
  if (preparation.own_validation) {
    identity["validation"] = {
        {"rows", preparation.validation_rows.num_rows},
        {"columns", identity_of_columns(preparation.encoder, preparation.validation_rows)},
        {"responses",
         identity_of_responses(preparation.tasks, preparation.own_validation->responses)}};
  }
  return identity;
}

void expect_same_run(const json& checkpoint, const json& asked) {
  for (const auto& [key, what] : {std::pair("softwood",
                                            "this is softwood {1}, the checkpoint is "
                                            "of softwood {0}."),
                                  std::pair("engine",
                                            "SOFTWOOD_ENGINE is {1}, in the checkpoint "
                                            "{0}.")}) {
    if (checkpoint.at(key) == asked.at(key)) continue;
    refuse(fmt::format(fmt::runtime(what), checkpoint.at(key).get<std::string>(),
                       asked.at(key).get<std::string>()));
  }
  const auto was = checkpoint.at("simd").get<std::string>();
  if (was != asked.at("simd")) {
    refuse(
        fmt::format("the checkpoint was made with {} instructions, this run uses {}, whose last "
                    "bits differ; SOFTWOOD_SIMD={} pins the target, if this machine has it.",
                    was, asked.at("simd").get<std::string>(), was));
  }
  expect_same_options(checkpoint.at("options"), asked.at("options"));
}

void expect_same_data(const json& checkpoint, const json& given) {
  expect_same_side("the table", checkpoint.at("training"), given.at("training"));
  if (checkpoint.contains("validation") != given.contains("validation"))
    refuse("validation rows come from a table of their own in one of them, not in both.");
  if (given.contains("validation"))
    expect_same_side("the validation table", checkpoint.at("validation"), given.at("validation"));
  expect_same_parts("loss of", checkpoint.at("losses"), given.at("losses"));
  if (checkpoint.at("start") != given.at("start"))
    refuse("it starts from another model, or adds another number of trees.");
  if (checkpoint.at("splits") != given.at("splits"))
    refuse("row weights, or the rows that learn and validate, are not what they were.");
}

void expect_identity(const json& about) try {
  about.at("ended").get_ref<const bool&>();
  const json& run = about.at("run");
  for (const char* key : {"softwood", "simd", "engine"}) run.at(key).get_ref<const std::string&>();
  run.at("options").get_ref<const json::object_t&>();
  const json& data = about.at("data");
  expect_side(data.at("training"));
  if (data.contains("validation")) expect_side(data.at("validation"));
  expect_texts(data.at("losses"));
  for (const char* key : {"splits", "start"}) data.at(key).get_ref<const std::string&>();
} catch (const json::exception&) {
  throw Error("what the checkpoint says of its training is damaged.");
}

}  // namespace softwood
