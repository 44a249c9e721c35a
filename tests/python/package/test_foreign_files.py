"""softwood.read: files that other libraries read, known by their content under any name."""

import bz2
import datetime
import gzip
import io
import json
import lzma
import sqlite3
import sys
import zipfile

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest
import softwood
from softwood._core import ColumnKind, file_kind

RECORDS = [
    {"age": 31, "job": "clerk", "paid": True, "since": datetime.datetime(2020, 1, 31)},
    {"age": None, "job": "smith", "paid": False, "since": datetime.datetime(2021, 2, 1, 12)},
    {"age": 45.5, "job": None, "paid": None, "since": None},
]
NAMES = list(RECORDS[0])
ARROW = pa.Table.from_pylist(RECORDS)
CSV = b"age,job\n31,clerk\n45.5,smith\n"


def check(table, *, since=ColumnKind.datetime):
    assert table.names == NAMES
    np.testing.assert_array_equal(table["age"], [31, np.nan, 45.5])
    assert table["job"].tolist() == ["clerk", "smith", None]
    np.testing.assert_array_equal(table["paid"], [1, 0, np.nan])
    assert table.column("since").kind == since
    if since == ColumnKind.datetime:
        assert table["since"][1] == np.datetime64("2021-02-01T12:00")
        assert np.isnat(table["since"][2])


def write_stream(path):
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, ARROW.schema) as writer:
        writer.write_table(ARROW)


def write_excel(path, **sheets):
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for title, rows in (sheets or {"visits": RECORDS}).items():
        sheet = workbook.create_sheet(title)
        sheet.append(list(rows[0]))
        for row in rows:
            sheet.append(list(row.values()))
    workbook.save(path)


def write_sqlite(path, *tables):
    connection = sqlite3.connect(path)
    for table in tables or ("visits",):
        name = '"' + table.replace('"', '""') + '"'
        connection.execute(f"create table {name} (age real, job text)")
        connection.executemany(f"insert into {name} values (?, ?)", [(31, "clerk"), (None, table)])
    connection.commit()
    connection.close()


def write_zip(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def dates_as_text(record):
    return {name: str(v) if name == "since" and v else v for name, v in record.items()}


@pytest.mark.parametrize(
    ("kind", "write"),
    [
        ("parquet", lambda path: pa.parquet.write_table(ARROW, path)),
        ("arrow", lambda path: pa.feather.write_feather(ARROW, path)),
        ("arrow", lambda path: pa.feather.write_feather(ARROW, path, compression="uncompressed")),
        ("arrow_stream", write_stream),
        ("excel", write_excel),
    ],
)
def test_typed_files_are_known_and_read_under_any_name(tmp_path, kind, write):
    path = tmp_path / "data.csv"
    write(path)
    assert file_kind(str(path)) == kind
    table = softwood.read(path)
    check(table)
    assert table.origin == str(path)
    wanted = softwood.read(path, read_as={"age": "categorical", "paid": "categorical"})
    assert wanted["age"].tolist() == ["31", None, "45.5"]
    assert wanted["paid"].tolist() == ["True", "False", None]


def test_dictionaries_keep_their_order_and_numbers_their_kind(tmp_path):
    table = pa.table(
        {
            "level": pa.DictionaryArray.from_arrays([1, 0, None], ["low", "high"]),
            "day": pa.array([datetime.date(2020, 1, 2), None, None]),
            "count": pa.array([1, 2, 3], pa.int8()),
        }
    )
    pa.parquet.write_table(table, tmp_path / "t")
    read = softwood.read(tmp_path / "t")
    assert read.column("level").levels == ["low", "high"]
    assert read["day"][0] == np.datetime64("2020-01-02")
    assert read["count"].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(json.dumps(dates_as_text(record)) for record in RECORDS),
        json.dumps([dates_as_text(record) for record in RECORDS], indent=1),
        json.dumps(
            {name: [dates_as_text(record)[name] for record in RECORDS] for name in NAMES}, indent=2
        ),
        pd.DataFrame([dates_as_text(record) for record in RECORDS], dtype=object).to_json(),
    ],
    ids=["lines", "array", "columns", "pandas"],
)
def test_json_is_read_by_python_alone(tmp_path, text):
    path = tmp_path / "data"
    path.write_text(text)
    table = softwood.read(path)
    check(table, since=table.column("since").kind)


