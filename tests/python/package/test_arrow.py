"""Tables from and to Arrow: polars, pyarrow, and whoever else speaks its PyCapsule interface."""

import datetime
import decimal
import gc
import subprocess
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import softwood
from hypothesis import given, settings
from hypothesis import strategies as st
from softwood._core import ColumnKind
from softwood.data import as_table

EPOCH = datetime.datetime(1970, 1, 1)
MOMENTS = st.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2200, 1, 1))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


def integers(bits, signed):
    low = -(2 ** (bits - 1)) if signed else 0
    return st.integers(low, low + 2**bits - 1)


def floats(width):
    return st.floats(width=width, allow_nan=False)


def truncated(moments, unit):
    """To what the unit can say."""
    step = {"s": 1_000_000, "ms": 1000}.get(unit, 1)
    return moments.map(lambda m: m.replace(microsecond=m.microsecond // step * step))


# Arrow's type, its values in Python, and what they are here.
NUMBERS = [
    *[(getattr(pa, f"int{bits}")(), integers(bits, True), float) for bits in (8, 16, 32, 64)],
    *[(getattr(pa, f"uint{bits}")(), integers(bits, False), float) for bits in (8, 16, 32, 64)],
    (pa.float16(), floats(16), float),
    (pa.float32(), floats(32), float),
    (pa.float64(), floats(64), float),
    (pa.bool_(), st.booleans(), float),
    (pa.decimal128(20, 4), st.decimals(-(10**15), 10**15, places=4), float),
    (pa.decimal256(50, 6), st.decimals(-(10**30), 10**30, places=6), float),
    (pa.duration("ms"), st.integers(0, 10**12), lambda ticks: ticks / 1000),
]
TIMES = [
    *[
        (pa.timestamp(unit), truncated(MOMENTS, unit), lambda moment: moment)
        for unit in ("s", "ms", "us", "ns")
    ],
    (pa.date32(), st.dates(datetime.date(1, 1, 1)), lambda day: day),
    (pa.date64(), st.dates(datetime.date(1, 1, 1)), lambda day: day),
]
WORDS = [
    (arrow_type, TEXTS, lambda text: text if text.strip(" \t") else None)
    for arrow_type in (
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        *[pa.dictionary(index, pa.string()) for index in (pa.int8(), pa.int32(), pa.int64())],
        pa.dictionary(pa.uint32(), pa.large_string()),
    )
]


@st.composite
def columns(draw, kinds):
    """A chunked, sliced array with nulls, and what its cells should be."""
    arrow_type, values, expected = draw(st.sampled_from(kinds))
    chunks, cells = [], []
    for _ in range(draw(st.integers(0, 3))):
        items = draw(st.lists(st.none() | values, max_size=12))
        start = draw(st.integers(0, len(items)))
        if pa.types.is_dictionary(arrow_type):
            array = pa.array(items, arrow_type.value_type).dictionary_encode().cast(arrow_type)
        else:
            array = pa.array(items, arrow_type)
        chunks.append(array.slice(start))
        cells += [None if item is None else expected(item) for item in items[start:]]
    return pa.chunked_array(chunks, arrow_type), cells


def check_numbers(column, cells):
    expected = np.array([np.nan if cell is None else cell for cell in cells], dtype=np.float64)
    np.testing.assert_array_equal(column, expected)


@settings(deadline=None)
@given(columns(NUMBERS))
def test_numbers_of_every_arrow_type(column):
    array, cells = column
    table = as_table(pa.table({"x": array}))
    assert table.kind("x") == ColumnKind.numeric
    check_numbers(table["x"], cells)


@settings(deadline=None)
@given(columns(TIMES))
def test_moments_of_every_arrow_type(column):
    array, cells = column
    table = as_table(pa.table({"x": array}))
    assert table.kind("x") == ColumnKind.datetime
    np.testing.assert_array_equal(table["x"], np.array(cells, dtype="M8[us]"))


@settings(deadline=None)
@given(columns(WORDS))
def test_texts_of_every_arrow_type(column):
    array, cells = column
    table = as_table(pa.table({"x": array}), looks_at_texts=False)
    assert table.kind("x") == ColumnKind.categorical
    assert table["x"].tolist() == cells


@settings(deadline=None)
@given(columns(NUMBERS[:8] + NUMBERS[9:12] + TIMES + WORDS))
def test_a_table_comes_back_from_pyarrow_and_polars_as_it_went(column):
    array, _ = column
    table = as_table(pa.table({"x": array}))
    for there in (pa.table(table), pl.DataFrame(table), table.to_pandas(), table.to_arrow()):
        back = as_table(there)
        assert back.kind("x") == table.kind("x")
        assert back.num_rows == table.num_rows
        np.testing.assert_array_equal(back["x"], table["x"])
        if not isinstance(there, pl.DataFrame):  # which has its own idea of categories
            assert back.column("x").levels == table.column("x").levels
    table.to_arrow().validate(full=True)


@settings(deadline=None)
@given(st.data())
def test_polars_frames_give_what_their_arrow_tables_give(data):
    frames = {"a": pl.Float64, "b": pl.Int32, "c": pl.String, "d": pl.Boolean, "e": pl.Date}
    values = {
        "a": st.floats(allow_nan=False),
        "b": integers(32, True),
        "c": TEXTS,
        "d": st.booleans(),
        "e": st.dates(datetime.date(1900, 1, 1)),
    }
    rows = data.draw(st.integers(0, 8))
    frame = pl.DataFrame(
        {
            name: pl.Series(
                data.draw(st.lists(st.none() | values[name], min_size=rows, max_size=rows)),
                dtype=dtype,
            )
            for name, dtype in frames.items()
        }
    )
    ours, theirs = as_table(frame), as_table(frame.to_arrow())
    for name in frames:
        np.testing.assert_array_equal(ours[name], theirs[name])


def test_polars_categories():
    frame = pl.DataFrame(
        {
            "category": pl.Series(["b", "a", None], dtype=pl.Categorical),
            "enum": pl.Series(["y", None, "y"], dtype=pl.Enum(["z", "y"])),
        }
    )
    table = as_table(frame)
    assert table["category"].tolist() == ["b", "a", None]
    assert table["enum"].tolist() == ["y", None, "y"]
    assert table.column("enum").levels == ["z", "y"]


def test_series_and_chunked_arrays_are_tables_of_one_column():
    assert as_table(pl.Series("age", [1, 2])).names == ["age"]
    assert as_table(pl.Series([1, 2])).names == ["x1"]
    assert as_table(pa.chunked_array([[1.0], [2.0]]))["x1"].tolist() == [1, 2]
    assert as_table(pa.array(["a", None]))["x1"].tolist() == ["a", None]
    mixed = as_table({"p": pl.Series([1, 2]), "q": pa.chunked_array([["a", "b"]])})
    assert mixed["q"].tolist() == ["a", "b"]


def test_batches_and_readers_are_read():
    batch = pa.record_batch({"x": [1.0, 2.0]})
    assert as_table(batch)["x"].tolist() == [1, 2]
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch])
    assert as_table(reader)["x"].tolist() == [1, 2, 1, 2]
    assert as_table(pa.table({"x": pa.array([], pa.float64())})).shape == (0, 1)


