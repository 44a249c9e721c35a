"""One column from a pandas Series, without pyarrow unless the Series is made of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._core import Column, ColumnKind, ReadAs
from softwood.data.arrays import column_from_array, column_from_objects


def column_from_series(name: str, series: Any, wanted: ReadAs | None) -> Column:
    """A column from a Series of any dtype; contiguous float64 is shared, not copied."""
    import pandas

    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return column_from_array(name, series.to_numpy(), wanted)
    if isinstance(dtype, pandas.CategoricalDtype):
        return _from_categories(name, series)
    if isinstance(dtype, pandas.DatetimeTZDtype):
        utc = series.dt.tz_convert("UTC").dt.tz_localize(None)
        return column_from_array(name, utc.to_numpy(), wanted)
    if isinstance(dtype, pandas.PeriodDtype):
        return column_from_array(name, series.dt.to_timestamp().to_numpy(), wanted)
    if isinstance(dtype, pandas.SparseDtype):
        return column_from_array(name, series.sparse.to_dense().to_numpy(), wanted)
    if isinstance(dtype, pandas.ArrowDtype) or getattr(dtype, "storage", "") == "pyarrow":
        return column_from_arrow(name, series.array.__arrow_array__(), wanted)
    if dtype.kind in "iuf":
        return Column.numeric(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    return column_from_objects(name, series.astype(object).tolist(), wanted)


def column_from_arrow(name: str, source: Any, wanted: ReadAs | None) -> Column:
    """A column from what has `__arrow_c_stream__`: a polars Series, a pyarrow ChunkedArray."""
    read_as = {} if wanted is None else {name: wanted}
    return Column.from_arrow(source, name, read_as)


def _from_categories(name: str, series: Any) -> Column:
    """The categories keep their order, used or not; what is no text is written as one."""
    categories = series.cat.categories.to_series()
    as_texts = ReadAs(ColumnKind.categorical)
    levels = column_from_series(name, categories, as_texts).read_as(as_texts).to_numpy()
    codes = np.ascontiguousarray(series.cat.codes.to_numpy(), dtype=np.int32)
    return Column.categorical(name, codes, [text or "" for text in levels])
