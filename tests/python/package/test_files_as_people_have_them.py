"""Odd files, read rightly or refused with a reason; docs/files.md tells the rules."""

from __future__ import annotations

import gzip
import logging
import warnings

import numpy as np
import pytest
import softwood as sw

NAN = None
ROWS = 20


def lines(*rows, end="\n"):
    return end.join(rows) + end


def long_column(strays, name="x"):
    """Twenty numbers, the last ones replaced."""
    cells = [str(n) for n in range(1, ROWS + 1 - len(strays))] + list(strays)
    return f"{name};w\n" + "".join(f"{cell};a\n" for cell in cells)


# name: the file, options, the cells of one column, words of the notes, words of the warnings
FILES = {
    "german": ("a;b\n0,5;x\n1.234,5;y\n", {}, ("a", [0.5, 1234.5]), ["decimal separator"], []),
    "german_no_header": (
        "0,5;1,5;2\n2,5;3,5;4\n",
        {"header": False},
        ("x2", [1.5, 3.5]),
        ["found in 2 columns"],
        [],
    ),
    "english_thousands": (
        'a,b\n"1,234,567.89",x\n"12",y\n',
        {},
        ("a", [1234567.89, 12]),
        ["the comma separates thousands"],
        [],
    ),
    "swiss": ("a;b\n1'234.50;x\n7;y\n", {}, ("a", [1234.5, 7]), ["apostrophe"], []),
    "french": ("a;b\n1 234,5;x\n0,5;y\n", {}, ("a", [1234.5, 0.5]), ["decimal"], []),
    "french_no_break": ("a;b\n1\u202f234,5;x\n0,5;y\n", {}, ("a", [1234.5, 0.5]), ["decimal"], []),
    "unclear": ("a;b\n1,234;x\n5,678;y\n", {}, ("a", ["1,234", "5,678"]), [], ["--thousands ,"]),
    "unclear_told": ("a;b\n1,234;x\n", {"decimal": ","}, ("a", [1.234]), [], []),
    "thousands_told": ("a;b\n1,234;x\n", {"thousands": ","}, ("a", [1234]), ["thousands"], []),
    "contradiction": ("a;b\n1.5;1,5\n", {}, ("b", ["1,5"]), [], ["contradict each other"]),
    "points_in_doubt": ("a;b\n950;x\n1.234;y\n", {}, ("a", [950, 1.234]), [], ["--thousands ."]),
    "excel_sep": ("sep=;\r\na;b\r\n1;x\r\n", {}, ("a", [1]), [], []),
    "excel_errors": (
        "a,b\n#DIV/0!,x\n#N/A,y\n#VALUE!,z\n4,w\n",
        {},
        ("a", [NAN, NAN, NAN, 4]),
        [],
        [],
    ),
    "r_and_pandas": (
        "a,b\nNA,x\n<NA>,y\nn/a,z\n-1.#IND,w\n4,v\n",
        {},
        ("a", [NAN] * 4 + [4]),
        [],
        [],
    ),
    "database": ("a,b\n\\N,x\n(null),y\n3,z\n", {}, ("a", [NAN, NAN, 3]), [], []),
    "dashes_among_numbers": ("a,b\n-,x\n.,y\nNone,z\n3,w\n", {}, ("a", [NAN] * 3 + [3]), [], []),
    "none_is_a_level": ("a,b\nNone,1\nBrick,2\n-,3\n", {}, ("a", ["None", "Brick", "-"]), [], []),
    "comments": ("# by hand\n# 2024, May\na,b\n1,2\n", {}, ("a", [1]), [], []),
    "numpy_savetxt": ("# a,b\n1.5,2\n", {}, ("a", [1.5]), [], []),
    "hash_header": ("#id,b\n7,2\n", {}, ("#id", [7]), [], []),
    "byte_order_mark": ("\ufeffa,b\n1,2\n", {}, ("a", [1]), [], []),
    "money": ("a;b\n$1,234.50;x\n($20);y\n", {}, ("a", [1234.5, -20]), ["currency $"], []),
    "euros": ("a;b\n1.234,50 €;x\n5,00 €;y\n", {}, ("a", [1234.5, 5]), ["currency €"], []),
    "two_currencies": ("a;b\n$5;x\n€5;y\n", {}, ("a", ["$5", "€5"]), [], ["several currencies"]),
    "percent": ("a;b\n12 %;x\n7.5%;y\n", {}, ("a", [12, 7.5]), ["percent signs are dropped"], []),
    "some_percent": ("a;b\n12 %;x\n0.5;y\n", {}, ("a", [12, 0.5]), [], ["have none"]),
    "text_marks": ("a,b\n'0042,x\n'7,y\n", {}, ("a", [42, 7]), [], []),
    "no_break_spaces": ("a,b\n\u00a07\u00a0,x\n\u00a0,y\n", {}, ("a", [7, NAN]), [], []),
    "typo": (
        long_column(["1e"]),
        {},
        ("x", [*range(1, ROWS), NAN]),
        [],
        ["1 of 20 cells is no number and counts as missing: '1e' (line 21); --categorical x"],
    ),
    "words_among_numbers": (
        long_column(["abc", "refused"]),
        {},
        ("x", [*range(1, ROWS - 1), NAN, NAN]),
        [],
        ["'abc' (line 20), 'refused' (line 21)"],
    ),
    "codes": (
        long_column(["V45", "E11"]),
        {},
        ("x", [*map(str, range(1, ROWS - 1)), "V45", "E11"]),
        [],
        [],
    ),
    "ranges": ("a,b\n0-9,1\n10-19,2\n20+,3\n", {}, ("a", ["0-9", "10-19", "20+"]), [], []),
    "total": (
        "a,b\nNorth,1\nSouth,2\nTotal,3\n",
        {},
        ("a", ["North", "South", "Total"]),
        [],
        ["sum of the others: 'Total' in column 'a' (line 4)"],
    ),
    "total_among_numbers": (
        long_column(["Gesamt"]),
        {},
        ("x", [*range(1, ROWS), NAN]),
        [],
        ["counts as missing: 'Gesamt'", "sum of the others"],
    ),
    "dates_with_holes": (
        lines("d,b", *(f"2020-01-{day:02},1" for day in range(1, 20)), "0000-00-00,1", "soon,1"),
        {},
        ("d", [np.datetime64("2020-01-01") + n for n in range(19)] + [NAN, NAN]),
        [],
        ["no date and counts as missing: 'soon' (line 22)"],
    ),
    "latin_1": (
        "a;b\nM\xfcller;0,5\nx;1,5\n".encode("latin-1"),
        {},
        ("a", ["Müller", "x"]),
        ["comma"],
        [],
    ),
    "gzip": (gzip.compress(b"sep=;\na;b\n0,5;x\n1,5;y\n"), {}, ("a", [0.5, 1.5]), ["comma"], []),
    "tabs": ("a\tb\n1,5\tx\n2,5\ty\n", {}, ("a", [1.5, 2.5]), ["comma"], []),
    "windows_quotes": ('"a";"b"\r\n"1,5";"x"\r\n', {}, ("a", [1.5]), ["comma"], []),
}


