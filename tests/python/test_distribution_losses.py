"""The command learns with losses that have vectors, bounds, orders and censored rows."""

import numpy as np
import pytest
from command_line import QUICK, fail, predict, succeed, train
from synthetic import write_csv

ROWS = 500


@pytest.fixture(scope="module")
def amounts(tmp_path_factory):
    """Responses of several kinds that grow with x."""
    draw = np.random.default_rng(4)
    x = draw.uniform(-1, 1, ROWS).round(5)
    latent = 1 + 2 * x + draw.normal(0, 0.5, ROWS)
    time, limit = np.exp(latent / 2), draw.exponential(3, ROWS)
    table = {
        "x": x,
        "spent": np.maximum(latent, 0),
        "grade": np.digitize(latent, [0, 1, 2]),
        "share": 1 / (1 + np.exp(-latent)),
        "time": np.minimum(time, limit),
        "died": (time <= limit).astype(int),
        "likes_a": (latent > 0.5).astype(int),
        "likes_b": (latent < 1.5).astype(int),
        "visits": draw.poisson(np.exp(latent / 2)),
    }
    return write_csv(tmp_path_factory.mktemp("amounts") / "amounts.csv", table)


def learn(tmp_path, data, target, loss):
    return train(tmp_path, data, "--target", target, "--features", "x", "--loss", loss, *QUICK)


TARGETS = {"numbers": "spent", "counts": "visits", "amounts": "time", "survival": "time"}
OTHER_TARGETS = {"beta": "share", "logistic": "likes_a", "softmax": "grade", "ordinal": "grade"}


def catalogue():
    kind = ""
    for line in succeed("losses").splitlines():
        if line.startswith("  "):
            yield line.split()[0], OTHER_TARGETS.get(line.split()[0]) or TARGETS[kind]
        elif line:
            kind = line


@pytest.mark.parametrize(("loss", "target"), catalogue())
def test_every_loss_learns_from_its_kind_of_response(tmp_path, amounts, loss, target):
    model = learn(tmp_path, amounts, target, loss)
    x = np.array(predict(model, amounts, "--keep", "x")["x"], float)
    predicted = predict(model, amounts)
    names = [name for name in predicted if name != "class"]
    assert names
    for name in names:
        assert np.isfinite(np.array(predicted[name], float)).all(), name
    # The first number (of classes the last) is about the response, which grows with x.
    best = np.array(predicted[names[-1] if "class" in predicted else names[0]], float)
    assert np.corrcoef(x, best)[0, 1] > 0.5


def test_quantiles_are_named_by_their_levels(tmp_path, amounts):
    model = learn(tmp_path, amounts, "share", "multi_quantile(0.1, 0.5, 0.95)")
    predicted = predict(model, amounts)
    assert list(predicted) == ["quantile_0.1", "quantile_0.5", "quantile_0.95"]
    low, middle, high = (np.array(column, float) for column in predicted.values())
    assert (low <= middle).all()
    assert (middle <= high).all()


@pytest.mark.parametrize("loss", ["tobit", "tobit(0, inf)", "tobit(upper=inf)", "tobit(-inf, 9)"])
def test_infinite_settings_survive_the_file(tmp_path, amounts, loss):
    predicted = predict(learn(tmp_path, amounts, "spent", loss), amounts)
    assert list(predicted) == ["mean", "latent_mean", "sd"]
    mean, latent = np.array(predicted["mean"], float), np.array(predicted["latent_mean"], float)
    if "-inf" not in loss:
        assert (mean >= 0).all()
        assert (mean >= latent).all()


def test_survival_needs_the_event_only_to_learn(tmp_path, amounts):
    model = learn(tmp_path, amounts, "time", "weibull_aft(event=died)")
    alone = write_csv(tmp_path / "alone.csv", {"x": [-0.9, 0.9]})
    median = np.array(predict(model, alone)["median"], float)
    assert median[0] < median[1]


def test_ordered_classes_get_probabilities_that_sum_to_one(tmp_path, amounts):
    predicted = predict(learn(tmp_path, amounts, "grade", "ordinal"), amounts)
    assert list(predicted) == ["class", *[f"probability_{k}" for k in range(4)]]
    shares = np.array([predicted[f"probability_{k}"] for k in range(4)], float)
    np.testing.assert_allclose(shares.sum(0), 1, atol=1e-5)


def test_multilabel_learns_one_probability_per_target(tmp_path, amounts):
    model = learn(tmp_path, amounts, "likes_a,likes_b", "multilabel")
    predicted = predict(model, amounts)
    assert {"likes_a.probability_1", "likes_b.probability_1"} <= set(predicted)


def test_the_variance_stays_among_the_moments(tmp_path, amounts):
    predicted = predict(learn(tmp_path, amounts, "share", "mixture_normal(2)"), amounts)
    assert "variance" not in predicted
    assert {"mean", "weight_0", "mu_1", "sigma_1"} <= set(predicted)


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        ("multi_quantile(0.9, 0.1)", "min(diff(levels)) > 0"),
        ("multi_quantile(levels=[])", "needs at least one number"),
        ("huber(1, 2)", "2 settings, but this loss has 1 parameter: delta"),
        ("mixture_normal(0)", "cannot have 0 components"),
        ("beta", "breaks the requirement 'y > 0 and y < 1'"),
    ],
)
def test_settings_that_do_not_fit_are_explained(tmp_path, amounts, loss, words):
    model = tmp_path / "none.softwood"
    message = fail("train", amounts, "--target", "grade", "--loss", loss, *QUICK, "-o", model)
    assert words in message


def test_the_list_is_grouped_by_kind():
    lines = succeed("losses").splitlines()
    heads = [line for line in lines if line and not line.startswith((" ", "'"))]
    assert heads == ["numbers", "counts", "amounts", "classes", "survival"]
    assert all(len(line) < 170 for line in lines)
