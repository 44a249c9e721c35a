"""Tables from whatever Python has: NumPy, pandas, lists, dicts, sparse matrices."""

import datetime
import decimal
import gc

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import softwood
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies
from softwood._core import ColumnKind, ReadAs
from softwood.data import as_table

CATEGORICAL, NUMERIC, DATETIME = (
    ColumnKind.categorical,
    ColumnKind.numeric,
    ColumnKind.datetime,
)


def cells(table, name="x1"):
    """A column as a list, None for missing."""
    values = table[name].tolist()
    return [None if value is None or value != value else value for value in values]


def address(array):
    return array.__array_interface__["data"][0]


# NumPy


@settings(deadline=None)
@given(
    numpy_strategies.arrays(
        dtype=st.one_of(
            numpy_strategies.boolean_dtypes(),
            numpy_strategies.integer_dtypes(endianness="?"),
            numpy_strategies.unsigned_integer_dtypes(endianness="?"),
            numpy_strategies.floating_dtypes(endianness="?", sizes=(16, 32, 64)),
        ),
        shape=numpy_strategies.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=6),
    ),
    st.sampled_from(["C", "F", "reversed", "every other", "read-only"]),
)
def test_arrays_of_any_number_type_order_and_stride_give_their_numbers(array, layout):
    array = np.asarray(array, order="F") if layout == "F" else array
    array = array[::-1, ::-1] if layout == "reversed" else array
    array = np.repeat(array, 2, axis=0)[::2] if layout == "every other" else array
    array.flags.writeable = layout != "read-only"
    table = as_table(array)
    assert table.names == [f"x{column + 1}" for column in range(array.shape[1])]
    for column, name in enumerate(table.names):
        np.testing.assert_array_equal(table[name], array[:, column].astype(np.float64))


def test_contiguous_columns_are_shared_and_kept_alive():
    matrix = np.asfortranarray(np.arange(12.0).reshape(4, 3))
    matrix.flags.writeable = False
    vector = np.arange(5.0)
    assert all(np.shares_memory(as_table(matrix)[name], matrix) for name in ("x1", "x2", "x3"))
    assert np.shares_memory(as_table(vector)["x1"], vector)
    assert np.shares_memory(as_table({"a": vector})["a"], vector)
    table = as_table(vector)
    del vector
    gc.collect()
    np.empty(5).fill(9)  # would take the place of what was freed
    assert cells(table) == [0, 1, 2, 3, 4]


def test_numbers_that_are_not_aligned_are_copied():
    raw = np.zeros(33, dtype=np.uint8)
    array = raw[1:].view(np.float64)
    array[:] = [1, 2, 3, 4]
    assert not array.flags.aligned
    assert cells(as_table(array)) == [1, 2, 3, 4]


def test_texts_are_levels_in_order_of_appearance_and_blanks_missing():
    table = as_table(np.array(["b", "", "a", "b", " "]))
    assert cells(table) == ["b", None, "a", "b", None]
    assert table.column("x1").levels == ["b", "a"]
    assert cells(as_table(np.array([b"x", b"\xc3\xa4"]))) == ["x", "ä"]
    assert cells(as_table({"x1": ["NA", "a", "?"]})) == [None, "a", None]


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "10ms"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_dates_of_any_unit_are_moments(unit, order):
    moments = np.array(["1969-01-01", "NaT", "2016-07-02"], dtype=f"{order}M8[{unit}]")
    table = as_table(moments)
    assert table.kind("x1") == DATETIME
    np.testing.assert_array_equal(table["x1"], moments.astype("M8[us]"))


def test_durations_are_seconds():
    assert cells(as_table(np.array([1500, "NaT"], dtype="m8[ms]"))) == [1.5, None]
    assert cells(as_table([datetime.timedelta(hours=1), datetime.time(0, 1), None])) == [
        3600,
        60,
        None,
    ]


def test_named_fields_are_columns():
    array = np.array([(1, 2.5, "a"), (3, 4.5, "b")], dtype=[("i", "i1"), ("f", ">f8"), ("t", "U3")])
    table = as_table(array)
    assert table.names == ["i", "f", "t"]
    assert [cells(table, name) for name in "ift"] == [[1, 3], [2.5, 4.5], ["a", "b"]]


def test_masked_cells_are_missing():
    numbers = np.ma.masked_array([1, 2, 3], mask=[False, True, False])
    assert cells(as_table(numbers)) == [1, None, 3]
    assert cells(as_table(np.ma.masked_array(["a", "b"], mask=[True, False]))) == [None, "b"]
    assert cells(as_table(np.ma.masked_array([[1.0, 2.0]], mask=[[True, False]]))) == [None]


@pytest.mark.parametrize("rows", [0, 1])
def test_tables_of_no_row_and_of_one_keep_their_columns(rows):
    table = as_table(np.ones((rows, 3)))
    assert table.shape == (rows, 3)
    frame = pd.DataFrame({"n": [1.5], "t": ["a"], "d": [pd.Timestamp("2020-01-01")]}).iloc[:rows]
    table = as_table(frame)
    assert [table.kind(name) for name in table.names] == [NUMERIC, CATEGORICAL, DATETIME]
    assert table.num_rows == rows


