"""Python functions become texts of the loss language that mean the same."""

import functools
import math
import re

import numpy as np
import pytest
import softwood as sw
from hypothesis import given
from hypothesis import strategies as st
from twin_losses import TWINS


def loss_line(function, **keywords):
    """What the text says after `loss =`."""
    text = sw.Loss(function, **keywords).text
    return re.search(r"^loss = (.*)$", text, re.M)[1]


# --- the text ---


def test_a_lambda_reads_as_it_was_written():
    assert loss_line(
        lambda y, f: sw.where(abs(y - f) < 1, 0.5 * (y - f) ** 2, abs(y - f) - 0.5)
    ) == ("if(abs(y - f) < 1, 0.5*(y - f)^2, abs(y - f) - 0.5)")


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda y, f: y - (f - 1), "y - (f - 1)"),
        (lambda y, f: y - f - 1, "y - f - 1"),
        (lambda y, f: y + (f + 1), "y + (f + 1)"),
        (lambda y, f: y * (f / 3), "y*(f/3)"),
        (lambda y, f: y * f / 3, "y*f/3"),
        (lambda y, f: (y + f) * 3, "(y + f)*3"),
        (lambda y, f: -(y * f), "-(y*f)"),
        (lambda y, f: -y * f, "-y*f"),
        (lambda y, f: -((y - f) ** 2), "-(y - f)^2"),
        (lambda y, f: (-f) ** 2 + y, "(-f)^2 + y"),
        (lambda y, f: y ** (f**2), "y^f^2"),
        (lambda y, f: (y**f) ** 2, "(y^f)^2"),
        (lambda y, f: 2**-f + y, "2^-f + y"),
        (lambda y, f: y - -f, "y - (-f)"),
        (lambda y, f: -np.negative(f) * y, "-(-f)*y"),
        (lambda y, f: y - f * -2, "y - f*(-2)"),
        (lambda y, f: sw.where(~((y > 0) & (f > 0)), y, f), "if(not (y > 0 and f > 0), y, f)"),
        (lambda y, f: sw.where(((y > 0) | (f > 0)) & (y < 9), y, f),
         "if((y > 0 or f > 0) and y < 9, y, f)"),
        (lambda y, f: sw.where((y > 0) | (f > 0) & (y < 9), y, f),
         "if(y > 0 or f > 0 and y < 9, y, f)"),
        (lambda y, f: (y > 0) * f, "if(y > 0, 1, 0)*f"),
        (lambda y, f: y // f, "floor(y/f)"),
        (lambda y, f: sum([y, f, 2]), "y + f + 2"),
    ],
)  # fmt: skip
def test_brackets_stand_only_where_they_are_needed(function, text):
    assert loss_line(function) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(2, "2"), (2.0, "2"), (0.1, "0.1"), (1e300, "1e+300"),
     (np.float32(0.3), "0.30000001192092896"),
     (np.int64(3), "3"), (np.array(1.5), "1.5"), (True, "1"), (math.inf, "inf"), (1e-5, "1e-05"),
     (2**53, "9007199254740992")],
)  # fmt: skip
def test_constants_are_exact_and_short(number, text):
    assert loss_line(lambda y, f: y + f * number) == f"y + f*{text}"


@given(st.floats(allow_nan=False))
def test_every_constant_comes_back_to_the_last_bit(number):
    loss = sw.Loss(lambda y, f: sw.where(y > 0, number, f))
    assert np.float64(loss.value(1, 0)).tobytes() == np.float64(number).tobytes()


def test_what_is_shared_gets_a_line_and_what_is_used_once_does_not():
    def shared(y, f):
        distance = abs(y - f)
        return sw.where(distance < 1, distance**2, 2 * distance - 1)

    assert sw.Loss(shared).text.splitlines() == [
        "outputs f",
        "_t1 = abs(y - f)",
        "loss = if(_t1 < 1, _t1^2, 2*_t1 - 1)",
        "mean = f",
    ]


def test_helper_lines_are_no_predictions_and_avoid_names_of_columns():
    def shared(y, f, _t1):
        scale = np.exp(f * _t1)
        return y * scale + scale

    loss = sw.Loss(shared)
    assert "_t2 = exp(f*_t1)" in loss.text
    assert loss.columns == ("_t1",)
    assert loss.predictions == ("mean",)


