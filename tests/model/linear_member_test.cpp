#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "model/describe.h"
#include "model/explain/spread.h"
#include "model/file/model_file.h"
#include "model/hand_made_model.h"
#include "model/layer/layer_pass.h"
#include "model/member_sums.h"
#include "model/number_column.h"
#include "softwood/error.h"
#include "softwood/explain.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kNames = {"a", "b", "c"};
constexpr std::size_t kRows = 60;
// Of a, b and c; of missing cells nothing.
constexpr double kSlopes[] = {2, 0, -0.5};
constexpr double kBias = 0.25;

/// Values that floats hold exactly, so that a layer in float sees what the encoder sees.
Table uniform_table() {
  const RandomStream random(1, "uniform");
  std::vector<Column> columns;
  for (const std::string& name : kNames) {
    std::vector<double> values;
    for (std::size_t row = 0; row < kRows; ++row)
      values.push_back(static_cast<float>(2 * random.uniform(3 * row + columns.size()) - 1));
    columns.push_back(number_column(name, values));
  }
  return Table(columns);
}

/// Stumps and, beside them, bias + Σ slope · x.
Model linear_model(const Table& table, const std::vector<Stump>& stumps) {
  ModelParts parts = ModelAccess::parts(hand_made_model(table, kNames, stumps));
  auto features = std::make_shared<const LinearFeatures>(parts.encoder.columns());
  std::vector<float> weights(features->size());
  double bias = kBias;
  for (std::size_t column = 0; column < 3; ++column) {
    const EncodedColumn& encoded = parts.encoder.columns()[column];
    weights[features->of_column(column).begin] = static_cast<float>(kSlopes[column] * encoded.sd);
    bias += kSlopes[column] * encoded.mean;
  }
  parts.members[0].linear = LinearPart(features, weights, {static_cast<float>(bias)});
  return ModelAccess::make(std::move(parts));
}

const std::vector<Stump> kStumps = {{.addends = {{0, 2}}, .height = 3}};

double linear_value(const Table& table, std::size_t row) {
  double sum = kBias;
  for (std::size_t column = 0; column < 3; ++column)
    sum += kSlopes[column] * table.column(kNames[column]).values[row];
  return sum;
}

TEST(LinearMember, adds_its_function_to_the_trees) {
  const Table table = uniform_table();
  const Predictions with = linear_model(table, kStumps).predict(table, {});
  const Predictions without = hand_made_model(table, kNames, kStumps).predict(table, {});
  for (std::size_t row = 0; row < kRows; ++row)
    EXPECT_NEAR(with["mean"][row] - without["mean"][row], linear_value(table, row), 1e-5);
}

TEST(LinearMember, needs_no_trees) {
  const Table table = uniform_table();
  const Model model = ModelAccess::make(
      from_safetensors(to_safetensors(ModelAccess::parts(linear_model(table, {})))));
  const Predictions predictions = model.predict(table, {});
  for (std::size_t row = 0; row < kRows; ++row)
    EXPECT_NEAR(predictions["mean"][row], linear_value(table, row), 1e-5);
  EXPECT_THAT(model.describe(), HasSubstr("· linear\n"));
  EXPECT_THAT(model.describe(), Not(HasSubstr("trees")));
}

TEST(LinearMember, sums_are_those_of_chosen_rows) {
  const Table table = uniform_table();
  const Model model = linear_model(table, kStumps);
  const ModelParts& parts = ModelAccess::parts(model);
  const Rows rows = parts.encoder.encode(table, 1);
  ThreadTeam team(2);
  const std::vector<double> all = member_sums(parts.members[0], rows.view(), team);
  const std::vector<std::uint32_t> chosen{7, 3, 3};
  EXPECT_THAT(member_sums(parts.members[0], {rows.view(), chosen}, team),
              ElementsAre(all[7], all[3], all[3]));
}

TEST(LinearMember, comes_back_from_its_file_to_the_bit) {
  const Table table = uniform_table();
  const Model model = linear_model(table, kStumps);
  const Safetensors file = to_safetensors(ModelAccess::parts(model));
  EXPECT_THAT(file.tensors.at("member.0.linear.weights").shape, ElementsAre(6, 1));
  EXPECT_THAT(file.tensors.at("member.0.linear.biases").shape, ElementsAre(1));
  const Model back = ModelAccess::make(from_safetensors(file));
  EXPECT_EQ(to_safetensors(ModelAccess::parts(back)).to_bytes(), file.to_bytes());
  const Predictions before = model.predict(table, {}), after = back.predict(table, {});
  for (std::size_t row = 0; row < kRows; ++row) EXPECT_EQ(before["mean"][row], after["mean"][row]);
}

