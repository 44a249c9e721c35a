#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "softwood/train.h"

namespace softwood {
namespace {

constexpr std::size_t kFewTasks = 3;

/// A share of something at or below zero, as the loss of a density may be, says nothing.
bool has_shares(const EpochResult& result) {
  return std::none_of(result.constant_loss.begin(), result.constant_loss.end(),
                      [](double loss) { return loss <= 0; });
}

double mean_share(const std::vector<double>& losses, const std::vector<double>& of) {
  double sum = 0;
  int count = 0;
  for (std::size_t task = 0; task < losses.size(); ++task) {
    if (std::isnan(of[task])) continue;  // no row has its response
    sum += losses[task] / of[task];
    ++count;
  }
  return sum / count;
}

std::string number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

/// Side by side; of many the first ones.
std::string side_by_side(const std::vector<double>& losses) {
  std::vector<std::string> texts;
  for (std::size_t task = 0; task < std::min(losses.size(), kFewTasks); ++task)
    texts.push_back(number(losses[task]));
  return fmt::format("{}{}", fmt::join(texts, "/"), losses.size() > kFewTasks ? "/…" : "");
}

}  // namespace

std::string epoch_text(const EpochResult& result) {
  const bool shares = result.training_loss.size() > kFewTasks && has_shares(result);
  const auto losses = [&](const std::vector<double>& each) {
    return shares ? number(mean_share(each, result.constant_loss)) : side_by_side(each);
  };
  std::string text = "train " + losses(result.training_loss);
  if (result.validation_loss.empty()) {
    text += "  no validation rows";
  } else {
    text += fmt::format("  valid {}  best {}", losses(result.validation_loss),
                        losses(result.best_validation_loss));
    const auto& best = result.best_validation_loss;
    const bool is_known =
        std::any_of(best.begin(), best.end(), [](double loss) { return !std::isnan(loss); });
    if (is_known)
      text += result.best_epoch > 0 ? fmt::format(" at {}", result.best_epoch) : " without trees";
  }
  return text + (shares ? "  of the constants' losses" : "");
}

}  // namespace softwood
