"""The report as one HTML page that needs nothing else: no script, no other file."""

from __future__ import annotations

from html import escape

from bench.accuracy.compare import Block, Line
from bench.accuracy.plots import ratio_plot, time_plot, trees_plot
from bench.accuracy.report import cells, header

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 1200px; color: #222;
       background: #fff; padding: 0 1em }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { padding: 2px 8px; text-align: right; border-bottom: 1px solid #eee; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
.win { background: #dcf2dc } .loss { background: #f8dcdc } .tie { background: #eee }
svg { max-width: 100%; height: auto }
"""
LEGEND = (
    "Ratios are ours ÷ the rival's error on the test rows, over the seeds both have; "
    "below 1 ours is better. Green: ours better, red: worse, grey: a tie "
    "(within 1 %; counts within 0.3 %). s: processor seconds of training on one thread."
)


def html_page(blocks: list[Block], curves: dict[str, dict[int, float]], rival: str) -> str:
    """`curves`: per table the error ratio to `rival` by number of trees; may be empty."""
    parts = ["<h1>Softwood beside boosting</h1>", f"<p>{LEGEND}</p>", _overview(blocks)]
    parts += [_section(block) for block in blocks]
    for ours in dict.fromkeys(block.comparison.ours for block in blocks):
        parts += [f"<h2>Error and training time: {escape(ours)}</h2>"]
        parts += [time_plot([block for block in blocks if block.comparison.ours == ours])]
    if curves:
        parts += [f"<h2>Error and number of trees, {len(curves)} tables</h2>"]
        parts += [trees_plot(curves, rival)]
    head = f'<meta charset="utf-8"><title>Softwood: accuracy</title><style>{STYLE}</style>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'


def _overview(blocks: list[Block]) -> str:
    names = ["tables", "ours", "rival", "number", "geometric mean", "wins", "ties", "losses"]
    rows = [
        [b.title, b.comparison.ours, s.rival, s.tables, f"{s.mean:.3f}", s.wins, s.ties, s.losses]
        for b in blocks
        for s in b.summaries()
    ]
    body = "".join(_row("td", map(str, row)) for row in rows)
    return f'<div class="wide"><table>{_row("th", names)}{body}</table></div>'


def _section(block: Block) -> str:
    title = escape(f"{block.title}: {block.comparison.ours}")
    body = "".join(_line_row(block, line) for line in block.lines)
    table = f'<div class="wide"><table>{_row("th", header(block))}{body}</table></div>'
    return f"<h2>{title}</h2>{ratio_plot(block)}{table}"


def _line_row(block: Block, line: Line) -> str:
    verdicts = [line.ratios[v].verdict if v in line.ratios else "" for v in block.comparison.rivals]
    values = cells(block, line)
    # the ratios stand behind the table's name and the errors
    before = 1 + len(block.comparison.methods)
    kinds = [""] * before + verdicts + [""] * (len(values) - before - len(verdicts))
    return _row("td", values, kinds)


def _row(tag: str, values: object, kinds: list[str] | None = None) -> str:
    values = list(values)
    pairs = zip(values, kinds or [""] * len(values), strict=True)
    filled = "".join(
        f'<{tag} class="{kind}">{escape(value)}</{tag}>'
        if kind
        else f"<{tag}>{escape(value)}</{tag}>"
        for value, kind in pairs
    )
    return f"<tr>{filled}</tr>"
