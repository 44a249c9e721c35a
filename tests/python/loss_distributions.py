"""The distributions behind the catalogue, from scipy.stats alone: what raw outputs mean, and
log-densities, distribution functions and moments. Raw outputs come as [outputs × rows]."""

import numpy as np
from scipy import integrate, stats
from scipy.special import expit, softmax


class Plain:
    """A distribution that scipy has."""

    def __init__(self, frozen):
        self.frozen = frozen
        self.discrete = hasattr(frozen, "pmf")
        self.cdf, self.ppf = frozen.cdf, frozen.ppf
        self.mean, self.variance = frozen.mean(), frozen.var()
        self.log_density = frozen.logpmf if self.discrete else frozen.logpdf

    def draw(self, random):
        y = self.frozen.rvs(random_state=random)
        if self.discrete:
            return y
        low, high = self.frozen.support()  # which rounding may have reached
        return np.clip(y, np.nextafter(low, high), np.nextafter(high, low))


class WithoutName:
    """What scipy lacks; draws come from the inverse of a subclass's cdf."""

    ppf = None


class ZeroInflated(WithoutName):
    discrete = True

    def __init__(self, base, share):
        self.base, self.share = base, share
        self.mean = share * base.mean()
        self.variance = share * (base.var() + base.mean() ** 2) - self.mean**2

    def log_density(self, y):
        zero = np.log1p(self.share * np.expm1(self.base.logpmf(0)))
        return np.where(y == 0, zero, np.log(self.share) + self.base.logpmf(y))

    def cdf(self, q):
        return np.where(q < 0, 0, 1 - self.share * self.base.sf(q))

    def draw(self, random):
        seen = random.random(self.share.shape) < self.share
        return np.where(seen, self.base.rvs(random_state=random), 0)


class Hurdle(WithoutName):
    discrete = True

    def __init__(self, base, positive):
        self.base, self.positive = base, positive
        scale = positive / base.sf(0)
        self.mean = scale * base.mean()
        self.variance = scale * (base.var() + base.mean() ** 2) - self.mean**2

    def log_density(self, y):
        some = np.log(self.positive) + self.base.logpmf(y) - np.log(self.base.sf(0))
        return np.where(y == 0, np.log1p(-self.positive), some)

    def cdf(self, q):
        return np.where(q < 0, 0, 1 - self.positive * self.base.sf(q) / self.base.sf(0))

    def draw(self, random):
        some = self.base.ppf(
            self.base.cdf(0) + random.random(self.positive.shape) * self.base.sf(0)
        )
        return np.where(random.random(self.positive.shape) < self.positive, some, 0)


class Mixture(WithoutName):
    discrete = False

    def __init__(self, weights, mu, sigma):
        self.weights, self.mu, self.sigma = weights, mu, sigma
        self.parts = stats.norm(mu, sigma)
        self.mean = (weights * mu).sum(0)
        self.variance = (weights * (sigma**2 + mu**2)).sum(0) - self.mean**2

    def log_density(self, y):
        return np.log((self.weights * self.parts.pdf(y)).sum(0))

    def cdf(self, q):
        return (self.weights * self.parts.cdf(q)).sum(0)

    def draw(self, random):
        which = (random.random(self.mean.shape) > np.cumsum(self.weights, 0)).sum(0)
        rows = np.arange(which.size)
        return random.normal(self.mu[which, rows], self.sigma[which, rows])


class Tobit(WithoutName):
    discrete = False

    def __init__(self, mu, sigma, lower=0, upper=np.inf):
        self.base, self.lower, self.upper = stats.norm(mu, sigma), lower, upper
        self.rows = list(zip(mu, sigma, strict=True))

    @property
    def mean(self):
        return np.array([self.moments(*row)[0] for row in self.rows])

    @property
    def variance(self):
        return np.array([self.moments(*row)[1] for row in self.rows])

    def moments(self, mu, sigma):
        """By quadrature, about an anchor close to all that is seen."""
        ends = np.clip([mu - 12 * sigma, mu + 12 * sigma], self.lower, self.upper)
        anchor, (low, high) = ends[0], ends
        one = stats.norm(mu, sigma)
        inside = [
            integrate.quad(
                lambda x, k=k: (x - anchor) ** k * one.pdf(x), low, high, epsabs=0, limit=200
            )[0]
            for k in (1, 2)
        ]
        above = one.sf(self.upper) if np.isfinite(self.upper) else 0
        first = inside[0] + above * (high - anchor)
        second = inside[1] + above * (high - anchor) ** 2
        return anchor + first, second - first**2

    def log_density(self, y):
        inside = np.where(y >= self.upper, self.base.logsf(self.upper), self.base.logpdf(y))
        return np.where(y <= self.lower, self.base.logcdf(self.lower), inside)

    def cdf(self, q):
        return np.where(q < self.lower, 0, np.where(q >= self.upper, 1, self.base.cdf(q)))

    def draw(self, random):
        return np.clip(self.base.rvs(random_state=random), self.lower, self.upper)