TEST(LinearMember, a_file_whose_tensors_do_not_fit_is_refused) {
  const Safetensors whole = to_safetensors(ModelAccess::parts(linear_model(uniform_table(), {})));
  for (const char* name : {"member.0.linear.weights", "member.0.linear.biases"}) {
    Safetensors file = whole;
    file.tensors[name].shape.push_back(1);
    EXPECT_THROW(from_safetensors(file), Error);
    file.tensors.erase(name);
    EXPECT_THROW(from_safetensors(file), Error);
  }
}

TEST(LinearMember, describes_itself) {
  const std::string text = linear_model(uniform_table(), kStumps).describe();
  EXPECT_THAT(text, HasSubstr("· (trees + linear)\n"));
  EXPECT_THAT(text, HasSubstr("linear   in 2 of 3 columns\n"));
}

TEST(LinearMember, importances_are_its_variances) {
  const Table table = uniform_table();
  const auto variance = [&](std::size_t column) {
    std::vector<double> added;
    for (const double x : table.column(kNames[column]).values) added.push_back(kSlopes[column] * x);
    return variance_of(added);
  };
  const double a = variance(0), c = variance(2);
  const std::vector<double> shares =
      importances(linear_model(table, {}), table, {.max_rows = kRows * (kRows - 1)}).shares[0];
  EXPECT_NEAR(shares[0], a / (a + c), 1e-5);
  EXPECT_EQ(shares[1], 0);
  EXPECT_NEAR(shares[2], c / (a + c), 1e-5);
}

TEST(LinearMember, importances_add_up_what_trees_and_linear_part_do_with_a_column) {
  const Table table = uniform_table();
  std::vector<double> of_a, of_c;
  for (std::size_t row = 0; row < kRows; ++row) {
    const double a = table.column("a").values[row];
    of_a.push_back(kSlopes[0] * a + 3 / (1 + std::exp(-2 * a)));
    of_c.push_back(kSlopes[2] * table.column("c").values[row]);
  }
  const std::vector<double> shares =
      importances(linear_model(table, kStumps), table, {.max_rows = kRows * (kRows - 1)}).shares[0];
  const double a = variance_of(of_a), c = variance_of(of_c);
  EXPECT_NEAR(shares[0], a / (a + c), 1e-3);
  EXPECT_NEAR(shares[2], c / (a + c), 1e-3);
}

/// Outputs of a layer, and the derivatives of their sum by the inputs.
template <class T>
void expect_layer(const Model& model, const Table& table) {
  const TreeLayer layer(model, 0);
  ThreadTeam team(2);
  const std::vector<double> raw = ModelAccess::parts(model).encoder.raw_inputs(table, 1);
  const std::vector<T> x(raw.begin(), raw.end());
  const PlainNumbers<float> start = layer.start();
  PlainNumbers<T> values({start.curves.size(), start.biases.size(), start.leaves.size()});
  std::ranges::copy(start.curves, values.curves.begin());
  std::ranges::copy(start.biases, values.biases.begin());
  std::ranges::copy(start.leaves, values.leaves.begin());
  PlainNumbers<T> gradients = values;
  std::vector<T> out(kRows), ones(kRows, 1), x_gradients(3 * kRows);
  LayerPass<T> pass(layer, std::as_const(values).view(), {x.data(), kRows, 3}, team);
  pass.forward({out.data(), kRows, 1}, team);
  pass.backward({ones.data(), kRows, 1}, gradients.view(), {x_gradients.data(), kRows, 3}, team);
  const Predictions predictions = model.predict(table, {});
  const bool has_trees = layer.ensemble().shape().num_trees() > 0;
  for (std::size_t row = 0; row < kRows; ++row) {
    EXPECT_NEAR(out[row], predictions["mean"][row], 1e-5);
    EXPECT_NEAR(x_gradients[3 * row + 2], kSlopes[2], 1e-4);
    if (!has_trees) {
      EXPECT_NEAR(x_gradients[3 * row], kSlopes[0], 1e-4);
    }
  }
}

TEST(LinearMember, is_a_fixed_part_of_a_layer) {
  // Rows beside the outermost: at the end of its range a number has no slope.
  Table table = uniform_table();
  const Model with_trees = linear_model(table, kStumps), without = linear_model(table, {});
  std::vector<Column> inner = table.columns();
  for (Column& column : inner) {
    for (double& value : column.values) value = static_cast<float>(0.9 * value);
  }
  for (const Model& model : {with_trees, without}) {
    expect_layer<float>(model, Table(inner));
    expect_layer<double>(model, Table(inner));
  }
}

TEST(LinearMember, stays_when_a_layer_goes_back_into_its_model) {
  const Table table = uniform_table();
  const Model model = linear_model(table, kStumps);
  const TreeLayer layer(model, 0);
  const PlainNumbers<float> values = layer.start();
  const Model back = layer.put_into(model, values.view());
  EXPECT_EQ(to_safetensors(ModelAccess::parts(back)).to_bytes(),
            to_safetensors(ModelAccess::parts(model)).to_bytes());
}

}  // namespace
}  // namespace softwood
