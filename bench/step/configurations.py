"""What is measured: by name, a table's size and how it is learned."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Configuration:
    """`options`: of training, by their names; `sizes`: of the table (step_program.cpp)."""

    name: str
    sizes: dict[str, int | str]
    options: dict[str, int | str] = field(default_factory=dict)

    @property
    def has_rivals(self) -> bool:
        """One group of trees that see all columns, one loss: what the rivals build."""
        return "trees" in self.options or self.options.get("ensemble", "").startswith("wide=")

    @property
    def trees(self) -> int:
        return int(self.options.get("trees") or str(self.options["ensemble"]).removeprefix("wide="))

    @property
    def outputs(self) -> int:
        return max(1, int(self.sizes.get("classes", 0)))

    def arguments(self) -> list[str]:
        return [f"{name}={value}" for name, value in (self.sizes | self.options).items()]


def _classes(outputs: int) -> dict[str, int | str]:
    return {} if outputs == 1 else {"classes": outputs, "loss": "softmax"}


def linear(
    name: str, columns: int, trees: int, depth: int, batch: int, outputs: int
) -> Configuration:
    """The paper's model: hyperplane splits, its constant rate, the smooth step."""
    return Configuration(
        name,
        {"numeric": columns, "rows": 16 * batch} | _classes(outputs),
        {"recipe": "paper", "trees": trees, "depth": depth, "batch-size": batch},
    )


def knots(
    name: str,
    numeric: int,
    bins: int,
    categories: int = 0,
    depth: int = 3,
    batch: int = 256,
    outputs: int = 1,
) -> Configuration:
    """A hundred wide trees on curves and levels."""
    return Configuration(
        name,
        {"numeric": numeric, "categories": categories, "rows": 16 * batch} | _classes(outputs),
        {"ensemble": "wide=100", "bins": bins, "depth": depth, "batch-size": batch},
    )


def usual(name: str, sizes: dict | None = None, options: dict | None = None) -> Configuration:
    """A table of 14 columns, and what the options say."""
    return Configuration(
        name,
        {"numeric": 8, "categories": 6, "rows": 4096} | (sizes or {}),
        {"depth": 3, "batch-size": 256} | (options or {}),
    )


NARROW = {"ensemble": "narrow=96", "columns-per-tree": 4}
ALL = {
    each.name: each
    for each in (
        linear("C1", 32, 100, 4, 256, 1),
        linear("C2", 8, 20, 3, 64, 1),
        linear("C3", 64, 50, 4, 512, 2),
        linear("C4", 600, 100, 4, 512, 6),
        linear("C5", 300, 100, 6, 256, 1),
        knots("K1", 8, 16, categories=6, batch=128),
        knots("K2", 8, 48),
        knots("K3", 60, 8, outputs=4),
        knots("K4", 300, 4, depth=4, batch=512),
        usual("N1", options=NARROW),
        usual("N2", {"numeric": 294}, NARROW),
        usual("default"),
        usual("hard", {"tasks": 3}, {"share": "hard"}),
        usual("soft", {"tasks": 3}, {"share": "soft"}),
        usual("classes10", _classes(10)),
        usual("classes26", _classes(26)),
        usual("zip", {"loss": "zero_inflated_poisson"}),
        usual("nb", {"loss": "negative_binomial"}),
    )
}
