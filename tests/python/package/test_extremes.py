"""Responses, weights and exposures of any size: training ends, and predicts what it saw or says
why it cannot."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import softwood as sw

ROWS = 40
QUICK = {"trees": 2, "depth": 1, "epochs": 1, "verbose": False}
CLASSES = {"logistic", "ordinal", "softmax"}
LOSSES = sorted({entry.name for entry in sw._core.loss_catalogue()} - CLASSES)
STEPS = np.arange(ROWS) * 7 % 5  # 0 … 4


def table(y, **columns) -> pd.DataFrame:
    return pd.DataFrame({"a": np.arange(ROWS) % 11, "b": STEPS, "y": y, **columns})


def has_share(loss: str) -> bool:
    return loss.startswith(("zero_inflated", "hurdle", "count"))


def learns(data: pd.DataFrame, loss: str, *, among: float = 1.0, **options) -> bool:
    """True for a model whose predictions lie near the responses, False for an error for people.
    `among`: how far off predictions may be, in units of the responses' range."""
    try:
        model = sw.train(data, {"y": loss}, **QUICK, **options)
    except sw.Error:
        return False
    predicted = model.predict(data)
    values = np.asarray(predicted[predicted.names[0]])
    low, high = data["y"].min(), data["y"].max()
    size = max(abs(low), abs(high))
    # A mean is a share times a size, and a share of 1 is never quite learned; of counts beyond 1e12
    # the likelihood is rounded by more than a share changes it.
    room = among * (high - low) + 1e-4 * (low == high == 0)
    room += size if has_share(loss) and size > 2e12 else (5e-3 if has_share(loss) else 1e-4) * size
    assert np.isfinite(values).all(), (loss, low, high)
    assert values.min() >= low - room, (loss, low, high)
    assert values.max() <= high + room, (loss, low, high)
    return True


@pytest.mark.parametrize("loss", LOSSES)
def test_responses_of_any_scale(loss):
    for scale in (1e-300, 1e-160, 1e-30, 1e-3, 1e3, 1e30, 1e160, 1e300):
        learned = learns(table(scale * (1 + STEPS)), loss)
        assert learned or scale != 1e3 or loss == "beta"


@pytest.mark.parametrize("loss", LOSSES)
def test_responses_with_a_common_part_of_any_size(loss):
    for common in (1e4, 1e7, 1.7e9, 1e12, 1e15):
        learned = learns(table(common + STEPS), loss)
        below_one = learns(table((1 + STEPS / common) / 2), loss)
        assert learned or below_one or common > 1e12


@pytest.mark.parametrize("loss", LOSSES)
def test_equal_responses_of_any_size(loss):
    for value in (0.0, 1e-300, 1e-8, 0.5, 7.0, 1e12, 1e15, 1e100, 1e300):
        learned = learns(table(np.full(ROWS, value)), loss)
        assert learned or value != (0.5 if loss == "beta" else 7.0)


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_of_any_size(loss):
    y = (1.0 + STEPS) / (8 if loss == "beta" else 1)
    ladder = np.resize([1e308, 1e-300, 1.0], ROWS)
    for weights in (np.full(ROWS, 1e308), np.full(ROWS, 1e-300), ladder):
        model = sw.train(table(y, w=weights), {"y": loss}, weight="w", **QUICK)
        predicted = model.predict(table(y, w=weights))
        assert np.isfinite(np.asarray(predicted[predicted.names[0]])).all(), weights[:3]


@pytest.mark.parametrize(
    "loss",
    [
        name
        for name in LOSSES
        if "exposure" in next(e.text for e in sw._core.loss_catalogue() if e.name == name)
    ],
)
def test_exposures_of_any_size(loss):
    for size in (1e-300, 1e-20, 1.0, 1e20, 1e300):
        exposure = size * (1 + STEPS % 2)
        assert learns(table(1.0 + STEPS, e=exposure), f"{loss}(exposure=e)", among=2)


def test_large_numbers_that_differ_little_are_learned():
    """Unix times within ten minutes, Julian dates within a day, 10 MHz within a few Hz."""
    for common, unit in ((1.7e9, 60.0), (2460000.5, 0.01), (1e7, 1.0)):
        y = common + unit * np.repeat(STEPS, 10)
        data = pd.DataFrame({"b": np.repeat(STEPS, 10), "y": y})
        for loss in ("squared", "absolute", "normal", "gamma"):
            model = sw.train(data, {"y": loss}, trees=6, epochs=60, verbose=False)
            predicted = model.predict(data)
            error = np.abs(np.asarray(predicted[predicted.names[0]]) - y)
            assert np.median(error) < 0.5 * unit, (common, loss)
