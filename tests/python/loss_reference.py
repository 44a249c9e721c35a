"""The loss language a second time, independent of the library: Python's own parser reads the text,
and JAX or mpmath does the arithmetic."""

import ast
import itertools
import json
import math
import os
import re
import subprocess

from command_line import SOFTWOOD

OUTPUT, PARAM, DEFINE = "outputs", "param", "define"


def statements(text):
    """(kind, name, expression) of every statement that matters for value and gradient."""
    lines, depth, current = [], 0, ""
    for line in text.splitlines():
        line = line.split("#")[0]
        current += " " + line.strip()
        depth += sum(line.count(c) for c in "([") - sum(line.count(c) for c in ")]")
        if depth == 0 and current.strip() and not current.rstrip().endswith(("+", "-", "*", "/")):
            lines.append(current.strip())
            current = ""
    for line in lines:
        if line.startswith("outputs "):
            for name, size in re.findall(r"(\w+)(?:\[([^\]]+)\])?", line[len("outputs ") :]):
                yield OUTPUT, name, size
        elif line.startswith("param "):
            name, value = line[len("param ") :].split("=", 1)
            yield PARAM, name.strip(), value
        elif not line.startswith(("require ", "unit ", "label ", "censored ", "cdf(")):
            name, value = line.split("=", 1)
            yield DEFINE, name.strip(), value


def parse(expression):
    # Python's `if` is no function, and its ^ is no power; ** binds with a minus sign as our ^ does.
    text = re.sub(r"\bif\s*\(", "if_(", expression.strip()).replace("^", "**")
    return ast.parse(text, mode="eval").body


BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Pow: "power",
}
COMPARE = {
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.Gt: "greater",
    ast.GtE: "greater_equal",
}


def plain(number):
    return getattr(number, "value", number)


class Evaluator:
    """Walks the tree with the arithmetic of `backend` (see jax_backend and mpmath_backend)."""

    def __init__(self, backend, names):
        self.backend, self.names = backend, dict(names)

    def apply(self, name, *arguments):
        sizes = {len(a) for a in arguments if isinstance(a, list)}
        if (
            sizes
            and name not in ("sum", "logsumexp", "softmax", "cumsum", "diff", "size", "range")
            and not (name in ("min", "max") and len(arguments) == 1)
        ):
            (size,) = sizes
            return [
                self.apply(name, *[a[k] if isinstance(a, list) else a for a in arguments])
                for k in range(size)
            ]
        if name == "size":
            return self.backend.number(len(arguments[0]))
        if name == "range":
            return [self.backend.number(k) for k in range(int(plain(arguments[0])))]
        if name == "diff":
            v = arguments[0]
            return [v[0], *[self.apply("subtract", b, a) for a, b in itertools.pairwise(v)]]
        return getattr(
            self.backend, name + "_" if name in ("min", "max", "sum", "abs", "if") else name
        )(*arguments)

    def __call__(self, node):
        if isinstance(node, ast.Constant):
            return self.backend.number(node.value)
        if isinstance(node, ast.Name):
            return self.names[node.id]
        if isinstance(node, ast.BinOp):
            return self.apply(BINARY[type(node.op)], self(node.left), self(node.right))
        if isinstance(node, ast.UnaryOp):
            if isinstance(node.op, ast.UAdd):
                return self(node.operand)
            return self.apply(
                "logical_not" if isinstance(node.op, ast.Not) else "negate", self(node.operand)
            )
        if isinstance(node, ast.Compare):
            return self.apply(
                COMPARE[type(node.ops[0])], self(node.left), self(node.comparators[0])
            )
        if isinstance(node, ast.BoolOp):
            name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
            result = self(node.values[0])
            for value in node.values[1:]:
                result = self.apply(name, result, self(value))
            return result
        if isinstance(node, ast.List):
            parts = [self(element) for element in node.elts]
            return [x for part in parts for x in (part if isinstance(part, list) else [part])]
        if isinstance(node, ast.Subscript):
            return self.backend.pick(self(node.value), self(node.slice))
        if isinstance(node, ast.Call):
            return self.apply(node.func.id.rstrip("_"), *[self(a) for a in node.args])
        raise ValueError(ast.dump(node))


def evaluate(backend, text, y, f, columns=None, settings=None, classes=0):
    """Every definition of the text at one row; `f` is the flat list of raw outputs."""
    names = {"y": y, "classes": backend.number(classes), **(columns or {})}
    names |= {"inf": backend.number(math.inf), "nan": backend.number(math.nan)}
    outputs = iter(f)
    evaluator = Evaluator(backend, names)
    known = list(statements(text))
    if not any(kind == OUTPUT for kind, _, _ in known):
        known.insert(0, (OUTPUT, "f", ""))
    for kind, name, value in known:
        if kind == OUTPUT:
            size = int(plain(evaluator(parse(value)))) if value else 0
            evaluator.names[name] = [next(outputs) for _ in range(size)] if size else next(outputs)
        elif kind == PARAM:
            setting = (settings or {}).get(name)
            if isinstance(setting, str):
                evaluator.names[name] = names[setting]
            elif isinstance(setting, list):
                evaluator.names[name] = [backend.number(x) for x in setting]
            else:
                evaluator.names[name] = (
                    evaluator(parse(value)) if setting is None else backend.number(setting)
                )
        else:
            evaluator.names[name] = evaluator(parse(value))
    return evaluator.names


def catalogue_text(name):
    here = os.path.dirname(__file__)
    with open(
        os.path.join(here, "..", "..", "src", "loss", "catalogue", name + ".loss"), encoding="utf-8"
    ) as file:
        return file.read()


# SOFTWOOD_LOSS_EVAL names the executable; otherwise it is that of the build SOFTWOOD belongs to.
LOSS_EVAL = os.environ.get("SOFTWOOD_LOSS_EVAL") or SOFTWOOD.parents[2] / "tests/loss/loss_eval"


class LossEval:
    """The library's answers, from tests/loss/tools/loss_eval.cpp."""

    def __init__(self):
        self.process = subprocess.Popen(
            [LOSS_EVAL], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer
        return answer

    def __call__(self, loss, y, f, columns=None, classes=0):
        answer = self.ask(loss=loss, classes=classes, y=y, f=f, columns=columns or {})
        return (
            [float(v) for v in answer["value"]],
            [[float(v) for v in row] for row in answer["gradient"]],
            answer["predictions"],
        )

    def close(self):
        self.process.stdin.close()
        self.process.wait()
