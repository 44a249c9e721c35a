"""Run by the Python of an environment that has the wheel and what it asks for, nothing else.

    python try_wheel.py softwood-….whl

Says how large the wheel is and how long it takes to import, and runs the README's Python.
"""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 5_000_000


def import_milliseconds(module: str) -> float:
    """Median of seven fresh processes, beyond NumPy."""
    code = (
        "import numpy, time; start = time.perf_counter(); "
        f"import {module}; print(1000 * (time.perf_counter() - start))"
    )
    times = [
        float(subprocess.check_output([sys.executable, "-c", code], text=True)) for _ in range(7)
    ]
    return sorted(times)[3]


def is_alone() -> bool:
    others = ("pandas", "polars", "pyarrow", "matplotlib", "tqdm", "torch")
    return not any(importlib.util.find_spec(name) for name in others)


def run_readme(folder: str) -> None:
    readme = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", readme, flags=re.DOTALL | re.MULTILINE)
    assert blocks, "the README has no Python"
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], check=True, cwd=folder)


if __name__ == "__main__":
    size = Path(sys.argv[1]).stat().st_size
    assert size < MOST_BYTES, f"the wheel has {size} bytes"
    assert is_alone(), "the environment has more than the wheel asks for"
    print(f"{Path(sys.argv[1]).name}: {size / 1e6:.2f} MB")
    print(f"import softwood: {import_milliseconds('softwood'):.0f} ms beyond NumPy")
    with tempfile.TemporaryDirectory() as folder:
        run_readme(folder)
    print("the README's Python runs")
