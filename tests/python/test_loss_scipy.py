"""Every distribution of the catalogue against scipy.stats: density, cdf, moments, quantiles."""

import numpy as np
import pytest
from loss_distributions import DISTRIBUTIONS
from loss_reference import LossEval

CLASSES = 4
ROWS = 60
LEVELS = [0.001, 0.05, 0.5, 0.9, 0.999]
# Raw outputs beyond the ordinary, each within what scipy itself still computes well.
EXTREMES = {
    "normal": [[1e6, -9], [-1e-3, 12]],
    "laplace": [[1e6, -9], [-1e-3, 12]],
    "logistic_distribution": [[1e6, -9], [-1e-3, 12]],
    "student_t": [[1e6, -9, -20], [3, 5, 20], [0, 0, -6]],
    "mixture_normal": [[8, -8, 100, 3, -2, 2]],
    "tobit": [[-8, 0], [-30, 2], [1e4, 3]],
    "poisson(exposure=years)": [[13.8], [-12]],
    "count": [[13.8], [-12]],
    "negative_binomial(exposure=years)": [[13.8, -9], [13.8, 2], [-9, 3], [2, -9]],
    "zero_inflated_poisson(exposure=years)": [[13.8, -8], [-9, 6]],
    "zero_inflated_negative_binomial(exposure=years)": [[13.8, -9, 3], [-6, 3, -6]],
    "hurdle_poisson(exposure=years)": [[13.8, -6], [-9, 3]],
    "hurdle_negative_binomial(exposure=years)": [[13.8, -9, 2], [-6, 3, -6], [8, 4, 0]],
    "exponential": [[20], [-20]],
    "gamma": [[12, 9], [-9, -3]],
    "lognormal": [[12, -6], [-9, 1.5]],
    "weibull": [[12, 4], [-9, -1.5]],
    "beta": [[6, 5], [-3, -1], [0.2, 11]],
    "logistic": [[12], [-30]],
    "weibull_aft": [[12, 4], [-9, -1.5]],
    "lognormal_aft": [[12, -6], [-9, 1.5]],
    "loglogistic_aft": [[12, -6], [-9, 1.5]],
}


@pytest.fixture(scope="module")
def library():
    process = LossEval()
    yield process
    process.close()


def numbers(values):
    return np.array(values, dtype=float)


def listed(values):
    return [v if np.isfinite(v) else str(v) for v in np.asarray(values, float).tolist()]


class Case:
    """Random rows of raw outputs, the extreme ones among them, with scipy's distribution."""

    def __init__(self, library, spec):
        self.library, self.spec = library, spec
        outputs, meaning = DISTRIBUTIONS[spec]
        random = np.random.default_rng(len(spec))
        f = random.normal(0, 1.2, (outputs, ROWS))
        extremes = np.array(EXTREMES.get(spec, np.empty((0, outputs)))).T.reshape(outputs, -1)
        self.f = np.concatenate([f, extremes, extremes], 1)
        self.years = random.uniform(0.3, 3, self.f.shape[1])
        self.true = meaning(self.f, self.years)
        self.y = self.true.draw(random)

    def ask(self, q=None, y=None, **columns):
        return self.library.ask(
            loss=self.spec,
            classes=CLASSES,
            y=listed(self.y if y is None else y),
            f=self.f.tolist(),
            columns={"years": self.years.tolist(), **columns},
            q=listed(self.y if q is None else q),
        )

    def cdf(self, q):
        return numbers(self.ask(q=q)["cdf"])

    def moment(self, name):
        return numbers(self.ask()["predictions"][name][0])


@pytest.fixture(params=DISTRIBUTIONS)
def case(library, request):
    return Case(library, request.param)


def test_densities_are_scipys(case):
    density = case.true.log_density(case.y)
    assert np.isfinite(density).all()
    np.testing.assert_allclose(-numbers(case.ask()["value"]), density, rtol=1e-8, atol=1e-8)


def test_distribution_functions_are_scipys(case):
    for shift in [0, -1.5, 0.25, 2]:
        q = case.y * (1 + shift / 10) + (shift if case.true.discrete else 0)
        np.testing.assert_allclose(case.cdf(q), case.true.cdf(q), rtol=1e-8, atol=1e-13)


def test_distribution_functions_run_from_zero_to_one(case):
    for q, probability in [(-np.inf, 0), (np.inf, 1), (-1e9, 0), (1e300, 1)]:
        np.testing.assert_allclose(
            case.cdf(np.full(case.y.shape, q)), probability, atol=2e-6, err_msg=str(q)
        )
    assert case.ask()["discrete"] == case.true.discrete


