"""What the command says about the files that people have, and how to make it decide otherwise."""

import re
import shlex

import numpy as np
import pytest
from command_line import QUICK, ROOT, fail, predict, run, succeed, train
from synthetic import write_csv

PAGE = (ROOT / "docs/files.md").read_text()
# What is read, not what became of a moment of training.
SPOKEN = (*(option for option in QUICK if option != "--quiet"), "--keep-loss", "0")


def german(value, decimals=2):
    return f"{value:,.{decimals}f}".translate(str.maketrans(",.", ".,"))


def write_sales(path):
    draw = np.random.default_rng(2)
    rows = ["nr;day;visitors;sun;revenue;note"]
    for n in range(1, 61):
        sun = draw.uniform(0, 12)
        visitors = "closed" if n == 7 else "-" if n % 20 == 0 else str(draw.integers(20, 90))
        revenue = "1.204,50" if n == 1 else german(900 + 100 * sun + draw.normal(0, 30))
        rows.append(f"{n};{n % 28 + 1}.{n % 12 + 1}.2020;{visitors};{german(sun)};{revenue};ok")
    path.write_text("\n".join(rows) + "\n")


@pytest.fixture(scope="module")
def sales(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sales")
    write_sales(folder / "sales.csv")
    (folder / "new.csv").write_text(
        "day;sun;visitors;note\n1.5.2020;7,5;40;ok\n2.5.2020;0,5;-;ok\n"
    )
    return folder


def words_of(done):
    """What is said before the training; afterwards there are words about trees and offsets."""
    words = r"^(?:note|warning): (?!trees: |offsets ).*$"
    return re.findall(words, done.stderr, flags=re.MULTILINE)


def test_the_page_shows_what_is_said(sales):
    done = run("train", sales / "sales.csv", "--target", "revenue", "-o", sales / "m", *SPOKEN)
    assert done.returncode == 0
    shown = re.search(r"```\n(note: .*?)```", PAGE, flags=re.DOTALL).group(1).splitlines()
    assert words_of(done) == shown


def test_the_commands_of_the_page_work(sales, monkeypatch):
    monkeypatch.chdir(sales)
    for command in re.findall(r"^softwood (.*)$", PAGE, flags=re.MULTILINE):
        options = () if command.startswith("predict") else QUICK
        succeed(*shlex.split(command), *options)


@pytest.mark.parametrize(
    ("rows", "option"),
    [
        (["price;x", *(f"{n % 9 + 1},{100 + n};{n}" for n in range(40))], "until then 'price' is"),
        (["a;b;y", *(f"{n}.5;{n},5;{n}" for n in range(40))], "--decimal , or --decimal . decides"),
    ],
)
def test_the_page_shows_these_warnings_too(tmp_path, rows, option):
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    target = rows[0][-1]
    done = run("train", tmp_path / "t.csv", "-t", target, "-o", tmp_path / "m", *SPOKEN)
    assert option in done.stderr
    assert option in PAGE


def test_a_german_file_is_learned_as_the_same_numbers_with_points(tmp_path):
    draw = np.random.default_rng(5)
    x, z = draw.normal(size=(2, 300)).round(4)
    table = {"x": x, "z": z, "y": (2 * x + z).round(4)}
    points = write_csv(tmp_path / "points.csv", table)
    text = points.read_text().replace(",", ";").replace(".", ",")
    (tmp_path / "commas.csv").write_text(text)
    first = train(tmp_path, points, "--target", "y", *QUICK, name="points")
    second = train(tmp_path, tmp_path / "commas.csv", "--target", "y", *QUICK, name="commas")
    assert first.read_bytes() == second.read_bytes()
    assert predict(first, points) == predict(first, tmp_path / "commas.csv")


@pytest.mark.parametrize(
    "token", ["N/A", "n/a", "None", "-", ".", "#N/A", "<NA>", "#DIV/0!", "NaT"]
)
def test_whatever_says_missing_leaves_a_column_of_numbers(tmp_path, token):
    draw = np.random.default_rng(6)
    x = draw.normal(size=200).round(4)
    holed = [token if n % 20 == 0 else value for n, value in enumerate(x)]
    empty = ["" if n % 20 == 0 else value for n, value in enumerate(x)]
    models = [
        train(tmp_path, write_csv(tmp_path / "t.csv", {"x": cells, "y": 2 * x}), "-t", "y", *QUICK)
        for cells in (holed, empty)
    ]
    assert models[0].read_bytes() == models[1].read_bytes()
    assert "levels" not in succeed("describe", models[0])


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory):
    """A column of which nothing tells what its commas mean, and y."""
    path = tmp_path_factory.mktemp("doubtful") / "doubtful.csv"
    rows = "".join(f"{n % 9 + 1},{100 + n};{n % 5};{n % 7}\n" for n in range(60))
    path.write_text("price;x;y\n" + rows)
    return path


