"""Run by the Python of an environment that has the wheel and what it asks for, nothing else.

    python try_wheel.py softwood-….whl

Says how large the wheel is and how long it takes to import, runs the README's Python, and uses the
`softwood` command that the wheel installs.
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
    others = ("pandas", "polars", "pyarrow", "openpyxl", "matplotlib", "tqdm", "torch")
    return not any(importlib.util.find_spec(name) for name in others)


def run_readme(folder: str) -> None:
    readme = (ROOT / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", readme, flags=re.DOTALL | re.MULTILINE)
    assert blocks, "the README has no Python"
    subprocess.run([sys.executable, "-c", "\n".join(blocks)], check=True, cwd=folder)


def softwood(*arguments: object, status: int = 0) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).parent / "softwood", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stderr}"
    return done


def try_command(folder: Path) -> None:
    table, model, parquet = folder / "t.csv", folder / "m.softwood", folder / "t.parquet"
    table.write_text("a,y\n" + "".join(f"{row % 17},{row % 17 * 2}\n" for row in range(200)))
    options = ("--target", "y", "--trees", 5, "--epochs", 3)
    assert "wrote" in softwood("train", table, *options, "-o", model).stderr
    assert softwood("predict", model, table).stdout.count("\n") == 201
    assert softwood("--version").stdout.startswith("softwood ")
    parquet.write_bytes(b"PAR1\x15\x04\x15\x00")
    said = softwood("predict", model, parquet, status=2).stderr
    assert "pip install pyarrow" in said, said
    lines = "".join(f'{{"a": {row}}}\n' for row in range(5))
    (folder / "t.jsonl").write_text(lines)
    assert softwood("predict", model, folder / "t.jsonl").stdout.count("\n") == 6


if __name__ == "__main__":
    size = Path(sys.argv[1]).stat().st_size
    assert size < MOST_BYTES, f"the wheel has {size} bytes"
    assert is_alone(), "the environment has more than the wheel asks for"
    print(f"{Path(sys.argv[1]).name}: {size / 1e6:.2f} MB")
    print(f"import softwood: {import_milliseconds('softwood'):.0f} ms beyond NumPy")
    with tempfile.TemporaryDirectory() as folder:
        run_readme(folder)
        print("the README's Python runs")
        try_command(Path(folder))
        print("the softwood command works")
