"""Labels of any text."""

import json

import numpy as np
import pytest
from command_line import numbers, predict, run, succeed, train
from synthetic import petals, wave, write_csv

SOLID = ("--trees", 20, "--epochs", 30, "--batch-size", 32, "--quiet")


@pytest.fixture(scope="module")
def petal_model(tmp_path_factory, tables):
    folder = tmp_path_factory.mktemp("petals")
    return train(folder, tables / "petals.csv", "--target", "kind", "--loss", "softmax", *SOLID)


def test_the_class_is_the_likeliest_label(petal_model, tables):
    predicted = predict(petal_model, tables / "petals.csv")
    labels = [name.removeprefix("probability_") for name in predicted if name != "class"]
    assert sorted(labels) == sorted(set(petals()["kind"]))
    probabilities = np.array([numbers(predicted[f"probability_{label}"]) for label in labels])
    np.testing.assert_allclose(probabilities.sum(axis=0), 1, atol=1e-9)
    assert [labels[k] for k in probabilities.argmax(axis=0)] == predicted["class"]


def test_well_separated_classes_are_told_apart(petal_model, tmp_path):
    fresh = petals(300, seed=8)
    predicted = predict(petal_model, write_csv(tmp_path / "fresh.csv", fresh))
    assert np.mean(np.array(predicted["class"]) == fresh["kind"]) > 0.85


def test_evaluation_agrees_with_the_predictions(petal_model, tables):
    predicted = predict(petal_model, tables / "petals.csv")
    truth = petals()["kind"]
    chosen = [float(predicted[f"probability_{label}"][row]) for row, label in enumerate(truth)]
    (task,) = json.loads(succeed("evaluate", petal_model, tables / "petals.csv", "--json"))
    accuracy = np.mean(np.array(predicted["class"]) == truth)
    np.testing.assert_allclose(task["metrics"]["accuracy"], accuracy)
    np.testing.assert_allclose(task["metrics"]["log_loss"], -np.mean(np.log(chosen)), rtol=1e-6)


@pytest.mark.parametrize("labels", [("no", "yes"), ("0", "1"), ("3", "7"), ("true", "false")])
def test_two_labels_of_any_kind(tmp_path, labels):
    table = wave(400)
    table["y"] = [labels[int(y > 0.3)] for y in table["y"]]
    data = write_csv(tmp_path / "data.csv", table)
    options = ("--target", "y", "--loss", "logistic", "--drop", "id", *SOLID)
    predicted = predict(train(tmp_path, data, *options), data)
    columns = {f"probability_{label}" for label in labels}
    assert set(predicted) >= {"class", *columns}
    assert np.mean(np.array(predicted["class"]) == table["y"]) > 0.9
    sums = sum(np.array(numbers(predicted[column])) for column in columns)
    np.testing.assert_allclose(sums, 1, atol=1e-9)


def test_text_responses_are_classified_without_being_asked(tmp_path, tables):
    model = train(tmp_path, tables / "petals.csv", "--target", "kind", *SOLID)
    assert "class" in predict(model, tables / "petals.csv")


@pytest.mark.parametrize(("loss", "told"), [("ordinal", True), ("softmax", False)])
def test_an_ordered_loss_says_in_which_order_it_takes_texts(tmp_path, loss, told):
    table = wave()
    data = write_csv(tmp_path / "cities.csv", table)
    options = ("--target", "city", "--drop", "id", "--loss", loss, "--epochs", 1)
    said = run("train", data, *options, "-o", tmp_path / "m.softwood").stderr
    assert ("Lima < Oslo < Rome" in said) == told