def test_moments_are_scipys(case):
    if case.true.mean is None:
        pytest.skip("classes have no moments")
    name = "probability" if case.spec == "logistic" else "mean"
    ours, true = case.moment(name), case.true.mean
    finite = np.isfinite(true)  # scipy says NaN where an integral diverges, we say infinity
    assert np.isinf(ours[~finite]).all()
    # What is left of a number beyond its bound is 0 to quadrature.
    np.testing.assert_allclose(ours[finite], true[finite], rtol=1e-8, atol=1e-30)
    ours, true = case.moment("variance"), np.broadcast_to(case.true.variance, case.y.shape)
    finite = np.isfinite(true)
    assert np.isinf(ours[~finite]).all()
    scale = np.where(finite, true, 1) + 1e-6 * np.square(case.true.mean)
    assert (abs(ours - true)[finite] <= 1e-7 * scale[finite] + 1e-25).all()


def inverted(case, level):
    """The smallest q of cdf(q) >= level, by halving an interval that holds it."""
    low, high = np.full(case.y.shape, -1.0), np.ones(case.y.shape)
    while (bad := case.cdf(high) < level).any():
        high = np.where(bad, high * 4, high)
    while (bad := case.cdf(low) >= level).any():
        low = np.where(bad, low * 4, low)
    for _ in range(110):
        middle = (low + high) / 2
        if case.true.discrete:
            middle = np.floor(middle)
        above = case.cdf(middle) >= level
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return high


@pytest.mark.parametrize("level", LEVELS)
def test_inverted_distribution_functions_are_scipys_quantiles(case, level):
    q = inverted(case, level)
    if case.true.ppf is not None:
        return np.testing.assert_allclose(q, case.true.ppf(level), rtol=1e-7, atol=1e-9)
    slack = 1e-9
    assert (case.true.cdf(q) >= level - slack).all()
    below = q - 1 if case.true.discrete else q - 1e-9 * (1 + abs(q))
    assert (case.true.cdf(below) <= level + slack).all()
    return None


@pytest.mark.parametrize("name", ["weibull_aft", "lognormal_aft", "loglogistic_aft"])
def test_censored_times_count_by_their_survival(library, name):
    case = Case(library, name)
    case.spec = f"{name}(event=died)"
    died = (np.arange(case.y.size) % 3 > 0).astype(float)
    answer = case.ask(died=died.tolist())
    seen, survives = case.true.log_density(case.y), case.true.frozen.logsf(case.y)
    expected = np.where(died == 1, seen, survives)
    np.testing.assert_allclose(-numbers(answer["value"]), expected, rtol=1e-8, atol=1e-8)
    assert answer["censored"] == (died == 0).tolist()


@pytest.mark.parametrize("name", ["negative_binomial", "zinb", "hurdle_nb"])
def test_no_dispersion_is_poissons_limit(library, name):
    """From where scipy gives up (1/dispersion beyond doubles) to where it is still right."""
    rest = [] if name == "negative_binomial" else [1.0]
    twin = {"negative_binomial": "poisson", "zinb": "zip", "hurdle_nb": "hurdle_poisson"}[name]
    for log_mean in [-3, 2, 13.8]:
        for dispersion in [-745, -720, -200, -101, -99, -70]:
            q = listed(np.floor(np.exp(log_mean) + np.exp(log_mean / 2) * np.arange(-3, 4)))
            rows = len(q)
            f = [[v] * rows for v in [log_mean, dispersion, *rest]]
            spread = library.ask(loss=name, y=[1] * rows, f=f, q=q)
            plain = library.ask(loss=twin, y=[1] * rows, f=[f[0], *f[2:]], q=q)
            np.testing.assert_allclose(spread["cdf"], plain["cdf"], rtol=1e-10)
            for moment in ("mean", "variance"):
                np.testing.assert_allclose(
                    spread["predictions"][moment], plain["predictions"][moment], rtol=1e-12
                )


def test_huge_dispersions_keep_their_distribution(library):
    """Log-series counts in the limit: all but a few rows are 0, and nothing is NaN."""
    q = [0, 1, 100, 1e6]
    for dispersion in [20, 100, 700]:
        for name, rest in [("nb", []), ("zinb", [1.0]), ("hurdle_nb", [1.0])]:
            f = [[v] * len(q) for v in [1.0, float(dispersion), *rest]]
            probability = numbers(library.ask(loss=name, y=q, f=f, q=q)["cdf"])
            assert (np.diff(probability) >= 0).all()
            assert (probability <= 1).all()
            assert (probability > 0).all()
