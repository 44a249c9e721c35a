"""The Python of the documentation runs as written, and what `>>>` shows is what comes out."""

import doctest
import re
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
# tests/torch runs that page: it needs torch
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "torch.md"),
]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page: Path) -> list[tuple[int, str]]:
    """The page's Python and the lines where it starts, in order: later blocks use earlier ones."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [(text.count("\n", 0, each.start(1)) + 1, each[1]) for each in found]


WITH_PYTHON = [page for page in PAGES if blocks(page)]


def run(page: Path, line: int, code: str, names: dict) -> None:
    if not code.lstrip().startswith(">>>"):
        # Empty lines before it, so that an error names the page's line.
        exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(code, {}, page.name, str(page), line - 1)
    test.globs = names
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(
        test, out=told.append, clear_globs=False
    )
    assert result.failed == 0, "".join(told)


@pytest.fixture
def folder_with_data(tmp_path, monkeypatch):
    """Where the pages' tables are: visits.csv is the one of the README's tour, in part."""
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    (tmp_path / "visits.csv").write_text("".join(visits.splitlines(keepends=True)[:2000]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")


def test_the_documentation_has_python():
    assert ROOT / "docs/losses.md" in WITH_PYTHON


@pytest.mark.usefixtures("folder_with_data")
@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page):
    names: dict = {"__name__": "__main__"}
    for line, code in blocks(page):
        run(page, line, code, names)
