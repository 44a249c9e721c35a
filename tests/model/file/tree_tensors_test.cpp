#include "model/file/tree_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/file/half.h"
#include "model/file/model_file.h"
#include "model/model_access.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using testing::HasSubstr;

Safetensors thinned_file() {
  const std::string folder = std::string(SOFTWOOD_TESTS_FOLDER) + "/model/file/version_7/";
  return to_safetensors(ModelAccess::parts(Model::load(folder + "dates_softmax.softwood")));
}

std::string complaint(const Safetensors& file) {
  try {
    Model::from_bytes(file.to_bytes());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(TreeTensors, knots_that_are_kept_have_16_bits) {
  const Safetensors file = thinned_file();
  EXPECT_EQ(complaint(file), "");
  const Safetensors::Tensor& curves = file.tensors.at("member.0.curves");
  EXPECT_EQ(curves.type, NumberType::f16);
  EXPECT_LT(curves.values.size(), file.tensors.at("member.0.knots").bytes.size() * 8);
  for (const float value : curves.values) EXPECT_EQ(value, rounded_to_half(value));
}

TEST(TreeTensors, numbers_that_are_not_as_many_as_bits_are_refused) {
  Safetensors file = thinned_file();
  Safetensors::Tensor& curves = file.tensors["member.0.curves"];
  curves.values.push_back(1);
  curves.shape = {curves.values.size()};
  EXPECT_THAT(complaint(file), HasSubstr("'member.0.curves' has a wrong size"));
}

TEST(TreeTensors, bits_that_are_too_few_too_many_or_beyond_the_end_are_refused) {
  for (const int more : {-1, 1}) {
    Safetensors file = thinned_file();
    Safetensors::Tensor& knots = file.tensors["member.0.knots"];
    knots.bytes.resize(knots.bytes.size() + static_cast<std::size_t>(more));
    knots.shape = {knots.bytes.size()};
    EXPECT_THAT(complaint(file), HasSubstr("'member.0.knots' has a wrong size")) << more;
  }
  Safetensors file = thinned_file();
  const std::size_t size =
      ModelAccess::parts(Model::from_bytes(file.to_bytes())).members[0].kept.size();
  ASSERT_NE(size % 8, 0u) << "no bit is left to set";
  file.tensors["member.0.knots"].bytes.back() |= 0x80U;
  EXPECT_THAT(complaint(file), HasSubstr("'member.0.knots' has a wrong size"));
}

TEST(TreeTensors, types_are_those_that_the_format_says) {
  Safetensors file = thinned_file();
  file.tensors["member.0.curves"].type = NumberType::f32;
  EXPECT_THAT(complaint(file), HasSubstr("'member.0.curves' is missing or has a wrong type"));
  file = thinned_file();
  file.tensors.erase("member.0.knots");
  EXPECT_THAT(complaint(file), HasSubstr("'member.0.curves' is missing or has a wrong type"));
  file = thinned_file();
  file.tensors["member.0.leaves"].type = NumberType::f16;
  EXPECT_THAT(complaint(file), HasSubstr("'member.0.leaves' is missing or has a wrong type"));
}

/// A bit a knot: a file of no size could ask for much memory.
TEST(TreeTensors, hardly_any_knots_of_very_many_are_refused) {
  Safetensors file = thinned_file();
  nlohmann::json text = nlohmann::json::parse(file.metadata.at("model"));
  nlohmann::json& trees = text["members"][0]["trees"];
  nlohmann::json& bundles = trees["bundles"];
  text["members"][0]["training"]["group_of_bundle"] = nlohmann::json::array();
  text["members"][0]["training"]["groups"] = nlohmann::json::array();
  const nlohmann::json first = bundles[0];
  trees["depth"] = 1;
  trees["outputs"] = 3;
  constexpr std::size_t kMany = 60'000;
  bundles = std::vector<nlohmann::json>(kMany, first);
  for (nlohmann::json& bundle : bundles) bundle["trees"] = 1;
  const Model sound = Model::from_bytes(thinned_file().to_bytes());
  const EnsembleShape& shape = ModelAccess::parts(sound).members[0].ensemble.shape();
  std::size_t knots = 0;
  for (const std::uint32_t column : shape.bundles[0].columns)
    knots += shape.columns[column].num_parameters();
  const auto put = [&](const char* name, std::size_t count, NumberType type) {
    Safetensors::Tensor& tensor = file.tensors[name];
    tensor = {.shape = {count}, .type = type};
    (type == NumberType::u8 ? tensor.bytes.resize(count) : tensor.values.resize(count));
  };
  put("member.0.biases", kMany, NumberType::f32);
  put("member.0.leaves", kMany * 2 * 3, NumberType::f32);
  put("member.0.curves", 0, NumberType::f16);
  put("member.0.knots", (kMany * knots + 7) / 8, NumberType::u8);
  file.metadata["model"] = text.dump();
  const std::string why = complaint(file);
  const bool is_within = kMany * knots * 64 <= (32U << 20) + 40 * file.to_bytes().size();
  EXPECT_EQ(why.empty(), is_within) << why;
  EXPECT_TRUE(why.empty() || why.find("leave out too many knots") != why.npos) << why;
}

TEST(Half, is_the_nearest_number_of_16_bits) {
  EXPECT_EQ(rounded_to_half(0.1F), 0.0999755859375F);
  EXPECT_EQ(rounded_to_half(65504), 65504);
  EXPECT_EQ(rounded_to_half(-1e-9F), 0);
  EXPECT_EQ(half_from_float(1), 0x3C00);
  EXPECT_EQ(float_from_half(0xC000), -2);
}

}  // namespace
}  // namespace softwood
