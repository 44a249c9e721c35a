#include "loss/language/functions.h"

namespace softwood::loss {

std::string_view kind_name(Function::Kind kind) {
  using enum Function::Kind;
  switch (kind) {
    case elementwise:
      return "elementwise";
    case conditional:
      return "conditional";
    case min_max:
      return "min_max";
    case reduction:
      return "reduction";
    case vector_map:
      return "vector_map";
    case Function::Kind::size:
      return "size";
    case range:
      return "range";
  }
  return "";
}

const std::vector<Function>& functions() {
  using enum Function::Kind;
  static const std::vector<Function> all = {
      {"if", conditional, Op::select, 3,
       "if(condition, a, b): a where the condition holds, else b"},
      {"exp", elementwise, Op::exp, 1, "e to the power x"},
      {"log", elementwise, Op::log, 1, "natural logarithm"},
      {"log1p", elementwise, Op::log1p, 1, "log(1 + x)"},
      {"expm1", elementwise, Op::expm1, 1, "exp(x) - 1"},
      {"sqrt", elementwise, Op::square_root, 1, "square root"},
      {"abs", elementwise, Op::absolute, 1, "absolute value; derivative 0 at 0"},
      {"min", min_max, Op::minimum, 2, "min(a, b), or the smallest component of a vector"},
      {"max", min_max, Op::maximum, 2, "max(a, b), or the largest component of a vector"},
      {"floor", elementwise, Op::floor, 1,
       "largest whole number that is not above x; derivative 0"},
      {"tanh", elementwise, Op::tanh, 1, "hyperbolic tangent"},
      {"sigmoid", elementwise, Op::sigmoid, 1, "1/(1 + exp(-x))"},
      {"softplus", elementwise, Op::softplus, 1, "log(1 + exp(x))"},
      {"log_sigmoid", elementwise, Op::log_sigmoid, 1, "log(sigmoid(x))"},
      {"log_cosh", elementwise, Op::log_cosh, 1, "log((exp(x) + exp(-x))/2)"},
      {"logaddexp", elementwise, Op::logaddexp, 2, "log(exp(a) + exp(b))"},
      {"lgamma", elementwise, Op::lgamma, 1, "log of the gamma function: lgamma(n + 1) = log(n!)"},
      {"digamma", elementwise, Op::digamma, 1, "derivative of lgamma"},
      {"erf", elementwise, Op::erf, 1, "error function"},
      {"normal_cdf", elementwise, Op::normal_cdf, 1,
       "distribution function of the standard normal"},
      {"normal_log_cdf", elementwise, Op::normal_log_cdf, 1,
       "its logarithm, exact in the far tail"},
      {"gamma_p", elementwise, Op::gamma_p, 2,
       "gamma_p(a, x): regularised incomplete gamma function, the gamma distribution of shape a"},
      {"gamma_q", elementwise, Op::gamma_q, 2, "gamma_q(a, x) = 1 - gamma_p(a, x)"},
      {"beta_p", elementwise, Op::beta_p, 3,
       "beta_p(a, b, x): regularised incomplete beta function, the beta distribution"},
      {"beta_q", elementwise, Op::beta_q, 3, "beta_q(a, b, x) = 1 - beta_p(a, b, x)"},
      {"log1p_ratio", elementwise, Op::log1p_ratio, 1, "log(1 + x)/x; 1 at 0"},
      {"log_expm1_ratio", elementwise, Op::log_expm1_ratio, 1, "log((exp(x) - 1)/x); 0 at 0"},
      {"stirling_error", elementwise, Op::stirling_error, 1,
       "lgamma(x) - (x - 1/2) log(x) + x - log(2 pi)/2"},
      {"log_rising", elementwise, Op::log_rising, 2,
       "log_rising(x, n) = lgamma(x + n) - lgamma(x)"},
      {"log_multichoose", elementwise, Op::log_multichoose, 2,
       "log_multichoose(x, n) = lgamma(x + n) - lgamma(x) - lgamma(n + 1)"},
      {"sum_log1p", elementwise, Op::sum_log1p, 2,
       "sum_log1p(a, n) = log(1 + a) + log(1 + 2 a) + ... + log(1 + (n - 1) a)"},
      {"sum", reduction, Op::add, 1, "sum of a vector"},
      {"logsumexp", reduction, Op::logsumexp, 1, "log(sum(exp(v)))"},
      {"softmax", vector_map, Op::softmax_at, 1, "exp(v)/sum(exp(v))"},
      {"cumsum", vector_map, Op::add, 1, "running sums of a vector"},
      {"diff", vector_map, Op::subtract, 1, "the inverse of cumsum: v[0], v[1] - v[0], ..."},
      {"size", size, Op::constant, 1, "how many components a vector has"},
      {"range", range, Op::constant, 1, "range(n): the vector 0, 1, ..., n - 1"},
  };
  return all;
}

const Function* find_function(std::string_view name) {
  for (const Function& function : functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : functions()) names.emplace_back(function.name);
  return names;
}

}  // namespace softwood::loss