class Categories(WithoutName):
    """Class numbers with the probabilities [classes × rows]."""

    discrete = True
    mean = variance = None

    def __init__(self, probability):
        self.probability = probability

    def log_density(self, y):
        return np.log(self.probability[y.astype(int), np.arange(y.size)])

    def cdf(self, q):
        below = np.arange(len(self.probability))[:, None] <= q
        return (self.probability * below).sum(0)

    def draw(self, random):
        row = np.cumsum(self.probability, 0)
        return (random.random(row.shape[1]) > row[:-1]).sum(0).astype(float)


def negative_binomial(mean, dispersion):
    return stats.nbinom(1 / dispersion, 1 / (1 + mean * dispersion))


def ordered_means(place, log_sigma):
    steps = np.exp(place[1:] + log_sigma.mean(0))
    means = np.concatenate([np.zeros((1, place.shape[1])), np.cumsum(steps, 0)])
    return place[0] + means - means.mean(0)


def mixture(f):
    k = len(f) // 3
    logit, place, log_sigma = f[:k], f[k : 2 * k], f[2 * k :]
    return Mixture(softmax(logit, 0), ordered_means(place, log_sigma), np.exp(log_sigma))


def ordinal(f):
    cuts = np.concatenate([np.zeros((1, f.shape[1])), np.cumsum(np.exp(f[1:]), 0)])
    cuts = cuts - cuts[len(f) // 2] - f[0]
    edges = np.concatenate([np.zeros_like(f[:1]), expit(cuts), np.ones_like(f[:1])])
    return Categories(np.diff(edges, axis=0))


def weibull(f):
    return Plain(stats.weibull_min(np.exp(f[1]), scale=np.exp(f[0])))


def lognormal(f):
    return Plain(stats.lognorm(np.exp(f[1]), scale=np.exp(f[0])))


def beta(f):
    mean, precision = expit(f[0]), np.exp(f[1])
    return Plain(stats.beta(mean * precision, expit(-f[0]) * precision))


def gamma(mean, shape):
    return Plain(stats.gamma(shape, scale=mean / shape))


def any_of(log_any, exposure):
    return -np.expm1(-exposure * np.exp(log_any))


# spec: (outputs, what they mean given the exposures)
DISTRIBUTIONS = {
    "normal": (2, lambda f, e: Plain(stats.norm(f[0], np.exp(f[1])))),
    "laplace": (2, lambda f, e: Plain(stats.laplace(f[0], np.exp(f[1])))),
    "logistic_distribution": (2, lambda f, e: Plain(stats.logistic(f[0], np.exp(f[1])))),
    "student_t": (3, lambda f, e: Plain(stats.t(200 ** expit(f[2]), f[0], np.exp(f[1])))),
    "mixture_normal": (6, lambda f, e: mixture(f)),
    "mixture_normal(3)": (9, lambda f, e: mixture(f)),
    "tobit": (2, lambda f, e: Tobit(f[0], np.exp(f[1]))),
    "tobit(-1, 2)": (2, lambda f, e: Tobit(f[0], np.exp(f[1]), -1, 2)),
    "tobit(lower=-inf, upper=0.5)": (2, lambda f, e: Tobit(f[0], np.exp(f[1]), -np.inf, 0.5)),
    "tobit(lower=-inf)": (2, lambda f, e: Tobit(f[0], np.exp(f[1]), -np.inf)),
    "poisson(exposure=years)": (1, lambda f, e: Plain(stats.poisson(e * np.exp(f[0])))),
    "count": (1, lambda f, e: Plain(stats.poisson(np.exp(f[0])))),
    "negative_binomial(exposure=years)": (
        2,
        lambda f, e: Plain(negative_binomial(e * np.exp(f[0]), np.exp(f[1]))),
    ),
    "zero_inflated_poisson(exposure=years)": (
        2,
        lambda f, e: ZeroInflated(stats.poisson(e * np.exp(f[0])), expit(f[1])),
    ),
    "zero_inflated_negative_binomial(exposure=years)": (
        3,
        lambda f, e: ZeroInflated(negative_binomial(e * np.exp(f[0]), np.exp(f[1])), expit(f[2])),
    ),
    "hurdle_poisson(exposure=years)": (
        2,
        lambda f, e: Hurdle(stats.poisson(e * np.exp(f[0])), any_of(f[1], e)),
    ),
    "hurdle_negative_binomial(exposure=years)": (
        3,
        lambda f, e: Hurdle(negative_binomial(e * np.exp(f[0]), np.exp(f[1])), any_of(f[2], e)),
    ),
    "exponential": (1, lambda f, e: Plain(stats.expon(scale=np.exp(f[0])))),
    "gamma": (2, lambda f, e: gamma(np.exp(f[0]), np.exp(f[1]))),
    "gamma_mean(2.5)": (1, lambda f, e: gamma(np.exp(f[0]), 2.5)),
    "lognormal": (2, lambda f, e: lognormal(f)),
    "weibull": (2, lambda f, e: weibull(f)),
    "beta": (2, lambda f, e: beta(f)),
    "logistic": (1, lambda f, e: Plain(stats.bernoulli(expit(f[0])))),
    "ordinal": (3, lambda f, e: ordinal(f)),
    "weibull_aft": (2, lambda f, e: weibull(f)),
    "lognormal_aft": (2, lambda f, e: lognormal(f)),
    "loglogistic_aft": (2, lambda f, e: Plain(stats.fisk(np.exp(-f[1]), scale=np.exp(f[0])))),
}
