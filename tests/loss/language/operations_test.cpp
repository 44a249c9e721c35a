// The table of operations: complete, and of one mind about values wherever they are computed.
#include "loss/language/operations.h"

#include <cmath>
#include <limits>
#include <set>
#include <span>

#include <gtest/gtest.h>

#include "base/simd_target.h"
#include "loss/language/fold.h"
#include "loss/language/functions.h"
#include "loss/language/gradient.h"
#include "loss/language/operation_testing.h"

namespace softwood::loss {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// Numbers at which functions differ if they can, and a few at which they have nothing to hide.
const std::vector<double> kOdd = {kNaN,  kInfinity, -kInfinity, 0.0,   -0.0,   1,   -1,
                                  0.5,   -2.75,     1e-310,     kTiny, 3,      750, -750,
                                  1e300, -1e300,    1 + 1e-15,  1e-9,  2 / 3., 40.5};
/// The same for operations of three operands and more, whose combinations are many.
const std::vector<double> kFewOdd = {kNaN, kInfinity, -kInfinity, 0.0, -0.0, 1, -2.75, 2, 800};

int arity_to_try(const Operation& operation) {
  return operation.arity == kSeveral ? 3 : operation.arity;
}

/// Every choice of operands.
std::vector<std::vector<double>> combinations(const Operation& operation) {
  const int arity = arity_to_try(operation);
  const std::vector<double>& numbers = arity < 3 ? kOdd : kFewOdd;
  std::vector<std::vector<double>> all = {{}};
  for (int k = 0; k < arity; ++k) {
    const std::vector<double> values =
        k < operation.num_conditions ? std::vector<double>{0, 1} : numbers;
    std::vector<std::vector<double>> longer;
    for (const auto& start : all) {
      for (const double value : values) {
        longer.push_back(start);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

double folded(const Operation& operation, const std::vector<double>& operands) {
  Graph graph;
  Node node{.op = operation.op, .operands = {}};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const bool condition = static_cast<int>(k) < operation.num_conditions;
    node.operands.push_back(condition ? graph.truth(operands[k] != 0)
                                      : graph.constant(operands[k]));
  }
  const NodeId result = fold_constants(graph, node).value();
  EXPECT_EQ(graph.is(result, Op::truth), is_boolean(operation.op)) << operation.name;
  return graph[result].value;
}

std::string text_of(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += std::to_string(number) + " ";
  return text;
}

class EverySimdTarget : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { force_simd_target(GetParam()); }
  void TearDown() override { force_simd_target(""); }
};

TEST_P(EverySimdTarget, folding_gives_what_evaluating_gives_for_every_operation) {
  for (const Operation& operation : kOperations) {
    if (is_leaf(operation.op)) continue;
    const auto all = combinations(operation);
    const std::vector<double> values = evaluate_operation(operation.op, all);
    for (std::size_t row = 0; row < all.size(); ++row) {
      const double constant = folded(operation, all[row]);
      ASSERT_TRUE(same_bits(constant, values[row]))
          << operation.name << " of " << text_of(all[row]) << "folds to " << constant
          << " and evaluates to " << values[row];
    }
  }
}

TEST_P(EverySimdTarget, a_row_is_worth_the_same_wherever_it_stands) {
  const std::vector<double> numbers = {1e-10, 0.3, 2.4, 2.5, 17, 1e8, 0, 3.7, -0.7};
  const std::vector<double> counts = {0, 1, 2, 5, 31, 32, 33, 40.5, 1e6, 0.25};
  std::vector<std::vector<double>> rows;
  for (const double number : numbers) {
    for (const double count : counts) rows.push_back({number, count});
  }
  for (const Operation& operation : kOperations) {
    if (is_leaf(operation.op) || operation.num_conditions > 0) continue;
    if (operation.arity != 1 && operation.arity != 2) continue;
    std::vector<std::vector<double>> operands = rows;
    for (auto& row : operands) row.resize(static_cast<std::size_t>(operation.arity));
    const std::vector<double> together = evaluate_operation(operation.op, operands);
    for (std::size_t row = 0; row < operands.size(); ++row) {
      const double alone = evaluate_operation(operation.op, {operands[row]})[0];
      ASSERT_TRUE(same_bits(alone, together[row])) << operation.name << text_of(operands[row]);
    }
    for (std::size_t shift = 1; shift < 9; ++shift) {
      std::vector<std::vector<double>> shifted(operands.begin() + shift, operands.end());
      const std::vector<double> values = evaluate_operation(operation.op, shifted);
      for (std::size_t row = 0; row < shifted.size(); ++row) {
        ASSERT_TRUE(same_bits(values[row], together[row + shift]))
            << operation.name << text_of(shifted[row]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Operations, EverySimdTarget, ::testing::ValuesIn(simd_targets()),
                         [](const auto& each) { return each.param; });

TEST(Operations, a_minimum_or_maximum_of_nan_is_nan_on_either_side) {
  for (const Op op : {Op::minimum, Op::maximum}) {
    EXPECT_TRUE(std::isnan(folded(operation(op), {1, kNaN})));
    EXPECT_TRUE(std::isnan(folded(operation(op), {kNaN, 1})));
    EXPECT_TRUE(std::isnan(folded(operation(op), {-kInfinity, kNaN})));
  }
}

TEST(Operations, picking_a_class_that_is_not_there_gives_nan) {
  for (const double index : {-1.0, 2.0, 0.5, kNaN, kInfinity}) {
    EXPECT_TRUE(std::isnan(folded(operation(Op::neg_log_softmax), {index, 1, 2}))) << index;
    EXPECT_TRUE(std::isnan(folded(operation(Op::gather), {index, 1, 2}))) << index;
  }
}

TEST(Operations, names_tell_them_apart) {
  std::set<std::string_view> names;
  for (const Operation& operation : kOperations) names.insert(operation.name);
  EXPECT_EQ(names.size(), kNumOps);
}

/// An operation of outputs alone (conditions: of comparisons of them).
NodeId of_outputs(Graph& graph, const Operation& operation) {
  Node node{.op = operation.op, .operands = {}};
  for (int k = 0; k < arity_to_try(operation); ++k) {
    NodeId operand = graph.leaf(Op::output, static_cast<std::uint32_t>(k));
    if (k < operation.num_conditions) operand = graph.make(Op::less, operand, graph.constant(1));
    node.operands.push_back(operand);
  }
  return graph.raw(node);
}

TEST(Operations,
     every_function_of_the_language_has_a_derivative_or_is_flat_or_says_that_it_lacks_it) {
  for (const Function& function : functions()) {
    if (function.kind == Function::Kind::size || function.kind == Function::Kind::range) continue;
    const Operation& what = operation(function.op);
    Graph graph;
    const NodeId loss = of_outputs(graph, what);
    const Gradient gradient = append_gradient(graph, loss, 3);
    EXPECT_EQ(gradient.missing.has_value(), lacks_derivatives(what.op)) << function.name;
    const bool flat = graph.is_constant(gradient.slopes[what.num_conditions], 0);
    EXPECT_EQ(flat, what.derivative == derivatives::stop || lacks_derivatives(what.op))
        << function.name;
  }
}

TEST(Operations, a_derivative_without_a_rule_is_refused_and_not_taken_for_zero) {
  for (const Operation& each : kOperations) {
    if (each.derivative != derivatives::never_needed) continue;
    Graph graph;
    const NodeId loss = of_outputs(graph, each);
    EXPECT_THROW(append_gradient(graph, loss, 3), std::logic_error) << each.name;
  }
}

TEST(Operations, functions_take_as_many_arguments_as_their_operations) {
  for (const Function& function : functions()) {
    if (function.kind != Function::Kind::elementwise) continue;
    EXPECT_EQ(function.arity, operation(function.op).arity) << function.name;
  }
}

}  // namespace
}  // namespace softwood::loss
