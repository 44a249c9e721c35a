"""The numbers of a model file's trees, bundle by bundle."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from safetensors import safe_open


def tree_tensors(model: Path, member: int = 0) -> list[dict[str, np.ndarray]]:
    """Per bundle `biases` [trees, splits] and `leaves` [trees, leaves, outputs]; `curves`
    [trees, splits, numbers] if the file keeps all of them (--keep-loss 0)."""
    with safe_open(model, framework="numpy") as file:
        description = json.loads(file.metadata()["model"])
        found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    trees = description["members"][member]["trees"]
    flat = {part: found[f"member.{member}.{part}"] for part in ("biases", "leaves", "curves")}
    keeps_all = f"member.{member}.knots" not in found
    scales = scale_sizes(description["encoder"]["columns"])
    splits = 2 ** trees["depth"] - 1
    bundles = []
    for bundle in trees["bundles"]:
        count = bundle["trees"]
        shapes = {"biases": (count, splits), "leaves": (count, splits + 1, bundle["outputs"])}
        if keeps_all:
            shapes["curves"] = (count, splits, sum(scales[c] for c in bundle["columns"]))
        own = {}
        for part, shape in shapes.items():
            own[part] = flat[part][: np.prod(shape)].reshape(shape)
            flat[part] = flat[part][np.prod(shape) :]
        bundles.append(own)
    return bundles


def scale_sizes(columns: list[dict]) -> list[int]:
    """Knots of every column on its coarse scale if it has one; then of the finer scales."""

    def size(column: dict, edges: str) -> int:
        if column["kind"] == "curve":
            return len(column[edges]) + 1
        return len(column["levels"]) + 2 if column["kind"] == "levels" else 1

    first = [size(c, "coarse" if "coarse" in c else "edges") for c in columns]
    return first + [size(c, "edges") for c in columns if "coarse" in c]