def test_objects_may_lack_cells_and_mistakes_are_named(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1}\n{"b": "x"}\n\n{"a": 3, "b": null}\n')
    table = softwood.read(path)
    np.testing.assert_array_equal(table["a"], [1, np.nan, 3])
    assert table["b"].tolist() == [None, "x", None]
    path.write_text('{"a": 1}\n{"a": \n')
    with pytest.raises(softwood.Error, match="object 2 is no JSON"):
        softwood.read(path)
    path.write_text('{"a": {"b": 1}}\n{"a": {"b": 2}}\n')
    with pytest.raises(softwood.Error, match="column 'a' holds cells of type dict"):
        softwood.read(path)
    path.write_text('{"a": 1, "b": {"c": \n2}}')
    with pytest.raises(softwood.Error, match="JSON, but no table"):
        softwood.read(path)


def test_the_first_sheet_is_read_unless_another_is_named(tmp_path, caplog):
    path = tmp_path / "book.xlsx"
    other = [{"town": "Oslo", "": None}, {"town": "Rome", "": 2}]
    write_excel(path, visits=RECORDS, towns=other)
    with caplog.at_level("INFO", "softwood"):
        check(softwood.read(path))
    assert "'visits', 'towns': the first is read" in caplog.text
    for table in (softwood.read(path, table="towns"), softwood.read(f"{path}::towns")):
        assert table.names == ["town", "x2"]
        np.testing.assert_array_equal(table["x2"], [np.nan, 2])
    with pytest.raises(softwood.Error, match=r"no sheet 'cities'. It has 'visits', 'towns'"):
        softwood.read(path, table="cities")


def test_empty_rows_and_errors_in_a_sheet_are_missing(tmp_path):
    workbook = openpyxl.Workbook()
    for row in ([None, None], ["a", 2019, None], [1, "#N/A", None], [None] * 3, [2.5, 7]):
        workbook.active.append(row)
    workbook.save(tmp_path / "t.xlsx")
    table = softwood.read(tmp_path / "t.xlsx")
    assert table.names == ["a", "2019"]
    np.testing.assert_array_equal(table["2019"], [np.nan, 7])
    assert softwood.read(tmp_path / "t.xlsx", header=False).names == ["x1", "x2"]
    assert softwood.read(tmp_path / "t.xlsx", usecols=[0], skiprows=1).names == ["a"]


def test_a_database_gives_its_only_table_or_the_one_named(tmp_path):
    path = tmp_path / "study%20.db"
    write_sqlite(path)
    table = softwood.read(path)
    np.testing.assert_array_equal(table["age"], [31, np.nan])
    assert table["job"].tolist() == ["clerk", "visits"]
    write_sqlite(path, 'the "other"')
    with pytest.raises(softwood.Error, match=r"2 tables: 'visits', 'the .other.'. Name one"):
        softwood.read(path)
    assert softwood.read(path, table='the "other"')["job"][1] == 'the "other"'
    assert softwood.read(f"{path}::visits")["job"][1] == "visits"
    with pytest.raises(softwood.Error, match="no table 'visit'"):
        softwood.read(path, table="visit")


def test_an_archive_gives_its_only_table_or_the_one_named(tmp_path, caplog):
    path = tmp_path / "data.zip"
    write_zip(path, {"a.csv": CSV, "__MACOSX/a.csv": b"\0", "empty/": b""})
    table = softwood.read(path)
    assert table["age"].tolist() == [31, 45.5]
    assert table.origin == f"{path}::a.csv"
    write_zip(path, {"a.csv": CSV, "README.txt": b"hello"})
    with caplog.at_level("INFO", "softwood"):
        assert softwood.read(path)["age"].tolist() == [31, 45.5]
    assert "'a.csv' is read" in caplog.text
    write_zip(path, {"a.csv": CSV, "b.csv": b"x\n1\n", "sub/c.csv.gz": gzip.compress(b"x\n3\n")})
    with pytest.raises(softwood.Error, match=r"3 files: 'a.csv', 'b.csv', 'sub/c.csv.gz'. Name"):
        softwood.read(path)
    assert softwood.read(path, table="b.csv")["x"].tolist() == [1]
    assert softwood.read(f"{path}::sub/c.csv.gz")["x"].tolist() == [3]


def test_other_files_in_an_archive_are_read_too(tmp_path):
    sheet = io.BytesIO()
    write_excel(sheet)
    write_sqlite(tmp_path / "t.db")
    parquet = io.BytesIO()
    pa.parquet.write_table(ARROW, parquet)
    path = tmp_path / "data.zip"
    for content in (sheet.getvalue(), parquet.getvalue()):
        write_zip(path, {"inside": content})
        check(softwood.read(path))
    write_zip(path, {"inside": (tmp_path / "t.db").read_bytes()})
    assert softwood.read(path).names == ["age", "job"]


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, pa.Codec("zstd").compress])
def test_packed_files_are_unpacked(tmp_path, pack):
    path = tmp_path / "data"
    path.write_bytes(bytes(pack(CSV)))
    assert softwood.read(path)["job"].tolist() == ["clerk", "smith"]
    path.write_bytes(bytes(pack(b'{"a": 1}\n{"a": 2}\n')))
    assert softwood.read(path)["a"].tolist() == [1, 2]


