"""Files that other libraries read, known by their content: Parquet, Excel, SQLite, ….

Each is read into a frame or columns of Python's objects, and becomes a `Table` as these do. What is
packed (zip, gzip, bzip2, xz, zstd) is unpacked first.
"""

from __future__ import annotations

import gzip
import importlib
import io
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from softwood._core import Error, ReadOptions, Table, kind_of_bytes, read_bytes
from softwood.data import table_with


@dataclass(frozen=True)
class ForeignFile:
    """A file, or what was packed in one."""

    name: str
    options: ReadOptions
    table: str = ""  # which one; "" is the only or the first one
    content: bytes | None = None  # None: what the file of that name holds
    more: dict[str, Any] = field(default_factory=dict)  # for whatever reads it

    def source(self) -> Any:
        """What readers take: a path or a file in memory."""
        return self.name if self.content is None else io.BytesIO(self.content)

    def read_bytes(self) -> bytes:
        if self.content is not None:
            return self.content
        with open(self.name, "rb") as file:
            return file.read()

    def choose(self, what: str, names: list[str]) -> str:
        """The name that was asked for; of several the first, with a note."""
        if not names:
            raise Error(f"'{self.name}' has no {what}.")
        if self.table and self.table not in names:
            raise Error(f"'{self.name}' has no {what} '{self.table}'. It has {_listed(names)}.")
        if not self.table and len(names) > 1:
            self.options.note(
                f"'{self.name}' has the {what}s {_listed(names)}: the first is read. Name another "
                f"one: --table '{names[1]}' (table= in Python)."
            )
        return self.table or names[0]


def read_foreign(file: ForeignFile, kind: str) -> Table:
    """The table in a file of a kind that `softwood._core.file_kind` names."""
    read = _READERS[kind]
    if file.table and kind not in _HOLDS_SEVERAL:
        raise Error(f"'{file.name}' holds one table without a name: leave out '{file.table}'.")
    try:
        if file.content is None and _starts_as_gzip(file.name):
            file = replace(file, content=_gunzip(file, file.read_bytes()))
        frame = read(file)
        return frame if isinstance(frame, Table) else table_with(frame, file.options, file.name)
    except (Error, MemoryError):
        raise
    except ImportError as problem:
        raise Error(_lacking(file.name, problem)) from None
    except Exception as problem:
        raise Error(f"cannot read '{file.name}' ({kind}): {problem}") from problem


def _lacking(path: str, problem: ImportError) -> str:
    """Which library is to be installed; pandas hides that in the cause of its own error."""
    inner = problem.__cause__ or problem.__context__
    module = problem.name or getattr(inner, "name", None)
    if module is None:
        return f"cannot read '{path}': {problem}"
    library = {"odf": "odfpy"}.get(module.split(".")[0], module.split(".")[0])
    return f"reading '{path}' needs {library}: pip install {library}."


def read_for_command(path: bytes, kind: str, table: str, options: ReadOptions) -> Table:
    """What the command calls for files that it does not read itself."""
    try:
        return read_foreign(ForeignFile(path.decode(), options, table), kind)
    except UnicodeDecodeError:  # a name that is no text, which many libraries do not open
        with open(path, "rb") as file:
            content = file.read()
        name = path.decode("utf-8", "backslashreplace")
        return read_content(ForeignFile(name, options, table, content))


def is_read(kind: str) -> bool:
    """Whether there is a reader for it."""
    return kind in _READERS


def _starts_as_gzip(path: str) -> bool:
    if os.path.isdir(path):
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"\x1f\x8b"


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:10])
    return f"{shown}, … ({len(names)} in all)" if len(names) > 10 else shown


def _first_installed(file: ForeignFile, *readers: str) -> Any:
    """What the first library that is there makes of the file: "pyarrow.parquet.read_table"."""
    for reader in readers:
        module, function = reader.rsplit(".", 1)
        try:
            read: Callable[..., Any] = getattr(importlib.import_module(module), function)
        except ImportError:
            continue
        return read(file.source(), **file.more)
    libraries = [reader.split(".")[0] for reader in readers]
    raise Error(
        f"reading '{file.name}' needs {' or '.join(libraries)}: pip install {libraries[0]}."
    )


def _without_index(frame: Any) -> Any:
    """Without the index that pandas writes as a column if it is not 0, 1, 2, …."""
    names = getattr(frame, "column_names", None) or getattr(frame, "columns", [])
    unnamed = [name for name in names if str(name).startswith("__index_level_")]
    return frame.drop(unnamed) if unnamed else frame


