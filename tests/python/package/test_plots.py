"""What the plots of a model draw: bars, lines, names; not only that they draw."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
import softwood
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from plotted_models import FEATURES, TASKS, make_model, make_table, model_of
from softwood import explain, plots
from softwood.plots import training
from softwood.plots.style import number, percent, shorten

OLD_MODEL = Path(__file__).parents[2] / "model/file/version_3/model.softwood"


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def texts_of(figure: Figure) -> list[str]:
    """Every letter in the figure, after drawing it."""
    figure.canvas.draw()
    found = [text.get_text() for text in figure.findobj(matplotlib.text.Text)]
    return [text for text in found if text]


@pytest.fixture(scope="module", params=[*TASKS, "from a file"])
def model(request, tmp_path_factory):
    if request.param != "from a file":
        return model_of(request.param)
    path = tmp_path_factory.mktemp("models") / "y.softwood"
    model_of("regression").save(path)
    return softwood.load(path)


def test_every_plot_draws_every_model_and_says_what_it_is(model, table):
    target = model.tasks[0]["target"]
    drawn = [
        plots.importances(model, table).figure,
        plots.tree(model, 0, table),
        plots.tree(model, 1),
        plots.partial_dependence(model, table, "x").figure,
        plots.partial_dependence(model, table, "holes").figure,
        plots.partial_dependence(model, table, "city").figure,
        plots.partial_dependence(model, table, "day").figure,
        plots.partial_dependence(model, table, ["x", "city"]).figure,
        plots.calibration(model, table),
        plots.distribution(model, table[np.array([0, 5])]),
        plots.decision_boundary(model, table, ["x", "holes"]).figure,
    ]
    for figure in drawn:
        assert isinstance(figure, Figure)
        assert any(target in text or text in ("low", "yes") for text in texts_of(figure))


# --- learning curves


def test_learning_curves_show_the_history_and_the_best_epoch():
    figure = plots.learning_curves(model_of("regression"))
    (ax,) = figure.axes
    history = model_of("regression").history
    training, validation, kept, best = ax.get_lines()[:4]
    assert list(training.get_ydata()) == list(history["training_loss"])
    assert list(validation.get_ydata()) == list(history["validation_loss"])
    assert list(kept.get_ydata()) == list(history["best_validation_loss"])
    assert best.get_xdata()[0] == np.flatnonzero(history["best"])[-1] + 1
    assert f"best epoch {best.get_xdata()[0]}\n" in model_of("regression").describe()
    assert best.get_ydata()[0] == history["best_validation_loss"][-1]
    assert ax.get_xlabel() == "epoch"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "training",
        "validation",
        "validation, best so far",
        "best epoch",
    ]


def test_tasks_have_an_axes_each():
    two_tasks = plots.learning_curves(model_of("two tasks"))
    assert [ax.get_title() for ax in two_tasks.axes] == ["y", "two"]


def test_members_that_keep_step_have_the_lines_of_one():
    (ax,), (alone,) = (
        plots.learning_curves(model_of(kind)).axes for kind in ("members", "regression")
    )
    assert len(ax.get_lines()) == len(alone.get_lines())


def test_members_of_an_old_file_have_lines_each():
    history = model_of("members").history
    epochs = history.num_rows
    twice = {name: np.tile(history[name], 2) for name in history.names}
    table = softwood.as_table({"member": np.repeat([1.0, 2.0], epochs), **twice})
    _, ax = plt.subplots()
    training._draw(ax, table, "")
    assert len(ax.get_lines()) == 2 * 4


def test_without_validation_rows_there_is_one_line():
    model = make_model({"y": None}, valid_fraction=0.0)
    (ax,) = plots.learning_curves(model).axes
    assert len(ax.get_lines()) == 1


def test_a_model_from_a_file_has_the_same_curves(tmp_path):
    model = model_of("regression")
    model.save(tmp_path / "y.softwood")
    (before,) = plots.learning_curves(model).axes
    (after,) = plots.learning_curves(softwood.load(tmp_path / "y.softwood")).axes
    lines = [[list(line.get_ydata()) for line in ax.get_lines()] for ax in (before, after)]
    assert lines[0] == lines[1]


def test_a_file_from_before_files_kept_the_history_has_no_curves():
    with pytest.raises(softwood.Error, match="no history"):
        plots.learning_curves(softwood.load(OLD_MODEL))


# --- importances


def test_bars_are_the_importances_the_largest_on_top(table):
    ax = plots.importances(model_of("regression"), table)
    shares = explain.importances(model_of("regression"), table)
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == sorted(shares, key=lambda name: -shares[name])
    assert [bar.get_width() for bar in ax.patches] == sorted(shares.values(), reverse=True)
    assert ax.yaxis_inverted()


def test_columns_beyond_the_most_are_summed_up(table):
    ax = plots.importances(model_of("regression"), table, max_columns=2)
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "2 others"
    assert sum(bar.get_width() for bar in ax.patches) == pytest.approx(1)


def test_tasks_have_bars_of_their_own(table):
    ax = plots.importances(model_of("two tasks"), table)
    assert len(ax.patches) == 2 * len(FEATURES)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["y", "two"]


# --- a tree


def test_a_tree_has_curves_in_every_split_and_a_bar_per_leaf(table):
    figure = plots.tree(model_of("counts"), 2, table)
    view = explain.tree(model_of("counts"), 2, table)
    canvas, *insets, leaves = figure.axes
    titles = [ax.get_title() for ax in insets]
    strongest = [curve.name for curve in view.splits[0].columns[:3]]
    assert titles[:3] == strongest[: len(titles)]
    assert len(titles) >= len(view.splits)
    values = np.array([leaf.values[0] for leaf in view.leaves])
    heights = [bar.get_height() for bar in leaves.patches]
    assert heights == pytest.approx(list(values / np.abs(values).max()))
    texts = [text.get_text() for text in canvas.texts]
    assert [percent(leaf.share) for leaf in view.leaves] == texts[6:14]
    assert any("what each leaf adds to log_rate of count" in text for text in texts)


def test_curves_are_drawn_in_the_units_of_their_columns(table):
    figure = plots.tree(model_of("regression"), 0, table)
    first = explain.tree(model_of("regression"), 0, table).splits[0].columns[0]
    assert first.name == "x"
    line = figure.axes[1].get_lines()[0]
    assert list(line.get_xdata()) == list(first.edges)
    assert list(line.get_ydata()) == list(first.values)


def test_leaves_of_classes_have_a_bar_per_class(table):
    leaves = plots.tree(model_of("three classes"), 0, table).axes[-1]
    assert len(leaves.patches) == 3 * 8
    assert [text.get_text() for text in leaves.get_legend().get_texts()] == [
        "high",
        "low",
        "middle",
    ]


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_trees_of_any_reasonable_depth_are_drawn(table, depth):
    model = make_model({"y": None}, depth=depth, trees=4)
    assert len(plots.tree(model, 0, table).axes[-1].patches) == 2**depth


def test_too_deep_a_tree_is_an_error(table):
    model = make_model({"y": None}, depth=7, trees=2, epochs=1)
    with pytest.raises(softwood.Error, match="depth 7 has 127 splits"):
        plots.tree(model, 0, table)


def test_linear_splits_are_drawn_as_lines():
    model = make_model({"y": None}, recipe="paper")
    figure = plots.tree(model, 0)
    assert len(figure.axes[1].get_lines()[0].get_xdata()) == 2


# --- all of them


def test_given_axes_and_figures_are_drawn_into(table):
    figure, ax = plt.subplots()
    assert plots.importances(model_of("regression"), table, ax=ax) is ax
    assert plots.partial_dependence(model_of("regression"), table, "x", ax=ax) is ax
    assert plots.decision_boundary(model_of("regression"), table, ax=ax) is ax
    for draw in (
        lambda figure: plots.learning_curves(model_of("regression"), figure=figure),
        lambda figure: plots.tree(model_of("regression"), 0, figure=figure),
        lambda figure: plots.calibration(model_of("regression"), table, figure=figure),
        lambda figure: plots.distribution(
            model_of("regression"), table[np.array([0])], figure=figure
        ),
    ):
        empty = plt.figure()
        assert draw(empty) is empty
        assert empty.axes
    plt.close(figure)


def test_notebooks_show_a_figure_once(table, monkeypatch):
    """They show what a cell returns, then every figure that is still open."""
    model = model_of("regression")
    drawn = [
        plots.learning_curves(model),
        plots.tree(model, 0),
        plots.distribution(model_of("regression"), table[:1]),
        plots.calibration(model, table),
    ]
    for figure in drawn:
        with pytest.raises(NotImplementedError):  # IPython then shows it as it shows any figure
            figure._ipython_display_()
        assert figure.number in plt.get_fignums()  # a window stays open
        monkeypatch.setattr(matplotlib, "get_backend", lambda: "inline")
        with pytest.raises(NotImplementedError):
            figure._ipython_display_()
        monkeypatch.undo()
        assert figure.number not in plt.get_fignums()
        figure.savefig(io.BytesIO())


def test_plots_change_no_global_style(table):
    before = dict(matplotlib.rcParams)
    plots.importances(model_of("regression"), table)
    plots.tree(model_of("regression"), 0, table)
    assert dict(matplotlib.rcParams) == before


def test_plots_without_matplotlib_say_how_to_get_it(table, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install softwood\[plots\]"):
        plots.importances(model_of("regression"), table)


def test_importing_the_plots_does_not_import_matplotlib():
    import subprocess
    import sys

    code = "import sys, softwood.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_long_names_and_many_columns_fit(table):
    names = [f"a_column_with_a_really_long_name_number_{i}" for i in range(30)]
    random = np.random.default_rng(0)
    columns = {name: random.normal(size=300) for name in names}
    data = softwood.as_table({**columns, "y": columns[names[7]]})
    model = softwood.train(data, {"y": None}, trees=8, epochs=2, verbose=False)
    ax = plots.importances(model, data)
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels[0] == shorten(names[7])
    assert labels[-1] == "10 others"
    assert max(map(len, labels)) <= 28


@given(st.text(max_size=60), st.integers(5, 40))
def test_short_texts_keep_their_ends(text, most):
    short = shorten(text, most)
    assert len(short) <= most
    assert short == text or (text.startswith(short.split("…")[0]) and len(text) > most)


@given(st.floats(-1e12, 1e12))
def test_numbers_are_written_to_three_digits(value):
    written = float(number(value).replace(",", "").replace("−", "-"))
    assert written == pytest.approx(value, rel=0.0051, abs=1e-300)


@given(st.floats(0, 1))
def test_percents_are_within_half_of_what_they_show(share):
    text = percent(share)
    if text == "<0.1 %":
        assert 0 < share < 0.0005
    else:
        assert float(text.removesuffix(" %")) == pytest.approx(100 * share, abs=0.5001)
