"""softwood.read: tables from files."""

import builtins
import gzip
import pathlib

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.orc
import pyarrow.parquet
import pytest
import softwood
from softwood._core import ColumnKind
from softwood.data import as_table, foreign

FRAME = pd.DataFrame(
    {
        "number": [0.1, np.nan, 1e300, -3.0],
        "whole": [1, 2, 3, 2**40],
        "text": ["b", None, 'a, "quoted"', "b"],
        "moment": pd.to_datetime(
            ["2020-01-01", "1969-12-31 23:59:59.25", None, "2016-07-02 13:05:00.123457"],
            format="ISO8601",
        ),
    }
)


def assert_same(left, right):
    """To the last bit."""
    assert left.names == right.names
    for ours, theirs in zip(left.columns, right.columns, strict=True):
        assert (ours.kind, ours.levels, ours.date_order) == (
            theirs.kind,
            theirs.levels,
            theirs.date_order,
        )
    left_state, right_state = left.__getstate__()[1], right.__getstate__()[1]
    for ours, theirs in zip(left_state, right_state, strict=True):
        assert ours[2].tobytes() == theirs[2].tobytes()


def test_a_frame_and_its_csv_file_give_the_same_bits(tmp_path):
    FRAME.to_csv(tmp_path / "t.csv", index=False)
    from_file = softwood.read(tmp_path / "t.csv")
    assert_same(from_file, as_table(FRAME))
    assert_same(from_file, as_table(pl.from_pandas(FRAME)))
    assert_same(from_file, as_table(pa.Table.from_pandas(FRAME)))


def test_booleans_of_a_frame_and_of_a_file_agree_once_their_kind_is_known(tmp_path):
    frame = pd.DataFrame({"b": [True, False, True], "x": [1, 2, 3]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    for kind in ("numeric", "categorical"):
        from_file = softwood.read(tmp_path / "t.csv", read_as={"b": kind})
        assert_same(from_file, as_table(frame, read_as={"b": kind}))


def test_csv_options_are_those_of_the_command_line(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("1;a\n2;b\n")
    table = softwood.read(path, header=False, read_as={"x1": ColumnKind.categorical})
    assert table.names == ["x1", "x2"]
    assert table["x1"].tolist() == ["1", "2"]
    assert softwood.read(path, header=False, delimiter=",", threads=1).names == ["x1"]
    with pytest.raises(softwood.Error, match="must be one character"):
        softwood.read(path, delimiter=";;")
    with pytest.raises(TypeError):
        softwood.read(path, headers=False)


def test_gzip_and_arff_are_read(tmp_path):
    with gzip.open(tmp_path / "t.csv.gz", "wt") as file:
        file.write("a\n1\n")
    assert softwood.read(tmp_path / "t.csv.gz")["a"].tolist() == [1]
    (tmp_path / "t.arff").write_text("@relation t\n@attribute a {z,y}\n@data\ny\n")
    assert softwood.read(str(tmp_path / "t.arff")).column("a").levels == ["z", "y"]


def write_parquet(path):
    pyarrow.parquet.write_table(pa.Table.from_pandas(FRAME), path)


def write_feather(path):
    pyarrow.feather.write_feather(FRAME, path)


def write_stream_file(path):
    table = pa.Table.from_pandas(FRAME)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def write_orc(path):
    pyarrow.orc.write_table(pa.Table.from_pandas(FRAME, preserve_index=False), path)


@pytest.mark.parametrize(
    ("ending", "write"),
    [
        (".parquet", write_parquet),
        (".PQ", write_parquet),
        (".feather", write_feather),
        (".arrow", write_stream_file),
        (".ipc", write_stream_file),
        (".orc", write_orc),
    ],
)
def test_column_files_are_read(tmp_path, ending, write):
    path = tmp_path / f"t{ending}"
    write(path)
    table = softwood.read(path)
    assert_same(table, as_table(FRAME))
    assert table.origin == str(path)
    assert softwood.read(path, columns=["whole", "text"]).names == ["whole", "text"]
    assert softwood.read(path, read_as={"whole": "categorical"})["whole"][0] == "1"


def test_json_is_read_by_pandas(tmp_path):
    FRAME[["number", "text"]].to_json(tmp_path / "t.json")
    table = softwood.read(tmp_path / "t.json")
    assert table["text"].tolist() == ["b", None, 'a, "quoted"', "b"]


@pytest.fixture
def without(monkeypatch):
    """Makes libraries look as if they were not installed."""

    def hide(*names):
        real = foreign.importlib.import_module

        def import_module(name):
            if name.split(".")[0] in names:
                raise ImportError(name)
            return real(name)

        monkeypatch.setattr(foreign.importlib, "import_module", import_module)
        real_import = builtins.__import__

        def hidden_import(name, *arguments, **more):
            if name.split(".")[0] in names:
                raise ImportError(name)
            return real_import(name, *arguments, **more)

        monkeypatch.setattr(builtins, "__import__", hidden_import)

    return hide


def test_polars_reads_parquet_where_pyarrow_is_missing(tmp_path, without):
    write_parquet(tmp_path / "t.parquet")
    pl.from_pandas(FRAME).write_ipc(tmp_path / "t.arrow")
    without("pyarrow")
    assert_same(softwood.read(tmp_path / "t.parquet"), as_table(FRAME))
    assert_same(softwood.read(tmp_path / "t.arrow"), as_table(FRAME))


def test_what_is_missing_is_named(tmp_path, without):
    write_parquet(tmp_path / "t.parquet")
    without("pyarrow", "polars", "pandas")
    with pytest.raises(
        softwood.Error, match="needs pyarrow or polars or pandas: pip install pyarrow"
    ):
        softwood.read(tmp_path / "t.parquet")
    table = as_table([1.0])
    with pytest.raises(softwood.Error, match="pip install pandas"):
        table.to_pandas()
    with pytest.raises(softwood.Error, match="pip install pyarrow"):
        table.to_arrow()


def test_home_is_found(tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("a\n1\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert softwood.read("~/t.csv")["a"].tolist() == [1]
    assert softwood.read(pathlib.Path("~/t.csv"))["a"].tolist() == [1]


@pytest.mark.parametrize("name", ["gone.csv", "gone.parquet", "gone.xlsx"])
def test_a_file_that_is_not_there_is_an_error(tmp_path, name):
    with pytest.raises(softwood.Error, match=name):
        softwood.read(tmp_path / name)


def test_addresses_are_not_read():
    with pytest.raises(softwood.Error, match="an address, not a file"):
        softwood.read("https://example.org/t.csv")
