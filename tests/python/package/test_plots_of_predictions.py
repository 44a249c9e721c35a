"""What the plots of predictions draw: curves, dots, densities."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
import softwood
from plotted_models import FEATURES, NUM_ROWS, make_model, make_table, model_of
from softwood import plots
from softwood.plots.style import percent


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


# --- partial dependence


def test_partial_dependence_is_the_mean_of_predictions(table):
    ax = plots.partial_dependence(model_of("regression"), table, "x", max_rows=NUM_ROWS)
    mean = next(line for line in ax.get_lines() if line.get_linewidth() > 2)
    place = 20
    value = mean.get_xdata()[place]
    changed = softwood.Table([softwood._core.Column.numeric("x", np.full(NUM_ROWS, value))])
    predicted = model_of("regression").predict(table.with_columns(changed))["mean"]
    assert mean.get_ydata()[place] == pytest.approx(predicted.mean())
    assert ax.get_xlabel() == "x"
    assert ax.get_ylabel() == "predicted mean of y"


def test_individual_rows_stand_behind_the_mean(table):
    ax = plots.partial_dependence(model_of("regression"), table, "x", individuals=7)
    assert len([line for line in ax.get_lines() if line.get_linewidth() < 1]) == 7
    assert len(ax.patches) >= 10  # the histogram


def test_missing_cells_have_a_place_of_their_own(table):
    ax = plots.partial_dependence(model_of("regression"), table, "holes")
    assert "missing" in [text.get_text() for text in ax.texts]
    of_city = plots.partial_dependence(model_of("regression"), table, "city")
    names = {label.get_text() for label in of_city.get_yticklabels()}
    assert names == {"a", "b", "c", "missing"}


def test_levels_are_ordered_by_their_mean(table):
    ax = plots.partial_dependence(model_of("regression"), table, "city")
    means = ax.get_lines()[0].get_xdata()
    assert list(means) == sorted(means)
    assert ax.get_yticklabels()[-1].get_text() == "b"


def test_dates_are_dates(table):
    ax = plots.partial_dependence(model_of("regression"), table, "day")
    ax.figure.canvas.draw()
    assert ax.get_xticklabels()[0].get_text().startswith("1970")


def test_classes_have_a_curve_each(table):
    ax = plots.partial_dependence(model_of("three classes"), table, "x")
    assert [line.get_label() for line in ax.get_lines()] == ["high", "low", "middle"]
    total = sum(line.get_ydata() for line in ax.get_lines())
    assert total == pytest.approx(1)
    two = plots.partial_dependence(model_of("two classes"), table, "x")
    assert two.get_ylabel() == "P(two = yes)"


def test_a_prediction_can_be_chosen_and_an_unknown_one_is_an_error(table):
    ax = plots.partial_dependence(model_of("regression"), table, "x", "sd")
    assert ax.get_ylabel() == "predicted sd of y"
    with pytest.raises(softwood.Error, match="no prediction 'sigma'; there are mean, sd"):
        plots.partial_dependence(model_of("regression"), table, "x", "sigma")


def test_a_prediction_whose_name_has_a_dot_can_be_chosen(table):
    model = make_model({"y": "multi_quantile"})
    name = next(each for each in model.predict(table).names if "." in each)
    ax = plots.partial_dependence(model, table, "x", name)
    assert ax.get_ylabel() == f"predicted {name} of y"


def test_a_table_without_rows_is_an_error(table):
    with pytest.raises(softwood.Error, match="no rows"):
        plots.partial_dependence(model_of("regression"), table[np.empty(0, dtype=np.int64)], "x")


def test_a_task_can_be_chosen_and_an_unknown_one_is_an_error(table):
    ax = plots.partial_dependence(model_of("two tasks"), table, "x", task="two")
    assert ax.get_ylabel() == "P(two = yes)"
    with pytest.raises(softwood.Error, match="no task 'three'; there are y, two"):
        plots.partial_dependence(model_of("two tasks"), table, "x", task="three")


def test_two_columns_are_contours_curves_or_a_table(table):
    model = model_of("regression")
    contours = plots.partial_dependence(model, table, ["x", "holes"])
    assert contours.get_xlabel() == "x"
    assert contours.get_ylabel() == "holes"
    assert contours.figure.axes[1].get_ylabel() == "predicted mean of y"  # the colour bar
    for pair in (["x", "city"], ["city", "x"]):
        curves = plots.partial_dependence(model, table, pair)
        assert {line.get_label() for line in curves.get_lines()} == {"a", "b", "c", "missing"}
        assert curves.get_xlabel() == "x"


def test_two_categories_are_a_table_of_numbers(table):
    model = softwood.train(
        table, {"y": None}, features=["city", "three"], trees=8, epochs=2, verbose=False
    )
    ax = plots.partial_dependence(model, table, ["city", "three"])
    assert len(ax.texts) == 4 * 3
    assert [label.get_text() for label in ax.get_yticklabels()] != []


def test_partial_dependence_is_of_columns_that_the_model_reads(table):
    with pytest.raises(softwood.Error, match="does not read 'count'; it reads x, holes"):
        plots.partial_dependence(model_of("regression"), table, "count")
    with pytest.raises(softwood.Error, match="one column or two"):
        plots.partial_dependence(model_of("regression"), table, FEATURES)


# --- calibration


def test_dots_are_the_bins_of_the_evaluation(table):
    figure = plots.calibration(model_of("regression"), table)
    bins = model_of("regression").evaluate(table)["y"].calibration
    dots = figure.axes[0].collections[0].get_offsets()
    assert np.allclose(dots, [(each.predicted, each.observed) for each in bins])
    heights = [bar.get_height() for bar in figure.axes[1].patches]
    assert heights == model_of("regression").evaluate(table)["y"].pit_histogram


def test_classes_have_reliability_curves(table):
    (ax,) = plots.calibration(model_of("two classes"), table).axes
    assert ax.get_title() == "two = yes"
    assert ax.get_xlabel() == "predicted probability"
    (ax,) = plots.calibration(model_of("three classes"), table).axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["high", "low", "middle"]
    evaluation = model_of("three classes").evaluate(table)["three"]
    low = ax.get_lines()[2]  # after the diagonal and `high`
    assert list(low.get_ydata()) == [each.observed for each in evaluation.class_calibration[1]]


def test_the_response_may_be_given_apart(table):
    together = plots.calibration(model_of("regression"), table)
    apart = plots.calibration(model_of("regression"), table[FEATURES], y=table["y"])
    for figure in (together, apart):
        assert len(figure.axes) == 2
    dots = [figure.axes[0].collections[0].get_offsets() for figure in (together, apart)]
    assert np.array_equal(*dots)
    with pytest.raises(softwood.Error, match="no column 'y'"):
        plots.calibration(model_of("regression"), table[FEATURES])


# --- distributions


def test_a_density_integrates_to_one_and_its_mean_is_marked(table):
    row = table[np.array([3])]
    figure = plots.distribution(model_of("regression"), row, actual=[0.25])
    (ax,) = figure.axes
    density, mean, actual = ax.get_lines()
    assert np.trapezoid(density.get_ydata(), density.get_xdata()) == pytest.approx(1, abs=0.01)
    assert mean.get_xdata()[0] == model_of("regression").distribution(row).mean()[0]
    assert actual.get_xdata()[0] == 0.25
    texts = [text.get_text() for text in ax.get_legend().get_texts()]
    assert texts[0] == "middle 90 %"
    assert texts[2] == "actual 0.25"


def test_counts_are_bars_of_probability(table):
    figure = plots.distribution(model_of("counts"), table[np.array([0, 1, 2])])
    assert len(figure.axes) == 3
    for ax in figure.axes:
        assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1, abs=0.01)
    assert figure.axes[-1].get_xlabel() == "count"


def test_classes_are_bars_with_their_probabilities(table):
    row = table[np.array([3])]
    figure = plots.distribution(model_of("three classes"), row, actual="low")
    predicted = model_of("three classes").predict(row)
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    names = ["high", "low", "middle"]
    assert widths == [predicted[f"probability_{name}"][0] for name in names]
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["actual"]


def test_a_value_with_a_probability_of_its_own_is_a_pin(table):
    censored = softwood.Table([softwood._core.Column.numeric("y", np.maximum(table["y"], 0))])
    data = table.with_columns(censored)
    model = softwood.train(
        data, {"y": "tobit(lower=0)"}, features=["x"], trees=8, epochs=4, verbose=False
    )
    (ax,) = plots.distribution(model, data[np.array([1])]).axes
    share = model.distribution(data[np.array([1])]).cdf(0.0)[0]
    assert percent(share) + " at 0" in [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("task", ["regression", "three classes"])
def test_rows_are_called_as_their_index_says(table, task):
    def names(rows):
        axes = plots.distribution(model_of(task), rows).axes
        return [ax.get_ylabel() or ax.get_title(loc="left") for ax in axes]

    frame = table.to_pandas()
    assert names(frame.iloc[[3, 7]]) == ["row 3", "row 7"]
    assert names(frame.iloc[[3, 7]].set_axis(["Ann", "Bob"])) == ["Ann", "Bob"]
    assert names(table[3:5]) == ["row 0", "row 1"]


def test_rows_to_draw_are_few_and_actual_values_as_many(table):
    with pytest.raises(softwood.Error, match="400 rows cannot be drawn"):
        plots.distribution(model_of("regression"), table)
    with pytest.raises(softwood.Error, match="actual has 2 values for 1 rows"):
        plots.distribution(model_of("regression"), table[np.array([0])], actual=[1, 2])
    with pytest.raises(softwood.Error, match="no task 'z'"):
        plots.distribution(model_of("regression"), table[np.array([0])], task="z")


# --- decision boundary


def test_rows_are_marked_by_their_class(table):
    ax = plots.decision_boundary(model_of("three classes"), table, ["x", "holes"])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "holes")
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["high", "low", "middle"]
    assert ax.get_title() == "all other columns at their typical values"


def test_the_two_most_important_numeric_columns_are_the_default(table):
    ax = plots.decision_boundary(model_of("regression"), table)
    assert ax.get_xlabel() == "x"
    assert ax.get_ylabel() in ("holes", "day")


def test_the_task_decides_what_is_shown(table):
    ax = plots.decision_boundary(model_of("two tasks"), table, ["x", "holes"], task="two")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["no", "yes"]
    assert ax.figure.axes[1].get_ylabel() == "P(two = yes)"


def test_rows_without_a_response_are_plain_dots(table):
    model = softwood.train(
        {"a": table["x"], "b": table["day"].astype(float), "y": table["y"]},
        {"y": None},
        trees=8,
        epochs=2,
        verbose=False,
    )
    rows = {"a": table["x"], "b": table["day"].astype(float)}
    dots = plots.decision_boundary(model, rows).collections[-1]
    assert dots.get_array() is None
    coloured = plots.decision_boundary(model, rows, y=table["y"]).collections[-1]
    assert len(coloured.get_array()) > 300


def test_a_plane_needs_two_numeric_columns(table):
    with pytest.raises(softwood.Error, match="two of the numeric ones: x, holes, day"):
        plots.decision_boundary(model_of("regression"), table, ["x", "city"])
