"""Files that the native command does not read: it says what they are and what to do."""

import gzip
import sqlite3
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from command_line import fail

TABLE = pa.table({"x1": [1.0, 2.0], "y": [1, 2]})


def write_excel(path):
    workbook = openpyxl.Workbook()
    workbook.active.append(["x1", "y"])
    workbook.save(path)


def write_sqlite(path):
    connection = sqlite3.connect(path)
    connection.execute("create table t (x1 real)")
    connection.commit()
    connection.close()


def write_zip(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("t.csv", "x1,y\n1,2\n")


def write_json(path):
    path.write_bytes(gzip.compress(b'{"x1": 1}\n{"x1": 2}\n'))


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda path: pa.parquet.write_table(TABLE, path), "a Parquet file"),
        (lambda path: pa.feather.write_feather(TABLE, path), "an Arrow (Feather) file"),
        (write_excel, "an Excel workbook"),
        (write_sqlite, "an SQLite database"),
        (write_zip, "a zip archive"),
        (write_json, "JSON, an object per line"),
    ],
)
def test_a_file_is_named_whatever_it_is_called(tmp_path, wave_model, write, words):
    path = tmp_path / "data.csv"
    write(path)
    message = fail("predict", wave_model, path)
    assert f"'{path}' is {words}" in message
    assert "pip install ." in message
    assert "NUL" not in message
    options = ("--target", "y", "-o", tmp_path / "m.softwood")
    assert words in fail("train", path, *options)


def test_a_model_in_the_place_of_data_is_named(wave_model, wave_csv, tmp_path):
    message = fail("predict", wave_model, wave_model)
    assert "is a Softwood model" in message
    assert "softwood predict MODEL DATA" in message


def test_a_table_cannot_be_named_in_a_text(wave_model, wave_csv):
    assert "without a name" in fail("predict", wave_model, wave_csv, "--table", "t")
    assert "without a name" in fail("predict", wave_model, f"{wave_csv}::t")
