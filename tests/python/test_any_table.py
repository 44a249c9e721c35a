"""Whatever the table, the command answers: a model, or a message."""

import csv
import io
import math
import tempfile
from pathlib import Path

from command_line import numbers, predict, run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**6), 10**6).map(str),
    st.sampled_from(["", "NA", "0", "1"]),
)
TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), NUMBERS
)
RESPONSES = st.one_of(st.floats(-1e6, 1e6).map(repr), st.just(""))
ROWS = st.lists(st.tuples(NUMBERS, TEXTS, RESPONSES), min_size=1, max_size=40)


def as_csv(rows):
    text = io.StringIO()
    csv.writer(text).writerows([("number", "text", "y"), *rows])
    return text.getvalue().encode()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(ROWS)
def test_any_rectangle_gives_a_model_or_a_message(rows):
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder, "data.csv"), Path(folder, "model.softwood")
        data.write_bytes(as_csv(rows))
        quick = ("--target", "y", "--loss", "squared", "--trees", 3, "--epochs", 2, "--quiet")
        done = run("train", data, *quick, "-o", model)
        assert done.returncode in (0, 2), done.stderr
        assert model.exists() == (done.returncode == 0)
        if done.returncode == 0:
            mean = numbers(predict(model, data, "--on-error", "missing")["mean"])
            assert len(mean) == len(rows)
            assert all(map(math.isfinite, mean))
        else:
            assert done.stderr.strip()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=200))
def test_any_bytes_give_a_model_or_a_message(content):
    with tempfile.TemporaryDirectory() as folder:
        data, model = Path(folder, "data.csv"), Path(folder, "model.softwood")
        data.write_bytes(content)
        done = run("train", data, "--target", "y", "--epochs", 1, "--quiet", "-o", model)
        assert done.returncode in (0, 2), done.stderr
        assert model.exists() == (done.returncode == 0)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text("yf()+-*/^<>=,.0123456789 \nelogxpsqrtabsifmean@", max_size=40))
def test_any_loss_text_gives_an_answer(text):
    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder, "mine.loss")
        mine.write_text(text)
        done = run("losses", "--check", mine, timeout=20)
        assert done.returncode in (0, 2), done.stderr
