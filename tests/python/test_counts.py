"""The watch over instruction counts (`./dev count`): what it says of which counts."""

from __future__ import annotations

from pathlib import Path

from tests.counts.verdict import judge
from tests.counts.workloads import WORKLOADS, write_tables

KEPT = {"train": 1_000_000, "predict": 2_000_000}


def test_a_tenth_more_fails_and_a_little_more_does_not() -> None:
    verdict = judge({"train": 1_101_000, "predict": 2_000_000}, KEPT)
    assert verdict.failed
    assert "train: 1,101,000 instructions, +10.10%: more than 10%" in verdict.lines[0]
    assert "./dev count --renew" in verdict.lines[-1]
    assert not judge({"train": 1_090_000, "predict": 2_000_000}, KEPT).failed


def test_fewer_are_told_and_no_failure() -> None:
    verdict = judge({"train": 900_000, "predict": 2_000_000}, KEPT)
    assert not verdict.failed
    assert "./dev count --renew" in verdict.lines[-1]
    assert len(judge(KEPT, KEPT).lines) == len(KEPT)


def test_what_is_not_kept_fails() -> None:
    assert judge({"train": 1_000_000, "new": 5}, KEPT).failed


def test_every_workload_has_its_tables(tmp_path: Path) -> None:
    write_tables(tmp_path)
    names = {word for words in WORKLOADS.values() for word in words if word.endswith(".csv")}
    assert names - {"predicted.csv"} == {path.name for path in tmp_path.iterdir()}
