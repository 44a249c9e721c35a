"""A declared table, read as it is published."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path

import pandas as pd

from bench.accuracy.tables import TableSpec


def read_table(folder: Path, spec: TableSpec) -> pd.DataFrame:
    """Numbers as numbers, everything else as text; rows without a response are left out."""
    frame = read_file(folder / spec.file)
    frame = frame.drop(columns=list(spec.drop)).dropna(subset=[spec.target])
    for column in spec.dates:
        days = pd.to_datetime(frame[column].astype(str).str.replace("T000000", ""))
        frame[column] = (days - pd.Timestamp(1970, 1, 1)).dt.days
    for column in spec.categorical:
        frame[column] = frame[column].astype(str)
    return frame.reset_index(drop=True)


def read_file(path: Path) -> pd.DataFrame:
    """CSV or ARFF, gzipped or not; an empty cell or ? is missing."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    text = content.decode("utf-8", errors="replace")
    return _read_arff(text) if ".arff" in path.suffixes else _read_csv(text)


def _read_csv(text: str, **options: object) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=["", "?"], **options)


def _read_arff(text: str) -> pd.DataFrame:
    header, body = re.split(r"(?im)^\s*@data\s*$", text, maxsplit=1)
    attribute = r"(?im)^\s*@attribute\s+('[^']+'|\"[^\"]+\"|\S+)\s+(\{|\w+)"
    names, kinds = zip(*re.findall(attribute, header), strict=True)
    names = [name.strip("'\"") for name in names]
    body = "\n".join(line for line in body.splitlines() if line.strip() and line[0] != "%")
    nominal = {name: str for name, kind in zip(names, kinds, strict=True) if kind == "{"}
    return _read_csv(
        body, header=None, names=names, quotechar="'", skipinitialspace=True, dtype=nominal
    )
