"""A table by CSV and as texts of a frame is the same table, and gives the same model."""

from __future__ import annotations

import logging
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import softwood as sw
from hypothesis import given, settings
from hypothesis import strategies as st
from softwood import SoftTreeClassifier, SoftTreeRegressor

QUICK = {"trees": 6, "depth": 2, "epochs": 3}


def quietly(work, *arguments, **options):
    """The result and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = work(*arguments, **options)
    return result, [str(each.message) for each in caught]


def bytes_of(data, target, **options):
    model, _ = quietly(sw.train, data, target, **QUICK, **options)
    return model._core.to_bytes()


def described(table):
    return [
        (
            column.name,
            column.kind,
            column.levels,
            column.date_order,
            str(column.to_numpy().tolist()),
        )
        for column in table.columns
    ]


def german(draw, rows=80):
    x = draw.normal(size=rows)
    amount = draw.uniform(500, 9000, rows)
    return {
        "x": [f"{value:.4f}".replace(".", ",") for value in x],
        "betrag": [f"{v:,.2f}".translate(str.maketrans(",.", ".,")) for v in amount],
        "ort": draw.choice(["Ulm", "Köln", "None", "n/a"], rows).tolist(),
        "tag": [f"{day:02}.03.2020" for day in draw.integers(1, 29, rows)],
        "y": [f"{2 * v + a / 1000:.3f}".replace(".", ",") for v, a in zip(x, amount, strict=True)],
    }


def english(draw, rows=80):
    x = draw.normal(size=rows)
    amount = draw.uniform(500, 9000, rows)
    return {
        "x": [f"{v:.4f}" if n % 9 else "-" for n, v in enumerate(x)],
        "amount": [f"${v:,.2f}" for v in amount],
        "rate": [f"{v:.0f} %" for v in draw.uniform(0, 99, rows)],
        "kind": draw.choice(["a", "b", "NA", "?"], rows).tolist(),
        "day": [f"2020-01-{day:02}" if day < 28 else "" for day in draw.integers(1, 30, rows)],
        "age": [str(v) if n != 17 else "abc" for n, v in enumerate(draw.integers(18, 90, rows))],
        "y": [f"{v:.4f}" for v in 2 * x + amount / 1000],
    }


def plain(draw, rows=80):
    x = draw.normal(size=rows).round(4)
    return {
        "x": x.astype(str).tolist(),
        "n": draw.integers(0, 9, rows).astype(str).tolist(),
        "city": draw.choice(["Rome", "Oslo"], rows).tolist(),
        "y": draw.choice(["yes", "no"], rows).tolist(),
    }


@pytest.fixture(scope="module", params=[german, english, plain], ids=lambda make: make.__name__)
def table(request, tmp_path_factory):
    frame = pd.DataFrame(request.param(np.random.default_rng(3)))
    path = tmp_path_factory.mktemp("texts") / "table.csv"
    frame.to_csv(path, sep=";", index=False)
    model, _ = quietly(lambda: bytes_of(sw.read(path), "y"))
    return path, frame, model


def test_texts_in_pandas_polars_and_arrow_give_the_model_of_the_file(table):
    _, frame, model = table
    assert bytes_of(frame, "y") == model
    assert bytes_of(frame.astype(object), "y") == model
    assert bytes_of(pl.DataFrame(frame.to_dict("list")), "y") == model
    assert bytes_of(pa.table(frame.to_dict("list")), "y") == model
    assert bytes_of(frame.to_dict("list"), "y") == model


def test_what_pandas_reads_gives_the_model_of_the_file(table):
    path, _, model = table
    assert bytes_of(pd.read_csv(path, sep=";", keep_default_na=False, dtype=str), "y") == model
    # pandas takes None for missing by itself: keep it.
    kept = pd.read_csv(path, sep=";", keep_default_na=False, na_values=["", "NA", "n/a"])
    assert bytes_of(kept, "y") == model


def test_what_is_said_is_the_same_but_for_lines(table):
    path, frame, _ = table
    _, of_file = quietly(sw.read, path)
    _, of_frame = quietly(sw.as_table, frame)
    assert len(of_file) == len(of_frame)
    for by_line, by_row in zip(of_file, of_frame, strict=True):
        assert by_line.split(" (line")[0] == by_row.split(" (row")[0]


CELLS = st.sampled_from(
    [
        "1",
        "-7",
        "2.5",
        "0,5",
        "1,234",
        "1.234",
        "1.234.567",
        "1,234.5",
        "12 %",
        "$5",
        "(3)",
        "abc",
        "NA",
        "-",
        "",
        "None",
        "V45",
        "2020-01-02",
        "03.04.2020",
        "1 000",
        "#N/A",
        "Total",
        "inf",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=12),
    st.integers(0, 8),
    st.sampled_from(["", "7", "2.5", "0,5"]),
)
def test_any_texts_are_read_alike(tmp_path_factory, rows, repeats, cell):
    """A few odd rows and, so that nearly all cells agree, many alike."""
    rows = rows + [(cell, cell, "x")] * (5 * repeats)
    path = tmp_path_factory.mktemp("any") / "any.csv"
    frame = pd.DataFrame(rows, columns=["a", "b", "c"], dtype=str)
    quoted = [";".join(f'"{cell}"' for cell in row) for row in [("a", "b", "c"), *rows]]
    path.write_text("\n".join(quoted) + "\n")
    of_file, words_of_file = quietly(sw.read, path, delimiter=";")
    of_frame, words_of_frame = quietly(sw.as_table, frame)
    assert described(of_file) == described(of_frame)
    # Points of numbers that need no look are doubted in files alone.
    doubts = [words for words in words_of_file if "--thousands ." in words]
    assert len(words_of_file) - len(doubts) <= len(words_of_frame) <= len(words_of_file)


def test_fractions_of_other_columns_tell_what_the_point_means():
    texts = {"a": ["1,234", "5,678"]}
    table, warned = quietly(sw.as_table, texts | {"b": [0.5, 1.5]})
    assert table["a"].tolist() == [1234, 5678]
    assert not warned
    table, warned = quietly(sw.as_table, texts | {"b": [1, 2]})
    assert table["a"].tolist() == texts["a"]
    assert len(warned) == 1
    assert "--thousands ," in warned[0]
    assert "(row 1)" in warned[0]
    assert sw.as_table(texts, decimal=",")["a"].tolist() == [1.234, 5.678]
    assert sw.as_table(texts, thousands=",")["a"].tolist() == [1234, 5678]


def test_declared_categories_stay_categories():
    texts = ["1", "NA", "2020-01-01", "1"]
    for data in (
        pd.DataFrame({"a": pd.Categorical(texts)}),
        pl.DataFrame({"a": pl.Series(texts, dtype=pl.Categorical)}),
        pa.table({"a": pa.array(texts).dictionary_encode()}),
    ):
        assert sw.as_table(data)["a"].tolist() == texts
    assert sw.as_table({"a": texts}, looks_at_texts=False)["a"].tolist() == texts
    assert sw.as_table({"a": texts}, read_as={"a": "categorical"})["a"].tolist() == [
        "1",
        None,
        "2020-01-01",
        "1",
    ]


def test_classes_that_look_like_numbers_stay_classes():
    draw = np.random.default_rng(1)
    X = draw.normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, "1,5", "2,5")
    for labels in (y, y.tolist(), pd.Series(y), pl.Series(y)):
        fitted = SoftTreeClassifier(**QUICK).fit(X, labels)
        assert fitted.classes_.tolist() == ["1,5", "2,5"]
        assert set(fitted.predict(X)) <= {"1,5", "2,5"}


def test_an_estimator_reads_texts_as_the_file_and_predicts_them_alike(table):
    """New rows have what was learned: a cell that is no number is a mistake there."""
    _, frame, _ = table
    X = frame.drop(columns="y").replace("abc", "")
    y = np.arange(len(X), dtype=float)
    fitted, _ = quietly(SoftTreeRegressor(**QUICK).fit, X, y)
    numbers, _ = quietly(sw.as_table, X)
    typed, _ = quietly(SoftTreeRegressor(**QUICK).fit, numbers, y)
    np.testing.assert_array_equal(fitted.predict(X), typed.predict(numbers))


def test_notes_are_logged_and_a_warning_may_be_an_error(caplog):
    with caplog.at_level(logging.INFO, "softwood"):
        sw.as_table({"a": ["1,5", "2,5"]})
    assert "the comma is the decimal separator" in caplog.text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="nothing in the table tells"):
            sw.as_table({"a": ["1,234"]})