def test_both_options_decide_by_a_factor_of_a_thousand(tmp_path, doubtful):
    """Trees see the same; the range of the column does not."""
    for option, first in (("--decimal", "1.1"), ("--thousands", "1100")):
        model = train(tmp_path, doubtful, "-t", "y", option, ",", *QUICK)
        assert re.search(rf"price .*{re.escape(first)}\b", succeed("describe", model))


def test_a_response_that_nobody_can_read_is_refused(tmp_path, doubtful):
    message = fail("train", doubtful, "-t", "price", "-o", tmp_path / "m.softwood", *QUICK)
    assert "--decimal , makes it the decimal separator, --thousands , a separator" in message
    message = fail("train", doubtful, "-t", "price", "-l", "squared", "-o", tmp_path / "m", *QUICK)
    assert "what the comma in '1,100'" in message


def test_a_column_that_a_model_needs_and_nobody_can_read_is_refused(tmp_path, doubtful):
    model = train(tmp_path, doubtful, "-t", "y", "--decimal", ",", *QUICK)
    assert "--decimal . reads 1100, --decimal , reads 1.1" in fail("predict", model, doubtful)
    assert "--decimal" in fail("evaluate", model, doubtful)
    assert len(predict(model, doubtful, "--decimal", ",")["mean"]) == 60
    succeed("evaluate", model, doubtful, "--decimal", ",")


def test_strictness_makes_warnings_errors_for_every_verb(tmp_path, doubtful):
    model = tmp_path / "m.softwood"
    assert "(--strict)" in fail("train", doubtful, "-t", "y", "--strict", "-o", model, *QUICK)
    assert not model.exists()
    compare = ("compare", doubtful, "-t", "y", "-l", "squared,absolute", "--strict", *QUICK)
    assert "(--strict)" in fail(*compare)
    total = write_csv(tmp_path / "total.csv", {"x": [*range(30), 435], "g": ["a"] * 30 + ["Total"]})
    columns = {"x": range(0, 60, 2), "g": ["a", "b"] * 15, "y": range(30)}
    table = write_csv(tmp_path / "t.csv", columns)
    learned = train(tmp_path, table, "-t", "y", *QUICK, name="learned")
    assert "looks like the sum" in run("predict", learned, total).stderr
    assert "(--strict)" in fail("predict", learned, total, "--strict")
    assert "(--strict)" in fail("evaluate", learned, total, "--strict")


def test_an_id_is_an_error_where_words_are(tmp_path):
    draw = np.random.default_rng(1)
    x = draw.normal(size=60)
    data = write_csv(tmp_path / "t.csv", {"id": range(1, 61), "x": x, "y": 2 * x})
    message = fail("train", data, "-t", "y", "--strict", "-o", tmp_path / "m", *QUICK)
    assert "column 'id' looks like an id" in message
    assert "--drop id (--strict)" in message
    compare = ("compare", data, "-t", "y", "-l", "squared,absolute", "--strict", *QUICK)
    assert "--drop id (--strict)" in fail(*compare)
    succeed("train", data, "-t", "y", "--strict", "--drop", "id", "-o", tmp_path / "m", *QUICK)


def test_a_typo_does_not_make_classes(tmp_path):
    draw = np.random.default_rng(1)
    x = draw.normal(size=400).round(3)
    y = [*map(str, 2 * x)]
    y[17] = "1e"
    data = write_csv(tmp_path / "t.csv", {"x": x, "y": y})
    done = run("train", data, "-t", "y", "-o", tmp_path / "m.softwood", *SPOKEN)
    assert "1 of 400 cells is no number and counts as missing: '1e' (line 19)" in done.stderr
    assert "(squared)" in done.stderr