def cells(column):
    values = column.to_numpy()
    if values.dtype.kind == "f":
        return [None if np.isnan(value) else value for value in values.tolist()]
    if values.dtype.kind == "M":
        return [None if np.isnat(value) else value for value in values]
    return values.tolist()


@pytest.mark.parametrize("name", FILES)
def test_files_as_people_have_them(name, tmp_path, caplog):
    content, options, (column, expected), notes, warned = FILES[name]
    path = tmp_path / f"{name}.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with warnings.catch_warnings(record=True) as caught, caplog.at_level(logging.INFO, "softwood"):
        warnings.simplefilter("always")
        table = sw.read(path, **options)
    assert cells(table.column(column)) == expected
    assert len(caught) == len(warned), [str(each.message) for each in caught]
    for each, words in zip(caught, warned, strict=True):
        assert each.category.__name__ == "DataWarning"
        assert words in str(each.message)
    told = "\n".join(caplog.messages)
    assert bool(told) == bool(notes), told
    for words in notes:
        assert words in told


REFUSED = {
    "ragged": ("a,b\n1,2\n3\n", {}, "refused.csv:3: 1 field where 2 are expected"),
    "unclear_number": (
        "a;b\n7;x\n1,234;x\n",
        {"read_as": {"a": "numeric"}},
        "refused.csv:3: column 'a': nothing tells how to read '1,234'",
    ),
    "no_number": ("a;b\n7;x\nabc;x\n", {"read_as": {"a": "numeric"}}, ":3: column 'a': 'abc'"),
    "same_separators": ("a\n1\n", {"decimal": ",", "thousands": ","}, "they must differ"),
    "odd_decimal": ("a\n1\n", {"decimal": ":"}, "decimal is ':'"),
    "long_decimal": ("a\n1\n", {"decimal": ",."}, "must be one character"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused_say_why(name, tmp_path):
    content, options, words = REFUSED[name]
    path = tmp_path / "refused.csv"
    path.write_text(content)
    with pytest.raises(sw.Error) as refused:
        sw.read(path, **options)
    assert words in str(refused.value)
