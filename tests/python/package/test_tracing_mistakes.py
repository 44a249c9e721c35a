"""What cannot be traced is an error that says where it stands and what to write instead."""

import math
import re

import numpy as np
import pytest
import softwood as sw
from scipy import special


def branching(y, f):
    if y > f:
        return y - f
    return f - y


def counting(y, f):
    values = np.zeros(2)
    values[0] = f
    return values[0]


def writing(y, f):
    f[0] = 1
    return f


MISTAKES = [
    (branching, r"sw\.where\(condition, a, b\)"),
    (lambda y, f: f if 0 < f < 1 else y, r"\(a < b\) & \(b < c\)"),
    (lambda y, f: sw.where(y > 0 and f > 0, y, f), "write &, | and ~".replace("|", r"\|")),
    (lambda y, f: max(y, f), r"sw\.max"),
    (lambda y, f: float(f) + y, r"no number yet"),
    (lambda y, f: math.exp(f) + y, r"np\.exp\(f\) for math\.exp\(f\)"),
    (lambda y, f: int(f), "no number yet"),
    (lambda y, f: np.array([f, y]).sum(), r"a list \[a, b\]"),
    (counting, "no number yet"),
    (writing, "cannot be changed"),
    (lambda y, f: np.add(f, 1, out=np.zeros(1)) + y, "writes into an array"),
    (lambda y, f: np.exp(f, where=[True]) + y, "leave where out"),
    (lambda y, f: np.where(f > y), "needs a condition and two values"),
    (lambda y, f: np.arctan(f), "no arctan; the nearest that it has is tanh"),
    (lambda y, f: special.gamma(f), "no gamma; the nearest that it has is gammaln"),
    (lambda y, f: np.multiply.reduce(f), r"no multiply\.reduce"),
    (lambda y, f: np.median(f), "no median"),
    (lambda y, f: f.sum(), r"write sw\.sum\(…\)"),
    (lambda y, f: f % 2, r"a - b\*sw\.floor\(a/b\)"),
    (lambda y, f: f @ y, r"sw\.sum\(a\*b\)"),
    (lambda y, f: round(f), r"sw\.floor\(x \+ 0\.5\)"),
    (lambda y, f: f & y, "mind the brackets"),
    (lambda y, f: [1.0, 2.0][f], "sw.where for each case"),
    (lambda y, f: None, "returns nothing"),
    (lambda y, f: 3.0, "does not depend on f"),
    (lambda y, f: y**2, "does not depend on f"),
    (lambda y, f: f * math.nan, "nan stands in the loss"),
    (lambda y, f: f * "a", "a str in a loss"),
    (lambda y, f: f * 1j, "a complex in a loss"),
    (lambda y, f: f * np.zeros((2, 2)), "a ndarray in a loss"),
    (lambda y, f: [y, f], "is a vector, not a number"),
    (lambda y, f: y > f, "is a condition"),
    (lambda y, *f: y, r"the argument \*f"),
    (lambda y, f, **c: y, r"the argument \*\*c"),
    (lambda y, p: (y - p) ** 2, "no argument is called f"),
    (lambda t, f: (t - f) ** 2, "no argument is called y"),
    (lambda y, f, unit=3: (y - f) ** 2 * unit, "'unit' is a word of the loss language"),
    (lambda y, f, a=True: (y - f) ** 2 * a, "the default of 'a' is True"),
    (lambda y, f, a=None: (y - f) ** 2, "the default of 'a' is None"),
    (lambda y, f: {"mean": f}, "has no 'loss'"),
    (lambda y, f: {"loss": y - f, "mean": y + f}, "'mean' reads y"),
    (lambda y, f: {"loss": y - f, "two words": f}, "is no name of a line"),
    (lambda y, f, a: {"loss": y - f, "a": f}, "the name of an argument"),
    (lambda y, f: {"loss": y - f, "require": True}, "needs a condition"),
    (lambda y, f: {"loss": y - f, "cdf": f}, "a function of one argument"),
    (lambda y, f: {"loss": y - f, "cdf": lambda q: f}, "does not depend on 'q'"),
    (lambda y, f: {"loss": y - f, "cdf": lambda f: f}, "call it q"),
    (lambda y, f: {"loss": y - f, "unit": 3}, "a dict of an output and a number"),
    (lambda y, f: sw.exp(f, y), "exp takes 1 argument, not 2"),
]


@pytest.mark.parametrize(("function", "message"), MISTAKES)
def test_a_mistake_is_told_with_the_place_and_the_way_out(function, message):
    with pytest.raises(sw.Error, match=message) as caught:
        sw.Loss(function)
    place = re.match(r"(\S+) \((.+):(\d+)\): ", str(caught.value))
    assert place[1] == function.__name__
    assert place[2] == __file__
    first = function.__code__.co_firstlineno
    assert first <= int(place[3]) <= first + 4


def test_the_line_of_the_if_is_named_not_that_of_the_def():
    with pytest.raises(sw.Error, match=rf":{branching.__code__.co_firstlineno + 1}\): "):
        sw.Loss(branching)


def test_a_loop_over_a_number_or_over_classes_is_refused():
    def looping(y, f):
        return sum(each for each in f) + y

    with pytest.raises(sw.Error, match="a loop needs a vector"):
        sw.Loss(looping, outputs="f")
    with pytest.raises(sw.Error, match=r"sw\.sum\(f\)"):
        sw.Loss(looping, outputs="f[classes]")


def test_every_output_has_to_matter():
    with pytest.raises(sw.Error, match="does not depend on b"):
        sw.Loss(lambda y, a, b: (y - a) ** 2, outputs=("a", "b"))


def test_a_cdf_that_would_be_endless_is_refused():
    def endless(y, f):
        def cdf(q):
            for _ in range(60):
                q = q * q + q
            return q

        return {"loss": y - f, "cdf": cdf}

    with pytest.raises(sw.Error, match="too long to be written down"):
        sw.Loss(endless)


def test_other_exceptions_come_through_as_they_are():
    def broken(y, f):
        return (y - f) / {}["key"]

    with pytest.raises(KeyError):
        sw.Loss(broken)
