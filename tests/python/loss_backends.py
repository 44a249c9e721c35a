"""Arithmetic for loss_reference.Evaluator: JAX's own functions and derivatives, and exact
arithmetic (mpmath, many digits) with forward-mode derivatives where double precision gives up."""

import jax
import jax.numpy as jnp
import mpmath
from jax.scipy import special
from jax.scipy.stats import norm

jax.config.update("jax_enable_x64", True)


class JaxBackend:
    exp, log, log1p, expm1, floor, tanh = (
        jnp.exp,
        jnp.log,
        jnp.log1p,
        jnp.expm1,
        jnp.floor,
        jnp.tanh,
    )
    sigmoid, softplus, log_sigmoid = jax.nn.sigmoid, jax.nn.softplus, jax.nn.log_sigmoid
    logaddexp, lgamma, digamma, erf = jnp.logaddexp, special.gammaln, special.digamma, special.erf
    normal_cdf, normal_log_cdf = norm.cdf, norm.logcdf
    add, subtract, multiply, divide, negate = (
        jnp.add,
        jnp.subtract,
        jnp.multiply,
        jnp.divide,
        jnp.negative,
    )
    sqrt, abs_, if_ = jnp.sqrt, jnp.abs, jnp.where
    equal, not_equal, less, less_equal = jnp.equal, jnp.not_equal, jnp.less, jnp.less_equal
    greater, greater_equal = jnp.greater, jnp.greater_equal
    logical_and, logical_or, logical_not = jnp.logical_and, jnp.logical_or, jnp.logical_not
    number = staticmethod(float)

    @staticmethod
    def power(a, b):
        return a ** int(b) if isinstance(b, float) and b == int(b) else jnp.power(a, b)

    @staticmethod
    def min_(*a):
        return jnp.min(jnp.stack(a[0])) if len(a) == 1 else jnp.minimum(*a)

    @staticmethod
    def max_(*a):
        return jnp.max(jnp.stack(a[0])) if len(a) == 1 else jnp.maximum(*a)

    @staticmethod
    def sum_(v):
        return jnp.sum(jnp.stack(v))

    @staticmethod
    def logsumexp(v):
        return special.logsumexp(jnp.stack(v))

    @staticmethod
    def softmax(v):
        return list(jax.nn.softmax(jnp.stack(v)))

    @staticmethod
    def cumsum(v):
        return list(jnp.cumsum(jnp.stack(v)))

    @staticmethod
    def pick(v, at):
        return jnp.stack(v)[jnp.asarray(at, int)]

    @staticmethod
    def log_cosh(x):
        return jnp.logaddexp(x, -x) - jnp.log(2.0)

    @staticmethod
    def log1p_ratio(x):
        return jnp.log1p(x) / x

    @staticmethod
    def log_expm1_ratio(x):
        return jnp.log(jnp.expm1(x) / x)

    @staticmethod
    def stirling_error(x):
        return special.gammaln(x) - (x - 0.5) * jnp.log(x) + x - jnp.log(2 * jnp.pi) / 2

    @staticmethod
    def log_rising(x, n):
        return special.gammaln(x + n) - special.gammaln(x)

    @staticmethod
    def log_multichoose(x, n):
        return special.gammaln(x + n) - special.gammaln(x) - special.gammaln(n + 1)

    @staticmethod
    def sum_log1p(a, n):
        return special.gammaln(n + 1 / a) - special.gammaln(1 / a) + n * jnp.log(a)


class Dual:
    """A value with its derivatives in every raw output."""

    def __init__(self, value, slopes):
        self.value, self.slopes = mpmath.mpf(value), slopes

    def through(self, value, slope):
        return Dual(value, [slope * s for s in self.slopes])


def combine(value, *parts):
    """Σ slope · dual.slopes over (dual, slope) pairs."""
    size = len(parts[0][0].slopes)
    return Dual(
        value,
        [
            sum((slope * dual.slopes[k] for dual, slope in parts), mpmath.mpf(0))
            for k in range(size)
        ],
    )


def sum_log1p_and_slope(a, n):
    if n <= 100:
        value = sum((mpmath.log1p(i * a) for i in range(1, int(n))), mpmath.mpf(0))
        return value, sum((i / (1 + i * a) for i in range(1, int(n))), mpmath.mpf(0))
    r = 1 / a
    value = mpmath.loggamma(n + r) - mpmath.loggamma(r) + n * mpmath.log(a)
    return value, -(r**2) * (mpmath.digamma(n + r) - mpmath.digamma(r) - n / r)