# Objects


@pytest.mark.parametrize(
    ("items", "kind", "expected"),
    [
        ([1, 2.5, None, True], NUMERIC, [1, 2.5, None, 1]),
        ([True, None, False], NUMERIC, [1, None, 0]),
        ([decimal.Decimal("0.1"), np.float32(0.5), np.int8(3)], NUMERIC, [0.1, 0.5, 3]),
        ([None, None], NUMERIC, [None, None]),
        ([float("nan"), pd.NA, pd.NaT, None, 7], NUMERIC, [None, None, None, None, 7]),
        ([1, "a", None, 2.5, True], CATEGORICAL, ["1", "a", None, "2.5", "True"]),
        (["a", float("nan"), pd.NA], CATEGORICAL, ["a", None, None]),
        ([np.str_("a"), b"b"], CATEGORICAL, ["a", "b"]),
        ([10**30, -(10**18)], NUMERIC, [1e30, -1e18]),
    ],
)
def test_objects_are_numbers_if_all_are_and_otherwise_texts(items, kind, expected):
    for data in (np.array([*items, None], dtype=object)[:-1], pd.Series(items, dtype=object)):
        table = as_table(data)
        assert table.kind("x1") == kind
        assert cells(table) == expected


def test_objects_that_are_all_moments_are_moments_in_utc():
    zone = datetime.timezone(datetime.timedelta(hours=2))
    moments = [
        datetime.date(2020, 1, 1),
        datetime.datetime(2020, 1, 1, 2, tzinfo=zone),
        None,
        pd.Timestamp("2020-01-01"),
        np.datetime64("2020-01-01"),
    ]
    first = np.datetime64("2020-01-01", "us")
    expected = np.array([first, first, "NaT", first, first], dtype="M8[us]")
    np.testing.assert_array_equal(as_table(moments)["x1"], expected)


def test_lists_are_rows_or_cells():
    table = as_table([[1, "a"], (2, "b")])
    assert [cells(table, name) for name in table.names] == [[1, 2], ["a", "b"]]
    assert cells(as_table([1, 2, 3])) == [1, 2, 3]
    assert cells(as_table({"r": range(3)}), "r") == [0, 1, 2]
    assert as_table([np.array([1.0, 2.0])]).shape == (1, 2)


# pandas


def test_pandas_columns_of_every_type():
    frame = pd.DataFrame(
        {
            "float": [1.5, np.nan],
            "Int64": pd.array([1, None], dtype="Int64"),
            "Float64": pd.array([0.5, None], dtype="Float64"),
            "boolean": pd.array([True, None], dtype="boolean"),
            "string": pd.array(["a", None], dtype="string[python]"),
            "str": pd.array(["b", None], dtype="str"),
            "string_pyarrow": pd.array(["c", None], dtype="string[pyarrow]"),
            "int64_pyarrow": pd.array([7, None], dtype="int64[pyarrow]"),
            "sparse": pd.arrays.SparseArray([0.0, 2.0]),
            "category": pd.Categorical(["v", None], categories=["w", "v"]),
            "delta": pd.to_timedelta([1500, None], unit="ms"),
            3: [True, False],
        }
    )
    expected = {
        "float": [1.5, None],
        "Int64": [1, None],
        "Float64": [0.5, None],
        "boolean": [1, None],
        "string": ["a", None],
        "str": ["b", None],
        "string_pyarrow": ["c", None],
        "int64_pyarrow": [7, None],
        "sparse": [0, 2],
        "category": ["v", None],
        "delta": [1.5, None],
        "3": [1, 0],
    }
    table = as_table(frame)
    assert {name: cells(table, name) for name in table} == expected


def test_pandas_categories_keep_their_order_used_or_not():
    series = pd.Series(pd.Categorical(["b", "a"], categories=["c", "b", "a"], ordered=True))
    column = as_table(series).columns[0]
    assert column.levels == ["c", "b", "a"]
    assert column.codes.tolist() == [1, 2]
    numbers = as_table(pd.Series(pd.Categorical([30, 10, None]), name="n")).column("n")
    assert numbers.levels == ["10", "30"]
    truths = as_table(pd.Series(pd.Categorical([True, False]))).columns[0]
    assert truths.levels == ["False", "True"]
    blank = as_table(pd.Series(pd.Categorical(["", "a"]))).columns[0]
    assert (blank.levels, blank.codes.tolist()) == (["a"], [-1, 0])


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Zurich"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_pandas_timestamps_are_moments_in_utc(zone, unit):
    stamps = pd.Series(pd.to_datetime(["2020-07-01 12:00", None])).dt.as_unit(unit)
    stamps = stamps.dt.tz_localize(zone)
    hour = {"Europe/Zurich": "10"}.get(zone, "12")
    expected = np.array([f"2020-07-01T{hour}:00", "NaT"], dtype="M8[us]")
    np.testing.assert_array_equal(as_table(stamps)["x1"], expected)


