"""A loss of the user's own equals its built-in twin, and the catalogue can be read back."""

import pytest
from command_line import QUICK, fail, predict, succeed, train


def test_a_formula_equals_its_built_in_twin(tmp_path, wave_csv):
    options = ("--target", "y", "--drop", "id", *QUICK)
    formula = train(tmp_path, wave_csv, "--loss", "(y - f)^2", *options, name="formula")
    named = train(tmp_path, wave_csv, "--loss", "squared", *options, name="named")
    assert succeed("predict", formula, wave_csv) == succeed("predict", named, wave_csv)


@pytest.mark.parametrize("name", ["huber", "zero_inflated_poisson", "normal"])
def test_a_printed_loss_can_be_edited_and_used(tmp_path, tables, name):
    mine = tmp_path / "mine.loss"
    mine.write_text(succeed("losses", name))
    data = tables / "visits.csv"
    own = train(tmp_path, data, "--target", "y", "--loss", f"@{mine}", *QUICK, name="own")
    built_in = train(tmp_path, data, "--target", "y", "--loss", name, *QUICK, name="built_in")
    assert predict(own, data) == predict(built_in, data)


CATALOGUE = """
squared absolute huber log_cosh general_robust quantile multi_quantile expectile normal laplace
logistic_distribution student_t mixture_normal tobit
count poisson negative_binomial zero_inflated_poisson zero_inflated_negative_binomial
hurdle_poisson hurdle_negative_binomial
gamma gamma_mean exponential lognormal weibull beta tweedie
logistic softmax ordinal weibull_aft lognormal_aft loglogistic_aft
"""


def test_the_list_names_every_loss():
    listed = succeed("losses").split()
    assert set(CATALOGUE.split()) <= set(listed)


def test_short_names_mean_the_same(tmp_path, tables):
    data = tables / "visits.csv"
    short = train(tmp_path, data, "--target", "y", "--loss", "zip", *QUICK, name="short")
    long = "zero_inflated_poisson"
    full = train(tmp_path, data, "--target", "y", "--loss", long, *QUICK, name="full")
    assert predict(short, data) == predict(full, data)


def test_check_prints_values_and_gradients(tmp_path):
    mine = tmp_path / "mine.loss"
    mine.write_text("outputs f\nloss = (y - f)^4\nmean = f\n")
    assert any(character.isdigit() for character in succeed("losses", "--check", mine))


def test_check_points_at_the_mistake(tmp_path):
    mine = tmp_path / "mine.loss"
    mine.write_text("outputs f\nloss = lgo(f)\nmean = f\n")
    message = fail("losses", "--check", mine)
    assert "mine.loss:2:8" in message
    assert "did you mean 'log'" in message
