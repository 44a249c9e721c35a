"""Values and gradients of the library's losses against two independent differentiations of the
same text."""

import itertools
import math
from random import Random

import jax
import mpmath
import numpy as np
import pytest
from loss_backends import JaxBackend, MpmathBackend
from loss_reference import LossEval, catalogue_text, evaluate

TOLERANCE = 1e-9

COUNTS = [0, 1, 2, 5, 17]
AMOUNTS = [0.1, 1, 2.5, 30]
REALS = [-3.2, -0.4, 0, 0.7, 11]
SHARES = [1e-6, 0.02, 0.4, 0.5, 0.9]
HUGE_COUNTS = [0, 1, 3, 40, 1000, 10**6, 10**12]
HUGE_REALS = [-1e6, -2.0, 0, 0.3, 1e12]
HUGE_AMOUNTS = [1e-8, 1, 30, 1e12]

# name: (outputs, settings, classes, ordinary responses, extreme responses)
CATALOGUE = {
    "squared": (1, {}, 0, REALS, HUGE_REALS),
    "absolute": (1, {}, 0, REALS, HUGE_REALS),
    "huber": (1, {"delta": 2}, 0, REALS, HUGE_REALS),
    "log_cosh": (1, {}, 0, REALS, HUGE_REALS),
    "general_robust": (1, {"alpha": -1.5, "c": 2}, 0, REALS, HUGE_REALS),
    "quantile": (1, {"tau": 0.9}, 0, REALS, HUGE_REALS),
    "logistic": (1, {}, 0, [0, 1, 0.3], [0, 1]),
    "softmax": (3, {}, 3, [0, 1, 2], [0, 1, 2]),
    "poisson": (1, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "gamma": (2, {}, 0, AMOUNTS, HUGE_AMOUNTS),
    "gamma_mean": (1, {"shape": 2.5}, 0, AMOUNTS, HUGE_AMOUNTS),
    "exponential": (1, {}, 0, AMOUNTS, HUGE_AMOUNTS),
    "tweedie": (1, {"power": 1.3}, 0, [0, *AMOUNTS], [0, *HUGE_AMOUNTS]),
    "normal": (2, {}, 0, REALS, HUGE_REALS),
    "lognormal": (2, {}, 0, AMOUNTS, HUGE_AMOUNTS),
    "negative_binomial": (2, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "zero_inflated_poisson": (2, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "zero_inflated_negative_binomial": (3, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "count": (1, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "hurdle_poisson": (2, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "hurdle_negative_binomial": (3, {"exposure": "years"}, 0, COUNTS, HUGE_COUNTS),
    "laplace": (2, {}, 0, REALS, HUGE_REALS),
    "logistic_distribution": (2, {}, 0, REALS, HUGE_REALS),
    "student_t": (3, {}, 0, REALS, HUGE_REALS),
    "mixture_normal": (6, {"k": 2}, 0, REALS, REALS),
    "multi_quantile": (4, {"levels": [0.05, 0.3, 0.6, 0.99]}, 0, REALS, HUGE_REALS),
    "expectile": (1, {"tau": 0.9}, 0, REALS, HUGE_REALS),
    "tobit": (2, {"lower": -1, "upper": 5}, 0, [-1, -0.4, 2, 5], [-1, -0.4, 2, 5]),
    "weibull": (2, {}, 0, AMOUNTS, HUGE_AMOUNTS),
    "beta": (2, {}, 0, SHARES, SHARES),
    "ordinal": (3, {}, 4, [0, 1, 2, 3], [0, 1, 2, 3]),
    "weibull_aft": (2, {"event": "years"}, 0, AMOUNTS, HUGE_AMOUNTS),
    "lognormal_aft": (2, {"event": "years"}, 0, AMOUNTS, HUGE_AMOUNTS),
    "loglogistic_aft": (2, {"event": "years"}, 0, AMOUNTS, HUGE_AMOUNTS),
}

FORMULAS = [
    "(y - f)^2",
    "abs(y - f)^1.5",
    "-(y*log(sigmoid(f)) + (1 - y)*log(1 - sigmoid(f)))",
    "log(exp(f) + exp(y)) - f*y/2",
    "log(1 + exp(-y*f))",
    "log(1 + f^2) + y*f",
    "(exp(f) - 1 - y)^2",
    "log(exp(f)) - y",
    "y*f - log(1 - exp(-exp(f)))",
    "-log(normal_cdf(y - f))",
    "log(1 - normal_cdf(f*y))",
    "-y*log(1/(1 + exp(-f))) + f^2",
    "lgamma(y + exp(f)) - lgamma(exp(f)) - y*f",
    "digamma(exp(f))*y + f",
    "erf(f)*y + tanh(f - y)",
    "sqrt(1 + (y - f)^2) - 1",
    "if(y > f, (y - f)^2, abs(y - f))",
    "if(y > 0 and not (f < 0) or y == 2, f^3, f)*y",
    "max(f, y)*min(f, 2*y) + floor(f)*f",
    "softplus(f)*y - log_sigmoid(f)^2 + logaddexp(f, 2*f)*expm1(f/4)",
    "log_cosh(y - f)^2 + log1p_ratio(exp(f)) + y",
    "2^f - y^2*-f^2",
    "log(0.25*exp(f) + 0.5*exp(-f) + 0.25*exp(y)) + f",
    "log_rising(exp(f), y) + sum_log1p(exp(f), 3)*y",
]

VECTORS = [
    ("logsumexp(f) - f[y]", 4),
    ("-log(softmax(f)[y])", 4),
    ("log(sum(exp(f))) - f[y] + sum(f^2)/10", 3),
    ("-log(exp(f[y])/sum(exp(f)))", 3),
    ("sum((softmax(f) - 0.2)^2) + max(f)*y - min(f)", 3),
    ("sum(cumsum(f)^2)*y + f[0]*f[2]", 3),
    ("-log(1 - softmax(f)[0]) + y", 3),
]

PROGRAMS = {
    "mixture": (
        """
        outputs w[3], mu[3], log_sigma[3]
        loss = -logsumexp(w - logsumexp(w) - log_sigma - ((y - mu)/exp(log_sigma))^2/2)
        mean = sum(softmax(w)*mu)""",
        9,
    ),
    "hurdle": (
        """
        outputs log_mu, logit
        mu = exp(log_mu)
        loss = if(y <= 0, softplus(logit), softplus(-logit) + mu - y*log_mu + log(1 - exp(-mu)))""",
        2,
    ),
    "zip as written in the manual": (
        """
        outputs log_mu, logit_pi
        mu   = exp(log_mu)
        pi   = sigmoid(logit_pi)
        loss = if(y == 0, -log(1 - pi + pi*exp(-mu)), -(log(pi) - mu + y*log_mu - lgamma(y + 1)))
        mean = pi*mu""",
        2,
    ),
    "ordinal": (
        """
        outputs f, step[3]
        cut = cumsum(softplus(step))
        loss = -log(if(y <= 0, sigmoid(cut[0] - f),
                    if(y >= 2, 1 - sigmoid(cut[2] - f), sigmoid(cut[1] - f)*exp(-step[2]))))""",
        4,
    ),
}


@pytest.fixture(scope="module")
def library():
    process = LossEval()
    yield process
    process.close()


def spec_of(name, settings):
    return name + (
        "(" + ", ".join(f"{k}={v}" for k, v in settings.items()) + ")" if settings else ""
    )


def check_with_jax(library, spec, text, num_outputs, points, settings=None, classes=0):
    y = np.array([p[0] for p in points], float)
    f = np.array([p[1:] for p in points], float).T
    years = np.array([0.5 + 0.25 * (i % 4) for i in range(len(points))])

    def loss(row_f, row_y, row_years):
        return evaluate(
            JaxBackend, text, row_y, list(row_f), {"years": row_years}, settings, classes
        )["loss"]

    values, slopes = jax.vmap(jax.value_and_grad(loss))(f.T, y, years)
    value, gradient, _ = library(spec, y.tolist(), f.tolist(), {"years": years.tolist()}, classes)
    np.testing.assert_allclose(value, values, rtol=TOLERANCE, atol=TOLERANCE)
    np.testing.assert_allclose(np.array(gradient).T, slopes, rtol=TOLERANCE, atol=TOLERANCE)


def ordinary_points(num_outputs, responses, count=40):
    random = np.random.default_rng(num_outputs)
    return [
        (responses[i % len(responses)], *random.normal(0, 1.5, num_outputs)) for i in range(count)
    ]


@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue_agrees_with_jax_at_ordinary_points(library, name):
    num_outputs, settings, classes, responses, _ = CATALOGUE[name]
    points = ordinary_points(num_outputs, responses)
    check_with_jax(
        library,
        spec_of(name, settings),
        catalogue_text(name),
        num_outputs,
        points,
        settings,
        classes,
    )


@pytest.mark.parametrize("name", ["weibull_aft", "lognormal_aft", "loglogistic_aft"])
def test_censored_times_agree_with_jax(library, name):
    settings = {"event": 0}
    points = ordinary_points(2, AMOUNTS)
    check_with_jax(library, spec_of(name, settings), catalogue_text(name), 2, points, settings)


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_agree_with_jax(library, formula):
    check_with_jax(library, formula, f"loss = {formula}", 1, ordinary_points(1, [0.25, 1, 2]))


@pytest.mark.parametrize(("formula", "classes"), VECTORS)
def test_vector_formulas_agree_with_jax(library, formula, classes):
    text = f"outputs f[classes]\nloss = {formula}"
    check_with_jax(
        library, formula, text, classes, ordinary_points(classes, [0, 1, 2]), classes=classes
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_agree_with_jax(library, name):
    text, num_outputs = PROGRAMS[name]
    check_with_jax(library, text, text, num_outputs, ordinary_points(num_outputs, [0, 1, 2]))


UNARY = [
    "tanh({})", "sigmoid({})", "softplus({})", "log_sigmoid({})", "log(1 + exp({}))", "-({})",
    "log(1 - sigmoid({}))", "exp(tanh({}))", "sqrt(1 + ({})^2)", "log_cosh({})", "erf({})",
    "normal_log_cdf({})", "lgamma(1 + softplus({}))", "(exp(tanh({})) - 1)", "log(1 + ({})^2)",
]  # fmt: skip
BINARY = [
    "({} + {})", "({} - {})", "tanh({})*({})", "({})/(1 + ({})^2)", "logaddexp({}, {})",
    "if(y > 1, {}, {})", "log(exp({}) + 2*exp({}))", "if({} > 0.1, {}, b)", "max({}, {} - 3)",
]  # fmt: skip


def random_formula(random, depth):
    if depth == 0:
        return random.choice(["y", "a", "b", "0.5", "2", "a", "b"])
    form = random.choice(UNARY if random.random() < 0.4 else BINARY)
    return form.format(*[random_formula(random, depth - 1) for _ in range(form.count("{}"))])


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(10))
def test_random_formulas_agree_with_jax(library, batch):
    random = Random(batch)
    for _ in range(25):
        text = (
            f"outputs a, b\nloss = {random_formula(random, random.randint(1, 4))} + 0*(a + b + y)"
        )
        check_with_jax(library, text, text, 2, ordinary_points(2, [0, 1, 2], 9))


def close(ours, true, slack):
    """Right to TOLERANCE where the true value is a double; beyond, 0 or infinity as it rounds."""
    if abs(true) > 1e308:
        return ours in (math.inf, -math.inf) or abs(ours) > 1e307
    if abs(true) < 1e-280:  # near the denormals digits are lost by rounding, not by us
        return abs(ours) <= 1e-279 + slack
    return math.isfinite(ours) and abs(ours - true) <= TOLERANCE * abs(true) + slack


def check_exactly(library, spec, text, num_outputs, points, settings=None, classes=0, slack=0):
    y = [float(p[0]) for p in points]
    f = [[float(p[1 + k]) for p in points] for k in range(num_outputs)]
    years = [1.5] * len(points)
    value, gradient, _ = library(spec, y, f, {"years": years}, classes)
    wrong = []
    with mpmath.workdps(700):
        backend = MpmathBackend(num_outputs)
        for i, point in enumerate(points):
            outputs = [backend.output(x, k) for k, x in enumerate(point[1:])]
            names = evaluate(
                backend,
                text,
                backend.number(point[0]),
                outputs,
                {"years": backend.number(1.5)},
                settings,
                classes,
            )
            true = names["loss"]
            ours = [value[i]] + [gradient[k][i] for k in range(num_outputs)]
            for what, mine, exact in zip(
                ["value", *range(num_outputs)], ours, [true.value, *true.slopes], strict=True
            ):
                if not close(mine, exact, slack):
                    wrong.append((point, what, mine, mpmath.nstr(exact, 15)))
    assert not wrong, f"{len(wrong)} wrong, such as {wrong[:8]}"


# Where sums of exponentials of several outputs cancel to rounding errors, or the reference cannot
# follow: how far these go.
LIMITS = {
    "gamma": [-40, -5, -1e-4, 0.5, 3],
    "mixture_normal": [-3, -1e-4, 0.5, 3],
    "multi_quantile": [-40, -5, -1e-4, 0.5, 3],
    "beta": [-40, -5, -1e-4, 0.5, 3],
    "ordinal": [-40, -5, -1e-4, 0.5, 3],
    "tobit": [-5, -1e-4, 0.5, 3, 40],
    "lognormal_aft": [-5, -1e-4, 0.5, 3, 40],
}
EXTREME_OUTPUTS = [-700, -300, -40, -5, -1e-4, 0, 0.5, 3, 40, 300, 700]


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue_is_exact_at_extreme_points(library, name):
    num_outputs, settings, classes, _, responses = CATALOGUE[name]
    grid = EXTREME_OUTPUTS if num_outputs == 1 else [*EXTREME_OUTPUTS[::2], -0.0001, 3]
    if num_outputs == 3:
        grid = [-700, -5, 0.5, 40, 700]
    grid = LIMITS.get(name, grid)
    if num_outputs > 3:  # the whole grid would take hours
        random = Random(name)
        points = [
            (random.choice(responses), *random.choices(grid, k=num_outputs)) for _ in range(300)
        ]
    else:
        points = list(itertools.product(responses, *[grid] * num_outputs))
    check_exactly(
        library,
        spec_of(name, settings),
        catalogue_text(name),
        num_outputs,
        points,
        settings,
        classes,
        slack=1e-14 if name in LIMITS else 0,
    )


STABLE = [
    "-(y*log(sigmoid(f)) + (1 - y)*log(1 - sigmoid(f)))",
    "log(1 + exp(f)) + y",
    "-log(1 - 1/(1 + exp(-f))) + y",
    "log(exp(f) + exp(y))",
    "-log(1 - exp(-exp(f))) + y*0",
    "-log(normal_cdf(y - f))",
    "log_cosh(y - f)",
    "expm1(f)*y + f",
    "log_multichoose(exp(f), 1000)*y + f",
]


@pytest.mark.parametrize("formula", STABLE)
def test_formulas_as_people_write_them_are_exact_at_extreme_points(library, formula):
    points = list(itertools.product([0, 1], [*EXTREME_OUTPUTS, -20, -30, 20, 35]))
    check_exactly(library, formula, f"loss = {formula}", 1, points)


def test_the_upper_normal_tail_is_exact(library):
    # 1 - normal_cdf(40) needs 365 digits in the reference; beyond, the reference is what gives up.
    formula = "-log(1 - normal_cdf(f + y))"
    points = list(itertools.product([0, 1], [-700, -40, -5, 0, 0.5, 3, 8.5, 20, 40]))
    check_exactly(library, formula, f"loss = {formula}", 1, points)


def test_the_zero_inflated_line_of_the_manual_is_exact_at_extreme_points(library):
    text, num_outputs = PROGRAMS["zip as written in the manual"]
    points = list(itertools.product([0, 1, 40], EXTREME_OUTPUTS, EXTREME_OUTPUTS))
    check_exactly(library, text, text, num_outputs, points)


@pytest.mark.parametrize("alpha", [-math.inf, -1e6, -2, -1e-9, 0, 1e-9, 0.5, 1, 2 - 1e-9, 2, 3])
def test_general_robust_holds_at_its_limits(library, alpha):
    points = [(y, f) for y in [0, 1.5, -20] for f in [-3, 0, 0.1, 2, 8]]
    spec = f"general_robust(alpha={alpha})"
    check_exactly(library, spec, catalogue_text("general_robust"), 1, points, {"alpha": alpha})
