"""Missing values, categories, dates and column roles."""

import gzip

import numpy as np
from command_line import QUICK, numbers, predict, run, succeed, train
from synthetic import wave, write_csv

SOLID = (
    "--target",
    "y",
    "--drop",
    "id",
    "--trees",
    20,
    "--epochs",
    40,
    "--batch-size",
    32,
    "--quiet",
)


def test_missing_is_a_value_of_its_own(tmp_path):
    draw = np.random.default_rng(4)
    gone = draw.random(800) < 0.3
    x = [("", "NA", "?", "nan")[i % 4] if g else f"{draw.normal():.4f}" for i, g in enumerate(gone)]
    y = np.where(gone, 5.0, 0.0) + draw.normal(0, 0.1, 800)
    data = write_csv(tmp_path / "data.csv", {"id": range(800), "x": x, "y": y})
    mean = np.array(numbers(predict(train(tmp_path, data, *SOLID), data)["mean"]))
    np.testing.assert_allclose(mean[gone].mean(), 5, atol=0.3)
    np.testing.assert_allclose(mean[~gone].mean(), 0, atol=0.3)


def test_an_unseen_category_is_predicted_all_the_same(wave_model, tmp_path):
    table = wave(30)
    table["city"] = ["Atlantis"] * 30
    mean = numbers(predict(wave_model, write_csv(tmp_path / "data.csv", table))["mean"])
    assert np.isfinite(mean).all()


def test_all_features_missing_gives_a_finite_prediction(wave_model, tmp_path):
    table = {"x1": [""] * 3, "x2": [""] * 3, "city": [""] * 3}
    mean = numbers(predict(wave_model, write_csv(tmp_path / "data.csv", table))["mean"])
    assert np.isfinite(mean).all()


def test_prediction_needs_no_response_and_no_dropped_column(wave_model, wave_csv, tmp_path):
    table = {name: column for name, column in wave().items() if name not in ("id", "y")}
    bare = write_csv(tmp_path / "bare.csv", table)
    assert succeed("predict", wave_model, bare) == succeed("predict", wave_model, wave_csv)


def test_the_order_of_columns_does_not_matter(wave_model, wave_csv, tmp_path):
    turned = write_csv(tmp_path / "turned.csv", dict(reversed(wave().items())))
    assert succeed("predict", wave_model, turned) == succeed("predict", wave_model, wave_csv)


def test_permuting_rows_permutes_predictions(wave_model, wave_csv, tmp_path):
    order = np.random.default_rng(1).permutation(400)
    table = {name: column[order] for name, column in wave().items()}
    permuted = predict(wave_model, write_csv(tmp_path / "permuted.csv", table))["mean"]
    straight = predict(wave_model, wave_csv)["mean"]
    assert permuted == [straight[row] for row in order]


def test_a_single_row_is_predicted_as_among_others(wave_model, wave_csv, tmp_path):
    table = {name: column[17:18] for name, column in wave().items()}
    alone = predict(wave_model, write_csv(tmp_path / "one.csv", table))["mean"]
    assert alone == predict(wave_model, wave_csv)["mean"][17:18]


def test_no_rows_give_no_predictions(wave_model, tmp_path):
    data = write_csv(tmp_path / "none.csv", {name: [] for name in wave(1)})
    assert predict(wave_model, data) == {"mean": []}


def test_codes_become_categories_on_request(tmp_path):
    draw = np.random.default_rng(6)
    code = draw.integers(0, 12, 1500)
    y = draw.normal(size=12)[code]
    data = write_csv(tmp_path / "data.csv", {"id": range(1500), "code": code, "y": y})
    model = train(tmp_path, data, *SOLID, "--categorical", "code")
    mean = numbers(predict(model, data)["mean"])
    assert np.mean((mean - y) ** 2) < 0.02 * np.var(y)


def test_semicolons_quotes_crlf_bom_and_gzip_are_read_alike(wave_model, wave_csv, tmp_path):
    text = wave_csv.read_text()
    strange = "\ufeff" + "\r\n".join(
        ";".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()
    )
    path = tmp_path / "strange.csv.gz"
    path.write_bytes(gzip.compress(strange.encode()))
    assert succeed("predict", wave_model, path) == succeed("predict", wave_model, wave_csv)


def test_an_arff_file_is_read_like_the_csv(wave_model, wave_csv, tmp_path):
    header = "@relation wave\n@attribute id integer\n@attribute x1 real\n@attribute 'x2' numeric\n"
    header += "@attribute city {Lima, 'Oslo', Rome}\n@attribute y real\n% rows\n@data\n"
    path = tmp_path / "wave.arff"
    path.write_text(header + wave_csv.read_text().split("\n", 1)[1])
    assert succeed("predict", wave_model, path) == succeed("predict", wave_model, wave_csv)


def test_dates_are_features(tmp_path):
    days = np.datetime64("2020-01-01") + np.arange(730)
    y = np.arange(730) / 100
    data = write_csv(tmp_path / "data.csv", {"id": range(730), "day": days, "y": y})
    mean = numbers(predict(train(tmp_path, data, *SOLID), data)["mean"])
    assert np.mean((mean - y) ** 2) < 0.05 * np.var(y)


def test_features_are_only_those_named(tmp_path, wave_csv):
    model = train(tmp_path, wave_csv, "--target", "y", "--features", "x1,city", *QUICK)
    table = {name: column for name, column in wave().items() if name in ("x1", "city")}
    bare = write_csv(tmp_path / "bare.csv", table)
    assert succeed("predict", model, bare) == succeed("predict", model, wave_csv)


def test_a_column_that_is_called_like_an_unset_parameter_gets_a_word(tmp_path):
    draw = np.random.default_rng(1)
    table = {"x": draw.normal(size=200), "Event": draw.integers(0, 2, 200)}
    data = write_csv(tmp_path / "lives.csv", table | {"time": draw.exponential(size=200) + 0.01})
    options = ("--target", "time", "--epochs", 2, "-o", tmp_path / "m.softwood")
    forgotten = run("train", data, *options, "--loss", "weibull_aft")
    said = run("train", data, *options, "--loss", "weibull_aft(event=Event)")
    assert "write weibull_aft(event=Event)" in forgotten.stderr
    assert "write weibull_aft" not in said.stderr
