"""softwood.Table itself: parts, conversions, pickles."""

import concurrent.futures
import copy
import gc
import pickle

import joblib
import numpy as np
import pytest
import softwood
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from softwood._core import Column, ColumnKind
from softwood.data import as_table


@pytest.fixture
def table():
    return as_table(
        {
            "n": [1.0, np.nan, 3.0, 4.0],
            "t": ["a", None, "b", "a"],
            "d": np.array(["2020-01-01", "2020-01-02", "NaT", "2020-01-04"], dtype="M8[D]"),
        }
    )


def assert_same(left, right):
    assert left.names == right.names
    for ours, theirs in zip(left.columns, right.columns, strict=True):
        assert (ours.kind, ours.levels, ours.date_order) == (
            theirs.kind,
            theirs.levels,
            theirs.date_order,
        )
        np.testing.assert_array_equal(ours.to_numpy(), theirs.to_numpy())


def test_a_table_knows_its_shape(table):
    assert table.names == ["n", "t", "d"] == list(table)
    assert table.shape == (4, 3)
    assert len(table) == table.num_rows == 4
    assert "t" in table
    assert "T" not in table
    assert 3 not in table
    assert table.kind("t") == ColumnKind.categorical
    with pytest.raises(softwood.Error, match="no column 'tt'"):
        table.kind("tt")


def test_columns_are_arrays(table):
    np.testing.assert_array_equal(table["n"], [1, np.nan, 3, 4])
    assert table["t"].tolist() == ["a", None, "b", "a"]
    assert table["d"].dtype == np.dtype("M8[us]")
    assert np.isnat(table["d"]).tolist() == [False, False, True, False]
    with pytest.raises(ValueError, match="read-only"):
        table["n"][0] = 5
    with pytest.raises(softwood.Error, match="no column 'm' in the table"):
        table["m"]


@settings(deadline=None)
@given(st.data())
def test_rows_are_those_that_numpy_would_take(data):
    size = data.draw(st.integers(0, 10))
    table = as_table({"n": np.arange(float(size)), "t": [f"r{row}" for row in range(size)]})
    bounds = st.none() | st.integers(-12, 12)
    rows = st.lists(st.integers(-size, size - 1)) if size else st.just([])
    key = data.draw(
        st.one_of(
            st.builds(slice, bounds, bounds, st.none() | st.integers(1, 3) | st.just(-1)),
            rows.map(lambda each: np.array(each, dtype=np.int32)),
            st.lists(st.booleans(), min_size=size, max_size=size).map(
                lambda each: np.array(each, dtype=bool)
            ),
        )
    )
    expected = np.arange(size)[key]
    for part in (table[key], table[key, ...], table[key, :], table[(key,)]):
        assert part["n"].tolist() == expected.tolist()
        assert part["t"].tolist() == [f"r{row}" for row in expected]
    assert table[key, ["t"]].names == ["t"]


def test_neighbouring_rows_are_shared(table):
    part = table[1:3]
    assert np.shares_memory(part["n"], table["n"])
    del table
    gc.collect()
    np.testing.assert_array_equal(part["n"], [np.nan, 3])


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (1, softwood.Error),
        ([7], IndexError),
        (np.array([True]), IndexError),
        (np.array([0.5]), IndexError),
        ((slice(None), "n"), softwood.Error),
        ((slice(None), slice(None), slice(None)), softwood.Error),
        (["n", "m"], softwood.Error),
    ],
)
def test_parts_that_are_not_there_are_errors(table, key, error):
    with pytest.raises(error):
        table[key]


def test_some_columns_are_a_table_that_shares_the_numbers(table):
    part = table[["d", "n"]]
    assert part.names == ["d", "n"]
    assert np.shares_memory(part["n"], table["n"])
    assert table[[]].shape == (0, 0)
    assert table[[], ...].shape == (0, 3)


