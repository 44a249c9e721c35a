#pragma once

namespace softwood::loss {

// Distribution functions of one row: the regularised incomplete gamma and beta functions. None
// throws or sets errno; outside the domain (a, b ≤ 0, x outside its range) they give NaN.

/// P(a, x): the gamma distribution of shape a ≥ 0 at x ≥ 0; 1 for a = 0.
double gamma_p(double a, double x);
/// 1 − P(a, x), exact where that is small: the Poisson distribution of mean x at a − 1.
double gamma_q(double a, double x);
/// Derivative of gamma_p in x.
double gamma_p_slope(double a, double x);

/// I_x(a, b): the beta distribution at 0 ≤ x ≤ 1. Holds for b → ∞ and a → 0, where negative
/// binomial distributions go to Poisson's and to 0.
double beta_p(double a, double b, double x);
/// 1 − I_x(a, b), exact where that is small.
double beta_q(double a, double b, double x);
/// Derivative of beta_p in x.
double beta_p_slope(double a, double b, double x);

}  // namespace softwood::loss
