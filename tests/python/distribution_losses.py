"""Losses with a distribution that scipy knows too."""

GEOMETRIC = """
outputs f
loss = -log(1 - sigmoid(f)) - y*log(sigmoid(f))
mean = exp(f)
cdf(q) = if(q < 0, 0, 1 - sigmoid(f)^(floor(q) + 1))
require y >= 0 and y == floor(y)
"""

# No moment is stated: they follow from the cdf. Rows of event = 0 ended before the truth was seen.
CENSORED_EXPONENTIAL = """
outputs f
loss = y*exp(-f) + if(event == 1, f, 0)
scale = exp(f)
cdf(q) = if(q <= 0, 0, -expm1(-q*exp(-f)))
censored event == 0
require y >= 0
"""
