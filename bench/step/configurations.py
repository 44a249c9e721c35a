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
    def is_linear(self) -> bool:
        return self.options.get("recipe") == "paper"

    @property
    def columns(self) -> int:
        return int(self.sizes.get("numeric", 0)) + int(self.sizes.get("categories", 0))

    @property
    def outputs(self) -> int:
        return max(1, int(self.sizes.get("classes", 0)))

    def arguments(self) -> list[str]:
        return [f"{name}={value}" for name, value in (self.sizes | self.options).items()]


def _classes(outputs: int) -> dict[str, int | str]:
    return {} if outputs == 1 else {"classes": outputs, "loss": "softmax"}


def linear(name: str, columns: int, trees: int, depth: int, batch: int, outputs: int) -> Configuration:
    """The paper's model: hyperplane splits, its constant rate, the smooth step."""
    return Configuration(
        name,
        {"numeric": columns, "rows": 16 * batch} | _classes(outputs),
        {"recipe": "paper", "trees": trees, "depth": depth, "batch-size": batch},
    )


ALL = {
    each.name: each
    for each in (
        linear("C1", 32, 100, 4, 256, 1),
        linear("C2", 8, 20, 3, 64, 1),
        linear("C3", 64, 50, 4, 512, 2),
        linear("C4", 600, 100, 4, 512, 6),
        linear("C5", 300, 100, 6, 256, 1),
    )
}
