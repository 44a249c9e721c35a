"""softwood.Loss: what it says of itself, its numbers, its pictures."""

import copy
import pickle
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
import softwood as sw
from hypothesis import given
from hypothesis import strategies as st
from softwood import _core

# --- what it says of itself ---


def test_a_loss_of_the_catalogue_knows_its_parts():
    loss = sw.Loss('zip(exposure="years seen")')
    assert loss.name == "zero_inflated_poisson"
    assert loss.spec == 'zero_inflated_poisson(exposure="years seen")'
    assert loss.outputs == ("log_mu", "logit_pi")
    assert loss.columns == ("years seen",)
    assert loss.parameters == {"exposure": "years seen"}
    assert loss.predictions == ("mean", "mu", "pi", "variance")
    assert loss.has_cdf
    assert loss.is_discrete
    assert not loss.uses_classes


@pytest.mark.parametrize(
    ("given", "spec"),
    [("huber(2)", "huber(delta=2)"), ("huber", "huber"), ("mse", "squared"),
     ("tobit(-inf, upper=10.5)", "tobit(lower=-inf, upper=10.5)"),
     ("multi_quantile(0.1, 0.9)", "multi_quantile(levels=[0.1, 0.9])"),
     ("poisson(exposure='inf')", 'poisson(exposure="inf")'),
     (" (y - f)^2 ", "(y - f)^2")],
)  # fmt: skip
def test_the_spec_is_the_shortest_text_that_means_the_loss(given, spec):
    loss = sw.Loss(given)
    assert loss.spec == spec
    assert sw.Loss(loss.spec).parameters == loss.parameters


@pytest.mark.parametrize("entry", sw.losses(), ids=lambda entry: entry.name)
def test_every_built_in_loss_is_a_loss_with_its_name_as_spec(entry):
    loss = sw.Loss(entry.name, classes=3)
    assert (loss.spec, loss.text) == (entry.name, entry.text)
    assert loss.predictions
    assert all(sw.Loss(alias) == loss for alias in entry.aliases)