def _parquet(file: ForeignFile) -> Any:
    readers = ("pyarrow.parquet.read_table", "polars.read_parquet", "pandas.read_parquet")
    return _without_index(_first_installed(file, *readers))


def _arrow(file: ForeignFile) -> Any:
    readers = ("pyarrow.feather.read_table", "polars.read_ipc", "pandas.read_feather")
    return _without_index(_first_installed(file, *readers))


def _arrow_stream(file: ForeignFile) -> Any:
    try:
        import pyarrow.ipc
    except ImportError:
        return _first_installed(file, "pyarrow.ipc", "polars.read_ipc_stream")
    return _without_index(pyarrow.ipc.open_stream(file.read_bytes()).read_all())


def _orc(file: ForeignFile) -> Any:
    return _first_installed(file, "pyarrow.orc.read_table", "pandas.read_orc")


def _by_pandas(function: str, **settings: Any) -> Callable[[ForeignFile], Any]:
    def read(file: ForeignFile) -> Any:
        file = replace(file, more={**settings, **file.more})
        return _first_installed(file, f"pandas.{function}")

    return read


def _spss(file: ForeignFile) -> Any:
    import pyreadstat  # type: ignore[import-not-found] # pandas would not say what it lacks

    del pyreadstat
    return _first_installed(file, "pandas.read_spss")


def _numpy(file: ForeignFile) -> Any:
    import numpy as np

    return np.load(file.source(), allow_pickle=False)


def unpack(file: ForeignFile, stream: Any) -> bytes:
    """All that comes out of a stream, up to the limit of the options."""
    pieces: list[bytes] = []
    size = 0
    while piece := stream.read(1 << 20):
        size += len(piece)
        file.options.check_size(file.name, size)
        pieces.append(piece)
    return b"".join(pieces)


def _gunzip(file: ForeignFile, content: bytes) -> bytes:
    return unpack(file, gzip.GzipFile(fileobj=io.BytesIO(content)))


def _unpack_zstd(file: ForeignFile) -> bytes:
    content = io.BytesIO(file.read_bytes())
    try:
        from compression import zstd  # type: ignore[import-not-found] # Python 3.14
    except ImportError:
        import pyarrow

        return unpack(file, pyarrow.input_stream(content, compression="zstd"))
    return unpack(file, zstd.open(content))


def _unpack_bzip2(file: ForeignFile) -> bytes:
    import bz2

    return unpack(file, bz2.BZ2File(io.BytesIO(file.read_bytes())))


def _unpack_xz(file: ForeignFile) -> bytes:
    import lzma

    return unpack(file, lzma.LZMAFile(io.BytesIO(file.read_bytes())))


def _packed(unpack: Callable[[ForeignFile], bytes]) -> Callable[[ForeignFile], Table]:
    def read(file: ForeignFile) -> Table:
        return read_content(replace(file, content=unpack(file)))

    return read


def read_content(file: ForeignFile) -> Table:
    """What was packed: a text, or another file of any kind."""
    assert file.content is not None
    content = file.content
    if content.startswith(b"\x1f\x8b"):
        content = _gunzip(file, content)
    kind = kind_of_bytes(content)
    if kind in _READERS:
        return read_foreign(replace(file, content=content), kind)
    if file.table:
        raise Error(f"'{file.name}' holds one table without a name: leave out '{file.table}'.")
    return read_bytes(content, file.name, file.options)


def _later(module: str) -> Callable[[ForeignFile], Any]:
    """A reader of a module of this folder, which is loaded when it is needed."""

    def read(file: ForeignFile) -> Any:
        return importlib.import_module(f"softwood.data.{module}").read(file)

    return read


_READERS: dict[str, Callable[[ForeignFile], Any]] = {
    "parquet": _parquet,
    "arrow": _arrow,
    "arrow_stream": _arrow_stream,
    "orc": _orc,
    "excel": _later("excel"),
    "old_excel": _later("excel"),
    "open_document": _later("excel"),
    "json_lines": _later("json_text"),
    "json": _later("json_text"),
    "sqlite": _later("sqlite"),
    "zip": _later("zip_archive"),
    "bzip2": _packed(_unpack_bzip2),
    "xz": _packed(_unpack_xz),
    "zstd": _packed(_unpack_zstd),
    "numpy": _numpy,
    "stata": _by_pandas("read_stata"),
    "sas": _by_pandas("read_sas", format="sas7bdat"),
    "sas_transport": _by_pandas("read_sas", format="xport"),
    "spss": _spss,
    "xml": _by_pandas("read_xml", parser="etree"),
}
_HOLDS_SEVERAL = {"excel", "old_excel", "open_document", "sqlite", "zip", "bzip2", "xz", "zstd"}
