"""Traced values as text of the loss language: few brackets, shared parts on lines of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from softwood._core import Error
from softwood.language.traced import COMPARISONS, Traced

RESERVED = frozenset([
    "outputs", "param", "require", "censored", "unit", "cdf", "if", "and", "or", "not", "y",
    "classes", "inf", "nan",
])  # fmt: skip
_WIDTH = 100

# How tightly an expression holds together, from the loosest to the tightest.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(9)
# Of a binary operator: its own tightness, and what its left and right side need.
_BINARY = {
    "or": (_OR, _OR, _AND),
    "and": (_AND, _AND, _NOT),
    **dict.fromkeys(COMPARISONS, (_COMPARISON, _SUM, _SUM)),
    "+": (_SUM, _SUM, _PRODUCT),
    "-": (_SUM, _SUM, _PRODUCT),
    "*": (_PRODUCT, _PRODUCT, _SIGN),
    "/": (_PRODUCT, _PRODUCT, _SIGN),
    "^": (_POWER, _ATOM, _SIGN),
}
# The parser refuses 200 nested brackets or 1000 terms in a row; a line stays far below.
_NESTED, _CHAINED, _DEEP = 10, 1, 300
# What depends on the argument of a cdf cannot have a line of its own and is written out each time.
_DEEPEST, _LARGEST = 900, 20_000


def number_text(value: float) -> str:
    """The shortest text that means exactly this number."""
    is_short = abs(value) < 1e16 and value == int(value)
    return f"{value:.0f}" if is_short else repr(value)


def quoted(name: str) -> str:
    """A name as it stands in an expression; in backquotes if it is no plain word."""
    plain = name.isidentifier() and (name not in RESERVED or name in ("y", "classes"))
    if not plain and re.search("[`\n]", name):
        raise Error(f"the name {name!r} has a backquote or a line break; rename the column")
    return name if plain else f"`{name}`"


def in_order(root: Traced) -> Iterator[Traced]:
    """Every value below and the root itself, operands first, each once; without recursion."""
    seen: set[int] = set()
    stack = [(root, False)]
    while stack:
        value, is_done = stack.pop()
        if is_done:
            yield value
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack.extend((each, False) for each in reversed(value.operands))


def _is_small(value: Traced) -> bool:
    """Not worth a line: f, 2, -f, f[0], size(f)."""
    is_short = value.op in ("negate", "index") or value.text == "size"
    return value.op in ("name", "number") or (
        is_short and all(each.op in ("name", "number") for each in value.operands)
    )


class TextWriter:
    """Collects the lines of a loss. What several values share gets a helper line _t1, _t2, …, which
    stands before its first use; a value that has a name already is called by it."""

    def __init__(self, values: list[Traced], taken: set[str], inner: str | None = None) -> None:
        """`values`: all that will be written; `taken`: names that mean something; `inner`: the
        argument of the cdf."""
        self.lines: list[str] = []
        self._values = values  # kept alive: they are told apart by their id
        self._taken = taken
        self._inner = inner
        self._names: dict[int, str] = {}
        self._depths: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._uses: dict[int, int] = {}
        self._count_uses()

    def define(self, name: str, value: Traced) -> None:
        """The line `name = value`; from then on the value goes by that name."""
        self._write(f"{name} = ", value)
        if not _is_small(value):
            self._names.setdefault(id(value), name)

    def state(self, words: str, value: Traced) -> None:
        """The line `words value`, such as "require y > 0"."""
        self._write(f"{words} ", value)

    def _count_uses(self) -> None:
        seen: set[int] = set()
        for root in self._values:
            self._uses[id(root)] = self._uses.get(id(root), 0) + 1
            for value in in_order(root):
                if id(value) in seen:
                    continue
                seen.add(id(value))
                for operand in value.operands:
                    self._uses[id(operand)] = self._uses.get(id(operand), 0) + 1

    def _write(self, start: str, root: Traced) -> None:
        for value in in_order(root):
            self._measure(value)
            if value is root or id(value) in self._names or self._inner in value.reads:
                continue
            is_shared = self._uses[id(value)] > 1 and not _is_small(value)
            if is_shared or self._depths[id(value)] > _DEEP:
                self._add_helper(value)
        if self._sizes[id(root)] > _LARGEST or self._depths[id(root)] > _DEEPEST:
            raise Error(
                f"'{start.strip()} …' is too long to be written down; what depends on the argument "
                "of the cdf is written out wherever it is used"
            )
        self.lines.append(_wrapped(start + self._operand(root, _OR), len(start)))

    def _add_helper(self, value: Traced) -> None:
        number = 1
        while f"_t{number}" in self._taken:
            number += 1
        name = f"_t{number}"
        self._taken.add(name)
        self.lines.append(_wrapped(f"{name} = {self._tight(value)[0]}", len(name) + 3))
        self._names[id(value)] = name

    def _measure(self, value: Traced) -> None:
        """How deeply the text of a value is nested and how many parts it has; operands first."""
        depth, size = 0, 1
        for k, operand in enumerate(value.operands):
            if id(operand) in self._names:
                continue
            is_chain = k == 0 and value.op in _BINARY and value.op != "^"
            depth = max(depth, self._depths[id(operand)] + (_CHAINED if is_chain else _NESTED))
            size += self._sizes[id(operand)]
        self._depths[id(value)] = depth
        self._sizes[id(value)] = size

    def _operand(self, value: Traced, needed: int) -> str:
        if id(value) in self._names:
            return self._names[id(value)]
        text, tightness = self._tight(value)
        return text if tightness >= needed else f"({text})"

    def _tight(self, value: Traced) -> tuple[str, int]:
        """The text of a value and how tightly it holds together."""
        if value.op == "number":
            text = number_text(value.number)
            return text, _SIGN if text.startswith("-") else _ATOM
        if value.op == "name":
            return quoted(value.text), _ATOM
        if value.op == "negate":
            inner = self._operand(value.operands[0], _SIGN)
            return f"-({inner})" if inner.startswith("-") else f"-{inner}", _SIGN
        if value.op == "not":
            return f"not {self._operand(value.operands[0], _NOT)}", _NOT
        if value.op == "index":
            vector = self._operand(value.operands[0], _ATOM)
            return f"{vector}[{self._operand(value.operands[1], _OR)}]", _ATOM
        if value.op in _BINARY:
            return self._binary(value)
        inside = ", ".join(self._operand(each, _OR) for each in value.operands)
        return f"[{inside}]" if value.op == "vector" else f"{value.text}({inside})", _ATOM

    def _binary(self, value: Traced) -> tuple[str, int]:
        tightness, left_needs, right_needs = _BINARY[value.op]
        left = self._operand(value.operands[0], left_needs)
        right = self._operand(value.operands[1], right_needs)
        # 2 - -x and 2*-x are right but hard to read.
        if right.startswith("-") and value.op in ("+", "-", "*", "/"):
            right = f"({right})"
        space = "" if value.op in ("*", "/", "^") else " "
        return f"{left}{space}{value.op}{space}{right}", tightness


def _wrapped(line: str, indent: int) -> str:
    """Breaks a long line where the language lets it go on, after a comma or an operator, and there
    where it is least nested; what follows is aligned with its bracket."""
    rows = []
    while len(line) > _WIDTH:
        breaks = [each for each in _breaks(line, indent) if indent < each[1] <= _WIDTH]
        if not breaks:
            break
        _, at, column = min(breaks, key=lambda each: (each[0], -each[1]))
        rows.append(line[:at].rstrip())
        indent = column if column <= _WIDTH // 2 else indent
        line = " " * indent + line[at:].lstrip()
    return "\n".join([*rows, line])


def _breaks(line: str, indent: int) -> Iterator[tuple[int, int, int]]:
    """Depth of the brackets, position, and the column inside the innermost one, of each place
    where a line may break."""
    columns = [indent]
    for token in re.finditer(r"`[^`]*`|[(\[]|[)\]]|(?:,|[-+<>=]|\band|\bor|\bnot) ", line):
        if token[0] in "([":
            columns.append(token.end())
        elif token[0] in ")]":
            # A continued line closes brackets that an earlier one opened.
            columns = columns[:-1] or columns
        elif token[0][0] != "`":
            yield len(columns), token.end(), columns[-1]