@pytest.mark.parametrize(
    ("y", "loss", "words"),
    [
        ([f"name{n}" for n in range(60)], (), "60 classes in 60 rows"),
        ([n / 7 for n in range(60)], ("--loss", "softmax"), "with a loss such as squared"),
    ],
)
def test_nearly_as_many_classes_as_rows_are_refused(tmp_path, y, loss, words):
    data = write_csv(tmp_path / "t.csv", {"x": [n % 7 for n in range(60)], "y": y})
    assert words in fail("train", data, "-t", "y", *loss, "-o", tmp_path / "m", *QUICK)


def test_texts_are_classes_if_the_loss_says_so(tmp_path):
    table = {"x": [n % 7 for n in range(60)], "y": [f"name{n}" for n in range(60)]}
    data = write_csv(tmp_path / "t.csv", table)
    options = ("-t", "y", "--loss", "softmax", "-o", tmp_path / "m.softwood")
    done = run("train", data, *options, *SPOKEN)
    assert done.returncode == 0
    assert "warning: the response 'y' has 60 classes in 60 rows" in done.stderr


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([2.7396, -3.69], "warning: the response 'y' has two values, -3.69 and 2.7396, in 2 rows"),
        ([1, 2] * 30, "note: the response 'y' has two values, 1 and 2, in 60 rows"),
        (
            [*range(10)] * 6,
            "note: the response 'y' holds the whole numbers 0 … 9 and is learned as a number; for "
            "classes: --loss softmax",
        ),
    ],
)
def test_what_becomes_of_numbers_that_may_be_classes_is_said(tmp_path, y, words):
    data = write_csv(tmp_path / "t.csv", {"x": [n % 7 for n in range(len(y))], "y": y})
    done = run("train", data, "-t", "y", "-o", tmp_path / "m.softwood", *SPOKEN)
    assert done.returncode == 0
    assert words in done.stderr


def test_zeros_and_ones_and_measurements_get_no_word(tmp_path):
    draw = np.random.default_rng(1)
    for y in ([0, 1] * 30, draw.normal(size=60)):
        data = write_csv(tmp_path / "t.csv", {"x": draw.normal(size=60), "y": y})
        done = run("train", data, "-t", "y", "-o", tmp_path / "m.softwood", *SPOKEN)
        assert words_of(done) == ["note: 60 rows, 2 columns: 2 numbers; no cell missing"]


def test_compare_says_once_what_was_read(tmp_path):
    x = np.random.default_rng(1).normal(size=60)
    data = write_csv(tmp_path / "t.csv", {"nr": range(60), "x": x, "one": [1] * 60, "y": x})
    done = run("compare", data, "-t", "y", "-l", "squared,absolute", *SPOKEN)
    assert words_of(done) == [
        "note: 60 rows, 4 columns: 4 numbers; no cell missing; left out: one (one value only)",
        "warning: column 'nr' looks like an id (it counts the rows), which tells nothing about new "
        "rows: --drop nr",
    ]


def test_arff_files_have_points(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text("@relation t\n@attribute x real\n@attribute y real\n@data\n1,2\n")
    options = ("-t", "y", "--decimal", ",", "-o", tmp_path / "m", *QUICK)
    assert "ARFF files have decimal points" in fail("train", path, *options)


def test_quiet_means_quiet(tmp_path, doubtful):
    done = run("train", doubtful, "-t", "y", "-o", tmp_path / "m.softwood", *QUICK)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--decimal", ";"), "decimal is ';'"),
        (("--decimal", ",,"), "must be one character"),
        (("--decimal", ".", "--thousands", "."), "they must differ"),
    ],
)
def test_separators_that_cannot_be_are_refused(tmp_path, doubtful, options, words):
    assert words in fail("train", doubtful, "-t", "y", *options, "-o", tmp_path / "m", *QUICK)


def test_names_and_cells_do_not_steer_the_terminal(tmp_path):
    data = tmp_path / "d.csv"
    cells = [f"{k},{k % 5}.5,l\x1b[7m{k % 3}" for k in range(60)]
    data.write_text("\n".join(["a,y,\x1b[31mred", *cells, "7,\x1b[7mx,l"]) + "\n")
    model = tmp_path / "m"
    told = run("train", data, "-t", "y,\x1b[31mred", "-o", model, "--epochs", "2")
    assert told.returncode == 0, told.stderr
    assert r"\x1b[7mx" in told.stderr
    compared = run("compare", data, "-t", "\x1b[31mred", "-l", "softmax", "--epochs", "1")
    for done in (told, run("describe", model), run("evaluate", model, data), compared):
        assert "\x1b" not in (done.stdout + done.stderr).replace("\r\x1b[K", "")
