"""The comparison in words and numbers: as text for the terminal, or as Markdown."""

from __future__ import annotations

from bench.accuracy.compare import Block, Line

ABSENT = "–"


def text_report(blocks: list[Block]) -> str:
    return "\n\n".join(_text_block(block) for block in blocks) or "nothing of ours measured yet"


def markdown_report(blocks: list[Block]) -> str:
    return "\n\n".join(_markdown_block(block) for block in blocks)


def header(block: Block) -> list[str]:
    methods, rivals = block.comparison.methods, block.comparison.rivals
    names = ["table", *methods, *(f"÷ {rival}" for rival in rivals)]
    return [*names, *(f"s {method}" for method in methods), "error"]


def cells(block: Block, line: Line) -> list[str]:
    """As `header` names them: errors, ratios, seconds."""
    methods, rivals = block.comparison.methods, block.comparison.rivals
    errors = [_number(line.errors.get(method), "#.4g") for method in methods]
    ratios = [_number(r.error if (r := line.ratios.get(v)) else None, ".3f") for v in rivals]
    seconds = [_number(line.seconds.get(method), ".1f") for method in methods]
    return [line.table, *errors, *ratios, *seconds, line.metric]


def _number(value: float | None, how: str) -> str:
    return ABSENT if value is None else format(value, how)


def _text_block(block: Block) -> str:
    rows = [header(block), *(cells(block, line) for line in block.lines)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"{block.title}: {block.comparison.ours}"]
    for first, *middle, last in rows:
        padded = [cell.rjust(width) for cell, width in zip(middle, widths[1:-1], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *padded, last]))
    return "\n".join([*lines, *map(str, block.summaries())])


def _markdown_block(block: Block) -> str:
    names = header(block)
    rule = ["---"] + ["---:"] * (len(names) - 2) + ["---"]
    rows = [names, rule, *(cells(block, line) for line in block.lines)]
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    summaries = "\n".join(f"- {summary}" for summary in block.summaries())
    return f"### {block.title}: {block.comparison.ours}\n\n{table}\n\n{summaries}"
