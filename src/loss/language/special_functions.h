#pragma once

namespace softwood::loss {

// Special functions of one row, with their derivatives where these need care of their own. No
// function throws or sets errno; outside the domain they give NaN or an infinity.

double lgamma(double x);
double digamma(double x);
double trigamma(double x);
double erf(double x);
/// Φ(x) of the standard normal distribution, with full relative accuracy in the left tail.
double normal_cdf(double x);
/// log Φ(x), accurate to the last bits at any x.
double normal_log_cdf(double x);
/// φ(x) / Φ(x), the derivative of log Φ: about −x far to the left.
double normal_hazard(double x);

/// log(1 + x) / x; 1 at 0.
double log1p_ratio(double x);
double log1p_ratio_slope(double x);

/// log((exp(x) − 1) / x); 0 at 0. What a Poisson distribution without its zeros is divided by.
double log_expm1_ratio(double x);
double log_expm1_ratio_slope(double x);

/// log Γ(x) minus Stirling's (x − ½) log x − x + ½ log 2π: about 1/(12x). For likelihoods in which
/// the main terms cancel.
double stirling_error(double x);
double stirling_error_slope(double x);

/// log Γ(x + n) − log Γ(x): the logarithm of x (x + 1) … (x + n − 1). Keeps its digits for any x >
/// 0, where the difference of two lgammas loses them all.
double log_rising(double x, double n);
/// log Γ(x + n) − log Γ(x) − log Γ(n + 1): for whole x, of the ways to choose n of x things with
/// repetition. Keeps its digits when x, n or both are huge.
double log_multichoose(double x, double n);
/// ψ(x + n) − ψ(x), their derivative in x.
double digamma_difference(double x, double n);

/// Σ_{i<n} log(1 + i·a) = log_rising(1/a, n) + n·log a for a > 0; 0 at a = 0. What a negative
/// binomial distribution of dispersion a adds to a Poisson distribution.
double sum_log1p(double a, double n);
/// Its derivative in a: Σ_{i<n} i / (1 + i·a).
double sum_log1p_slope(double a, double n);

}  // namespace softwood::loss
