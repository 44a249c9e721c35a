#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loss/language/graph.h"
#include "loss/language/loss_source.h"
#include "loss/language/syntax.h"

namespace softwood::loss {

/// A loss as one graph: vectors unrolled, settings applied, names resolved.
struct Lowered {
  struct Output {
    std::string name;
    std::optional<double> unit;
    bool has_unit_of_response = false;  ///< `unit mu = y`
  };
  struct Prediction {
    std::string name;
    std::vector<NodeId> components;
    std::vector<std::string> labels;  ///< `label quantile = levels`: one per component, or none
  };
  struct Requirement {
    std::string source;
    NodeId condition;
  };
  /// Where a function stands that is not differentiable in each of its arguments.
  struct Call {
    std::string function;
    Position at;
  };
  Graph graph;
  std::vector<Output> outputs;
  std::vector<std::string> columns;
  NodeId loss = 0;
  std::vector<Prediction> predictions;
  std::vector<Requirement> requirements;
  std::optional<NodeId> cdf;       ///< reads q in y's place
  std::optional<NodeId> censored;  ///< a condition
  bool uses_classes = false;
  std::vector<std::string> unset_parameters;  ///< that have their defaults
  std::map<std::vector<NodeId>, Call> calls;  ///< by their operands
};

/// Predictions are the numeric definitions that depend on the outputs and not on y: `mean` first,
/// the others in the order of the text; a name that starts with _ is a helper and never one.
/// Without an `outputs` line the loss has one output, f; if nothing is a prediction then f is the
/// mean, or the stated outputs stand for themselves. Throws Error pointing at the text.
Lowered lower(const Syntax& syntax, const LossSource& source, std::size_t num_classes);

}  // namespace softwood::loss
