"""The pictures of docs/plots.md, drawn by the code of that page.

`python examples/gallery.py [DIRECTORY]` runs the page's code from top to bottom and saves what each
block draws under the names of the pictures below it (default: docs/pictures).
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from PIL import Image

DOCS = Path(__file__).resolve().parent.parent / "docs"
DOTS_PER_INCH = 100


def blocks_of(page: str) -> list[tuple[str, list[str]]]:
    """The page's code, block by block, with the names of the pictures that follow each."""
    blocks: list[tuple[str, list[str]]] = []
    for code, picture in re.findall(
        r"^```python\n(.*?)^```|\(pictures/(\w+\.png)\)", page, flags=re.DOTALL | re.MULTILINE
    ):
        if code:
            blocks.append((code, []))
        else:
            blocks[-1][1].append(picture)
    return blocks


def save(figure: Any, path: Path) -> None:
    """As a small file: few colours are enough for a plot."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DOTS_PER_INCH, metadata={"Software": None})
    image = Image.open(buffer).convert("RGB")
    image.quantize(200, method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


def draw(page: str, directory: Path) -> dict[str, Any]:
    """Runs the page and saves its pictures; what the page has named."""
    names: dict[str, Any] = {}
    plt.close("all")
    for code, pictures in blocks_of(page):
        exec(code, names)
        figures = [plt.figure(number) for number in plt.get_fignums()]
        for figure, picture in zip(figures, pictures, strict=True):
            save(figure, directory / picture)
            print(directory / picture)
        plt.close("all")
    return names


def main() -> None:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures"
    directory.mkdir(parents=True, exist_ok=True)
    draw((DOCS / "plots.md").read_text(), directory)


if __name__ == "__main__":
    main()
