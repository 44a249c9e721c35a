"""Counts the instructions of small trainings and a prediction: `./dev count [--renew]`.

Counts repeat where times do not. Valgrind knows no AVX-512, so the kernels are those of AVX2, one
thread, in an environment of its own; only what main() does is counted, with all symbols bound
before: the loader's work depends on where libraries lie.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.counts.verdict import judge
from tests.counts.workloads import WORKLOADS, write_tables

KEPT = Path(__file__).with_name("counts.json")
_ENVIRONMENT = {"SOFTWOOD_SIMD": "avx2", "LD_BIND_NOW": "1", "LC_ALL": "C.UTF-8"}


class NoTarget(Exception):
    """The machine has no AVX2."""


def count(softwood: Path, arguments: list[str], folder: Path) -> int:
    """Instructions of one command, run in `folder`."""
    profile = folder / "profile"
    tool = ["/usr/bin/valgrind", "--tool=callgrind", "--toggle-collect=main"]
    done = subprocess.run(
        [*tool, f"--callgrind-out-file={profile}", str(softwood), *arguments],
        cwd=folder,
        env=_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "has no such SIMD target" in done.stderr:
        raise NoTarget
    if done.returncode != 0:
        sys.exit(f"softwood {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
    found = re.search(r"^totals: (\d+)", profile.read_text(), re.MULTILINE)
    if found is None:
        sys.exit(f"callgrind wrote no totals: {done.stderr}")
    return int(found[1])


def count_all(softwood: Path) -> dict[str, int]:
    """All workloads."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_tables(folder)
        return {
            workload: count(softwood, arguments, folder)
            for workload, arguments in WORKLOADS.items()
        }


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev count", description=__doc__)
    parser.add_argument("--softwood", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--renew", action="store_true", help="keep the counts of now")
    options = parser.parse_args()
    try:
        counted = count_all(options.softwood.resolve())
    except NoTarget:
        print("Nothing is counted: this machine has no AVX2, which the counts are of.")
        return
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if options.renew:
        KEPT.write_text(json.dumps(counted, indent=2) + "\n")
    verdict = judge(counted, counted if options.renew else kept)
    print("\n".join(verdict.lines))
    sys.exit(verdict.failed)


if __name__ == "__main__":
    main()
