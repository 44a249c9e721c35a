"""What several tasks in one model have in common."""

import json
from collections import Counter

import numpy as np
import pytest
from command_line import fail, numbers, predict, run, succeed, train
from safetensors import safe_open
from synthetic import write_csv
from tree_tensors import tree_tensors

BOTH = ("--target", "a,b", "--quiet")
SHORT = ("--trees", 18, "--epochs", 4)
SHARES = ("hard", "soft", "none", "partly")


def two_responses(num_rows=400, seed=1):
    """a and b are different functions of the same two columns; c is a class."""
    draw = np.random.default_rng(seed)
    x1, x2 = draw.uniform(-1, 1, (2, num_rows)).round(6)
    noise = draw.normal(0, 0.1, (2, num_rows))
    a = np.sin(3 * x1) + x2 + noise[0]
    b = np.sin(3 * x1) - x2 + noise[1]
    names = np.array(["low", "middle", "high"])
    c = names[np.digitize(a, [-0.5, 0.5])]
    return {"x1": x1, "x2": x2, "a": a.round(6), "b": b.round(6), "c": c}


@pytest.fixture(scope="module")
def both_csv(tmp_path_factory):
    return write_csv(tmp_path_factory.mktemp("tasks") / "both.csv", two_responses())


def with_holes(table, share=0.5, seed=2):
    draw = np.random.default_rng(seed)
    holed = dict(table)
    for name in ("a", "b"):
        keep = draw.uniform(size=len(table[name])) >= share
        holed[name] = [str(v) if k else "" for v, k in zip(table[name], keep, strict=True)]
    return holed


def bundles(model):
    with safe_open(model, framework="numpy") as file:
        return json.loads(file.metadata()["model"])["members"][0]["trees"]["bundles"]


def splits(model):
    """The curves of every bundle, by the output that it feeds first."""
    by_output = {}
    for bundle, tensors in zip(bundles(model), tree_tensors(model), strict=True):
        by_output.setdefault(bundle["first_output"], []).append(tensors["curves"].ravel())
    return {output: np.concatenate(parts) for output, parts in by_output.items()}


def test_nothing_shared_is_training_every_task_alone(tmp_path, both_csv):
    whole = ("--keep-loss", 0)  # how many knots are kept is one choice for all tasks
    together = train(tmp_path, both_csv, *BOTH, *SHORT, "--drop", "c", "--share", "none", *whole)
    found = predict(together, both_csv)
    half = ("--trees", 9, *SHORT[2:], *whole)
    for target, other in ("ab", "ba"):
        drop = ("--drop", f"{other},c")
        alone = train(tmp_path, both_csv, "--target", target, *drop, *half, "--quiet", name=target)
        assert found[f"{target}.mean"] == predict(alone, both_csv)["mean"]


def test_soft_sharing_of_strength_zero_is_none(tmp_path, both_csv):
    options = (*BOTH, *SHORT, "--drop", "c")
    none = train(tmp_path, both_csv, *options, "--share", "none", name="none")
    soft = train(tmp_path, both_csv, *options, "--share", "soft", "--share-strength", 0)
    assert predict(none, both_csv) == predict(soft, both_csv)


def test_the_stronger_soft_sharing_the_nearer_the_splits_of_the_tasks(tmp_path, both_csv):
    # Without validation rows all keep the last epoch.
    options = (*BOTH, "--ensemble", "wide=8", "--epochs", 20, "--drop", "c", "--valid-fraction", 0)
    options += ("--keep-loss", 0)
    apart = []
    for strength in (1e-6, 0.005, 0.1, 1e6):
        soft = ("--share", "soft", "--share-strength", strength)
        own = splits(train(tmp_path, both_csv, *options, *soft))
        assert sorted(own) == [0, 1]
        apart.append(np.linalg.norm(own[0] - own[1]) / np.linalg.norm(own[0]))
    assert apart == sorted(apart, reverse=True)
    assert apart[0] > 0.3
    assert apart[-1] < 1e-4


def test_infinitely_strong_soft_sharing_is_hard_sharing(tmp_path, both_csv):
    # One split for two responses is a compromise; one for each is none.
    options = (*BOTH, "--ensemble", "wide=1", "--depth", 1, "--epochs", 60, "--drop", "c")
    outcome = {}
    for name, share in {
        "hard": ("--share", "hard"),
        "tied": ("--share", "soft", "--share-strength", 1e6),
        "free": ("--share", "soft", "--share-strength", 1e-6),
    }.items():
        model = train(tmp_path, both_csv, *options, *share, "--valid-fraction", 0)
        found = predict(model, both_csv)
        outcome[name] = np.array([numbers(found[f"{target}.mean"]) for target in "ab"])
    off = {name: np.abs(outcome[name] - outcome["hard"]).mean() for name in ("tied", "free")}
    assert off["tied"] < 0.1 * off["free"], off