class MpmathBackend:
    def __init__(self, num_outputs):
        self.num_outputs = num_outputs
        self.cache = {}

    def number(self, value):
        return Dual(value, [mpmath.mpf(0)] * self.num_outputs)

    def output(self, value, k):
        return Dual(value, [mpmath.mpf(int(j == k)) for j in range(self.num_outputs)])

    def slow(self, function, *x):
        if (function, *x) not in self.cache:
            self.cache[(function, *x)] = function(*x)
        return self.cache[(function, *x)]

    def add(self, a, b):
        return combine(a.value + b.value, (a, 1), (b, 1))

    def subtract(self, a, b):
        return combine(a.value - b.value, (a, 1), (b, -1))

    def multiply(self, a, b):
        return combine(a.value * b.value, (a, b.value), (b, a.value))

    def divide(self, a, b):
        if not b.value:
            return self.number("nan")
        return combine(a.value / b.value, (a, 1 / b.value), (b, -a.value / b.value**2))

    def negate(self, a):
        return a.through(-a.value, -1)

    def power(self, a, b):
        if not any(b.slopes):
            n = int(b.value) if b.value == int(b.value) else b.value
            return a.through(
                a.value**n, n * a.value ** (n - 1) if a.value or n >= 1 else mpmath.mpf(0)
            )
        value = a.value**b.value
        return combine(
            value, (a, b.value * a.value ** (b.value - 1)), (b, value * mpmath.log(a.value))
        )

    def exp(self, x):
        value = mpmath.exp(x.value)
        return x.through(value, value)

    def expm1(self, x):
        return x.through(mpmath.expm1(x.value), mpmath.exp(x.value))

    def log(self, x):
        if x.value <= 0:
            return self.number("nan")
        return x.through(mpmath.log(x.value), 1 / x.value)

    def log1p(self, x):
        if x.value <= -1:
            return self.number("nan")
        return x.through(mpmath.log1p(x.value), 1 / (1 + x.value))

    def sqrt(self, x):
        value = mpmath.sqrt(x.value)
        return x.through(value, 1 / (2 * value) if value else mpmath.mpf(0))

    def abs_(self, x):
        return x.through(abs(x.value), mpmath.sign(x.value))

    def floor(self, x):
        return self.number(mpmath.floor(x.value))

    def tanh(self, x):
        return x.through(mpmath.tanh(x.value), mpmath.sech(x.value) ** 2)

    def sigmoid(self, x):
        value = 1 / (1 + mpmath.exp(-x.value))
        return x.through(value, value / (1 + mpmath.exp(x.value)))

    def softplus(self, x):
        return x.through(mpmath.log1p(mpmath.exp(x.value)), 1 / (1 + mpmath.exp(-x.value)))

    def log_sigmoid(self, x):
        return self.negate(self.softplus(self.negate(x)))

    def log_cosh(self, x):
        return x.through(mpmath.log(mpmath.cosh(x.value)), mpmath.tanh(x.value))

    def logaddexp(self, a, b):
        return self.log(self.add(self.exp(a), self.exp(b)))

    def lgamma(self, x):
        slope = self.slow(mpmath.digamma, x.value) if any(x.slopes) else 0
        return x.through(mpmath.re(self.slow(mpmath.loggamma, x.value)), slope)

    def digamma(self, x):
        return x.through(mpmath.digamma(x.value), mpmath.psi(1, x.value))

    def erf(self, x):
        return x.through(
            mpmath.erf(x.value), 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-(x.value**2))
        )

    def normal_cdf(self, x):
        return x.through(mpmath.erfc(-x.value / mpmath.sqrt(2)) / 2, mpmath.npdf(x.value))

    def normal_log_cdf(self, x):
        return self.log(self.normal_cdf(x))

    def log1p_ratio(self, x):
        return self.divide(self.log1p(x), x)

    def log_expm1_ratio(self, x):
        return self.log(self.divide(self.expm1(x), x))

    def stirling_error(self, x):
        if x.value <= 0:
            return self.number("nan")
        half = self.number(0.5)
        main = self.subtract(self.multiply(self.subtract(x, half), self.log(x)), x)
        constant = Dual(mpmath.log(2 * mpmath.pi) / 2, [mpmath.mpf(0)] * self.num_outputs)
        return self.subtract(self.lgamma(x), self.add(main, constant))

    def log_rising(self, x, n):
        return self.subtract(self.lgamma(self.add(x, n)), self.lgamma(x))

    def log_multichoose(self, x, n):
        return self.subtract(self.log_rising(x, n), self.lgamma(self.add(n, self.number(1))))

    def sum_log1p(self, a, n):
        return a.through(*self.slow(sum_log1p_and_slope, a.value, n.value))

    def min_(self, a, b=None):
        values = a if b is None else [a, b]
        return min(values, key=lambda v: v.value)

    def max_(self, a, b=None):
        values = a if b is None else [a, b]
        return max(values, key=lambda v: v.value)

    def sum_(self, v):
        result = v[0]
        for x in v[1:]:
            result = self.add(result, x)
        return result

    def logsumexp(self, v):
        return self.log(self.sum_([self.exp(x) for x in v]))

    def softmax(self, v):
        total = self.sum_([self.exp(x) for x in v])
        return [self.divide(self.exp(x), total) for x in v]

    def cumsum(self, v):
        return [self.sum_(v[: k + 1]) for k in range(len(v))]

    def pick(self, v, at):
        return v[int(at.value)]

    def if_(self, condition, a, b):
        return a if condition else b

    def equal(self, a, b):
        return a.value == b.value

    def not_equal(self, a, b):
        return a.value != b.value

    def less(self, a, b):
        return a.value < b.value

    def less_equal(self, a, b):
        return a.value <= b.value

    def greater(self, a, b):
        return a.value > b.value

    def greater_equal(self, a, b):
        return a.value >= b.value

    def logical_and(self, a, b):
        return a and b

    def logical_or(self, a, b):
        return a or b

    def logical_not(self, a):
        return not a
