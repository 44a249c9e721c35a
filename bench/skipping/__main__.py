"""What skipping costs and what depth is worth: the error on rows held out, the share of the splits
that a row visits, and processor seconds of training and of predicting the held-out rows from file
to file, over widths of the smooth step, beside the logistic function.

    python3 -m bench.skipping --data DIR --depths 3,8 --gammas 0.3,1,3 --seeds 1
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import resource
import subprocess
import tempfile
from pathlib import Path

TABLES = {
    "cal_housing": ("delve/cal_housing.arff.gz", "medianHouseValue", "none"),
    "kin8nm": ("delve/kin8nm.arff.gz", "y", "none"),
    "elevators": ("delve/elevators.arff.gz", "Goal", "none"),
    "kc_house": ("tabular/kc_house.csv.gz", "price", "id,date"),
}


def halves(source: Path, seed: int, folder: Path) -> tuple[Path, Path]:
    """70 % of the rows to learn from and the others, as files like the source."""
    lines = gzip.decompress(source.read_bytes()).decode().splitlines()
    is_arff = ".arff" in source.name
    end = 1
    if is_arff:
        end += next(i for i, line in enumerate(lines) if line.strip().lower() == "@data")
    rows = [line for line in lines[end:] if line.strip() and not (is_arff and line[0] == "%")]
    random.Random(seed).shuffle(rows)
    cut = len(rows) * 7 // 10
    ending = ".arff" if is_arff else ".csv"
    for name, part in (("train", rows[:cut]), ("test", rows[cut:])):
        (folder / (name + ending)).write_text("\n".join([*lines[:end], *part]) + "\n")
    return folder / ("train" + ending), folder / ("test" + ending)


def timed(*command: object) -> tuple[float, str]:
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True
    ).stdout
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start, text


def measure(options: argparse.Namespace, table: str, seed: int, extra: list[str]) -> dict:
    file, target, drop = TABLES[table]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train, test = halves(options.data / file, seed, folder)
        model = folder / "y.softwood"
        command = [options.softwood, "train", train, "--target", target, "-o", model, "-q"]
        command += ["--members", 1, "--seed", seed, "--threads", options.threads]
        command += [] if drop == "none" else ["--drop", drop]
        seconds, _ = timed(*command, *options.train.split(), *extra)
        (scores,) = json.loads(timed(options.softwood, "evaluate", "--json", model, test)[1])
        predicting, _ = timed(
            options.softwood, "predict", model, test, "-o", folder / "p.csv", "--threads", 1
        )
        visits = re.search(r"\(([\d.]+) %\)", timed(options.softwood, "describe", model)[1])
        share = float(visits[1]) if visits else 100.0
        return {"scores": scores, "share": share, "training": seconds, "predicting": predicting}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--softwood", default="build/release/src/cli/softwood")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--depths", default="8")
    parser.add_argument("--gammas", default="0,0.1,0.3,1,3", help="0: the logistic function")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--train", default="--ensemble wide=20 --epochs 31", help="more options")
    options = parser.parse_args()
    print(
        f"{'table':12} {'depth':>5} {'gamma':>6} {'R²':>8} {'visited':>8} {'train s':>8} "
        f"{'predict':>8}"
    )
    for table in options.tables.split(","):
        for depth in options.depths.split(","):
            for gamma in options.gammas.split(","):
                extra = ["--depth", depth, "--activation", "logistic"]
                if float(gamma) > 0:
                    extra = ["--depth", depth, "--activation", "smooth_step", "--gamma", gamma]
                runs = [measure(options, table, seed, extra) for seed in range(options.seeds)]
                mean = {
                    key: sum(run[key] for run in runs) / len(runs)
                    for key in ("share", "training", "predicting")
                }
                r2 = sum(run["scores"]["metrics"]["r2"] for run in runs) / len(runs)
                print(
                    f"{table:12} {depth:>5} {gamma if float(gamma) else 'log.':>6} {r2:8.4f} "
                    f"{mean['share']:7.1f}% {mean['training']:8.2f} {mean['predicting']:8.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
