"""Train, predict, evaluate: what comes out is near the truth that went in."""

import json

import numpy as np
from command_line import numbers, predict, succeed, train
from synthetic import visits, wave, write_csv

SOLID = ("--trees", 20, "--depth", 3, "--epochs", 60, "--batch-size", 32, "--quiet")


def test_regression_finds_the_curve(tmp_path):
    data = write_csv(tmp_path / "train.csv", wave(1000, seed=1))
    fresh = wave(300, seed=9)
    test = write_csv(tmp_path / "test.csv", fresh)
    model = train(tmp_path, data, "--target", "y", "--drop", "id", *SOLID)
    mean = numbers(predict(model, test)["mean"])
    assert np.mean((mean - fresh["y"]) ** 2) < 0.05 * np.var(fresh["y"])


def test_mean_is_the_first_prediction(wave_model, wave_csv):
    predicted = predict(wave_model, wave_csv)
    assert next(iter(predicted)) == "mean"
    assert len(predicted["mean"]) == 400


def test_evaluate_reports_the_error_of_the_predictions(wave_model, wave_csv):
    truth = wave()["y"]
    mean = np.array(numbers(predict(wave_model, wave_csv)["mean"]))
    (task,) = json.loads(succeed("evaluate", wave_model, wave_csv, "--json"))
    assert (task["task"], task["rows"]) == ("y", 400)
    expected = {
        "loss": np.mean((mean - truth) ** 2),
        "rmse": np.sqrt(np.mean((mean - truth) ** 2)),
        "mae": np.mean(np.abs(mean - truth)),
        "r2": 1 - np.mean((mean - truth) ** 2) / np.var(truth),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(task["metrics"][name], value, rtol=1e-6, err_msg=name)


def test_the_report_for_people_says_the_same(wave_model, wave_csv):
    (task,) = json.loads(succeed("evaluate", wave_model, wave_csv, "--json"))
    report = succeed("evaluate", wave_model, wave_csv)
    for name, value in task["metrics"].items():
        assert name in report
        assert f"{value:.6g}" in report


def test_exposure_multiplies_the_mean(tmp_path):
    data = write_csv(tmp_path / "visits.csv", visits(2000))
    loss = ("--loss", "poisson(exposure=years)")
    model = train(tmp_path, data, "--target", "y", *loss, *SOLID)
    one, two = (
        numbers(predict(model, write_csv(tmp_path / f"{years}.csv", _at_years(years)))["mean"])
        for years in (1.0, 2.0)
    )
    np.testing.assert_allclose(two, 2 * np.array(one), rtol=1e-9)
    np.testing.assert_allclose(one, np.exp(_at_years(1.0)["x"]), rtol=0.25)


def _at_years(years):
    x = np.linspace(-0.8, 0.8, 9)
    return {"x": x, "years": np.full(9, years)}


def test_the_exposure_column_is_no_feature(tmp_path, tables):
    loss = ("--loss", "poisson(exposure=years)")
    only_x = ("--features", "x")
    options = ("--target", "y", "--trees", 5, "--epochs", 3, "--quiet", *loss)
    one = train(tmp_path, tables / "visits.csv", *options, name="one")
    two = train(tmp_path, tables / "visits.csv", *options, *only_x, name="two")
    data = write_csv(tmp_path / "rows.csv", _at_years(2.0))
    assert predict(one, data) == predict(two, data)


def test_several_tasks_have_their_own_predictions(tmp_path):
    table = wave(500)
    table["count"] = np.random.default_rng(5).poisson(np.exp(table["x1"]))
    table["y"] = [y if row % 3 else "" for row, y in enumerate(table["y"])]
    data = write_csv(tmp_path / "tasks.csv", table)
    tasks = ("--task", "y=squared", "--task", "count=poisson", "--drop", "id")
    model = train(tmp_path, data, *tasks, *SOLID)
    predicted = predict(model, data)
    assert {"y.mean", "count.mean"} <= set(predicted)
    truth = np.sin(3 * table["x1"]) + (table["city"] == "Oslo")
    assert np.corrcoef(numbers(predicted["y.mean"]), truth)[0, 1] > 0.95
    assert np.corrcoef(numbers(predicted["count.mean"]), np.exp(table["x1"]))[0, 1] > 0.8


def test_the_paper_recipe_and_the_smooth_step_learn(tmp_path, wave_csv):
    truth = wave()["y"]
    paper = ("--recipe", "paper", "--epochs", 200, "--learning-rate", 0.03, "--quiet")
    step = ("--activation", "smooth_step", "--gamma", 4, *SOLID)
    narrow = ("--columns-per-tree", 1, *SOLID)
    for name, options in {"paper": paper, "step": step, "narrow": narrow}.items():
        model = train(tmp_path, wave_csv, "--target", "y", "--drop", "id", *options, name=name)
        mean = numbers(predict(model, wave_csv)["mean"])
        assert np.mean((mean - truth) ** 2) < 0.2 * np.var(truth), name