def test_doubles_are_shared_with_pyarrow_and_polars_and_kept_alive():
    values = pa.array(np.arange(1000.0))
    source = values.buffers()[1].address
    table = as_table(pa.table({"x": values.slice(10)}))
    assert table["x"].__array_interface__["data"][0] == source + 80
    back = table.to_arrow()["x"].chunk(0)
    assert back.buffers()[1].address == source + 80
    series = pl.Series("x", np.arange(1000.0))
    polars_table = as_table(series)
    assert polars_table["x"].__array_interface__["data"][0] == (
        series.to_numpy(allow_copy=False).ctypes.data
    )
    del values, series, table
    gc.collect()
    assert polars_table["x"].sum() == 499500
    assert back.to_pylist() == list(range(10, 1000))


def test_codes_are_shared_with_pyarrow():
    array = pa.array(["a", "b", "a"]).dictionary_encode()
    table = as_table(pa.table({"x": array}))
    codes = table.column("x").codes
    assert codes.__array_interface__["data"][0] == array.indices.buffers()[1].address
    assert table.to_arrow()["x"].chunk(0).indices.buffers()[1].address == codes.ctypes.data


def test_a_view_outlives_its_table():
    view = as_table(pa.table({"x": np.arange(1000.0)}))["x"]
    gc.collect()
    assert view.sum() == 499500
    assert not view.flags.writeable


