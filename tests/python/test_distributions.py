"""Quantiles, intervals, probabilities, samples, moments and scores, against scipy."""

import json

import numpy as np
import pytest
from command_line import QUICK, fail, numbers, predict, run, succeed, train
from distribution_losses import CENSORED_EXPONENTIAL, GEOMETRIC
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from synthetic import write_csv


def uneven(num_rows: int, seed: int) -> dict[str, np.ndarray]:
    """Normal with mean sin(3x) and sd exp(x)/2; counts and waiting times of rate exp(x)."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, num_rows).round(6)
    y = np.sin(3 * x) + np.exp(x) / 2 * draw.normal(size=num_rows)
    wait, end = draw.exponential(np.exp(x)), draw.exponential(3, num_rows)
    return {
        "x": x,
        "y": y.round(9),
        "count": draw.geometric(1 / (1 + 2 * np.exp(x))) - 1,
        "wait": np.minimum(wait, end).round(9),
        "event": (wait <= end).astype(int),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("distributions")
    write_csv(made / "train.csv", uneven(3000, seed=1))
    write_csv(made / "test.csv", uneven(3000, seed=2))
    write_csv(made / "few.csv", {name: cells[:40] for name, cells in uneven(3000, 2).items()})
    (made / "geometric.loss").write_text(GEOMETRIC)
    (made / "exponential.loss").write_text(CENSORED_EXPONENTIAL)
    return made


def trained(folder, name, target, loss, *options):
    settings = ("--features", "x", "--trees", "20", "--epochs", "40", "--quiet", *options)
    return train(folder, folder / "train.csv", "-t", target, "-l", loss, *settings, name=name)


@pytest.fixture(scope="module")
def normal(folder):
    return trained(folder, "normal", "y", "normal")


@pytest.fixture(scope="module")
def geometric(folder):
    return trained(folder, "geometric", "count", f"@{folder / 'geometric.loss'}")


@pytest.fixture(scope="module")
def exponential(folder):
    return trained(folder, "exponential", "wait", f"@{folder / 'exponential.loss'}")


def columns_of(model, data, *arguments):
    return {name: np.array(numbers(c)) for name, c in predict(model, data, *arguments).items()}


def evaluation(model, data):
    (task,) = json.loads(succeed("evaluate", model, data, "--json"))
    return task


def test_normal_columns_are_those_of_scipy(folder, normal):
    said = columns_of(
        normal, folder / "few.csv", "--quantiles", "0.05,0.5,0.999", "--interval", "0.8",
        "--prob-above", "0,1.5", "--moments",
    )  # fmt: skip
    truth = stats.norm(said["mean"], said["sd"])
    for level in (0.05, 0.5, 0.999):
        np.testing.assert_allclose(said[f"quantile_{level}"], truth.ppf(level), atol=1e-12)
    np.testing.assert_allclose(said["lower_0.8"], truth.ppf(0.1), atol=1e-12)
    np.testing.assert_allclose(said["upper_0.8"], truth.ppf(0.9), atol=1e-12)
    np.testing.assert_allclose(said["above_0"], truth.sf(0), atol=1e-14)
    np.testing.assert_allclose(said["above_1.5"], truth.sf(1.5), atol=1e-14)
    np.testing.assert_allclose(said["variance"], said["sd"] ** 2, rtol=1e-12)


def test_counts_are_those_of_scipy(folder, geometric):
    levels = (0.01, 0.37, 0.5, 0.9, 0.9999)
    said = columns_of(
        geometric, folder / "few.csv", "--quantiles", ",".join(map(str, levels)),
        "--prob-above", "0,3", "--moments",
    )  # fmt: skip
    truth = stats.nbinom(1, 1 / (1 + said["mean"]))
    for level in levels:
        np.testing.assert_array_equal(said[f"quantile_{level}"], truth.ppf(level))
    np.testing.assert_allclose(said["above_3"], truth.sf(3), atol=1e-13)
    np.testing.assert_allclose(said["variance"], truth.var(), rtol=1e-7)


def test_moments_that_no_line_states_follow_from_the_cdf(folder, exponential):
    said = columns_of(exponential, folder / "few.csv", "--moments")
    np.testing.assert_allclose(said["mean"], said["scale"], rtol=1e-7)
    np.testing.assert_allclose(said["sd"], said["scale"], rtol=1e-7)


def test_members_are_mixed(folder):
    model = trained(folder, "members", "y", "normal", "--members", "3")
    said = columns_of(model, folder / "few.csv", "--quantiles", "0.5", "--moments")
    own = columns_of(model, folder / "few.csv")
    assert (said["sd"] >= own["sd"] - 1e-12).all(), "that the members differ adds to the variance"
    assert (said["sd"] > own["sd"]).any()
    np.testing.assert_array_equal(said["mean"], own["mean"])


def test_samples_follow_the_distribution(folder, geometric):
    said = columns_of(geometric, folder / "few.csv", "--sample", "400", "--seed", "7")
    draws = np.array([said[f"sample_{i + 1}"] for i in range(400)])
    truth = stats.nbinom(1, 1 / (1 + said["mean"]))
    errors = (draws.mean(axis=0) - said["mean"]) / np.sqrt(truth.var() / 400)
    assert np.abs(errors).max() < 5
    assert 0.5 < errors.std() < 1.5, "rows are drawn independently"
    shares = (draws == 0).mean(axis=0) - truth.pmf(0)
    assert np.abs(shares).max() < 5 * np.sqrt(0.25 / 400)


def test_draws_depend_on_seed_row_and_number_alone(folder, normal):
    many = columns_of(normal, folder / "test.csv", "--sample", "3", "--seed", "1")
    few = columns_of(normal, folder / "few.csv", "--sample", "2", "--seed", "1")
    other = columns_of(normal, folder / "few.csv", "--sample", "2", "--seed", "2")
    for name in ("sample_1", "sample_2"):
        np.testing.assert_array_equal(few[name], many[name][:40])
        assert (few[name] != other[name]).all()
    assert (few["sample_1"] != few["sample_2"]).all()


def test_threads_change_no_byte(folder, geometric):
    asked = ("--quantiles", "0.1,0.9", "--sample", "3", "--moments", "--interval", "0.5")
    outputs = {
        succeed("predict", geometric, folder / "test.csv", *asked, "--threads", threads)
        for threads in (1, 2, 3)
    }
    assert len(outputs) == 1
    scores = {
        succeed("evaluate", geometric, folder / "test.csv", "--threads", threads)
        for threads in (1, 3)
    }
    assert len(scores) == 1


@settings(max_examples=15, deadline=None)
@given(levels=st.lists(st.floats(1e-6, 1 - 1e-6), min_size=1, max_size=6, unique=True))
def test_quantiles_rise_with_their_level_and_leave_no_more_above(folder, geometric, levels):
    levels = sorted(levels)
    said = columns_of(geometric, folder / "few.csv", "--quantiles", ",".join(map(str, levels)))
    mean = said.pop("mean")
    quantiles = np.array(list(said.values()))
    assert quantiles.shape == (len(levels), 40)
    assert (np.diff(quantiles, axis=0) >= 0).all()
    truth = stats.nbinom(1, 1 / (1 + mean))
    for level, row in zip(levels, quantiles, strict=True):
        assert (truth.cdf(row) >= level - 1e-12).all()
        assert (truth.cdf(row - 1) < level + 1e-12).all()


def test_simulated_responses_are_covered_as_promised(folder, normal, geometric):
    for model in (normal, geometric):
        task = evaluation(model, folder / "test.csv")
        shares = np.array(task["pit_histogram"])
        assert shares.shape == (10,)
        assert shares.sum() == pytest.approx(1)
        assert np.abs(shares - 0.1).max() < 0.035
    metrics = evaluation(normal, folder / "test.csv")["metrics"]
    assert metrics["coverage_50"] == pytest.approx(0.5, abs=0.05)
    assert metrics["coverage_90"] == pytest.approx(0.9, abs=0.04)


def test_coverage_counts_the_intervals_that_predict_gives(folder, geometric):
    said = columns_of(geometric, folder / "test.csv", "--interval", "0.5,0.9")
    y = uneven(3000, seed=2)["count"]
    metrics = evaluation(geometric, folder / "test.csv")["metrics"]
    for level, name in ((0.5, "coverage_50"), (0.9, "coverage_90")):
        inside = (said[f"lower_{level}"] <= y) & (y <= said[f"upper_{level}"])
        assert metrics[name] == pytest.approx(inside.mean(), abs=1e-12)


def test_crps_is_the_closed_form(folder, normal, geometric):
    said = columns_of(normal, folder / "test.csv")
    z = (uneven(3000, seed=2)["y"] - said["mean"]) / said["sd"]
    spread = 2 * stats.norm.pdf(z) - 1 / np.sqrt(np.pi)
    known = said["sd"] * (z * (2 * stats.norm.cdf(z) - 1) + spread)
    metrics = evaluation(normal, folder / "test.csv")["metrics"]
    assert metrics["crps"] == pytest.approx(known.mean(), rel=1e-6)

    mean = columns_of(geometric, folder / "test.csv")["mean"]
    y = uneven(3000, seed=2)["count"]
    k = np.arange(2000)[:, None]
    known = ((stats.nbinom(1, 1 / (1 + mean)).cdf(k) - (k >= y)) ** 2).sum(axis=0)
    metrics = evaluation(geometric, folder / "test.csv")["metrics"]
    assert metrics["crps"] == pytest.approx(known.mean(), rel=1e-7)


def test_censored_rows_count_up_to_what_is_known(folder, exponential):
    scale = columns_of(exponential, folder / "few.csv")["scale"]
    data = {name: cells[:40] for name, cells in uneven(3000, seed=2).items()}
    known, inside = [], []
    for y, event, s in zip(data["wait"], data["event"], scale, strict=True):
        cdf = stats.expon(scale=s).cdf
        score = integrate.quad(lambda z, cdf=cdf: cdf(z) ** 2, 0, y)[0]
        if event:
            score += integrate.quad(lambda z, cdf=cdf: (1 - cdf(z)) ** 2, y, np.inf)[0]
        known.append(score)
        p = cdf(y)
        inside.append(0.05 <= p <= 0.95 if event else max(0, 0.95 - max(p, 0.05)) / (1 - p))
    metrics = evaluation(exponential, folder / "few.csv")["metrics"]
    assert metrics["crps"] == pytest.approx(np.mean(known), rel=1e-6)
    assert metrics["coverage_90"] == pytest.approx(np.mean(inside), rel=1e-9)


def test_the_histogram_is_drawn(folder, normal):
    text = succeed("evaluate", normal, folder / "test.csv")
    assert "flat = calibrated" in text
    bars = [line for line in text.splitlines() if "█" in line]
    assert len(bars) == 10
    shares = evaluation(normal, folder / "test.csv")["pit_histogram"]
    for line, share in zip(bars, shares, strict=True):
        assert line.count("█") == pytest.approx(200 * min(share, 0.2), abs=1)


@pytest.fixture(scope="module")
def two_tasks(folder):
    return train(
        folder, folder / "train.csv", "--task", "y=normal", "--task", "wait=squared",
        "--features", "x", *QUICK, name="two",
    )  # fmt: skip


def test_of_several_tasks_those_with_a_distribution_get_the_columns(folder, two_tasks):
    done = run("predict", two_tasks, folder / "few.csv", "--quantiles", "0.5")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "y.mean,y.sd,y.quantile_0.5,wait.mean"
    assert "the loss 'squared' of 'wait'" in done.stderr
    assert "'y'" not in done.stderr


def test_averages_say_over_how_many_tasks(folder, two_tasks):
    text = succeed("evaluate", two_tasks, folder / "test.csv")
    tasks = json.loads(succeed("evaluate", two_tasks, folder / "test.csv", "--json"))
    _, averages = text.split("average of 2 tasks\n")
    said = dict(line.split() for line in averages.splitlines())
    r2 = np.mean([task["metrics"]["r2"] for task in tasks])
    assert float(said["r2"]) == pytest.approx(r2, rel=1e-5)
    assert not {"loss", "rmse", "mae"} & set(said), "a mean of unlike units is nothing"
    assert "crps" not in said, "only one of them has it"


def test_missing_responses_are_counted_and_absent_ones_named(folder, two_tasks, tmp_path):
    data = {name: list(cells) for name, cells in uneven(100, seed=3).items()}
    data["y"][:30] = [""] * 30
    text = succeed("evaluate", two_tasks, write_csv(tmp_path / "some.csv", data))
    assert "y (normal), 70 of 100 rows\n" in text
    assert "wait (squared), 100 rows\n" in text
    del data["wait"]
    done = run("evaluate", two_tasks, write_csv(tmp_path / "one.csv", data))
    assert done.returncode == 0
    assert "no column 'wait'" in done.stderr
    assert "wait (squared)" not in done.stdout
    del data["y"]
    assert "no column 'y'" in fail("evaluate", two_tasks, write_csv(tmp_path / "no.csv", data))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--quantiles", "1.5"), "above 0 and below 1"),
        (("--quantiles", "0.5,0"), "above 0 and below 1"),
        (("--quantiles", "half"), "half"),
        (("--interval", "0"), "above 0 and below 1"),
        (("--interval", "1"), "above 0 and below 1"),
        (("--sample", "-1"), "0 or more"),
        (("--prob-above", "nan"), "no number"),
    ],
)
def test_mistakes_are_named(folder, normal, asked, message):
    assert message in fail("predict", normal, folder / "few.csv", *asked)


@pytest.mark.parametrize(
    "asked",
    [("--quantiles", "0.5"), ("--interval", "0.9"), ("--prob-above", "1"), ("--sample", "1"),
     ("--moments",)],
)  # fmt: skip
def test_a_loss_without_cdf_says_so_and_names_others(folder, tmp_path, asked):
    model = train(tmp_path, folder / "few.csv", "-t", "y", "-l", "squared", *QUICK)
    message = fail("predict", model, folder / "few.csv", *asked)
    assert "the loss 'squared' of 'y' states no distribution" in message
    assert "normal" in message