def test_values_with_names_are_called_by_them_wherever_they_stand():
    def late(y, f):
        mean = np.exp(f)
        return {"loss": mean - y * f, "mean": mean, "variance": mean}

    assert sw.Loss(late).text.splitlines() == [
        "outputs f",
        "mean = exp(f)",
        "loss = mean - y*f",
        "variance = mean",
    ]


def test_doubling_a_value_many_times_does_not_double_the_text():
    def doubling(y, f):
        value = y - f
        for _ in range(100):
            value = np.tanh(value) + value
        return value

    loss = sw.Loss(doubling)
    assert len(loss.text) < 5000
    value = 0.25
    for _ in range(100):
        value = math.tanh(value) + value
    assert loss.value(0.25, 0.0) == pytest.approx(value, rel=1e-12)


def test_long_sums_and_deep_nests_stay_within_what_the_parser_takes():
    def long(y, f):
        total = y
        for k in range(3000):
            total = total + f * k
        return total

    def deep(y, f):
        value = y - f
        for _ in range(1000):
            value = np.tanh(value)
        return value

    assert sw.Loss(long).value(1, 2) == 1 + 2 * sum(range(3000))
    assert 0 < sw.Loss(deep).value(1, 0) < 0.1
    assert all(len(line) <= 110 for line in sw.Loss(long).text.splitlines())


def test_long_lines_break_where_the_language_lets_them():
    def long(y, f, a_long_name, another_long_name):
        first = sw.where(y > a_long_name, np.exp(f * a_long_name), another_long_name * (y - f) ** 2)
        return first + sw.where((y < 0) & (f > another_long_name), np.log1p(f**2), y * f - 12.5)

    loss = sw.Loss(long)
    assert "\n " in loss.text
    assert max(map(len, loss.text.splitlines())) <= 100
    value = loss.value(1.0, 0.5, a_long_name=0.25, another_long_name=2)
    assert value == pytest.approx(math.exp(0.125) + 0.5 - 12.5)


def test_the_docstring_heads_the_text():
    def mine(y, f):
        """Squares, as ever.

        More about them.
        """
        return (y - f) ** 2

    assert sw.Loss(mine).text.splitlines()[0] == "# Squares, as ever."
    assert sw.Loss(mine).name == "mine"


# --- arguments ---


def test_arguments_are_outputs_parameters_columns_and_classes():
    def everything(y, a, w, exposure, delta=2.5, levels=(0.1, 0.9), seen="years seen"):
        return (y - a) ** 2 * exposure * delta + sw.sum(w) * levels[0] * seen

    loss = sw.Loss(everything, outputs={"a": None, "w": 3})
    assert loss.outputs == ("a", "w[0]", "w[1]", "w[2]")
    assert loss.columns == ("exposure", "years seen")
    assert loss.parameters == {"delta": 2.5, "levels": [0.1, 0.9]}
    assert "`years seen`" in loss.text


def test_partial_sets_a_parameter_or_a_column():
    def base(y, f, delta=1, weight=1):
        return weight * sw.max(delta, abs(y - f))

    loss = sw.Loss(functools.partial(base, delta=3, weight="w"))
    assert (loss.name, loss.parameters, loss.columns) == ("base", {"delta": 3}, ("w",))


def test_columns_may_have_any_name():
    def odd(y, f, unit, size, label):
        return (y - f) ** 2 * unit * size * label

    loss = sw.Loss(odd)
    assert loss.columns == ("unit", "size", "label")
    assert loss.value(1, 0, unit=2, size=3, label=5) == 30


def test_positional_only_and_keyword_only_arguments_work():
    def strict(y, f, /, *, w):
        return (y - f) ** 2 * w

    assert sw.Loss(strict).value(1, 0, w=3) == 3


def test_f_is_a_vector_if_it_is_used_as_one():
    loss = sw.Loss(lambda y, f: sw.logsumexp(f) - f[y], classes=3)
    assert loss == sw.Loss("logsumexp(f) - f[y]")
    assert loss.outputs == ("f[0]", "f[1]", "f[2]")
    assert loss.predictions == ("probability",)


