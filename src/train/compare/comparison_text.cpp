#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "softwood/compare.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A column of the table. `badness`: the loss whose value has the least is the best; null = no loss
/// is better by this figure.
struct Figure {
  std::string title;
  double (*badness)(double value);
  int decimals = -1;                // −1 = five digits
  std::vector<double> values = {};  // per loss; NaN = blank
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

double metric_of(const ComparedLoss& loss, const std::string& name) {
  for (const auto& [key, value] : loss.evaluation.metrics) {
    if (key == name) return value;
  }
  return kMissing;
}

bool any_has(const std::vector<ComparedLoss>& losses, const std::string& name) {
  return std::any_of(losses.begin(), losses.end(),
                     [&](const ComparedLoss& loss) { return !std::isnan(metric_of(loss, name)); });
}

bool all_have(const std::vector<ComparedLoss>& losses, const std::string& name) {
  return std::all_of(losses.begin(), losses.end(), [&](const ComparedLoss& loss) {
    return !loss.failure.empty() || !std::isnan(metric_of(loss, name));
  });
}

/// What fits the response: deviance for counts, R² and RMSE for other numbers, AUC for classes.
std::vector<Figure> figures_of(const std::vector<ComparedLoss>& losses) {
  std::vector<Figure> figures = {{"NLL", low_is_good}};
  for (const ComparedLoss& each : losses) figures[0].values.push_back(each.nll.value_or(kMissing));
  const auto add = [&](const char* title, const char* name, double (*badness)(double),
                       int decimals = -1) {
    if (!any_has(losses, name)) return;
    Figure& figure = figures.emplace_back(Figure{title, badness, decimals});
    for (const ComparedLoss& each : losses) figure.values.push_back(metric_of(each, name));
  };
  add("deviance", "poisson_deviance", low_is_good);
  if (!all_have(losses, "poisson_deviance")) {
    add("RMSE", "rmse", low_is_good);
    add("R2", "r2", high_is_good);
  }
  add("log-loss", "log_loss", low_is_good);
  add("AUC", "auc", high_is_good);
  add("concordance", "concordance", high_is_good, 3);
  add("CRPS", "crps", low_is_good);
  add("coverage_90", "coverage_90", near_ninety_is_good, 3);
  Figure trees{"trees", nullptr, 0}, seconds{"seconds", nullptr, 1};
  for (const ComparedLoss& each : losses) {
    trees.values.push_back(each.failure.empty() ? static_cast<double>(each.num_trees) : kMissing);
    seconds.values.push_back(each.failure.empty() ? each.seconds : kMissing);
  }
  figures.push_back(trees);
  figures.push_back(seconds);
  return figures;
}

/// How bad the best value of a column is. NaN if fewer than two losses have a value there, so that
/// no value is marked as the best: nothing equals NaN.
double least_badness(const Figure& figure) {
  double best = kMissing;
  int counted = 0;
  for (const double value : figure.values) {
    if (figure.badness == nullptr || std::isnan(value)) continue;
    ++counted;
    if (std::isnan(best) || figure.badness(value) < best) best = figure.badness(value);
  }
  return counted > 1 ? best : kMissing;
}

std::string cell(const Figure& figure, std::size_t loss) {
  const double value = figure.values[loss];
  if (std::isnan(value)) return "";
  const bool best = figure.badness != nullptr && figure.badness(value) == least_badness(figure);
  const std::string number = figure.decimals < 0 ? fmt::format("{:#.5g}", value)
                                                 : fmt::format("{:.{}f}", value, figure.decimals);
  return number + (best ? "*" : " ");
}

std::string name_of(const ComparedLoss& loss) {
  if (loss.chosen.empty()) return loss.loss;
  return fmt::format("{} ({})", loss.loss, loss.chosen);
}

std::string legend(const std::vector<ComparedLoss>& losses) {
  std::string text = "\n* best of its column\n";
  const auto some = [&](auto condition) {
    return std::any_of(losses.begin(), losses.end(), [&](const ComparedLoss& each) {
      return each.failure.empty() && condition(each);
    });
  };
  if (some([](const ComparedLoss& each) { return each.nll.has_value(); }))
    text += "NLL          mean negative log-likelihood of the rows held out; smaller is better\n";
  if (some([](const ComparedLoss& each) { return !each.nll.has_value(); }))
    text +=
        "             blank: not a complete likelihood (the loss states no cdf), so its size "
        "says nothing here\n";
  const auto states = [](bool discrete) {
    return [discrete](const ComparedLoss& each) {
      return each.nll.has_value() && each.is_discrete == discrete;
    };
  };
  if (some(states(true)) && some(states(false)))
    text +=
        "             of counts it is from probabilities, of other numbers from densities: "
        "compare these with care\n";
  if (any_has(losses, "poisson_deviance")) {
    text += "deviance     Poisson deviance of the predicted means; smaller is better";
    text += all_have(losses, "poisson_deviance") ? "\n" : "; blank: some are not positive\n";
  }
  if (any_has(losses, "concordance")) {
    text +=
        "concordance  chance that of two times the longer one is predicted to be longer; 0.5 is "
        "guessing\n";
  }
  if (any_has(losses, "crps")) {
    text +=
        "CRPS         error of the whole predicted distribution, in units of y; smaller is "
        "better\n"
        "coverage_90  share of y inside its predicted 90% interval; near 0.9 is better, counts "
        "cover more\n";
  }
  return text;
}

}  // namespace

std::string Comparison::text() const {
  if (losses.empty() || !losses.front().failure.empty()) return "";
  const std::vector<Figure> figures = figures_of(losses);
  std::size_t width = 4;
  for (const ComparedLoss& each : losses) {
    if (each.failure.empty()) width = std::max(width, name_of(each).size());
  }
  std::string lines = fmt::format("{} on {} rows that no loss has seen\n\n{:<{}}", target,
                                  losses.front().evaluation.num_rows, "loss", width);
  for (const Figure& figure : figures) lines += fmt::format("{:>12} ", figure.title);
  lines += "\n";
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (!losses[i].failure.empty()) {
      lines += fmt::format("{:<{}}  failed: {}\n", losses[i].loss, width, losses[i].failure);
      continue;
    }
    lines += fmt::format("{:<{}}", name_of(losses[i]), width);
    for (const Figure& figure : figures) lines += fmt::format("{:>13}", cell(figure, i));
    lines += "\n";
  }
  return lines + legend(losses);
}

}  // namespace softwood
