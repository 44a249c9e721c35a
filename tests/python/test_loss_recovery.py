"""Known constants come back from simulated data: the library's best constants lie within four
standard errors of the truth, which come from the observed information of its own gradients."""

import numpy as np
import pytest
from loss_distributions import DISTRIBUTIONS
from loss_reference import LossEval
from scipy import stats

ROWS = 6000
CLASSES = 4
LOG_1000 = np.log(1000)
TRUTH = {
    "normal": [[3, 0.5], [-2e6, LOG_1000]],
    "laplace": [[3, 0.5], [1e-3, -LOG_1000]],
    "logistic_distribution": [[3, 0.5], [2000, LOG_1000]],
    "student_t": [[2, 0.3, -0.8], [5000, LOG_1000, -1.5]],
    "mixture_normal": [[0.3, -0.3, 1, 1.3, 0.1, -0.3], [-0.5, 0.5, 2e3, 1.2, LOG_1000, LOG_1000]],
    "tobit": [[0.5, 0.4], [600, LOG_1000], [-1e-3, -LOG_1000]],
    "tobit(-1, 2)": [[0.5, 0.4]],
    "poisson(exposure=years)": [[0.7], [8.5]],
    "negative_binomial(exposure=years)": [[0.7, -0.5], [5, 1]],
    "zero_inflated_poisson(exposure=years)": [[0.7, -0.5]],
    "zero_inflated_negative_binomial(exposure=years)": [[1.5, -0.7, 0.5]],
    "hurdle_poisson(exposure=years)": [[0.7, -0.5]],
    "hurdle_negative_binomial(exposure=years)": [[1.5, -0.5, 0.3]],
    "exponential": [[5]],
    "gamma": [[2, 1], [9, -0.7]],
    "lognormal": [[2, -0.4]],
    "weibull": [[2, 0.6]],
    "beta": [[0.8, 1.5]],
    "logistic": [[-1.2]],
    "ordinal": [[0.4, 0.3, -0.2]],
    "weibull_aft": [[2, 0.6]],
    "lognormal_aft": [[2, -0.4]],
    "loglogistic_aft": [[2, -0.4]],
}


@pytest.fixture(scope="module")
def library():
    process = LossEval()
    yield process
    process.close()


def standard_errors(library, request, constants):
    f = [[value] * len(request["y"]) for value in constants]
    slopes = np.array(library.ask(f=f, **request)["gradient"], float)
    return np.sqrt(np.diag(np.linalg.pinv(slopes @ slopes.T)))


def identified(spec, constants):
    """Only differences of a mixture's logits mean anything."""
    constants = np.array(constants, float)
    if spec.startswith("mixture"):
        constants[: len(constants) // 3] -= constants[: len(constants) // 3].mean()
    return constants


def check(library, spec, truth, request):
    found = library.ask(**request)["constants"]
    errors = standard_errors(library, request, found)
    away = (identified(spec, found) - identified(spec, truth)) / errors
    assert (errors > 0).all()
    assert (abs(away) < 4).all(), (found, truth, away)


@pytest.mark.parametrize(
    ("spec", "truth"), [(spec, truth) for spec, truths in TRUTH.items() for truth in truths]
)
def test_constants_are_recovered(library, spec, truth):
    random = np.random.default_rng(5)
    years = random.uniform(0.3, 3, ROWS)
    f = np.repeat(np.array(truth, float)[:, None], ROWS, 1)
    request = {"loss": spec, "classes": CLASSES, "columns": {"years": years.tolist()}}
    request["y"] = DISTRIBUTIONS[spec][1](f, years).draw(random).tolist()
    check(library, spec, truth, request)


@pytest.mark.parametrize("name", ["weibull_aft", "lognormal_aft", "loglogistic_aft"])
def test_constants_are_recovered_from_censored_times(library, name):
    random = np.random.default_rng(6)
    truth = [1.5, -0.3]
    f = np.repeat(np.array(truth)[:, None], ROWS, 1)
    times = DISTRIBUTIONS[name][1](f, None).draw(random)
    limits = random.exponential(8, ROWS)
    died = (times <= limits).astype(float)
    assert 0.2 < died.mean() < 0.8
    request = {"loss": f"{name}(event=died)", "columns": {"died": died.tolist()}}
    check(library, name, truth, {"y": np.minimum(times, limits).tolist(), **request})


@pytest.mark.parametrize("scale", [1, 1000, 0.001])
def test_several_quantiles_are_recovered_at_any_scale(library, scale):
    levels = np.array([0.05, 0.25, 0.5, 0.9])
    y = scale * stats.gamma(2).rvs(ROWS, random_state=np.random.default_rng(7))
    spec = "multi_quantile(0.05, 0.25, 0.5, 0.9)"
    found = library.ask(loss=spec, y=y.tolist())["constants"]
    predicted = library.ask(loss=spec, y=[1], f=[[v] for v in found])["predictions"]["quantile"]
    true = scale * stats.gamma(2).ppf(levels)
    errors = scale * np.sqrt(levels * (1 - levels) / ROWS) / stats.gamma(2).pdf(true / scale)
    assert (abs(np.ravel(predicted) - true) < 5 * errors).all()


def test_expectiles_balance_both_sides(library):
    y = stats.gamma(2).rvs(ROWS, random_state=np.random.default_rng(8))
    (found,) = library.ask(loss="expectile(0.9)", y=y.tolist())["constants"]
    above, below = np.clip(y - found, 0, None).sum(), np.clip(found - y, 0, None).sum()
    np.testing.assert_allclose(0.9 * above, 0.1 * below, rtol=1e-5)
    (mean,) = library.ask(loss="expectile", y=y.tolist())["constants"]
    np.testing.assert_allclose(mean, y.mean(), rtol=1e-6)
