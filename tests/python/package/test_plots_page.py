"""docs/plots.md: its code runs as written, on a part of the rows, and its pictures are there."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import softwood

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "plots.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
PICTURES = re.findall(r"\(pictures/(\w+\.png)\)", PAGE)


def test_the_code_of_the_page_draws(monkeypatch):
    train = softwood.train
    monkeypatch.setattr(
        softwood, "train", lambda *given, **options: train(*given, epochs=2, trees=16, **options)
    )
    plt.close("all")  # what other tests left open
    names: dict[str, object] = {}
    exec("\n".join(BLOCKS), names)
    assert len(plt.get_fignums()) == 8
    assert len(names["shares"]) == 10
    assert names["one"].depth == 3
    plt.close("all")


def test_every_picture_is_there_and_small():
    assert len(PICTURES) == 8
    for name in PICTURES:
        assert 1000 < (DOCS / "pictures" / name).stat().st_size < 60_000


def test_no_picture_is_left_over():
    assert sorted(path.name for path in (DOCS / "pictures").iterdir()) == sorted(PICTURES)
