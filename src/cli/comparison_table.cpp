#include "cli/comparison_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/utf8.h"

namespace softwood::cli {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A column of the table. `badness`: the contender of the least is the best; null = none is.
struct Figure {
  std::string title;
  double (*badness)(double value);
  int decimals = -1;                // −1 = five digits
  std::vector<double> values = {};  // per contender; NaN = blank
};

double low_is_good(double value) {
  return value;
}
double high_is_good(double value) {
  return -value;
}
double near_ninety_is_good(double value) {
  return std::abs(value - 0.9);
}

double metric_of(const Contender& contender, const std::string& name) {
  for (const auto& [key, value] : contender.evaluation.metrics) {
    if (key == name) return value;
  }
  return kMissing;
}

bool any_has(const std::vector<Contender>& contenders, const std::string& name) {
  return std::any_of(contenders.begin(), contenders.end(), [&](const Contender& contender) {
    return !std::isnan(metric_of(contender, name));
  });
}

bool all_have(const std::vector<Contender>& contenders, const std::string& name) {
  return std::all_of(contenders.begin(), contenders.end(), [&](const Contender& contender) {
    return !contender.failure.empty() || !std::isnan(metric_of(contender, name));
  });
}

/// What fits the response: deviance for counts, R² and RMSE for other numbers, AUC for classes.
std::vector<Figure> figures_of(const std::vector<Contender>& contenders) {
  std::vector<Figure> figures = {{"NLL", low_is_good}};
  for (const Contender& each : contenders)
    figures[0].values.push_back(each.likelihood.value_or(kMissing));
  const auto add = [&](const char* title, const char* name, double (*badness)(double),
                       int decimals = -1) {
    if (!any_has(contenders, name)) return;
    Figure& figure = figures.emplace_back(Figure{title, badness, decimals});
    for (const Contender& each : contenders) figure.values.push_back(metric_of(each, name));
  };
  add("deviance", "poisson_deviance", low_is_good);
  if (!all_have(contenders, "poisson_deviance")) {
    add("RMSE", "rmse", low_is_good);
    add("R2", "r2", high_is_good);
  }
  add("log-loss", "log_loss", low_is_good);
  add("AUC", "auc", high_is_good);
  add("concordance", "concordance", high_is_good, 3);
  add("CRPS", "crps", low_is_good);
  add("coverage_90", "coverage_90", near_ninety_is_good, 3);
  Figure trees{"trees", nullptr, 0}, seconds{"seconds", nullptr, 1};
  for (const Contender& each : contenders) {
    trees.values.push_back(each.failure.empty() ? static_cast<double>(each.num_trees) : kMissing);
    seconds.values.push_back(each.failure.empty() ? each.seconds : kMissing);
  }
  figures.push_back(trees);
  figures.push_back(seconds);
  return figures;
}

/// Of the value nearest to good; NaN, which nothing equals, if there is nobody to be better than.
double best_of(const Figure& figure) {
  double best = kMissing;
  int counted = 0;
  for (const double value : figure.values) {
    if (figure.badness == nullptr || std::isnan(value)) continue;
    ++counted;
    if (std::isnan(best) || figure.badness(value) < best) best = figure.badness(value);
  }
  return counted > 1 ? best : kMissing;
}

std::string cell(const Figure& figure, std::size_t contender) {
  const double value = figure.values[contender];
  if (std::isnan(value)) return "";
  const bool best = figure.badness != nullptr && figure.badness(value) == best_of(figure);
  const std::string number = figure.decimals < 0 ? fmt::format("{:#.5g}", value)
                                                 : fmt::format("{:.{}f}", value, figure.decimals);
  return number + (best ? "*" : " ");
}

std::string name_of(const Contender& contender) {
  if (contender.chosen.empty()) return contender.loss;
  return fmt::format("{} ({})", contender.loss, contender.chosen);
}

std::string legend(const std::vector<Contender>& contenders) {
  std::string text = "\n* best of its column\n";
  const auto some = [&](auto condition) {
    return std::any_of(contenders.begin(), contenders.end(), [&](const Contender& each) {
      return each.failure.empty() && condition(each);
    });
  };
  if (some([](const Contender& each) { return each.likelihood.has_value(); }))
    text += "NLL          mean negative log-likelihood of the rows held out; smaller is better\n";
  if (some([](const Contender& each) { return !each.likelihood.has_value(); }))
    text +=
        "             blank: not a complete likelihood (the loss states no cdf), so its size "
        "says nothing here\n";
  const auto states = [](bool discrete) {
    return [discrete](const Contender& each) {
      return each.likelihood.has_value() && each.is_discrete == discrete;
    };
  };
  if (some(states(true)) && some(states(false)))
    text +=
        "             of counts it is from probabilities, of other numbers from densities: "
        "compare these with care\n";
  if (any_has(contenders, "poisson_deviance")) {
    text += "deviance     Poisson deviance of the predicted means; smaller is better";
    text += all_have(contenders, "poisson_deviance") ? "\n" : "; blank: some are not positive\n";
  }
  if (any_has(contenders, "concordance")) {
    text +=
        "concordance  chance that of two times the longer one is predicted to be longer; 0.5 is "
        "guessing\n";
  }
  if (any_has(contenders, "crps")) {
    text +=
        "CRPS         error of the whole predicted distribution, in units of y; smaller is "
        "better\n"
        "coverage_90  share of y inside its predicted 90% interval; near 0.9 is better, counts "
        "cover more\n";
  }
  return text;
}

}  // namespace

void sort_contenders(std::vector<Contender>& contenders) {
  const auto place = [](const Contender& each) {
    const double last = std::numeric_limits<double>::infinity();
    const double nll = each.likelihood.value_or(last);
    return std::pair(each.failure.empty() ? 0 : 1, std::isnan(nll) ? last : nll);
  };
  std::stable_sort(contenders.begin(), contenders.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

std::string comparison_text(const std::vector<Contender>& contenders) {
  const std::vector<Figure> figures = figures_of(contenders);
  std::size_t width = 4;
  for (const Contender& each : contenders) {
    if (each.failure.empty()) width = std::max(width, name_of(each).size());
  }
  std::string text = fmt::format("{:<{}}", "loss", width);
  for (const Figure& figure : figures) text += fmt::format("{:>12} ", figure.title);
  text += "\n";
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (!contenders[i].failure.empty()) {
      text += fmt::format("{:<{}}  failed: {}\n", contenders[i].loss, width, contenders[i].failure);
      continue;
    }
    text += fmt::format("{:<{}}", name_of(contenders[i]), width);
    for (const Figure& figure : figures) text += fmt::format("{:>13}", cell(figure, i));
    text += "\n";
  }
  return text + legend(contenders);
}

nlohmann::json comparison_json(const std::vector<Contender>& contenders) {
  nlohmann::json all = nlohmann::json::array();
  for (const Contender& each : contenders) {
    nlohmann::json& json = all.emplace_back(nlohmann::json{{"loss", as_utf8(each.loss)}});
    if (!each.failure.empty()) {
      json["failure"] = as_utf8(each.failure);
      continue;
    }
    if (!each.chosen.empty()) json["chosen"] = each.chosen;
    json["nll"] = each.likelihood ? nlohmann::json(*each.likelihood) : nlohmann::json();
    json["rows"] = each.evaluation.num_rows;
    json["metrics"] = nlohmann::json::object();
    for (const auto& [name, value] : each.evaluation.metrics) json["metrics"][name] = value;
    json["trees"] = each.num_trees;
    json["seconds"] = each.seconds;
  }
  return all;
}

}  // namespace softwood::cli
