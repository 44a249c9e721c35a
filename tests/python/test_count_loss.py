"""--loss count: the family is chosen by the training rows, said, kept, and predicts."""

import json
import re

import numpy as np
import pytest
from command_line import QUICK, fail, numbers, predict, run, succeed, train
from loss_reference import LossEval
from safetensors import safe_open
from scipy import optimize, special, stats
from synthetic import write_csv

FAST = tuple(option for option in QUICK if option != "--quiet")
FAMILIES = [
    "poisson",
    "zero_inflated_poisson",
    "negative_binomial",
    "zero_inflated_negative_binomial",
]


def counts(family, num_rows=3000, seed=5):
    """A table of one family; x does not matter, years multiply the mean."""
    draw = np.random.default_rng(seed)
    years = draw.choice([0.5, 1.0, 2.0], num_rows)
    rate = years * 3
    if "negative_binomial" in family:
        rate = rate * draw.gamma(2, 1 / 2, num_rows)
    y = draw.poisson(rate)
    if "zero_inflated" in family:
        y = np.where(draw.uniform(size=num_rows) < 0.5, y, 0)
    return {"x": draw.normal(size=num_rows).round(4), "years": years, "y": y}


def log_likelihood(family, y, years, parameters):
    mu = years * np.exp(parameters[0])
    if "negative_binomial" in family:
        dispersion = np.exp(parameters[1])
        inner = stats.nbinom.logpmf(y, 1 / dispersion, 1 / (1 + dispersion * mu))
    else:
        inner = stats.poisson.logpmf(y, mu)
    if "zero_inflated" not in family:
        return inner
    pi = special.expit(parameters[-1])
    return np.where(y == 0, np.log(1 - pi + pi * np.exp(inner)), np.log(pi) + inner)


def num_outputs(family):
    return 1 + ("zero_inflated" in family) + ("negative_binomial" in family)


def best_bic(family, y, years):
    """By SciPy's likelihoods and a search that knows no gradients."""
    size = num_outputs(family)
    found = optimize.minimize(
        lambda parameters: -log_likelihood(family, y, years, parameters).sum(),
        np.full(size, 0.2),
        method="Nelder-Mead",
        options={"xatol": 1e-4, "fatol": 1e-4, "maxiter": 4000},
    )
    return 2 * found.fun + size * np.log(len(y))


def note_of(data, loss, *options):
    model = data.parent / "model.softwood"
    done = run("train", data, "-t", "y", "-l", loss, "-o", model, *FAST, *options)
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("note: count:")]
    return line


def bics_of(note):
    """{family: BIC} of a note, the chosen family first."""
    chosen, rest = re.fullmatch(r"note: count: (\w+) for 'y' \(BIC (.*)\)", note).groups()
    bics = {}
    for part in re.split(r"[;,] ", f"{chosen} {rest}"):
        name, bic = part.split(" ")
        bics[name] = int(bic.replace(",", ""))
    return bics


@pytest.mark.parametrize("family", FAMILIES)
def test_the_likelihood_is_that_of_scipy(family):
    library = LossEval()
    draw = np.random.default_rng(1)
    y, years = draw.integers(0, 9, 60), draw.uniform(0.2, 3, 60)
    parameters = draw.normal(size=(num_outputs(family), 60))
    loss, _, _ = library(
        f"{family}(exposure=years)", y.tolist(), parameters.tolist(), {"years": years.tolist()}
    )
    library.close()
    np.testing.assert_allclose(loss, -log_likelihood(family, y, years, parameters), rtol=1e-9)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_note_names_the_family_and_every_bic(tmp_path, family):
    table = counts(family)
    data = write_csv(tmp_path / "counts.csv", table)
    bics = bics_of(note_of(data, "count(exposure=years)", "--valid-fraction", "0"))
    assert next(iter(bics)) == family
    assert min(bics, key=bics.get) == family
    assert sorted(bics) == sorted(FAMILIES)
    for name, bic in bics.items():
        assert bic == pytest.approx(best_bic(name, table["y"], table["years"]), abs=1.5)


def test_validation_rows_have_no_say(tmp_path):
    table = counts("poisson")
    table["held_out"] = [int(row % 3 == 0) for row in range(3000)]
    spread = counts("negative_binomial")["y"]
    table["y"] = np.where(table["held_out"], spread, table["y"])
    data = write_csv(tmp_path / "counts.csv", table)
    loss = "count(exposure=years)"
    assert "count: poisson" not in note_of(data, loss, "--valid-fraction", "0")
    assert "count: poisson" in note_of(data, loss, "--valid-column", "held_out")


def test_the_model_is_that_of_the_named_family(tmp_path):
    data = write_csv(tmp_path / "counts.csv", counts("negative_binomial"))
    options = ("-t", "y", *QUICK)
    chosen = train(tmp_path, data, "-l", "count(exposure=years)", *options, name="chosen")
    named = train(tmp_path, data, "-l", "nb(exposure=years)", *options, name="named")
    assert predict(chosen, data) == predict(named, data)
    assert succeed("evaluate", chosen, data) == succeed("evaluate", named, data)
    assert "loss negative_binomial" in succeed("describe", chosen)
    assert list(predict(chosen, data)) == ["mean", "rate", "dispersion"]