def test_gzip_around_another_kind_is_unpacked(tmp_path):
    path = tmp_path / "data.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"a": 2}\n'))
    assert softwood.read(path)["a"].tolist() == [1, 2]


def test_arrays_of_numpy_are_read(tmp_path):
    np.save(tmp_path / "t.npy", np.arange(6.0).reshape(3, 2))
    assert softwood.read(tmp_path / "t.npy")["x2"].tolist() == [1, 3, 5]


def test_the_index_of_a_frame_is_no_column(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3]})[lambda each: each["a"] != 2]
    frame.to_parquet(tmp_path / "t.parquet")
    assert softwood.read(tmp_path / "t.parquet").names == ["a"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x80\x04\x95\x00", "a Python pickle"),
        (b"<!doctype html>", "a web page"),
        (b"%PDF-1.7\n", "a PDF document"),
        ("a,b\n1,2\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_nobody_reads_is_named(tmp_path, content, words):
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(softwood.Error, match=words) as caught:
        softwood.read(tmp_path / "t.csv")
    assert "pip install" not in str(caught.value)


def test_damaged_files_are_errors(tmp_path):
    path = tmp_path / "t"
    for content in (b"PAR1\x00\x01", b"PK\x03\x04\x00", b"SQLite format 3\x00\x00" * 9, b"[{"):
        path.write_bytes(content)
        with pytest.raises(softwood.Error, match="cannot read"):
            softwood.read(path)


@pytest.mark.parametrize(
    ("library", "write"),
    [("pyarrow", lambda p: pa.parquet.write_table(ARROW, p)), ("openpyxl", write_excel)],
)
def test_a_missing_library_is_named(tmp_path, monkeypatch, library, write):
    write(tmp_path / "t")
    for name in (library, "polars", "pandas", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.setitem(sys.modules, f"{name}.parquet", None)
    with pytest.raises(softwood.Error, match=f"pip install {library}"):
        softwood.read(tmp_path / "t")


def test_tables_without_names_take_none(tmp_path):
    pa.parquet.write_table(ARROW, tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_bytes(CSV)
    for name in ("t.parquet", "t.csv"):
        with pytest.raises(softwood.Error, match="without a name"):
            softwood.read(tmp_path / name, table="x")


def test_bad_cells_may_be_missing_or_skipped(tmp_path):
    frame = pd.DataFrame({"age": ["31", "old", "45"], "x": [1.0, 2.0, 3.0]})
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_csv(tmp_path / "t.csv", index=False)
    for data in (frame, tmp_path / "t.parquet", str(tmp_path / "t.csv")):
        wanted = {"age": "numeric"}
        with pytest.raises(softwood.Error, match="'old' is not a number"):
            softwood.as_table(data, read_as=wanted)
        with pytest.warns(UserWarning, match="1 mistake in 1 row of 3") as warned:
            table = softwood.as_table(data, read_as=wanted, on_error="missing")
        assert len(warned) == 1
        np.testing.assert_array_equal(table["age"], [31, np.nan, 45])
        with pytest.warns(UserWarning, match="left out 1 row of 3"):
            table = softwood.as_table(data, read_as=wanted, on_error="skip")
        assert table["x"].tolist() == [1, 3]
    with pytest.raises(softwood.Error, match="'ignore' is none of"):
        softwood.as_table(frame, on_error="ignore")


def test_models_predict_files_and_go_on_after_bad_cells(tmp_path):
    frame = pd.DataFrame({"a": np.arange(60.0), "y": np.arange(60.0) % 7})
    model = softwood.train(frame, "y", trees=3, epochs=2, verbose=False)
    path = tmp_path / "new.csv"
    path.write_text("a\n1\nx\n3\n")
    whole = model.predict({"a": [1.0, np.nan, 3.0]})["mean"].tolist()
    with pytest.raises(softwood.Error, match=r"new.csv:3: column 'a': 'x'"):
        model.predict(path)
    for data in (path, {"a": ["1", "x", "3"]}):
        with pytest.warns(UserWarning, match="count as missing"):
            assert model.predict(data, on_error="missing")["mean"].tolist() == whole
        with pytest.warns(UserWarning, match="left out"):
            assert model.predict(data, on_error="skip")["mean"].tolist() == [whole[0], whole[2]]
