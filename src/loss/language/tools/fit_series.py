"""Prints fitted_series.h.

Every series interpolates its function at Chebyshev's points, in mpmath's arithmetic of 60 digits.
There are as many terms as keep the function that it serves within half a last bit.
"""

from mpmath import atanh, chebyfit, erfc, exp, findroot, log, loggamma, mp, mpf, pi, psi, sqrt

mp.dps = 60
ROOT = findroot(lambda x: psi(0, x), 1.4616)
NEAR_ZERO = mpf("1e-6")


def lgamma_near_two(t):
    """log Γ(2 + t) / t on |t| ≤ ½"""
    return loggamma(2 + t) / t if t else psi(0, 2)


def digamma_near_root(t):
    """ψ(1.5 + t) / (1.5 + t − kDigammaRoot) on |t| ≤ ½"""
    x = t + mpf(3) / 2
    return psi(0, x) / (x - ROOT)


def stirling_rest(w):
    """(z·(log Γ(z) − Stirling's main terms) − 1/12) z² in 1/z²"""
    if w < NEAR_ZERO:
        return -mpf(1) / 360 + w / 1260 - w**2 / 1680
    x = 1 / sqrt(w)
    main = (x - mpf(1) / 2) * log(x) - x + log(2 * pi) / 2
    return ((loggamma(x) - main) * x - mpf(1) / 12) / w


def digamma_rest(w):
    """(ψ(z) − log z + 1/(2z) + 1/(12z²)) z⁴ in 1/z²"""
    if w < NEAR_ZERO:
        return mpf(1) / 120 - w / 252 + w**2 / 240
    x = 1 / sqrt(w)
    return (psi(0, x) - log(x) + 1 / (2 * x) + w / 12) / w**2


def trigamma_rest(w):
    """(ψ′(z) − 1/z − 1/(2z²)) z³ in 1/z²"""
    if w < NEAR_ZERO:
        return mpf(1) / 6 - w / 30 + w**2 / 42
    x = 1 / sqrt(w)
    return (psi(1, x) - 1 / x - w / 2) * x**3


def log_ratio(v):
    """(atanh(s)/s − 1)/s² in s², |s| ≤ ⅓"""
    if v < NEAR_ZERO:
        return mpf(1) / 3 + v / 5 + v**2 / 7
    return (atanh(sqrt(v)) / sqrt(v) - 1) / v


def log_sinhc(w):
    """log(sinh(½x)/(½x))/x² in x², |x| ≤ 1"""
    if w < NEAR_ZERO:
        return mpf(1) / 24 - w / 2880 + w**2 / 181440
    x = sqrt(w)
    return log((exp(x / 2) - exp(-x / 2)) / x) / w


def log_sinhc_slope(w):
    """(1/(1 − e^−x) − 1/x − ½)/x in x², |x| ≤ 1"""
    if w < NEAR_ZERO:
        return mpf(1) / 12 - w / 720 + w**2 / 30240
    x = sqrt(w)
    return (1 / (1 - exp(-x)) - 1 / x - mpf(1) / 2) / x


def erf_ratio(w):
    """erf(x)/x in x², |x| ≤ 1"""
    if w < NEAR_ZERO:
        return 2 / sqrt(pi) * (1 - w / 3 + w**2 / 10)
    return (1 - erfc(sqrt(w))) / sqrt(w)


def mills(u):
    """(t + 3)·(1 − Φ(t))/φ(t) in (t − 3)/(t + 3), t ≥ 0"""
    if u == 1:
        return mpf(1)
    t = 3 * (1 + u) / (1 - u)
    if t > 60:
        return (1 - 1 / t**2 + 3 / t**4 - 15 / t**6 + 105 / t**8 - 945 / t**10) * (1 + 3 / t)
    return sqrt(pi / 2) * exp(t**2 / 2) * erfc(t / sqrt(2)) * (t + 3)


W = 1 / mpf("2.5") ** 2  # kStirlingFrom
SERIES = [
    ("LgammaNearTwo", lgamma_near_two, -0.5, 0.5, 18),
    ("DigammaNearRoot", digamma_near_root, -0.5, 0.5, 22),
    ("StirlingRest", stirling_rest, 0, W, 15),
    ("DigammaRest", digamma_rest, 0, W, 15),
    ("TrigammaRest", trigamma_rest, 0, W, 16),
    ("AtanhRest", log_ratio, 0, mpf(1) / 9, 10),
    ("LogSinhc", log_sinhc, 0, 1, 7),
    ("LogSinhcSlope", log_sinhc_slope, 0, 1, 8),
    ("ErfRatio", erf_ratio, 0, 1, 12),
    ("Mills", mills, -1, 1, 26),
]


def sum_of(coefficients, x):
    return sum(c * x**k for k, c in enumerate(coefficients))


def worst_error(function, low, high, coefficients):
    points = [low + (high - low) * (mpf(i) + mpf(1) / 3) / 400 for i in range(400)]
    return max(abs(sum_of(coefficients, x) / function(x) - 1) for x in points)


def print_series(name, function, low, high, count):
    fitted, _ = chebyfit(function, [mpf(low), mpf(high)], count, error=True)
    coefficients = fitted[::-1]
    error = worst_error(function, mpf(low), mpf(high), coefficients)
    print(f"/// {function.__doc__}; relative error {mp.nstr(error, 2)}.")
    print(f"inline constexpr std::array<double, {count}> k{name} = {{")
    for c in coefficients:
        print(f"    {float(c).hex()},")
    print("};\n")


print("#pragma once\n\n// Written by tools/fit_series.py.\n\n#include <array>\n")
print("namespace softwood::loss {\n")
print("/// Where the gamma functions' asymptotic forms, and the series in 1/z² below, begin.")
print("inline constexpr double kStirlingFrom = 2.5;")
high = float(ROOT)
print("/// ψ is 0 at the sum of these two.")
print(f"inline constexpr double kDigammaRoot = {high.hex()};")
print(f"inline constexpr double kDigammaRootLow = {float(ROOT - high).hex()};\n")
for series in SERIES:
    print_series(*series)
print("}  // namespace softwood::loss")