def test_memory_is_given_back():
    before = pa.total_allocated_bytes()
    table = as_table(pa.table({"x": pa.array([float(i) for i in range(100_000)])}))
    view = table["x"]
    part = table[10:]
    assert pa.total_allocated_bytes() >= before + 800_000
    del table, view, part
    gc.collect()
    assert pa.total_allocated_bytes() == before


def test_a_stream_is_read_once():
    capsule = pa.table({"x": [1.0]}).__arrow_c_stream__()
    assert softwood.Table.from_arrow(capsule)["x"].tolist() == [1]
    with pytest.raises(softwood.Error, match="read before"):
        softwood.Table.from_arrow(capsule)
    with pytest.raises(ValueError, match="PyCapsule"):
        softwood.Table.from_arrow(pa.table({"x": [1.0]}).schema.__arrow_c_schema__())


def test_a_stream_that_nobody_reads_is_released():
    table = as_table({"x": [1.0]})
    references = sys.getrefcount(table)
    capsule = table.__arrow_c_stream__(None)
    assert sys.getrefcount(table) == references + 1
    del capsule
    assert sys.getrefcount(table) == references


def test_columns_are_read_as_a_model_learned_them():
    source = pa.table({"b": [True, None], "n": [3, 4], "t": ["5", "6"]})
    table = as_table(source, read_as={"b": "categorical", "n": "categorical", "t": "numeric"})
    assert table["b"].tolist() == ["True", None]
    assert table["n"].tolist() == ["3", "4"]
    assert table["t"].tolist() == [5, 6]
    renamed = as_table(source, names=["p", "q", "r"], read_as={"p": "categorical"})
    assert renamed["p"].tolist() == ["True", None]


@pytest.mark.parametrize(
    ("column", "name"),
    [
        (pa.array([[1]]), "list"),
        (pa.array([{"a": 1}]), "struct"),
        (pa.array([b"x"]), "binary"),
        (pa.array([b"xy"], pa.binary(2)), "binary of fixed size"),
        (pa.array([(1, 2, 3)], pa.month_day_nano_interval()), "interval"),
    ],
)
def test_types_that_no_table_has_are_named(column, name):
    message = f"column 'x' is of the Arrow type {name}. A table holds"
    with pytest.raises(softwood.Error, match=message):
        as_table(pa.table({"x": column}))


def test_a_stream_that_fails_says_why():
    def batches():
        yield pa.record_batch({"x": [1.0]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"x": pa.float64()}), batches())
    with pytest.raises(softwood.Error, match="the disk is gone"):
        as_table(reader)


def test_decimals_have_the_bits_of_their_texts():
    texts = ["0.1", "123456789012345.678", "-99999999999999999.999", "0.3"]
    array = pa.array([decimal.Decimal(text) for text in texts], pa.decimal128(25, 3))
    assert as_table(pa.table({"x": array}))["x"].tolist() == [float(text) for text in texts]


def test_nothing_is_left_behind_at_the_end_of_the_interpreter():
    script = """
import numpy, polars, pyarrow, softwood.data
table = softwood.data.as_table({"x": numpy.arange(3.0), "t": ["a", None, "b"]})
arrow, frame, part, columns = table.to_arrow(), polars.DataFrame(table), table[1:], table.columns
again = softwood.data.as_table(frame)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
