#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "loss/language/graph.h"
#include "loss/language/lowering.h"
#include "loss/language/syntax.h"

namespace softwood::loss {

/// A value of the language: a number, a vector of numbers, or a condition (or a vector of them).
struct Value {
  std::vector<NodeId> nodes;
  bool is_vector = false;
  bool is_condition = false;
};

/// Turns expressions into nodes of result.graph: vectors unrolled, names resolved. Names that mean
/// nothing else become columns of the result. Errors point at the text of `source`.
class ExpressionLowering {
 public:
  ExpressionLowering(const LossSource& source, std::size_t num_classes, Lowered& result)
      : source_(source), num_classes_(num_classes), result_(result) {}

  Value lower(const Expression& expression);
  /// The same, where `argument` names the place of the response and y must not be read.
  Value lower_in_cdf(const Expression& expression, const std::string& argument);

  /// The node of a value that must be one number; `what` begins the complaint.
  NodeId number(const Value& value, Position at, std::string_view what) const;
  /// The number that an expression of constants is.
  double constant(const Expression& expression, std::string_view what);
  /// The numbers of a value that must not depend on data or outputs.
  std::vector<double> constants(const Value& value, Position at, std::string_view what) const;
  NodeId column(const std::string& name);
  /// A node of `leaf` is needed for one of the nodes.
  bool reads(const std::vector<NodeId>& nodes, Op leaf);
  [[noreturn]] void fail(Position at, const std::string& message) const;

  std::map<std::string, Value> known;       ///< outputs, parameters and definitions so far
  std::unordered_set<std::string> defined;  ///< everything that the text defines anywhere

 private:
  Graph& graph() { return result_.graph; }
  Value lower_name(const Expression& expression);
  void refuse_response(const Expression& expression);
  Value lower_vector(const Expression& expression);
  Value lower_index(const Expression& expression);
  Value lower_binary(const Expression& expression);
  Value lower_call(const Expression& expression);
  Value lower_range(const Expression& expression);
  std::vector<NodeId> vector_argument(const Expression& expression);
  NodeId reduce(Op op, const std::vector<NodeId>& components);
  Value vector_map(Op op, const std::vector<NodeId>& components);
  Value elementwise(Op op, const Expression& expression, bool reversed = false);
  void check_kind(Op op, std::size_t k, const Value& value, Position at) const;
  NodeId make(Op op, std::vector<NodeId> operands, const Expression& expression);

  const LossSource& source_;
  std::size_t num_classes_;
  Lowered& result_;
  std::string cdf_argument_;  // while a cdf is lowered
  std::unordered_map<std::string, std::uint32_t> column_places_;
  /// Of each node so far, which leaves it needs.
  struct Leaves {
    bool output = false, response = false;
  };
  std::vector<Leaves> leaves_;
};

/// A vector has at least one component and no more than limits.h allows; else nothing.
std::optional<std::size_t> as_vector_size(double size);
/// Why it has not.
std::string refused_vector_size(double size);

}  // namespace softwood::loss