def test_columns_are_dropped_added_and_replaced(table):
    assert table.drop("n").names == ["t", "d"]
    assert table.drop(["t", "d"]).names == ["n"]
    with pytest.raises(softwood.Error, match="no column 'm'"):
        table.drop(["m"])
    more = table.with_columns({"z": [1, 2, 3, 4], "n": list("pqrs")})
    assert more.names == ["n", "t", "d", "z"]
    assert more["n"].tolist() == list("pqrs")
    assert np.shares_memory(more.with_columns(table[["n"]])["n"], table["n"])
    assert table.names == ["n", "t", "d"]
    with pytest.raises(softwood.Error, match="column 'z' has 1 rows"):
        table.with_columns({"z": [1]})


def test_conversions_give_the_same_table_back(table):
    assert_same(as_table(table.to_dict()), table)
    assert_same(as_table(table.to_pandas()), table)
    assert_same(as_table(table.to_arrow()), table)
    assert table.to_pandas()["t"].dtype == "category"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_and_copies_are_the_same_table(table, protocol):
    table = softwood.Table(table.columns, origin="here.csv")
    for again in (
        pickle.loads(pickle.dumps(table, protocol)),
        copy.copy(table),
        copy.deepcopy(table),
    ):
        assert_same(again, table)
        assert again.origin == "here.csv"


def test_pickled_numbers_may_travel_out_of_band():
    table = as_table({"x": np.arange(1000.0)})
    buffers = []
    data = pickle.dumps(table, 5, buffer_callback=buffers.append)
    assert len(data) < 1000
    again = pickle.loads(data, buffers=buffers)
    assert again["x"].ctypes.data == table["x"].ctypes.data


def test_joblib_sends_tables_to_other_processes():
    tables = [
        as_table({"x": np.full(200_000, float(value)), "t": ["a"] * 200_000}) for value in (1, 2)
    ]
    sums = joblib.Parallel(n_jobs=2)(joblib.delayed(sum_of)(table) for table in tables)
    assert sums == [200_000, 400_000]


def sum_of(table):
    return table["x"].sum()


def test_the_first_infinite_cell_is_found(table):
    assert table.find_infinite() is None
    assert as_table({"a": [1, 2], "b": [0, -np.inf]}).find_infinite() == ("b", 1)


def test_a_preview_is_shown(table):
    assert repr(table) == (
        "softwood.Table: 4 rows, 3 columns\n"
        "  n  t  d\n"
        "  1  a  2020-01-01\n"
        "  ·  ·  2020-01-02\n"
        "  3  b  ·\n"
        "  4  a  2020-01-04"
    )
    assert "<td" in table._repr_html_()


def test_whole_numbers_are_shown_whole():
    shown = repr(as_table({"id": [15634602, 1e20], "x": [0.123456789, -2.0]}))
    assert "15634602" in shown
    assert "1e+20" in shown
    assert "0.123457" in shown


def test_scikit_learn_splits_tables():
    table = as_table({"n": np.arange(6.0), "t": list("abcdef")})
    first, second = train_test_split(table, test_size=0.5, random_state=0)
    assert sorted([*first["n"], *second["n"]]) == [0, 1, 2, 3, 4, 5]
    assert [ord(text) - ord("a") for text in first["t"]] == first["n"].tolist()
    scores = cross_val_score(RowCounter(), table, np.array(list("abcdef")), cv=KFold(3))
    assert scores.tolist() == [2, 2, 2]


class RowCounter(BaseEstimator):
    def fit(self, X, y):
        assert X["t"].tolist() == y.tolist()
        return self

    def score(self, X, y):
        assert X["t"].tolist() == y.tolist()
        return X.num_rows


def test_columns_check_their_codes():
    codes = np.array([0, 2], dtype=np.int32)
    with pytest.raises(softwood.Error, match="column 'x': row 2 has the code 2"):
        Column.categorical("x", codes, ["a", "b"])
    assert Column.categorical("x", codes[:1], ["a"]).to_numpy().tolist() == ["a"]


def test_a_table_serves_many_threads_at_once():
    table = as_table({"x": np.arange(50_000.0), "t": [f"r{row % 7}" for row in range(50_000)]})

    def work(seed):
        rows = np.random.default_rng(seed).permutation(table.num_rows)
        part = table[rows]
        again = as_table(part.to_arrow())
        return bool((again["x"] == rows).all() and again["t"][5] == f"r{rows[5] % 7}")

    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(32)))
