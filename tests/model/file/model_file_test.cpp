#include "model/file/model_file.h"

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/file/version_3.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "tree/plain_tensors.h"

namespace softwood {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string complaint(const Safetensors& file) {
  try {
    Model::from_bytes(file.to_bytes());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// The file of a model after a change of its description.
Safetensors changed(const Model& model, const std::function<void(json&)>& change) {
  Safetensors file = to_safetensors(ModelAccess::parts(model));
  json description = json::parse(file.metadata.at("model"));
  change(description);
  file.metadata["model"] = description.dump();
  return file;
}

/// The model of version 3 with a record, as if it had been trained today.
Model model_with_record() {
  ModelParts parts = ModelAccess::parts(version_3_model());
  const double unknown = std::nan("");
  MemberRecord& record = parts.members[0].record;
  record.seed = 0xFFFF'FFFF'FFFF'FFFFU;
  record.num_training_rows = 48;
  record.num_validation_rows = 12;
  record.was_stopped = true;
  record.validation_losses = {0.1, unknown};
  record.groups = {{.kind = GroupKind::narrow,
                    .is_private = true,
                    .num_trees = 9,
                    .learning_rate = 0.01,
                    .batch_size = 32,
                    .shares = {{.takes_part = true, .weight = 0.1, .best_epoch = 5}, {}}},
                   {.num_trees = 3, .shares = {{}, {.takes_part = true}}}};
  record.group_of_bundle.resize(parts.members[0].ensemble.shape().bundles.size(), 0);
  for (const int epoch : {1, 2}) {
    record.history.push_back({.member = 1,
                              .epoch = epoch,
                              .learning_rate = 0.1 / epoch,
                              .training_loss = {1.0 / 3, unknown},
                              .validation_loss = {-INFINITY, 2},
                              .best_validation_loss = {0.5, 0.25},
                              .constant_loss = {3, 4},
                              .best_epoch = 1,
                              .best = epoch == 1,
                              .seconds = 12});
  }
  return ModelAccess::make(std::move(parts));
}

/// The last bits may be those of other instructions.
void expect_same_cells(const Column& found, const Column& expected) {
  for (std::size_t row = 0; row < expected.size(); ++row) {
    if (expected.kind == ColumnKind::categorical) {
      ASSERT_EQ(found.text(row), expected.text(row)) << expected.name << ", row " << row;
    } else {
      ASSERT_NEAR(found.values[row], expected.values[row], 1e-5)
          << expected.name << ", row " << row;
    }
  }
}

TEST(ModelFile, of_version_3_predicts_as_it_did) {
  const Model model = version_3_model();
  const Predictions predictions = model.predict(version_3_table(model), {.quantiles = {0.9}});
  const Table expected = read_table(version_3_file("predictions.csv"));
  ASSERT_EQ(predictions.table().names(), expected.names());
  for (const Column& column : expected.columns())
    expect_same_cells(predictions.table().column(column.name), column);
}

TEST(ModelFile, of_version_3_knows_nothing_of_its_training) {
  const Model model = version_3_model();
  EXPECT_EQ(model.history().num_rows(), 0u);
  EXPECT_THAT(model.describe(), AllOf(HasSubstr("4 of depth 2, logistic"), HasSubstr("curve")));
  EXPECT_EQ(model.read_as(ColumnsFor::evaluation).at("label").kind, ColumnKind::categorical);
}

TEST(ModelFile, of_version_3_becomes_one_of_today_when_saved) {
  const Model model = version_3_model();
  const Safetensors file = to_safetensors(ModelAccess::parts(model));
  EXPECT_EQ(file.metadata.at("version"), "7");
  EXPECT_EQ(Model::from_bytes(model.to_bytes()).describe(), model.describe());
}

/// As versions 3 to 6 had it: three tensors of each bundle.
Safetensors with_tensors_of_bundles(Safetensors file, const ModelParts& parts) {
  std::erase_if(file.tensors, [](const auto& tensor) {
    return tensor.first.find("linear") == std::string::npos;
  });
  for (std::size_t index = 0; index < parts.members.size(); ++index) {
    const Member& member = parts.members[index];
    const EnsembleShape& shape = member.ensemble.shape();
    for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle) {
      PlainNumbers<float> numbers(plain_sizes(member.ensemble, bundle));
      plain_from_values<float>(member.ensemble, bundle, member.values, numbers.view());
      const std::size_t trees = shape.bundles[bundle].num_trees;
      const std::size_t splits = shape.num_splits_per_tree();
      const std::string name = fmt::format("member.{}.bundle.{}.", index, bundle);
      file.tensors[name + "curves"] = {
          .shape = {trees, splits, numbers.curves.size() / trees / splits},
          .values = numbers.curves};
      file.tensors[name + "biases"] = {.shape = {trees, splits}, .values = numbers.biases};
      file.tensors[name + "leaves"] = {
          .shape = {trees, splits + 1, shape.bundles[bundle].num_outputs},
          .values = numbers.leaves};
    }
  }
  return file;
}

/// As version 4 wrote it: no word of linear parts.
TEST(ModelFile, of_version_4_is_read) {
  const Model model = model_with_record();
  Safetensors file = changed(model, [](json& text) {
    for (json& member : text["members"]) {
      member.erase("linear");
      for (json& group : member["training"]["groups"]) group.erase("rest");
    }
  });
  file = with_tensors_of_bundles(std::move(file), ModelAccess::parts(model));
  file.metadata["version"] = "4";
  const Model old = Model::from_bytes(file.to_bytes());
  EXPECT_EQ(old.describe(), model.describe());
  EXPECT_EQ(old.to_bytes(), model.to_bytes());
}

/// A file of tests/model/file/VERSION, whose README tells where they come from.
std::string file_of_version(const std::string& version, const std::string& name) {
  return fmt::format("{}/model/file/{}/{}", SOFTWOOD_TESTS_FOLDER, version, name);
}

void expect_predictions_as_they_were(const std::string& version, const std::string& name) {
  const Model model = Model::load(file_of_version(version, name + ".softwood"));
  ReadOptions options;
  options.read_as = model.read_as(ColumnsFor::predictions);
  const Table table = read_table(file_of_version(version, "table.csv"), options);
  const Predictions predictions = model.predict(table);
  const Table expected = read_table(file_of_version(version, name + ".csv"));
  ASSERT_EQ(predictions.table().names(), expected.names()) << name;
  for (const Column& column : expected.columns())
    expect_same_cells(predictions.table().column(column.name), column);
}

TEST(ModelFile, of_versions_5_and_7_predicts_as_it_did) {
  for (const char* name : {"linear_tasks", "dates_softmax", "smooth_members"}) {
    expect_predictions_as_they_were("version_5", name);
    expect_predictions_as_they_were("version_7", name);
  }
}

const std::array kOfVersion6 = {"linear_tasks", "dates_softmax", "smooth_members", "added_trees"};

TEST(ModelFile, of_version_6_predicts_as_it_did) {
  for (const char* name : kOfVersion6) expect_predictions_as_they_were("version_6", name);
}

/// Whoever changes what is written makes a new version, and a folder of its models.
TEST(ModelFile, of_version_7_is_saved_as_it_was) {
  for (const char* name : {"linear_tasks", "dates_softmax", "smooth_members"}) {
    const std::string path = file_of_version("version_7", fmt::format("{}.softwood", name));
    std::ifstream in(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    const Safetensors was = Safetensors::from_bytes(bytes);
    Safetensors saved = to_safetensors(ModelAccess::parts(Model::load(path)));
    EXPECT_EQ(saved.metadata.at("model"), was.metadata.at("model")) << name;
    saved.metadata["softwood"] = was.metadata.at("softwood");  // who wrote it, today someone else
    EXPECT_EQ(saved.to_bytes(), bytes) << name;
  }
}

TEST(ModelFile, of_a_version_that_is_not_known_is_told_with_those_that_are) {
  Safetensors file = to_safetensors(ModelAccess::parts(version_3_model()));
  file.metadata["version"] = "8";
  file.metadata["softwood"] = "0.9.0";
  EXPECT_THAT(complaint(file), AllOf(HasSubstr("format version 8"), HasSubstr("of Softwood 0.9.0"),
                                     HasSubstr("reads 3 to 7"), HasSubstr("newer")));
  for (const char* version : {"2", "4.1", "", "-4", "four"}) {
    file.metadata["version"] = version;
    EXPECT_THAT(complaint(file), HasSubstr("reads 3 to 7")) << version;
  }
}

TEST(ModelFile, keeps_all_that_is_known_of_the_training_but_the_clock) {
  const Model model = model_with_record();
  const Model loaded = Model::from_bytes(model.to_bytes());
  EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
  EXPECT_EQ(loaded.describe(), model.describe());
  const MemberRecord& before = ModelAccess::parts(model).members[0].record;
  const MemberRecord& after = ModelAccess::parts(loaded).members[0].record;
  EXPECT_EQ(after.seed, before.seed);
  EXPECT_EQ(after.num_training_rows, 48u);
  EXPECT_EQ(after.num_validation_rows, 12u);
  EXPECT_TRUE(after.was_stopped);
  EXPECT_EQ(after.groups, before.groups);
  EXPECT_EQ(after.group_of_bundle, before.group_of_bundle);
  EXPECT_EQ(after.validation_losses[0], 0.1);
  EXPECT_TRUE(std::isnan(after.validation_losses[1]));
  const Table history = loaded.history();
  EXPECT_THAT(history.column("learning_rate").values, ElementsAre(0.1, 0.05));
  EXPECT_THAT(history.column("training_loss.y").values, ElementsAre(1.0 / 3, 1.0 / 3));
  EXPECT_THAT(history.column("validation_loss.y").values, ElementsAre(-INFINITY, -INFINITY));
  EXPECT_THAT(history.column("best").values, ElementsAre(1, 0));
  EXPECT_TRUE(history.column("training_loss.label").is_missing(0));
  EXPECT_TRUE(history.column("seconds").is_missing(0));
  EXPECT_EQ(after.history[1].constant_loss, (std::vector<double>{3, 4}));
}

TEST(ModelFile, describe_tells_kinds_of_trees_rows_and_losses) {
  EXPECT_THAT(model_with_record().describe(),
              AllOf(HasSubstr("4 of depth 2 (0 wide, 4 narrow), logistic splits"),
                    HasSubstr("from 48 rows in 2 epochs (stopped), validation loss 0.1 and nan")));
}

TEST(ModelFile, words_that_nobody_knows_are_refused) {
  const Model model = model_with_record();
  EXPECT_EQ(complaint(changed(model, [](json&) {})), "");
  EXPECT_THAT(complaint(changed(
                  model, [](json& text) { text["members"][0]["trees"]["activation"] = "step"; })),
              HasSubstr("'activation' is 'step'"));
  for (const json& kind : {json("word"), json(3), json(-1)}) {
    EXPECT_THAT(
        complaint(changed(model, [&](json& text) { text["tasks"][0]["target_kind"] = kind; })),
        HasSubstr("'target_kind' is"));
  }
  const auto with_kind = changed(
      model, [](json& text) { text["members"][0]["training"]["groups"][0]["kind"] = "broad"; });
  EXPECT_THAT(complaint(with_kind), HasSubstr("'kind' is 'broad'"));
}

TEST(ModelFile, a_record_that_does_not_fit_the_trees_is_refused) {
  const Model model = model_with_record();
  const std::vector<std::function<void(json&)>> changes = {
      [](json& record) { record["group_of_bundle"][0] = 2; },
      [](json& record) { record["group_of_bundle"].push_back(0); },
      [](json& record) { record["groups"][0]["tasks"].push_back(record["groups"][0]["tasks"][0]); },
      [](json& record) { record["validation_losses"].push_back(1); },
      [](json& record) { record["history"]["validation_loss"][1].push_back(1); },
      [](json& record) { record["history"]["best"].erase(1); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Safetensors file =
        changed(model, [&](json& text) { changes[i](text["members"][0]["training"]); });
    EXPECT_NE(complaint(file), "") << i;
  }
}

}  // namespace
}  // namespace softwood