def test_pandas_periods_are_their_starts():
    series = pd.Series(pd.period_range("2020-01", periods=2, freq="M"))
    expected = np.array(["2020-01-01", "2020-02-01"], dtype="M8[us]")
    np.testing.assert_array_equal(as_table(series)["x1"], expected)


def test_pandas_floats_are_shared():
    frame = pd.DataFrame({"a": np.arange(4.0), "t": list("abcd")})
    assert np.shares_memory(as_table(frame)["a"], frame["a"].to_numpy())


def test_a_series_is_a_table_of_one_column():
    assert as_table(pd.Series([1.0], name="age")).names == ["age"]
    assert as_table(pd.Series([1.0])).names == ["x1"]


# scipy.sparse


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "lil", "dok"])
@pytest.mark.parametrize("family", ["matrix", "array"])
def test_sparse_matrices_become_dense_and_zeros_are_values(layout, family):
    dense = np.array([[0, 1.5, 0], [2, 0, 0]])
    sparse = getattr(scipy.sparse, f"{layout}_{family}")(dense)
    table = as_table(sparse)
    assert [cells(table, name) for name in table.names] == [[0, 2], [1.5, 0], [0, 0]]


# Names and kinds


def test_names_take_the_place_of_those_the_data_have():
    assert as_table(np.ones((1, 2)), names=["a", "b"]).names == ["a", "b"]
    assert as_table({"x": [1]}, names=["y"]).names == ["y"]
    assert as_table(as_table({"x": [1]}), names=["y"]).names == ["y"]
    with pytest.raises(softwood.Error, match="1 names for 2 columns"):
        as_table(np.ones((1, 2)), names=["a"])


def test_a_table_is_itself():
    table = as_table([1])
    assert as_table(table) is table


def test_numbers_become_texts_where_a_model_learned_texts():
    data = {
        "whole": [1.0, 2.5],
        "int": np.array([7, 8]),
        "bool": np.array([True, False]),
        "boolean": pd.array([True, None], dtype="boolean"),
        "objects": [True, None],
        "date": np.array(["2020-01-01", "NaT"], dtype="M8[s]"),
    }
    frame = as_table({name: pd.Series(values) for name, values in data.items()})
    assert frame.kind("bool") == NUMERIC
    table = as_table(data, read_as=dict.fromkeys([*data, "absent"], CATEGORICAL))
    assert {name: cells(table, name) for name in data} == {
        "whole": ["1", "2.5"],
        "int": ["7", "8"],
        "bool": ["True", "False"],
        "boolean": ["True", None],
        "objects": ["True", None],
        "date": ["2020-01-01", None],
    }


def test_texts_become_numbers_or_dates_where_a_model_learned_those():
    table = as_table(
        {"n": ["1", "true", None, "NA"], "d": ["01/02/2020"] * 4},
        read_as={"n": "numeric", "d": ReadAs(DATETIME, "dmy")},
    )
    assert cells(table, "n") == [1, 1, None, None]
    assert table["d"][0] == np.datetime64("2020-02-01")
    with pytest.raises(softwood.Error, match="row 2, column 'n': 'one' is not a number"):
        as_table({"n": ["1", "one"]}, read_as={"n": NUMERIC})
    with pytest.raises(softwood.Error, match="'number' is no kind of column"):
        as_table({"n": ["1"]}, read_as={"n": "number"})


# Mistakes


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "no columns"),
        ([], "no columns"),
        (np.ones((2, 0)), "no columns"),
        (pd.DataFrame(), "no columns"),
        (np.array(1.0), "0 dimensions"),
        (np.ones((2, 2, 2)), "3 dimensions"),
        ([[1, 2], [3]], "row 2 does not have 2 cells"),
        ([[1, 2], 3], "row 2 does not have 2 cells"),
        (np.ones((2, 2), dtype=complex), "column 'x1' holds complex numbers"),
        ({"a": [1j]}, "column 'a' holds complex numbers"),
        ({"a": 1}, "column 'a' is a int"),
        ({"a": "abc"}, "column 'a' is a str"),
        ({"a": np.ones((2, 2))}, "column 'a' has 2 dimensions"),
        ({"a": [1], "b": [1, 2]}, "column 'b' has 2 rows, but 'a' has 1"),
        ({"a": [[1], [2]]}, "column 'a' holds cells of type list"),
        ({"a": ["\ud800"]}, "row 1, column 'a'"),
        ({"a": [10**400]}, "column 'a' holds a number"),
        ({1: [1], "1": [2]}, "both called '1'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "both called 'a'"),
        (np.zeros(2, dtype=[("a", "f8", 2)]), "column 'a' has 2 dimensions"),
        (np.zeros(2, dtype="V4"), "NumPy's type"),
        ([{"a": 1}], "a list of dicts"),
        (3, "cannot make a table of a int"),
        ("a.csv", "cannot read .a.csv."),
        (None, "cannot make a table of a NoneType"),
    ],
)
def test_what_is_no_table_is_an_error_that_says_why(data, message):
    with pytest.raises(softwood.Error, match=message):
        as_table(data)
