"""docs/plots.md: its code runs as written, on less training, and is what draws its pictures."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pytest
import softwood

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
PAGE = (DOCS / "plots.md").read_text()
PICTURES = re.findall(r"\(pictures/(\w+\.png)\)", PAGE)


@pytest.fixture(scope="module")
def gallery():
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "examples/gallery.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_code_of_the_page_draws_its_pictures(gallery, monkeypatch, tmp_path):
    train = softwood.train
    monkeypatch.setattr(
        softwood, "train", lambda *given, **options: train(*given, epochs=2, trees=16, **options)
    )
    names = gallery.draw(PAGE, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(PICTURES)
    assert len(names["shares"]) == 10
    assert names["one"].depth == 3
    assert plt.get_fignums() == []


def test_every_line_of_code_on_the_page_is_run(gallery):
    fenced = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    assert [code for code, _ in gallery.blocks_of(PAGE)] == fenced
    assert [name for _, names in gallery.blocks_of(PAGE) for name in names] == PICTURES


def test_a_block_that_draws_more_or_less_than_the_pictures_below_it_is_noticed(gallery, tmp_path):
    page = "```python\nimport matplotlib.pyplot as plt\nplt.figure()\n```\n![](pictures/a.png)\n"
    gallery.draw(page, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    with pytest.raises(ValueError, match="longer"):
        gallery.draw(page + "![](pictures/b.png)\n", tmp_path)


def test_rows_that_a_page_tests_on_are_like_those_it_learns_from(gallery):
    # An ordered file, cut in two, would not be.
    names: dict[str, object] = {}
    code = gallery.blocks_of(PAGE)[0][0]
    exec(code[: code.index("counts = ")], names)
    means = [names[side]["mdvis"].mean() for side in ("train", "test")]
    assert abs(means[0] / means[1] - 1) < 0.05


def test_every_picture_is_there_and_small():
    assert len(PICTURES) == 8
    for name in PICTURES:
        assert 1000 < (DOCS / "pictures" / name).stat().st_size < 60_000


def test_no_picture_is_left_over():
    assert sorted(path.name for path in (DOCS / "pictures").iterdir()) == sorted(PICTURES)