FILE = """# mine
param k = 2
param exposure = 1   # of each row
outputs f
mean = exposure*f
loss = k*(y - mean)^2
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.loss"
    path.write_text(FILE)
    return path


def test_a_file_is_a_loss_whose_spec_outlives_it(file):
    loss = sw.Loss.from_file(file)
    assert (loss.name, loss.text, loss.spec) == ("mine.loss", FILE, FILE)
    file.unlink()
    assert pickle.loads(pickle.dumps(loss)).value(3, 1) == 2 * 4


@pytest.mark.parametrize(
    ("settings", "columns", "value"),
    [("k=3", {}, 3 * 4), ("k=3, exposure=2", {}, 3 * 1), ("exposure=years", {"years": 2}, 2 * 1),
     ("exposure='years seen'", {"years seen": 2}, 2), ("exposure=exposure", {"exposure": 2}, 2)],
)  # fmt: skip
def test_settings_of_a_file_are_written_into_its_spec(file, settings, columns, value):
    loss = sw.Loss(f"@{file}({settings})")
    again = sw.Loss(loss.spec)
    assert loss.value(3, 1, **columns) == again.value(3, 1, **columns) == value
    assert again.columns == loss.columns == tuple(columns)


def test_a_setting_that_would_change_its_meaning_in_the_text_is_refused(file):
    with pytest.raises(sw.Error, match="rename the column"):
        sw.Loss(f"@{file}(exposure=mean)")


def test_losses_are_shown_by_name_and_text():
    loss = sw.Loss("huber(delta=2)")
    assert repr(loss) == (
        "<Loss huber(delta=2): Huber's error: squared within delta of y, linear beyond>"
    )
    assert str(loss) == loss.text
    assert repr(sw.Loss(lambda y, f: abs(y - f))) == "<Loss abs(y - f): loss = abs(y - f)>"
    assert "y &lt; f" in sw.Loss("if(y < f, f - y, y - f)")._repr_html_()


def test_losses_are_equal_by_what_they_mean_and_survive_pickling_and_copying():
    made = [sw.Loss("huber(2)"), sw.Loss("huber(delta=2)"), sw.Loss(sw.Loss("huber(2)"))]
    assert len(set(made)) == 1
    assert made[0] != sw.Loss("huber")
    assert made[0] != "huber(delta=2)"

    traced = sw.Loss(lambda y, a, b: (y - a) ** 2 * sw.exp(b), outputs=("a", "b"), name="mine")
    for again in (pickle.loads(pickle.dumps(traced)), copy.deepcopy(traced)):
        assert again == traced
        assert (again.name, again.text) == ("mine", traced.text)
    assert pickle.loads(pickle.dumps(sw.Loss("softmax", classes=4))).classes == 4


def test_decorators_make_losses():
    @sw.Loss
    def plain(y, f):
        return (y - f) ** 2

    @sw.loss(outputs=("a", "b"))
    def double(y, a, b):
        return (y - a) ** 2 + (y - b) ** 4

    assert (plain.name, plain.spec) == ("plain", "(y - f)^2")
    assert (double.name, double.outputs) == ("double", ("a", "b"))


def test_spec_of_takes_what_an_estimator_may_be_given():
    from softwood.language.loss import spec_of

    assert spec_of(None) == ""
    assert spec_of("zip") == "zip"
    assert spec_of(sw.Loss("zip")) == "zero_inflated_poisson"
    assert spec_of(lambda y, f: (y - f) ** 2) == "(y - f)^2"


@pytest.mark.parametrize(
    ("make", "message"),
    [(lambda: sw.Loss("hubber"), "did you mean 'huber'"),
     (lambda: sw.Loss("(y - f"), "formula:1:"),
     (lambda: sw.Loss(3), "an? int is no loss"),
     (lambda: sw.Loss("huber", outputs="f"), "outputs= is for functions"),
     (lambda: sw.Loss("@nowhere.loss"), "cannot read the loss file"),
     (lambda: sw.Loss(lambda y, f: f, outputs="f[3"), "is no name"),
     (lambda: sw.Loss(lambda y, f: f, outputs=()), "names no output"),
     (lambda: sw.Loss("softmax").outputs, "say it, as in")],
)  # fmt: skip
def test_a_loss_that_cannot_be_is_an_error(make, message):
    with pytest.raises(sw.Error, match=message):
        make()


# --- the catalogue ---


def test_the_catalogue_prints_as_a_table_by_kind():
    lines = repr(sw.losses()).splitlines()
    assert lines[0] == "numbers"
    assert [line for line in lines if line and not line.startswith(" ")] == _core.loss_kinds()
    assert any(re.match(r"  poisson +Poisson: counts$", line) for line in lines)
    assert repr(sw.losses()[-1]).startswith("weibull_aft: ")
    assert sw.losses()._repr_html_().count("<tr>") == len(sw.losses()) + 1


# --- numbers ---


def test_y_f_and_columns_are_broadcast():
    loss = sw.Loss("poisson(exposure=t)")
    y, f = np.arange(3.0), np.linspace(-1, 1, 5)[:, None]
    grid = loss.value(y, f, t=2.0)
    assert grid.shape == (5, 3)
    assert grid[4, 2] == loss.value(2, 1, t=2)
    assert isinstance(loss.value(2, 1, t=2), float)
    assert loss.gradient(y, f, t=np.ones(3)).shape == (5, 3)
    assert loss.value([], [], t=[]).shape == (0,)


def test_several_outputs_are_the_last_axis_or_a_dict():
    loss = sw.Loss("normal")
    f = np.random.default_rng(0).normal(size=(4, 2))
    y = np.zeros(4)
    named = {"mu": f[:, 0], "log_sigma": f[:, 1]}
    assert loss.value(y, f).tobytes() == loss.value(y, named).tobytes()
    slopes = loss.gradient(y, f)
    assert slopes.shape == (4, 2)
    np.testing.assert_array_equal(loss.gradient(y, named)["log_sigma"], slopes[:, 1])
    assert loss.predict(named)["sd"].tobytes() == loss.predict(f)["sd"].tobytes()


def test_vectors_in_a_dict_have_their_components_in_the_last_axis():
    loss = sw.Loss("mixture_normal(3)")
    f = np.random.default_rng(0).normal(size=(4, 9))
    named = {"logit": f[:, :3], "place": f[:, 3:6], "log_sigma": f[:, 6:]}
    assert loss.value(1.0, named).tobytes() == loss.value(1.0, f).tobytes()
    np.testing.assert_array_equal(loss.gradient(1.0, named)["place"], loss.gradient(1.0, f)[:, 3:6])
    assert loss.predict(f)["weight"].shape == (4, 3)
    np.testing.assert_allclose(loss.predict(f)["weight"].sum(axis=1), 1)


@given(st.sampled_from(["huber", "log_cosh", "logistic", "normal", "zip", "gamma", "softmax"]))
def test_gradients_are_slopes_of_the_value(name):
    loss = sw.Loss(name, classes=3)
    width = len(loss.outputs)
    f = np.linspace(-0.83, 0.67, width)
    step = 1e-6
    for k in range(width):
        ends = np.stack([f, f])
        ends[:, k] += [-step, step]
        low, high = loss.value(1.0, ends if width > 1 else ends[:, 0])
        slope = loss.gradient(1.0, f if width > 1 else f[0])
        assert np.atleast_1d(slope)[k] == pytest.approx((high - low) / (2 * step), abs=1e-7)


def test_the_number_of_classes_is_seen_from_f():
    f = np.zeros((2, 4))
    np.testing.assert_allclose(sw.Loss("softmax").value([0, 3], f), np.log(4))
    assert sw.Loss("ordinal").predict(f)["probability"].shape == (2, 5)
    with pytest.raises(sw.Error, match="its last axis holds the 3 outputs"):
        sw.Loss("softmax", classes=3).value([0, 3], f)


def test_missing_responses_cost_nothing():
    loss = sw.Loss("squared")
    assert loss.value([np.nan, 1], 0).tolist() == [0, 1]
    assert loss.gradient([np.nan, 1], 0).tolist() == [0, -2]


def test_predictions_and_the_cdf_ask_only_for_the_columns_they_read():
    loss = sw.Loss("weibull_aft(event=died)")
    f = [0.0, 0.0]
    assert loss.predict(f)["mean"] == pytest.approx(1)
    assert loss.cdf(1.0, f) == pytest.approx(1 - np.exp(-1))
    assert loss.cdf([-1, 0, np.inf], f).tolist() == [0, 0, 1]
    with pytest.raises(sw.Error, match="'died' is missing"):
        loss.value(1.0, f)


@pytest.mark.parametrize(
    ("call", "message"),
    [(lambda loss: loss.value(1, {"mu": 0}), "the outputs are mu, log_sigma"),
     (lambda loss: loss.value(1, 0), "its last axis holds the 2 outputs mu, log_sigma"),
     (lambda loss: loss.value([1, 2], np.zeros((3, 2))), "do not go together"),
     (lambda loss: loss.value("a", [0, 0]), "y is no array of numbers"),
     (lambda loss: loss.value(1, [0, 0], exposure=1), "reads no column 'exposure'"),
     (lambda loss: sw.Loss("huber").cdf(1, 0), "it is no distribution"),
     (lambda loss: sw.Loss("poisson(exposure=time)").value(1, 0, tim=1), "'time' is missing")],
)  # fmt: skip
def test_wrong_numbers_are_errors(call, message):
    with pytest.raises(sw.Error, match=message):
        call(sw.Loss("normal"))


def test_any_kind_of_array_will_do():
    loss = sw.Loss("huber")
    f = np.linspace(-3, 3, 10)
    expected = loss.value(0, f).tolist()
    frozen = f.copy()
    frozen.flags.writeable = False
    kinds = [f.astype(">f8"), np.repeat(f, 2)[::2], frozen, list(f), f.astype(object)]
    for each in kinds:
        assert loss.value(0, each).tolist() == expected
    assert loss.value(0, np.arange(4)).tolist() == loss.value(0, [0.0, 1.0, 2.0, 3.0]).tolist()


def test_conditions_on_the_data_can_be_asked():
    assert sw.Loss("poisson").check([0, 3]) is None
    assert sw.Loss("poisson").check([0, -1]) == "y >= 0 and exposure > 0"
    assert sw.Loss("softmax", classes=3).check([0, 3]) is not None


def test_a_loss_serves_many_threads():
    loss = sw.Loss("zinb")
    f = np.random.default_rng(0).normal(size=(20_000, 3))
    y = np.resize([0.0, 1.0, 5.0], len(f))
    expected = loss.gradient(y, f).tobytes()
    same = []

    def work():
        same.extend(loss.gradient(y, f).tobytes() == expected for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same == [True] * 40


# --- pictures ---


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


@pytest.mark.usefixtures("pyplot")
@pytest.mark.parametrize("entry", sw.losses(), ids=lambda entry: entry.name)
def test_every_built_in_loss_draws_itself(entry):
    loss = sw.Loss(entry.name)
    axes = loss.plot()
    assert axes.shape == (len(sw.Loss(loss, classes=3).outputs), 2)
    for ax in axes.flat:
        assert len(ax.lines) >= 2
        assert np.isfinite(ax.get_ylim()).all()
        assert ax.get_xlabel() in sw.Loss(loss, classes=3).outputs


def test_the_curves_are_the_loss_and_its_gradient(pyplot):
    loss = sw.Loss("huber")
    f = np.linspace(-2, 2, 9)
    value, gradient = loss.plot(y=[0.5], f=f)[0]
    np.testing.assert_array_equal(value.lines[0].get_ydata(), loss.value(0.5, f))
    np.testing.assert_array_equal(gradient.lines[0].get_ydata(), loss.gradient(0.5, f))
    assert [text.get_text() for text in value.get_legend().get_texts()] == ["y = 0.5"]

    _, ax = pyplot.subplots()
    assert loss.plot(ax=ax) is ax
    with pytest.raises(sw.Error, match="2 × 2 axes"):
        sw.Loss("normal").plot(ax=ax)


def test_one_output_moves_while_the_others_are_held(pyplot):
    loss = sw.Loss("zip(exposure=t)")
    grid = np.linspace(-1, 1, 5)
    axes = loss.plot(y=3, f={"logit_pi": grid}, t=2.0)
    held = np.stack([np.zeros(5), grid], axis=1)
    np.testing.assert_array_equal(axes[1, 0].lines[0].get_ydata(), loss.value(3, held, t=2.0))
    assert "log_mu = 0" in axes[1, 1].get_title(loc="right")


# --- manners ---


def test_importing_softwood_loads_nothing_heavy():
    code = (
        "import sys, softwood; heavy = ('sklearn', 'scipy', 'pandas', 'matplotlib', 'torch'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
