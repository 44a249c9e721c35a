"""Runs with the Python that has torch (Debian's) and the module of the dev build."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# After PYTHONPATH, so that another build can be tested.
sys.path.extend([str(ROOT / "build/dev/python"), str(ROOT), str(ROOT / "tests/python")])
