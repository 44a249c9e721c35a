"""softwood compare: several losses on one split."""

import json

import numpy as np
import pytest
from command_line import QUICK, fail, numbers, predict, run, succeed
from distribution_losses import GEOMETRIC
from synthetic import write_csv


def compare(*arguments):
    return json.loads(succeed("compare", *arguments, "--json", *QUICK))


@pytest.fixture(scope="module")
def counts(tables):
    return tables / "visits.csv"


@pytest.fixture(scope="module")
def geometric(tmp_path_factory):
    path = tmp_path_factory.mktemp("losses") / "geometric.loss"
    path.write_text(GEOMETRIC)
    return f"@{path}"


def test_losses_are_sorted_by_likelihood_and_those_without_come_last(counts, geometric):
    results = compare(counts, "-t", "y", "--losses", f"squared,normal,{geometric}")
    assert results[-1]["loss"] == "squared"
    assert results[-1]["nll"] is None
    first, second = results[:2]
    assert {first["loss"], second["loss"]} == {"normal", geometric}
    assert first["nll"] <= second["nll"]
    for result in results[:2]:
        assert result["nll"] == result["metrics"]["loss"]
        assert {"crps", "coverage_90", "rmse"} <= set(result["metrics"])
    assert all(result["rows"] == 120 for result in results), "a fifth of 600"
    assert all(result["trees"] > 0 and result["seconds"] > 0 for result in results)


def test_the_table_is_aligned_and_marks_the_best(counts, geometric):
    text = succeed("compare", counts, "-t", "y", "-l", f"squared,normal,{geometric}", *QUICK)
    lines = text.splitlines()
    assert lines[0] == "y on 120 rows that no loss has seen"
    header, *table = lines[2:6]
    titles = header.split()
    assert titles[:2] == ["loss", "NLL"]
    assert titles[-4:] == ["CRPS", "coverage_90", "trees", "seconds"]
    column = header.index("CRPS") + len("CRPS")
    scores = [line[column - 8 : column + 1].strip() for line in table]
    assert scores[2] == "", "squared has none"
    marked = [score for score in scores if score.endswith("*")]
    assert len(marked) == 1
    assert float(marked[0][:-1]) == min(float(score.rstrip("*")) for score in scores[:2])
    assert "not a complete likelihood" in text
    assert "densities" in text, "a count beside a continuous one"


def test_the_best_of_the_data_wins(tmp_path, geometric):
    draw = np.random.default_rng(5)
    x = draw.uniform(-1, 1, 2000)
    y = draw.geometric(1 / (1 + np.exp(1 + x))) - 1
    data = write_csv(tmp_path / "y.csv", {"x": x, "y": y})
    options = ("--trees", "20", "--epochs", "30", "-q", "--json")
    results = json.loads(
        succeed("compare", data, "-t", "y", "--losses", f"normal,{geometric}", *options)
    )
    assert [result["loss"] for result in results] == [geometric, "normal"]
    assert results[0]["metrics"]["crps"] < results[1]["metrics"]["crps"]


def test_settings_with_commas_in_brackets_are_one_loss(counts):
    losses = "huber(delta=2), general_robust(alpha=1, c=2),max(0.2*(y - f), -0.8*(y - f))"
    results = compare(counts, "-t", "y", "--losses", losses)
    assert {result["loss"] for result in results} == {
        "huber(delta=2)",
        "general_robust(alpha=1, c=2)",
        "max(0.2*(y - f), -0.8*(y - f))",
    }
    assert not any("failure" in result for result in results)


def test_an_exposure_of_one_loss_is_a_feature_of_none(counts, tmp_path):
    compare(counts, "-t", "y", "-l", "poisson(exposure=years),squared", "-o", tmp_path / "models")
    described = succeed("describe", tmp_path / "models/squared.softwood")
    assert "years" not in described
    compare(counts, "-t", "y", "-l", "poisson,squared", "-o", tmp_path / "models")
    assert "years" in succeed("describe", tmp_path / "models/squared.softwood")


def test_the_models_kept_have_not_seen_the_rows_held_out(counts, tmp_path):
    """The same rows for every loss, whatever the others; another seed, other rows."""
    one = compare(counts, "-t", "y", "-l", "squared,normal", "-o", tmp_path / "a")
    two = compare(counts, "-t", "y", "-l", "normal", "-o", tmp_path / "b")
    other = compare(counts, "-t", "y", "-l", "normal", "--seed", "1")
    rmse = {r["loss"]: r["metrics"]["rmse"] for r in one}
    assert rmse["normal"] == two[0]["metrics"]["rmse"]
    assert rmse["normal"] != other[0]["metrics"]["rmse"]
    a, b = (tmp_path / side / "normal.softwood" for side in "ab")
    assert a.read_bytes() == b.read_bytes()
    assert len(numbers(predict(a, counts)["mean"])) == 600


