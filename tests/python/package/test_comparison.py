"""softwood.compare and softwood.hold_out."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pandas as pd
import pytest
import softwood as sw
from command_line import succeed

QUICK = {"trees": 6, "depth": 2, "epochs": 3}
rng = np.random.default_rng(0)
X = rng.normal(size=(300, 2))
frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "site": np.arange(300) // 10})
frame["y"] = rng.poisson(np.exp(0.5 * frame["a"]))


@pytest.fixture(scope="module")
def comparison():
    return sw.compare(frame, "y", ["squared", "poisson", "normal"], **QUICK)


def test_it_says_what_the_command_says(tmp_path, comparison):
    frame.to_csv(tmp_path / "y.csv", index=False)
    flags = [text for name, value in QUICK.items() for text in (f"--{name}", value)]
    told = json.loads(
        succeed(
            *("compare", tmp_path / "y.csv", "-t", "y", "-l", "squared,poisson,normal"),
            *("--json", "-q", *flags),
        )
    )
    assert [each["loss"] for each in told] == [each.loss for each in comparison]
    assert [each["nll"] for each in told] == [each.nll for each in comparison]
    assert [each["metrics"] for each in told] == [each.evaluation.metrics for each in comparison]


def test_it_is_a_table(comparison):
    assert len(comparison) == 3
    assert comparison.target == "y"
    as_frame = comparison.to_pandas()
    assert list(as_frame.index) == [each.loss for each in comparison]
    assert as_frame.loc["squared"].isna()["nll"]
    assert as_frame.loc["poisson", "nll"] == comparison["poisson"].nll
    assert (as_frame["rows"] == 60).all()
    assert comparison.table.names[:3] == ["loss", "chosen", "nll"]
    assert comparison.best.nll == min(comparison["poisson"].nll, comparison["normal"].nll)
    assert "y on 60 rows that no loss has seen" in repr(comparison)
    with pytest.raises(KeyError, match="none of"):
        comparison["zip"]


def test_models_are_kept_and_the_rows_are_those_of_hold_out(comparison):
    training, test = sw.hold_out(frame, target="y")
    assert (training.num_rows, test.num_rows) == (240, 60)
    again = comparison.models["poisson"].evaluate(test)["y"].metrics
    assert again == comparison["poisson"].evaluation.metrics


def test_losses_may_be_functions_and_have_names():
    def mine(y, f):
        return (y - f) ** 2

    found = sw.compare(frame, "y", [mine, "absolute"], **QUICK)
    assert {each.loss for each in found} == {"mine", "absolute"}
    named = sw.compare(frame, "y", {"ours": "squared", "theirs": lambda y, f: abs(y - f)}, **QUICK)
    assert {each.loss for each in named} == {"ours", "theirs"}


def test_a_test_table_is_read_as_the_model_reads_it():
    texts = frame.assign(kind=np.where(frame["a"] > 0, "1", "2").astype(object))
    found = sw.compare(texts[:200], "y", ["poisson"], test=texts[200:], **QUICK)
    assert found.best.evaluation.num_rows == 100
    assert found.models["poisson"].evaluate(texts[200:])["y"].metrics == (
        found.best.evaluation.metrics
    )
    validated = sw.compare(texts, "y", ["poisson"], validation=texts[:50], **QUICK)
    assert validated.best.evaluation.num_rows == 60


def test_rows_that_belong_together_are_held_out_together():
    training, test = sw.hold_out(frame, 0.3, seed=2, keep_together="site")
    assert not set(training["site"]) & set(test["site"])
    assert set(training["site"]) | set(test["site"]) == set(frame["site"])
    assert test.num_rows == 90
    with pytest.raises(sw.Error, match="above 0 and below 1"):
        sw.hold_out(frame, 1)


def test_losses_that_fail_are_told():
    with pytest.warns(sw.DataWarning, match=r"1 of 2 losses failed.\n  nonsense: no loss"):
        found = sw.compare(frame, "y", ["nonsense", "poisson"], **QUICK)
    assert "nonsense" in found["nonsense"].failure
    assert list(found.models) == ["poisson"]
    with pytest.raises(sw.Error, match="none of the losses could be trained"):
        sw.compare(frame, "y", ["nonsense"], **QUICK)


def test_mistakes_are_named():
    with pytest.raises(sw.Error, match="'trees' here"):
        sw.compare(frame, "y", ["squared"], n_estimators=4)
    with pytest.raises(sw.Error, match="must be a list or a dict"):
        sw.compare(frame, "y", "squared")
    with pytest.raises(sw.Error, match="twice"):
        sw.compare(frame, "y", ["squared", "squared"])
    with pytest.raises(sw.Error, match="no column 'z'"):
        sw.compare(frame, "z", ["squared"])


def test_an_interruption_leaves_what_there_is(monkeypatch):
    from softwood import comparison as module

    class Impatient(module._Watch):
        def on_loss(self, name):
            super().on_loss(name)
            if name == "poisson":
                raise KeyboardInterrupt

    monkeypatch.setattr(module, "_Watch", Impatient)
    with pytest.raises(KeyboardInterrupt) as stopped:
        sw.compare(frame, "y", ["squared", "poisson", "normal"], **QUICK)
    assert [each.loss for each in stopped.value.comparison] == ["squared", "poisson"]
    assert stopped.value.comparison["poisson"].failure


def test_a_warning_may_be_an_error():
    with warnings.catch_warnings():
        warnings.simplefilter("error", sw.DataWarning)
        with pytest.raises(sw.DataWarning, match="four_cycles"):
            sw.compare(frame, "y", ["squared"], schedule="coslog4", **QUICK)