def test_vectors_are_indexed_sliced_looped_over_and_joined():
    def vectors(y, w):
        first, second, third = w
        return (
            first * 1 + w[1] * 10 + w[-1] * 100 + sw.sum(w[1:]) * 1000 + second * third * 0
            + sw.max([first, second, y]) * 1e4 + len(w) * 1e5 + np.concatenate([[1.0], w])[0] * 1e6
        )  # fmt: skip

    value = sw.Loss(vectors, outputs="w[3]").value(0, [1.0, 2.0, 3.0])
    assert value == 1 + 20 + 300 + 5000 + 2e4 + 3e5 + 1e6


def test_the_last_component_of_a_vector_of_classes_is_found():
    loss = sw.Loss(lambda y, f: (f[-1] - y) ** 2 + f[0], outputs="f[classes]", classes=4)
    assert loss.value(1.0, [0.0, 9.0, 9.0, 3.0]) == 4.0


# --- the same bits ---

F = np.random.default_rng(1).normal(size=(300, 4)) * 2


@pytest.mark.parametrize(("function", "outputs", "responses"), TWINS)
def test_a_twin_of_the_catalogue_has_the_same_bits(function, outputs, responses):
    mine = sw.Loss(function, outputs=outputs, classes=3)
    built_in = sw.Loss(function.__name__, classes=3)
    y = np.resize(responses, len(F))
    f = F[:, : len(built_in.outputs)]
    f = f[:, 0] if f.shape[1] == 1 else f
    assert mine.outputs == built_in.outputs
    assert mine.value(y, f).tobytes() == built_in.value(y, f).tobytes()
    assert mine.gradient(y, f).tobytes() == built_in.gradient(y, f).tobytes()
    assert np.ptp(built_in.gradient(y, f)) > 0.1
    assert mine.predictions == built_in.predictions
    for name, values in built_in.predict(f).items():
        assert mine.predict(f)[name].tobytes() == values.tobytes(), name
    if built_in.has_cdf:
        assert mine.cdf(y, f).tobytes() == built_in.cdf(y, f).tobytes()


@pytest.mark.parametrize(
    "name", ["squared", "huber", "poisson", "zero_inflated_poisson", "softmax"]
)
def test_a_twin_has_the_very_text_of_the_catalogue(name):
    function, outputs, _ = next(each for each in TWINS if each[0].__name__ == name)
    lines = sw.Loss(name, classes=3).text.splitlines()
    assert sw.Loss(function, outputs=outputs).text.splitlines() == [
        line for line in lines if not line.startswith("#")
    ]


FORMULAS = [
    (lambda y, f: (y - f) ** 2, "(y - f)^2"),
    (lambda y, f: np.abs(np.log(y) - f), "abs(log(y) - f)"),
    (lambda y, f: np.where(y > f, 3 * (y - f), f - y), "if(y > f, 3*(y - f), f - y)"),
    (lambda y, f: np.log(1 + np.exp(f)) - y * f, "log(1 + exp(f)) - y*f"),
    (lambda y, f: np.maximum(y, f), "max(y, f)"),
    (lambda y, f: -np.log(sw.softmax(f)[y]), "-log(softmax(f)[y])"),
]


@pytest.mark.parametrize(("function", "formula"), FORMULAS)
def test_a_function_and_its_formula_are_one_loss(function, formula):
    mine = sw.Loss(function, classes=3)
    by_hand = sw.Loss(formula, classes=3)
    assert mine == by_hand
    assert (mine.spec, mine.text) == (by_hand.spec, by_hand.text)
    y = np.resize([0.0, 1.0, 2.0], len(F))
    f = F[:, : len(by_hand.outputs)].reshape(len(F), -1)
    f = f[:, 0] if f.shape[1] == 1 else f
    assert mine.gradient(y, f).tobytes() == by_hand.gradient(y, f).tobytes()


def test_a_function_and_its_formula_train_the_same_model_file(tmp_path):
    random = np.random.default_rng(0)
    x = random.normal(size=(400, 2))
    table = {"a": x[:, 0], "b": x[:, 1], "y": x[:, 0] ** 2 + random.normal(size=400)}
    quick = {"trees": 4, "depth": 2, "epochs": 3, "seed": 1}
    files = []
    for number, loss in enumerate([FORMULAS[2][1], FORMULAS[2][0], sw.Loss(FORMULAS[2][0])]):
        files.append(tmp_path / f"{number}.softwood")
        sw.train(table, {"y": loss}, **quick).save(str(files[-1]))
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()
