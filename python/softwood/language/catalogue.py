"""The built-in losses as a list that prints well."""

from __future__ import annotations

import html
from dataclasses import dataclass

from softwood._core import loss_catalogue, loss_kinds


@dataclass(frozen=True, repr=False)
class CatalogueEntry:
    """A built-in loss: what it is called, what its responses are, and its text."""

    name: str
    aliases: tuple[str, ...]
    kind: str
    summary: str
    text: str

    def __repr__(self) -> str:
        also = f" (also {', '.join(self.aliases)})" if self.aliases else ""
        return f"{self.name}: {self.summary}{also}"


class Catalogue(list[CatalogueEntry]):
    """Entries in the order of their kinds; shown as a table."""

    def __repr__(self) -> str:
        widest = max((len(each.name) for each in self), default=0)
        lines: list[str] = []
        kind = ""
        for each in self:
            if each.kind != kind:
                kind = each.kind
                lines += [*([""] if lines else []), kind]
            also = f"  (also {', '.join(each.aliases)})" if each.aliases else ""
            lines.append(f"  {each.name:<{widest}}  {each.summary}{also}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = [(each.kind, each.name, each.summary, ", ".join(each.aliases)) for each in self]
        rows = [("kind", "name", "summary", "also"), *cells]
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in rows
        )
        return f"<table>{body}</table>"


def losses() -> Catalogue:
    """Every built-in loss, numbers first."""
    entries = [
        CatalogueEntry(each.name, tuple(each.aliases), each.kind, each.summary, each.text)
        for each in loss_catalogue()
    ]
    kinds = loss_kinds()
    return Catalogue(sorted(entries, key=lambda each: kinds.index(each.kind)))
