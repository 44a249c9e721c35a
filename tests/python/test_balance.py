"""Predictions are right on average: offsets are fitted once more when the trees are done."""

import json

import numpy as np
import pytest
from command_line import fail, numbers, predict, succeed, train
from safetensors import safe_open
from synthetic import write_csv

OPTIONS = ("--trees", 20, "--quiet")


@pytest.fixture(scope="module")
def rare(tmp_path_factory):
    """A rare event and overdispersed counts, with some noise of the features' own."""
    draw = np.random.default_rng(4)
    x = draw.normal(size=(1500, 3))
    rate = np.exp(x[:, 0] - 1)
    table = {f"x{i}": x[:, i] for i in range(3)}
    table["event"] = (draw.random(1500) < 1 / (1 + np.exp(3.2 - x[:, 1]))).astype(int)
    table["count"] = draw.poisson(rate * draw.gamma(0.7, 1 / 0.7, 1500))
    table["signed"] = x[:, 2] + draw.normal(size=1500)
    return write_csv(tmp_path_factory.mktemp("rare") / "rare.csv", table)


def metrics(model, data, *options):
    told = json.loads(succeed("evaluate", model, data, "--json", *options))
    return {each["task"]: each["metrics"] for each in told}


def learn(folder, data, target, loss, *options):
    others = {"event", "count", "signed"} - {target}
    return train(
        folder, data, "--target", target, "--loss", loss, "--drop", ",".join(sorted(others)),
        *OPTIONS, *options,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("target", "loss"),
    [("event", "logistic"), ("count", "poisson"), ("count", "nb"), ("count", "zip")],
)
def test_means_of_predictions_and_responses_are_equal(tmp_path, rare, target, loss):
    model = learn(tmp_path, rare, target, loss)
    assert metrics(model, rare)[target]["ratio_of_means"] == pytest.approx(1, abs=1e-6)


def test_without_it_they_are_not(tmp_path, rare):
    model = learn(tmp_path, rare, "event", "logistic", "--balance", "false")
    assert abs(metrics(model, rare)["event"]["ratio_of_means"] - 1) > 1e-3


def test_a_response_of_both_signs_has_a_difference_of_means(tmp_path, rare):
    told = metrics(learn(tmp_path, rare, "signed", "squared"), rare)["signed"]
    assert abs(told["difference_of_means"]) < 1e-6
    assert "ratio_of_means" not in told


def test_the_trees_are_the_same_and_the_papers_recipe_does_without(tmp_path, rare):
    def tensors(*options):
        with safe_open(learn(tmp_path, rare, "event", "logistic", *options), "np") as file:
            model = json.loads(file.metadata()["model"])
            offsets = model["tasks"][0]["offset"], model["members"][0]["offset"]
            return {
                name: file.get_tensor(name).tobytes()
                for name in file.keys()  # noqa: SIM118
            }, *offsets

    balanced, constant, offset = tensors()
    plain, same_constant, plain_offset = tensors("--balance", "false")
    assert balanced == plain
    assert constant == same_constant == plain_offset != offset
    _, constant, offset = tensors("--recipe", "paper", "--epochs", 2)
    assert constant == offset


def test_members_are_balanced_together(tmp_path, rare):
    model = train(
        tmp_path, rare, "--task", "event=logistic", "--task", "count=poisson",
        "--drop", "signed", "--members", 3, *OPTIONS,
    )  # fmt: skip
    told = metrics(model, rare)
    # It is the training rows of each and the out-of-fold rows that are balanced.
    for target in ("event", "count"):
        assert told[target]["ratio_of_means"] == pytest.approx(1, abs=0.03)
    with safe_open(model, "np") as file:
        members = json.loads(file.metadata()["model"])["members"]
    assert len({tuple(member["offset"]) for member in members}) == 1


def test_rows_count_by_their_weights(tmp_path, rare):
    text = rare.read_text().splitlines()
    weighted = tmp_path / "weighted.csv"
    lines = [f"{line},{1 + 3 * (i % 2)}" for i, line in enumerate(text[1:])]
    weighted.write_text("\n".join([text[0] + ",w", *lines]) + "\n")
    model = learn(tmp_path, weighted, "count", "poisson", "--weight", "w")
    mean = np.array(numbers(predict(model, weighted)["mean"]))
    column = text[0].split(",").index("count")
    y = np.array([float(line.split(",")[column]) for line in text[1:]])
    weight = 1 + 3 * (np.arange(len(y)) % 2)
    assert (weight * mean).sum() / (weight * y).sum() == pytest.approx(1, abs=1e-6)


def test_text_that_is_no_truth_is_refused(tmp_path, rare):
    told = fail("train", rare, "--target", "y", "-o", tmp_path / "m", "--balance", "perhaps")
    assert "balance" in told
