#include "loss/language/fold.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "loss/language/incomplete_functions.h"
#include "loss/language/special_functions.h"

namespace softwood::loss {
namespace {

double fold_sigmoid(double x) {
  const double t = std::exp(-std::abs(x));
  return (x < 0 ? t : 1) / (1 + t);
}

double fold_softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double fold_logsumexp(std::span<const double> f) {
  const double most = *std::max_element(f.begin(), f.end());
  double sum = 0;
  for (const double value : f) sum += std::exp(value - most);
  return most + std::log(sum);
}

double fold_log_cosh(double x) {
  const double a = std::abs(x);
  if (a < 1) return std::log1p(-0.5 * std::expm1(a) * std::expm1(-a));
  return a + std::log1p(std::exp(-2 * a)) - std::log(2.0);
}

double fold_gather(std::span<const double> operands) {
  const double at = operands[0];
  const bool inside =
      at >= 0 && at < static_cast<double>(operands.size() - 1) && at == std::floor(at);
  return inside ? operands[static_cast<std::size_t>(at) + 1]
                : std::numeric_limits<double>::quiet_NaN();
}

double fold_sum_except_one(std::span<const double> operands) {
  double sum = 0;
  bool seen = false;
  for (const double value : operands) {
    if (!seen && value == 1) {
      seen = true;
    } else {
      sum += value;
    }
  }
  return sum;
}

}  // namespace

double fold(Op op, std::span<const double> operands, std::uint32_t index) {
  const double a = operands[0];
  const double b = operands.size() > 1 ? operands[1] : 0;
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::minimum:
      return b < a ? b : a;
    case Op::maximum:
      return b > a ? b : a;
    case Op::negate:
      return -a;
    case Op::absolute:
      return std::abs(a);
    case Op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Op::floor:
      return std::floor(a);
    case Op::square_root:
      return std::sqrt(a);
    case Op::strong_multiply:
      return a == 0 ? 0 : a * b;
    case Op::strong_divide:
      return a == 0 ? 0 : a / b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::logical_and:
      return a != 0 && b != 0;
    case Op::logical_or:
      return a != 0 || b != 0;
    case Op::logical_not:
      return a == 0;
    case Op::select:
      return a != 0 ? b : operands[2];
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::log1p:
      return std::log1p(a);
    case Op::expm1:
      return std::expm1(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::lgamma:
      return lgamma(a);
    case Op::digamma:
      return digamma(a);
    case Op::trigamma:
      return trigamma(a);
    case Op::erf:
      return erf(a);
    case Op::normal_cdf:
      return normal_cdf(a);
    case Op::normal_log_cdf:
      return normal_log_cdf(a);
    case Op::normal_hazard:
      return normal_hazard(a);
    case Op::gamma_p:
      return gamma_p(a, b);
    case Op::gamma_q:
      return gamma_q(a, b);
    case Op::gamma_p_slope:
      return gamma_p_slope(a, b);
    case Op::beta_p:
      return beta_p(a, b, operands[2]);
    case Op::beta_q:
      return beta_q(a, b, operands[2]);
    case Op::beta_p_slope:
      return beta_p_slope(a, b, operands[2]);
    case Op::log1p_ratio:
      return log1p_ratio(a);
    case Op::log_expm1_ratio:
      return log_expm1_ratio(a);
    case Op::log_expm1_ratio_slope:
      return log_expm1_ratio_slope(a);
    case Op::stirling_error:
      return stirling_error(a);
    case Op::stirling_error_slope:
      return stirling_error_slope(a);
    case Op::log1p_ratio_slope:
      return log1p_ratio_slope(a);
    case Op::log_rising:
      return log_rising(a, b);
    case Op::log_multichoose:
      return log_multichoose(a, b);
    case Op::digamma_difference:
      return digamma_difference(a, b);
    case Op::sum_log1p:
      return sum_log1p(a, b);
    case Op::sum_log1p_slope:
      return sum_log1p_slope(a, b);
    case Op::gather:
      return fold_gather(operands);
    case Op::maximum_of:
      return *std::max_element(operands.begin(), operands.end());
    case Op::sum_except_one:
      return fold_sum_except_one(operands);
    case Op::sigmoid:
      return fold_sigmoid(a);
    case Op::softplus:
      return fold_softplus(a);
    case Op::log_sigmoid:
      return -fold_softplus(-a);
    case Op::log_cosh:
      return fold_log_cosh(a);
    case Op::logaddexp:
      return fold_logsumexp(operands);
    case Op::log_mix:
      return std::log1p(fold_sigmoid(a) * std::expm1(b));
    case Op::logsumexp:
      return fold_logsumexp(operands);
    case Op::softmax_at:
      return std::exp(operands[index] - fold_logsumexp(operands));
    case Op::softmax_complement:
      return 1 - std::exp(operands[index] - fold_logsumexp(operands));
    case Op::neg_log_softmax:
      return fold_logsumexp(operands.subspan(1)) - fold_gather(operands);
    case Op::constant:
    case Op::truth:
    case Op::response:
    case Op::output:
    case Op::column:
      break;
  }
  assert(false && "leaves are not folded");
  return 0;
}

}  // namespace softwood::loss
