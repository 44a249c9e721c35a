"""Predicted distributions, asked from Python; truths by scipy and by counting."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import softwood as sw
from scipy import stats
from softwood import SoftTreeRegressor
from synthetic import visits, wave

QUICK = {"trees": 12, "depth": 2, "epochs": 4}


@pytest.fixture(scope="module")
def counts():
    frame = pd.DataFrame(visits()).rename(columns={"y": "visits"})
    X = frame.drop(columns="visits")
    return SoftTreeRegressor("poisson", **QUICK).fit(X, frame["visits"]), X


@pytest.fixture(scope="module")
def numbers():
    frame = pd.DataFrame(wave()).drop(columns="id")
    X = frame.drop(columns="y")
    return SoftTreeRegressor("normal", **QUICK).fit(X, frame["y"]), X


def test_counts_agree_with_scipy(counts):
    regressor, X = counts
    distribution = regressor.predict_distribution(X)
    truth = stats.poisson(regressor.predict(X))
    assert distribution.is_discrete
    assert distribution.mean() == pytest.approx(truth.mean())
    assert distribution.var() == pytest.approx(truth.var())
    assert (distribution.quantile(0.9) == truth.ppf(0.9)).all()
    assert distribution.cdf(2) == pytest.approx(truth.cdf(2))
    assert (distribution.median() == truth.ppf(0.5)).all()


def test_numbers_agree_with_scipy(numbers):
    regressor, X = numbers
    distribution = regressor.predict_distribution(X)
    truth = stats.norm(distribution.mean(), distribution.std())
    lower, upper = distribution.interval(0.8)
    assert lower == pytest.approx(truth.ppf(0.1))
    assert upper == pytest.approx(truth.ppf(0.9))
    per_row = np.linspace(-2, 2, len(X))
    assert distribution.cdf(per_row) == pytest.approx(truth.cdf(per_row))


def test_shapes_follow_the_question(numbers):
    regressor, X = numbers
    distribution = regressor.predict_distribution(X)
    n = len(X)
    assert len(distribution) == n
    assert distribution.quantile(0.5).shape == (n,)
    assert distribution.quantile([0.1, 0.5, 0.9]).shape == (n, 3)
    assert distribution.cdf(np.zeros((n, 2))).shape == (n, 2)
    assert distribution.sample(4, random_state=1).shape == (n, 4)
    assert distribution.sample(0).shape == (n, 0)
    assert "'y'" in repr(distribution)


def test_the_same_seed_draws_the_same(counts):
    regressor, X = counts
    distribution = regressor.predict_distribution(X)
    assert (distribution.sample(3, 1) == distribution.sample(3, 1)).all()
    assert (distribution.sample(3, 1) != distribution.sample(3, 2)).any()
    assert (
        distribution.sample(2, np.random.default_rng(0))
        == distribution.sample(2, np.random.default_rng(0))
    ).all()
    draws = distribution.sample(400, 1)
    error = (draws.mean(axis=1) - distribution.mean()) / np.sqrt(distribution.var() / 400)
    assert abs(error.mean()) < 4 / np.sqrt(len(X))


def test_questions_that_make_no_sense_are_refused(counts):
    regressor, X = counts
    distribution = regressor.predict_distribution(X)
    for question in (
        lambda: distribution.quantile(1.5),
        lambda: distribution.interval(0),
        lambda: distribution.cdf([1.0, 2.0]),
        lambda: distribution.cdf(np.zeros((2, 2, 2))),
        lambda: distribution.sample(-1),
    ):
        with pytest.raises(sw.Error):
            question()


def test_a_loss_without_a_distribution_says_which_have_one(counts):
    _, X = counts
    plain = SoftTreeRegressor("squared", **QUICK).fit(X, np.arange(len(X)))
    with pytest.raises(sw.Error, match="normal"):
        plain.predict_distribution(X)


def test_outlives_its_model(counts):
    regressor, X = counts
    distribution = SoftTreeRegressor("poisson", **QUICK).fit(X, regressor.predict(X).round())
    distribution = distribution.predict_distribution(X.copy())
    assert np.isfinite(distribution.mean()).all()