def test_the_mean_is_predicted_with_the_exposure(tmp_path):
    table = counts("zero_inflated_negative_binomial")
    data = write_csv(tmp_path / "counts.csv", table)
    model = train(tmp_path, data, "-t", "y", "-l", "count(exposure=years)", *QUICK)
    predicted = {name: np.array(numbers(cells)) for name, cells in predict(model, data).items()}
    assert list(predicted) == ["mean", "mu", "dispersion", "pi"]
    np.testing.assert_allclose(predicted["mean"], predicted["pi"] * predicted["mu"], rtol=1e-5)
    assert predicted["mean"].mean() == pytest.approx(table["y"].mean(), rel=0.1)
    long, short = table["years"] == 2, table["years"] == 0.5
    assert 3 < predicted["mean"][long].mean() / predicted["mean"][short].mean() < 5


def test_the_file_keeps_the_word_and_the_family(tmp_path):
    data = write_csv(tmp_path / "counts.csv", counts("zero_inflated_poisson"))
    model = train(tmp_path, data, "-t", "y", "-l", "count(exposure=years)", *QUICK)
    with safe_open(model, "numpy") as file:
        description = json.loads(file.metadata()["model"])
    assert description["tasks"][0]["loss"]["name"] == "zero_inflated_poisson"
    assert description["tasks"][0]["loss"]["text"] == succeed("losses", "zip")
    assert description["tasks"][0]["loss"]["settings"] == {"exposure": "years"}
    assert "count(exposure=years)" in json.dumps(description["options"])


def test_the_choice_does_not_depend_on_threads_or_luck(tmp_path):
    data = write_csv(tmp_path / "counts.csv", counts("zero_inflated_negative_binomial"))
    files = {
        train(tmp_path, data, "-t", "y", "-l", "count", *QUICK, "--threads", threads).read_bytes()
        for threads in (1, 2, 2)
    }
    assert len(files) == 1


def test_several_responses_are_chosen_for_one_by_one(tmp_path):
    table = counts("poisson")
    table["bursts"] = counts("zero_inflated_negative_binomial")["y"]
    table["size"] = table["x"] ** 2
    data = write_csv(tmp_path / "counts.csv", table)
    loss = "count(exposure=years)"
    done = run(
        "train", data, "--task", f"bursts={loss}", "--task", "size", "--task", f"y={loss}",
        "-o", tmp_path / "model.softwood", *FAST,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "count: zero_inflated_negative_binomial for 'bursts'" in done.stderr
    assert "count: poisson for 'y'" in done.stderr
    predicted = predict(tmp_path / "model.softwood", data)
    for name in ("y", "bursts"):
        mean = np.mean(numbers(predicted[f"{name}.mean"]))
        assert mean == pytest.approx(np.mean(table[name]), rel=0.2)


@pytest.mark.parametrize(
    ("bad", "said"), [("-1", "y = -1"), ("2.5", "y = 2.5"), ("twelve", "'twelve'")]
)
def test_what_is_no_count_is_refused(tmp_path, bad, said):
    table = counts("poisson", 200)
    times = 40 if bad == "twelve" else 1  # a single word among numbers would be missing
    table["y"] = [*table["y"][:41], *[bad] * times, *table["y"][41 + times :]]
    data = write_csv(tmp_path / "counts.csv", table)
    model = tmp_path / "model.softwood"
    message = fail("train", data, "-t", "y", "-l", "count", "-o", model, *QUICK)
    for part in ("counts.csv", "data row 42", said, "loss 'count'"):
        assert part in message
    assert not model.exists()


def test_an_exposure_of_zero_is_refused(tmp_path):
    table = counts("poisson", 200)
    table["years"][7] = 0
    data = write_csv(tmp_path / "counts.csv", table)
    options = ("-t", "y", "-l", "count(exposure=years)", "-o", tmp_path / "model.softwood")
    assert "exposure > 0" in fail("train", data, *options, *QUICK)


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        ("count(foo=1)", "count: no parameter 'foo'; this loss has exposure"),
        ("count(expsure=years)", "did you mean 'exposure'"),
        ("count(exposure=yers)", "years"),
        ("cuont", "did you mean 'count'"),
    ],
)
def test_a_mistake_in_the_loss_gets_advice(tmp_path, loss, said):
    data = write_csv(tmp_path / "counts.csv", counts("poisson", 100))
    options = ("-t", "y", "-l", loss, "-o", tmp_path / "model.softwood")
    assert said in fail("train", data, *options, *QUICK)


def test_the_list_of_losses_explains_count():
    (line,) = [line for line in succeed("losses").splitlines() if line.startswith("  count ")]
    assert "chosen from the data" in line
    text = succeed("losses", "count")
    assert "BIC" in text
    for family in FAMILIES:
        assert family in text
    assert "count" in run("train", "--help").stdout.split("--loss")[1].split("--task")[0]


def notes_without_a_loss(tmp_path, y):
    table = counts("poisson", len(y))
    data = write_csv(tmp_path / "data.csv", {**table, "y": y})
    done = run("train", data, "-t", "y", "-o", tmp_path / "model.softwood", *FAST)
    assert done.returncode == 0, done.stderr
    assert "(squared)" in done.stderr
    return [line for line in done.stderr.splitlines() if "--loss count" in line]


def test_without_a_loss_counts_get_a_hint(tmp_path):
    (line,) = notes_without_a_loss(tmp_path, counts("zero_inflated_poisson", 300)["y"])
    assert line.startswith("note: 'y' holds whole numbers")


def test_ratings_get_no_hint(tmp_path):
    draw = np.random.default_rng(3)
    assert notes_without_a_loss(tmp_path, draw.binomial(6, 0.5, 300) + 3) == []
    assert notes_without_a_loss(tmp_path, draw.integers(0, 11, 300)) == []
