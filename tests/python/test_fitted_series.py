"""The series of the special functions are those that their tool fits."""

import re
import subprocess
import sys
from pathlib import Path

LANGUAGE = Path(__file__).parents[2] / "src/loss/language"


def numbers_of(text: str) -> list[float]:
    return [float.fromhex(word) for word in re.findall(r"-?0x1\.[0-9a-f]*p[+-]?\d+", text)]


def test_the_header_holds_what_the_tool_fits():
    tool = LANGUAGE / "tools/fit_series.py"
    written = subprocess.run([sys.executable, tool], check=True, capture_output=True, text=True)
    fitted = numbers_of(written.stdout)
    assert len(fitted) > 100
    assert numbers_of((LANGUAGE / "fitted_series.h").read_text()) == fitted
