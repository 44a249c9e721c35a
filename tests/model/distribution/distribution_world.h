#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/distribution/distribution.h"

namespace softwood {

/// Rows of known distributions: a loss text and raw outputs, without any trees.
class DistributionWorld {
 public:
  /// `members[m][k]` are raw output k of member m, one number per row.
  DistributionWorld(const std::string& text, std::vector<std::vector<std::vector<double>>> members,
                    int threads = 1)
      : team_(threads) {
    task_.target = "y";
    task_.program = LossProgram::compile({.name = "test", .text = text, .settings = {}});
    num_rows_ = members[0][0].size();
    for (const auto& member : members) {
      std::vector<double>& outputs = outputs_.emplace_back();
      for (const auto& output : member) outputs.insert(outputs.end(), output.begin(), output.end());
    }
  }

  Distribution distribution() {
    const LossData data{.y = {}, .columns = {}};
    return Distribution(task_, data, TaskOutputs(outputs_.begin(), outputs_.end()), num_rows_,
                        team_);
  }
  const Task& task() const { return task_; }

 private:
  ThreadTeam team_;
  Task task_;
  std::vector<std::vector<double>> outputs_;
  std::size_t num_rows_ = 0;
};

/// One row, one member.
inline DistributionWorld one_row(const std::string& text, const std::vector<double>& raw) {
  std::vector<std::vector<double>> outputs;
  for (const double value : raw) outputs.push_back({value});
  return DistributionWorld(text, {outputs});
}

inline const std::string kNormal = R"(
outputs mu, log_sigma
mean = mu
variance = exp(2*log_sigma)
loss = log_sigma + ((y - mu)*exp(-log_sigma))^2/2
cdf(q) = normal_cdf((q - mu)*exp(-log_sigma)))";

/// P(Y > k) = sigmoid(f)^(k + 1).
inline const std::string kGeometric = R"(
outputs f
loss = -log(1 - sigmoid(f)) - y*log(sigmoid(f))
mean = exp(f)
cdf(q) = if(q < 0, 0, 1 - sigmoid(f)^(floor(q) + 1)))";

/// Without any moment stated; f is the logarithm of the mean.
inline const std::string kExponential = R"(
outputs f
loss = y*exp(-f) + f
rate = exp(-f)
cdf(q) = if(q <= 0, 0, -expm1(-q*exp(-f))))";

/// P(Y = 0) = 1 - sigmoid(logit), else exponential of mean 1.
inline const std::string kAtomAtZero = R"(
outputs logit
loss = if(y == 0, -log(1 - sigmoid(logit)), y - log(sigmoid(logit)))
share = sigmoid(logit)
cdf(q) = if(q < 0, 0, 1 - sigmoid(logit)*exp(-max(q, 0))))";

/// P(Y > q) = 1/(1 + q^shape): heavy tails for a small shape.
inline const std::string kLogLogistic = R"(
outputs log_shape
loss = log_shape
shape = exp(log_shape)
cdf(q) = if(q <= 0, 0, 1/(1 + max(q, 1e-320)^(-exp(log_shape)))))";

/// A normal that is cut off at 2 and 5: atoms away from zero.
inline const std::string kCensoredNormal = R"(
outputs mu
loss = (y - mu)^2
mean = mu
cdf(q) = if(q < 2, 0, if(q >= 5, 1, normal_cdf(q - mu))))";

inline const std::string kUniform = R"(
outputs f
loss = f*y
width = 1
cdf(q) = min(max(q, 0), 1))";

}  // namespace softwood
