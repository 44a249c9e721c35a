#include "cli/comparison_json.h"

#include "base/utf8.h"

namespace softwood::cli {

nlohmann::json as_json(const Comparison& comparison) {
  nlohmann::json all = nlohmann::json::array();
  for (const ComparedLoss& each : comparison.losses) {
    nlohmann::json& json = all.emplace_back(nlohmann::json{{"loss", as_utf8(each.loss)}});
    if (!each.failure.empty()) {
      json["failure"] = as_utf8(each.failure);
      continue;
    }
    if (!each.chosen.empty()) json["chosen"] = each.chosen;
    json["nll"] = each.nll ? nlohmann::json(*each.nll) : nlohmann::json();
    json["rows"] = each.evaluation.num_rows;
    json["metrics"] = nlohmann::json::object();
    for (const auto& [name, value] : each.evaluation.metrics) json["metrics"][name] = value;
    json["trees"] = each.num_trees;
    json["seconds"] = each.seconds;
  }
  return all;
}

}  // namespace softwood::cli
