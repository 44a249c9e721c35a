// What stands in a file whose checksum is right is still anybody's: each of these was, or would be,
// a crash, a wrong answer or a bill.
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fuzz/files_of.h"
#include "fuzz/mutants/model_pieces.h"
#include "fuzz/mutants/use_model.h"
#include "softwood/error.h"
#include "softwood/model.h"

namespace softwood {
namespace {

using fuzz::ModelPieces;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::string file(const std::string& name) {
  return fuzz::bytes_of_file(std::string(SOFTWOOD_TESTS_FOLDER) + "/fuzz/corpus/model/" + name);
}

const std::vector<std::string>& small_models() {
  static const std::vector<std::string> models = {file("linear_tasks"), file("dates_softmax"),
                                                  file("smooth_members")};
  return models;
}

std::string complaint(const std::string& bytes) {
  try {
    Model::from_bytes(bytes);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(HostileModel, every_bit_flip_is_refused) {
  for (const std::string& model : small_models()) {
    std::string bytes = model;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
      const auto flip = [&] { bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8); };
      flip();
      ASSERT_NE(complaint(bytes), "") << "bit " << bit;
      flip();
    }
    ASSERT_EQ(complaint(bytes), "");
  }
}

TEST(HostileModel, every_truncation_is_refused) {
  for (const std::string& model : small_models()) {
    for (std::size_t size = 0; size < model.size(); ++size)
      ASSERT_NE(complaint(model.substr(0, size)), "") << size;
  }
}

TEST(HostileModel, the_small_models_have_what_a_model_can_have) {
  const auto description = [](const char* name) {
    return fuzz::take_apart(file(name)).description;
  };
  const json linear = description("linear_tasks"), dates = description("dates_softmax"),
             smooth = description("smooth_members");
  EXPECT_EQ(linear["tasks"].size(), 2u);
  EXPECT_EQ(linear["members"][0]["linear"], true);
  EXPECT_EQ(dates["tasks"][0]["loss"]["name"], "softmax");
  EXPECT_FALSE(dates["encoder"]["date_orders"].empty());
  EXPECT_THAT(dates.dump(), HasSubstr("\"levels\""));
  EXPECT_GT(smooth["members"].size(), 1u);
  EXPECT_EQ(smooth["members"][0]["trees"]["activation"], "smooth_step");
  for (const std::string& model : small_models()) {
    EXPECT_NO_THROW(fuzz::use_model(Model::from_bytes(model), fuzz::rows_for_models()));
    EXPECT_EQ(fuzz::put_together(fuzz::take_apart(model)).size() / 100, model.size() / 100);
  }
}

/// A change of a model, and a part of the message that it must lead to.
struct Evil {
  const char* name;
  const char* model;
  std::function<void(ModelPieces&)> change;
  const char* message;
};

json& task(ModelPieces& file, std::size_t index = 0) {
  return file.description["tasks"][index];
}
json& trees(ModelPieces& file) {
  return file.description["members"][0]["trees"];
}
json& bundle(ModelPieces& file) {
  return trees(file)["bundles"][0];
}
json& column(ModelPieces& file) {
  return file.description["encoder"]["columns"][0];
}

/// The first tensor of that kind.
json& tensor(ModelPieces& file, const std::string& part) {
  for (auto& [name, entry] : file.tensors.items()) {
    if (name.ends_with(part)) return entry;
  }
  throw std::logic_error("no tensor " + part);
}

std::string list_of(const char* part, int count) {
  std::string text = std::string(fuzz::kRaw) + "[" + part;
  for (int k = 1; k < count; ++k) text += std::string(",") + part;
  return text + "]";
}

json labels(int count) {
  json labels = json::array();
  for (int k = 0; k < count; ++k) labels.push_back(std::to_string(k));
  return labels;
}

/// Texts that each take long to compile, none of them the same.
json slow_tasks(const json& task, int count) {
  json tasks = json::array();
  for (int k = 0; k < count; ++k) {
    json next = task;
    next["loss"]["text"] =
        fmt::format("outputs f[300]\nloss = sum(softmax(f + {})^2)\nmean = f[0]", k);
    next["labels"] = json::array();
    next["offset"] = next["unit"] = std::vector<double>(300, 1.0);
    tasks.push_back(next);
  }
  return tasks;
}

class HostileFile : public testing::TestWithParam<Evil> {};

TEST_P(HostileFile, is_refused) {
  const Evil& evil = GetParam();
  ModelPieces pieces = fuzz::take_apart(file(evil.model));
  evil.change(pieces);
  EXPECT_THAT(complaint(fuzz::put_together(pieces)), HasSubstr(evil.message));
}

constexpr const char* kLinear = "linear_tasks";
constexpr const char* kDates = "dates_softmax";
constexpr const char* kSmooth = "smooth_members";
using P = ModelPieces;

const Evil kEvils[] = {
    {"labels_beyond_a_scalar_probability", kDates,
     [](P& p) {
       task(p)["loss"]["text"] = "outputs f\nloss = (y-f)^2\nprobability = f";
       task(p)["labels"] = labels(5);
       task(p)["offset"] = task(p)["unit"] = {1};
     },
     "labels do not fit"},
    {"twenty_thousand_labels", kDates, [](P& p) { task(p)["labels"] = labels(20000); },
     "'labels' are too many"},
    {"a_label_twice", kDates, [](P& p) { task(p)["labels"][1] = task(p)["labels"][0]; },
     "labels do not fit"},
    {"a_label_less", kDates, [](P& p) { task(p)["labels"].erase(0); }, "units do not fit"},
    {"a_linear_column_with_a_scale", kLinear,
     [](P& p) {
       column(p)["kind"] = "linear";
       column(p)["coarse"] = {0, 5};
     },
     "is linear, with a scale"},
    {"a_coarse_scale_beyond_the_edges", kLinear,
     [](P& p) {
       column(p)["coarse"] = {0, 4000};
     },
     "coarse scale that does not fit"},
    {"edges_that_do_not_ascend", kLinear, [](P& p) { column(p)["edges"][0] = 1e300; },
     "edges that do not ascend"},
    {"an_sd_of_0", kLinear, [](P& p) { column(p)["sd"] = 0; }, "'sd' is not above 0"},
    {"trees_0", kLinear, [](P& p) { bundle(p)["trees"] = 0; }, "'trees' is out of range"},
    {"trees_2000000", kLinear, [](P& p) { bundle(p)["trees"] = 2'000'000; }, "has a wrong size"},
    {"trees_2_to_60", kLinear, [](P& p) { bundle(p)["trees"] = std::int64_t{1} << 60; },
     "has a wrong size"},
    {"trees_2_to_64", kLinear, [](P& p) { bundle(p)["trees"] = 18446744073709551615U; },
     "has a wrong size"},
    {"trees_5_and_a_half", kLinear, [](P& p) { bundle(p)["trees"] = 5.5; }, "no whole number"},
    {"trees_as_text", kLinear, [](P& p) { bundle(p)["trees"] = "5"; }, "no whole number"},
    {"trees_beyond_all_numbers", kLinear, [](P& p) { bundle(p)["trees"] = "@raw@1e999"; },
     "unreadable"},
    {"outputs_0", kLinear, [](P& p) { trees(p)["outputs"] = 0; }, "'outputs' is out of range"},
    {"outputs_of_a_bundle_0", kLinear, [](P& p) { bundle(p)["outputs"] = 0; },
     "'outputs' is out of range"},
    {"outputs_behind_the_last", kLinear, [](P& p) { bundle(p)["first_output"] = 7; },
     "'first_output' is out of range"},
    {"columns_that_are_not_there", kLinear,
     [](P& p) {
       bundle(p)["columns"] = {0, 4000};
     },
     "trees do not fit its columns"},
    {"columns_twice", kLinear,
     [](P& p) {
       bundle(p)["columns"] = {0, 0};
     },
     "trees do not fit its columns"},
    {"gamma_0", kSmooth, [](P& p) { trees(p)["gamma"] = 0; }, "'gamma' is not above 0"},
    {"gamma_negative", kSmooth, [](P& p) { trees(p)["gamma"] = -1; }, "'gamma' is not above 0"},
    {"gamma_too_large_for_a_float", kSmooth, [](P& p) { trees(p)["gamma"] = 1e39; },
     "'gamma' is out of range"},
    {"gamma_too_small_for_a_float", kSmooth, [](P& p) { trees(p)["gamma"] = 1e-60; },
     "'gamma' is out of range"},
    {"depth_2_point_9", kLinear, [](P& p) { trees(p)["depth"] = 2.9; }, "no whole number"},
    {"depth_that_wraps", kLinear, [](P& p) { trees(p)["depth"] = (std::int64_t{1} << 32) + 2; },
     "'depth' is out of range"},
    {"depth_60", kLinear, [](P& p) { trees(p)["depth"] = 60; }, "'depth' is out of range"},
    {"activation_foo", kSmooth, [](P& p) { trees(p)["activation"] = "foo"; },
     "'activation' is 'foo', which is unknown"},
    {"activation_null", kSmooth, [](P& p) { trees(p)["activation"] = nullptr; },
     "'activation' is no text"},
    {"target_kind_99", kLinear, [](P& p) { task(p)["target_kind"] = 99; },
     "'target_kind' is out of range"},
    {"unit_0", kLinear, [](P& p) { task(p)["unit"][0] = 0; }, "'unit' is not above 0"},
    {"unit_negative", kLinear, [](P& p) { task(p)["unit"][0] = -1; }, "'unit' is not above 0"},
    {"a_setting_that_the_loss_has_not", kLinear,
     [](P& p) {
       task(p)["loss"]["settings"] = {{"zzz", 1}};
     },
     "zzz"},
    {"no_response", kLinear, [](P& p) { p.description["tasks"] = json::array(); }, "no response"},
    {"no_member", kLinear, [](P& p) { p.description["members"] = json::array(); }, "no trees"},
    {"offsets_of_others", kLinear,
     [](P& p) { p.description["members"][0]["offset"] = {1, 2, 3, 4, 5, 6, 7, 8}; },
     "trees do not fit its losses"},
    {"a_number_that_is_none", kLinear,
     [](P& p) { p.numbers.replace(0, 4, std::string("\0\0\xc0\x7f", 4)); }, "not finite"},
    {"an_infinite_number", kLinear,
     [](P& p) { p.numbers.replace(0, 4, std::string("\0\0\x80\xff", 4)); }, "not finite"},
    {"a_tensor_of_2_to_62_numbers_in_no_bytes", kLinear,
     [](P& p) {
       p.tensors["zzz"] = {
           {"dtype", "F32"}, {"shape", {std::int64_t{1} << 62}}, {"data_offsets", {0, 0}}};
     },
     "wrong size"},
    {"shapes_whose_product_wraps", kLinear,
     [](P& p) {
       p.tensors["zzz"] = {{"dtype", "F32"},
                           {"shape", {std::int64_t{1} << 33, std::int64_t{1} << 33}},
                           {"data_offsets", {0, 0}}};
     },
     "wrong size"},
    {"tensors_over_the_same_bytes", kLinear,
     [](P& p) {
       for (int k = 0; k < 1000; ++k) p.tensors[fmt::format("zzz{}", k)] = tensor(p, "curves");
     },
     "overlap"},
    {"a_tensor_of_another_type", kLinear, [](P& p) { tensor(p, "biases")["dtype"] = "F64"; },
     "unknown type"},
    {"a_tensor_outside_of_the_file", kLinear,
     [](P& p) {
       tensor(p, "biases")["data_offsets"] = {0, std::int64_t{1} << 62};
     },
     "outside of the file"},
    {"a_tensor_that_belongs_to_nobody", kLinear,
     [](P& p) {
       p.tensors["zzz"] = {{"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {0, 0}}};
     },
     "belong to no member"},
    {"numbers_of_nobody", kLinear, [](P& p) { p.numbers += "1234"; }, "belong to no tensor"},
    {"lists_in_lists", kLinear,
     [](P& p) { p.description["zzz"] = "@raw@" + std::string(100000, '['); }, "unreadable"},
    {"empty_lists_without_end", kLinear,
     [](P& p) { p.description["zzz"] = list_of("[]", 1'000'000); }, "too large"},
    {"many_slow_losses", kLinear, [](P& p) { p.description["tasks"] = slow_tasks(task(p), 30); },
     "steps to compile"},
    {"a_history_of_other_tasks", kLinear,
     [](P& p) { p.description["members"][0]["training"]["history"]["training_loss"][0] = {1}; },
     "account of its training"},
    {"groups_that_are_not_there", kLinear,
     [](P& p) { p.description["members"][0]["training"]["group_of_bundle"][0] = 4000; },
     "account of its training"},
};

INSTANTIATE_TEST_SUITE_P(Evils, HostileFile, testing::ValuesIn(kEvils),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(HostileModel, control_characters_do_not_reach_the_terminal) {
  ModelPieces pieces = fuzz::take_apart(file(kSmooth));
  task(pieces)["target"] = "y\x1b[2J";
  task(pieces)["loss"]["name"] = "loss\x1b[2J";
  for (json& each : pieces.description["encoder"]["columns"]) each["source"] = "a\x1b[2J";
  while (pieces.description["encoder"]["columns"].size() > 1)
    pieces.description["encoder"]["columns"].erase(1);
  EXPECT_THAT(complaint(fuzz::put_together(pieces)), Not(HasSubstr("\x1b")));
  pieces = fuzz::take_apart(file(kSmooth));
  task(pieces)["target"] = "y\x1b[2J";
  task(pieces)["loss"]["name"] = "loss\x1b[2J";
  const Model model = Model::from_bytes(fuzz::put_together(pieces));
  EXPECT_THAT(model.describe(), HasSubstr("\\x1b[2J"));
  EXPECT_THAT(model.describe(), Not(HasSubstr("\x1b")));
  trees(pieces)["activation"] = "\x1b[2J";
  EXPECT_THAT(complaint(fuzz::put_together(pieces)), HasSubstr("\\x1b[2J"));
}

/// What tasks share is compiled once: fifty of them do not count fifty times.
TEST(HostileModel, tasks_with_the_same_loss_are_no_trouble) {
  ModelPieces pieces = fuzz::take_apart(file(kLinear));
  json slow = slow_tasks(task(pieces), 1)[0];
  pieces.description["tasks"] = json(std::vector<json>(50, slow));
  EXPECT_THAT(complaint(fuzz::put_together(pieces)), HasSubstr("trees do not fit"));
}

}  // namespace
}  // namespace softwood
