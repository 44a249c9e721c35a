"""The functions of the loss language on numbers."""

import numpy as np
import pytest
import softwood as sw
from scipy import special
from softwood import _core
from softwood.language import functions


def test_every_function_of_the_language_is_a_function_of_the_package():
    assert len(_core.loss_functions()) > 30
    for name, _, _, _ in _core.loss_functions():
        function = getattr(sw, "where" if name == "if" else name)
        assert function.__doc__
        assert function.__name__ in dir(sw)


def test_the_package_has_no_function_that_the_language_lacks():
    names = {"where" if name == "if" else name for name, _, _, _ in _core.loss_functions()}
    assert set(functions.__all__) == names


def test_a_minimum_with_nan_is_nan_however_it_is_computed():
    for a, b in ((1.0, np.nan), (np.nan, 1.0)):
        assert np.isnan(sw.min(a, b))  # constants of a text
        assert np.isnan(sw.max(np.array([a]), b)).all()  # columns


SPECIAL = {
    "sigmoid": "expit", "lgamma": "gammaln", "digamma": "digamma", "erf": "erf",
    "normal_cdf": "ndtr", "normal_log_cdf": "log_ndtr", "log_sigmoid": "log_expit",
}  # fmt: skip


def test_functions_of_numbers_agree_with_scipy_and_numpy():
    x = np.linspace(0.1, 4, 12).reshape(3, 4)
    for name, theirs in SPECIAL.items():
        np.testing.assert_allclose(getattr(sw, name)(x), getattr(special, theirs)(x), rtol=1e-12)
    for name in ("exp", "log", "log1p", "expm1", "sqrt", "abs", "floor", "tanh"):
        np.testing.assert_allclose(getattr(sw, name)(x), getattr(np, name)(x), rtol=1e-14)
    np.testing.assert_allclose(sw.gamma_p(2.0, x), special.gammainc(2.0, x), rtol=1e-12)
    np.testing.assert_allclose(sw.beta_q(2, 3, x / 5), special.betaincc(2, 3, x / 5), rtol=1e-10)
    np.testing.assert_allclose(sw.softmax(x), special.softmax(x, axis=-1), rtol=1e-14)
    np.testing.assert_allclose(sw.logsumexp(x), special.logsumexp(x, axis=-1), rtol=1e-14)
    np.testing.assert_array_equal(sw.max(x), x.max(axis=-1))
    np.testing.assert_array_equal(sw.min(x, 2), np.minimum(x, 2))
    np.testing.assert_allclose(sw.cumsum(x), np.cumsum(x, axis=-1))
    np.testing.assert_allclose(sw.cumsum(sw.diff(x)), x)
    np.testing.assert_array_equal(sw.where(x > 2, 1, 0), np.where(x > 2, 1, 0))
    assert (sw.size(x), sw.range(3).tolist()) == (4, [0, 1, 2])


def test_a_function_of_a_number_is_folded_as_in_a_formula():
    for x in np.random.default_rng(0).uniform(0.1, 20, 50):
        folded = sw.Loss(f"outputs f\nloss = f*0 + log({float(x)!r})").value(0, 0)
        assert sw.log(x) == folded
    assert isinstance(sw.log(2), float)


def test_a_loss_function_can_be_tried_on_numbers():
    def mine(y, f):
        return sw.where(sw.abs(y - f) < 1, sw.lgamma(y + 1) * f, sw.log_cosh(y - f))

    y, f = np.arange(4.0), np.linspace(0, 2, 4)
    np.testing.assert_allclose(mine(y, f), sw.Loss(mine).value(y, f), rtol=1e-14)


@pytest.mark.parametrize(
    ("call", "message"),
    [(lambda: sw.exp(1, 2), "exp takes 1 argument, not 2"), (lambda: sw.sum(3), "needs a vector"),
     (lambda: sw.min(1, 2, 3), "min takes 1 or 2 arguments"),
     (lambda: sw.softmax([]), "at least one component")],
)  # fmt: skip
def test_wrong_arguments_of_functions_are_errors(call, message):
    with pytest.raises(sw.Error, match=message):
        call()
