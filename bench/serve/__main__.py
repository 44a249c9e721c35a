"""What predictions cost: `./dev bench serve rows|batches|csv --data DIR`.

Models are kept in build/serve, so that a second run only measures.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.serve import batches, files, rows

CACHE = Path("build/serve")


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench serve", description=__doc__)
    parser.add_argument("what", choices=["rows", "batches", "csv"])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the tables")
    parser.add_argument("--tables", default=",".join(batches.TABLES))
    parser.add_argument("--prepare", action="store_true", help="train only: measure in a later run")
    options = parser.parse_args()
    CACHE.mkdir(parents=True, exist_ok=True)
    if options.what == "rows":
        rows.run(CACHE, options.prepare)
    elif options.what == "csv":
        files.run(CACHE, options.prepare)
    else:
        batches.run(options.data, CACHE, options.tables.split(","), options.prepare)


if __name__ == "__main__":
    main()