def test_a_test_table_is_used_as_it_is(counts, wave_csv, tmp_path):
    rows = counts.read_text().splitlines()
    (tmp_path / "train.csv").write_text("\n".join(rows[:401]) + "\n")
    (tmp_path / "test.csv").write_text("\n".join(rows[:1] + rows[401:]) + "\n")
    out = ("-o", tmp_path / "models")
    results = compare(
        tmp_path / "train.csv", "--test", tmp_path / "test.csv", "-t", "y", "-l", "normal", *out
    )
    assert results[0]["rows"] == 200
    model = tmp_path / "models/normal.softwood"
    (task,) = json.loads(succeed("evaluate", model, tmp_path / "test.csv", "--json"))
    assert task["metrics"] == results[0]["metrics"]


def test_a_loss_that_fails_has_its_reason_and_the_others_go_on(counts):
    losses = ("--losses", "lognormal,nonsense,squared,normal")
    done = run("compare", counts, "-t", "y", *losses, "--json", *QUICK)
    results = json.loads(done.stdout)
    assert len(results) == 4
    failures = {r["loss"]: r["failure"] for r in results if "failure" in r}
    assert failures.keys() == {"lognormal", "nonsense"}
    assert "breaks the requirement" in failures["lognormal"]
    assert "no loss 'nonsense'" in failures["nonsense"]
    done = run("compare", counts, "-t", "y", "-l", "nonsense,squared", *QUICK)
    assert "nonsense  failed: no loss 'nonsense'" in done.stdout


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_loss_that_fails_is_no_success(counts, form):
    done = run("compare", counts, "-t", "y", "-l", "nonsense,squared", *QUICK, *form)
    assert done.returncode == 2
    assert "squared" in done.stdout
    assert done.stderr == "softwood: 1 of 2 losses failed: nonsense. Their lines say why.\n"
    assert "exit code is 2" in succeed("compare", "--help")


def test_when_all_losses_fail_every_reason_is_told(counts):
    message = fail("compare", counts, "-t", "y", "-l", "nonsense,lognormal", *QUICK)
    assert "none of the losses could be trained" in message
    assert "nonsense: no loss 'nonsense'" in message
    assert "lognormal: " in message
    done = run("compare", counts, "-t", "y", "-l", "nonsense", "--json", *QUICK)
    assert done.returncode == 2
    assert "failure" in json.loads(done.stdout)[0]


@pytest.mark.parametrize("losses", ['"squared,normal"', '["squared", "normal"]'])
def test_a_config_file_says_the_same(counts, tmp_path, losses):
    (tmp_path / "compare.toml").write_text(f'target = "y"\nlosses = {losses}\ntrees = 10\n')
    options = ("--depth", "2", "--epochs", "4", "-q", "--json")
    text = succeed("compare", counts, "--config", tmp_path / "compare.toml", *options)
    from_file, plain = json.loads(text), compare(counts, "-t", "y", "-l", "squared,normal")
    assert [r["metrics"] for r in from_file] == [r["metrics"] for r in plain]


def test_what_count_chose_is_shown(counts):
    (result,) = compare(counts, "-t", "y", "-l", "count")
    assert result["chosen"] in succeed("losses")


def test_classes_are_compared_too(tables):
    results = compare(tables / "petals.csv", "-t", "kind", "-l", "softmax")
    assert results[0]["metrics"]["accuracy"] > 0.5


def test_progress_goes_to_standard_error_and_quiet_is_quiet(counts):
    quick = QUICK[:-1]
    done = run("compare", counts, "-t", "y", "-l", "squared,normal", *quick)
    assert "1 of 2: squared" in done.stderr
    assert "2 of 2: normal" in done.stderr
    assert run("compare", counts, "-t", "y", "-l", "squared", *QUICK).stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-l", "squared"), "--target"),
        (("-t", "y"), "--losses"),
        (("-t", "y", "-l", " , "), "--losses"),
        (("-t", "z", "-l", "squared"), "no column 'z'"),
        (("-t", "y", "-l", "squared,squared"), "twice"),
        (("-t", "y", "-l", "nonsense,lognormal"), "none of the losses could be trained"),
        (("-t", "y", "-l", "squared", "--trees", "0"), "trees"),
    ],
)
def test_mistakes_are_named(counts, arguments, message):
    assert message in fail("compare", counts, *arguments, "-q")