@pytest.mark.parametrize("share", SHARES)
def test_every_sharing_learns_both_where_half_of_the_responses_are_missing(tmp_path, share):
    data = write_csv(tmp_path / "holed.csv", with_holes(two_responses(1500)))
    whole = write_csv(tmp_path / "whole.csv", two_responses(600, seed=9))
    model = train(tmp_path, data, *BOTH, "--drop", "c", "--share", share)
    figures = json.loads(succeed("evaluate", model, whole, "--json"))
    tasks = {each["task"]: each for each in figures if "task" in each}
    assert all(tasks[target]["metrics"]["r2"] > 0.95 for target in "ab")


@pytest.mark.parametrize("share", SHARES)
def test_threads_change_no_byte(tmp_path, both_csv, share):
    options = (*BOTH, *SHORT, "--drop", "c", "--share", share)
    first = train(tmp_path, both_csv, *options, "--threads", 1, name="one").read_bytes()
    second = train(tmp_path, both_csv, *options, "--threads", 3, name="three").read_bytes()
    assert first == second


@pytest.mark.parametrize("share", SHARES)
def test_what_stands_where_a_response_is_missing_changes_nothing(tmp_path, share):
    table = with_holes(two_responses())
    table["years"] = np.ones(400)
    table["a"] = [str(abs(round(float(v)))) if v else "" for v in table["a"]]
    other = dict(table)
    other["years"] = [1 if a else 1e300 for a in table["a"]]  # read by the loss of a alone
    other["a"] = [a or "NaN" for a in table["a"]]
    other["b"] = [b or "?" for b in table["b"]]
    options = ("--task", "a=poisson(exposure=years)", "--task", "b=squared", *SHORT, "--quiet")
    found = []
    for number, each in enumerate((table, other)):
        data = write_csv(tmp_path / f"{number}.csv", each)
        model = train(tmp_path, data, *options, "--drop", "c", "--share", share, name=str(number))
        found.append(model.read_bytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("share", SHARES)
def test_a_task_that_most_batches_do_not_see_is_learned_too(tmp_path, share):
    table = two_responses()
    table["b"] = [str(b) if row % 20 == 3 else "" for row, b in enumerate(table["b"])]
    data = write_csv(tmp_path / "rare.csv", table)
    model = train(tmp_path, data, *BOTH, "--drop", "c", "--share", share, "--batch-size", 8)
    found = predict(model, data)
    assert np.isfinite(numbers(found["b.mean"])).all()
    assert np.std(numbers(found["b.mean"])) > 0.1


def test_rows_without_any_response_are_dropped_with_a_word(tmp_path):
    table = with_holes(two_responses())
    for name in ("a", "b"):
        table[name] = ["" if row < 7 else value or "0" for row, value in enumerate(table[name])]
    data = write_csv(tmp_path / "data.csv", table)
    done = run("train", data, "--target", "a,b", *SHORT, "-o", tmp_path / "m.softwood")
    assert "7 of 400 rows" in done.stderr


def test_tasks_of_all_kinds_and_different_numbers_of_classes(tmp_path, both_csv):
    table = two_responses()
    table["sign"] = np.where(table["b"] > 0, "plus", "minus")
    table["n"] = np.random.default_rng(4).poisson(np.exp(table["x1"]))
    data = write_csv(tmp_path / "kinds.csv", table)
    tasks = ("a=squared", "c=softmax", "sign=logistic", "n=zip")
    flags = [part for task in tasks for part in ("--task", task)]
    model = train(tmp_path, data, *flags, *SHORT, "--drop", "b", "--quiet", "--share", "soft")
    found = predict(model, data)
    assert [name for name in found if name.startswith("c.")] == [
        "c.class",
        "c.probability_high",
        "c.probability_low",
        "c.probability_middle",
    ]
    assert {"a.mean", "sign.class", "sign.probability_plus", "n.mean", "n.pi"} <= set(found)
    assert np.mean(np.array(found["c.class"]) == table["c"]) > 0.7


@pytest.mark.parametrize(("components", "copies"), [("shared", 1), ("separate", 2)])
def test_components_of_one_loss_share_splits_or_do_not(tmp_path, both_csv, components, copies):
    options = ("--target", "a", "--loss", "normal", "--drop", "b,c", "--quiet")
    trees = ("--ensemble", "wide=6", "--epochs", 4, "--components", components)
    told = bundles(train(tmp_path, both_csv, *options, *trees))
    assert sum(bundle["trees"] for bundle in told) == 6 * copies
    assert {bundle["outputs"] for bundle in told} == {2 // copies}


def test_own_groups_are_there_once_for_every_task(tmp_path, both_csv):
    groups = ("--ensemble", "wide=4,own_wide=3", "--epochs", 4, "--valid-fraction", 0)
    told = bundles(train(tmp_path, both_csv, *BOTH, "--drop", "c", *groups))
    trees = Counter()
    for bundle in told:
        trees[bundle["first_output"], bundle["outputs"]] += bundle["trees"]
    assert trees == {(0, 2): 4, (0, 1): 3, (1, 1): 3}


def test_trees_that_no_task_keeps_are_not_in_the_file(tmp_path):
    # Four tasks that learn at different paces keep different epochs of softly shared trees.
    table = two_responses(500)
    draw = np.random.default_rng(3)
    table |= {f"n{k}": (table["a"] + k * draw.normal(size=500)).round(5) for k in (1, 4)}
    data = write_csv(tmp_path / "paces.csv", table)
    options = ("--target", "a,n4,b,n1", "--drop", "c", "--share", "soft", "--quiet")
    model = train(tmp_path, data, *options)
    assert all(np.any(tensors["leaves"]) for tensors in tree_tensors(model))


def test_members_and_own_trees_go_together(tmp_path, both_csv):
    options = (*BOTH, *SHORT, "--drop", "c", "--share", "none", "--members", 2)
    held_out = tmp_path / "honest.csv"
    train(tmp_path, both_csv, *options, "--out-of-fold", held_out)
    assert held_out.read_text().startswith("fold,a.mean,b.mean\n")


def test_a_task_without_weight_is_not_learned(tmp_path, both_csv):
    # Trees that narrow starts grew would have learned it already.
    options = (*BOTH, "--drop", "c", "--ensemble", "wide=8", "--task-weight", "b=0")
    found = predict(train(tmp_path, both_csv, *options, "--stop-weight", "b=0"), both_csv)
    assert np.std(numbers(found["b.mean"])) < 0.1 * np.std(numbers(found["a.mean"]))


def test_a_task_that_counts_more_is_learned_better_by_shared_splits(tmp_path, both_csv):
    errors = []
    for weight in (0.01, 100):
        options = ("--ensemble", "wide=1", "--depth", 1, "--epochs", 60, "--valid-fraction", 0)
        model = train(
            tmp_path, both_csv, *BOTH, "--drop", "c", *options, "--task-weight", f"a={weight}"
        )
        found = numbers(predict(model, both_csv)["a.mean"])
        errors.append(np.mean((two_responses()["a"] - found) ** 2))
    assert errors[1] < 0.8 * errors[0]


def num_epochs(tmp_path, table, *options):
    data = write_csv(tmp_path / "data.csv", table)
    history = tmp_path / "history.csv"
    train(tmp_path, data, "--quiet", "--drop", "c", "--history", history, *options)
    return len(history.read_text().splitlines()) - 1


def test_a_task_of_pure_noise_does_not_shorten_the_learning_of_another(tmp_path):
    table = two_responses(600)
    table["b"] = np.random.default_rng(5).normal(size=600).round(6)
    alone = num_epochs(tmp_path, table, "--target", "a", "--drop", "b")
    assert num_epochs(tmp_path, table, "--target", "a,b", "--share", "hard") >= alone


def test_weights_are_kept_in_the_file(tmp_path, both_csv):
    weights = ("--task-weight", "a=2", "--stop-weight", "b=0.5")
    model = train(tmp_path, both_csv, *BOTH, *SHORT, "--drop", "c", *weights)
    with safe_open(model, framework="numpy") as file:
        told = json.loads(file.metadata()["model"])["options"]["tasks"]
    assert told[0]["weight"] == 2
    assert told[1]["stop_weight"] == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--target", "a,b", "--share", "much"), "hard, partly, soft, none or auto"),
        (("--target", "a", "--share", "soft"), "there is one"),
        (("--target", "a,b", "--share-strength", 1), "--share soft"),
        (("--target", "a,b", "--share", "soft", "--share-strength", -1), "zero or more"),
        (("--target", "a,b", "--components", "separate", "--share", "hard"), "same splits"),
        (("--target", "a,b", "--components", "separate"), "same splits"),
        (("--target", "a,b", "--share", "none", "--ensemble", "wide=4"), "own_wide"),
        (("--target", "a,b", "--ensemble", "own=4"), "own_narrow"),
        (("--target", "a,b", "--task-weight", "z=2"), "'z' is no target"),
        (("--target", "a,b", "--task-weight", "a=much"), "TARGET=NUMBER"),
        (("--target", "a,b", "--stop-weight", "a"), "TARGET=NUMBER"),
        (("--target", "a,b", "--task-weight", "a=-1"), "zero or more"),
    ],
)
def test_mistakes(tmp_path, both_csv, options, message):
    assert message in fail("train", both_csv, *options, "-o", tmp_path / "m.softwood")
