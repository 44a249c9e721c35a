"""What one may see and do while a model is trained."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
import softwood as sw
from softwood import SoftTreeClassifier, SoftTreeRegressor
from synthetic import visits, wave

QUICK = {"trees": 12, "depth": 2, "epochs": 4}


@pytest.fixture(scope="module")
def waves() -> pd.DataFrame:
    return pd.DataFrame(wave()).drop(columns="id")


def test_callbacks_hear_of_every_epoch(waves):
    heard = []
    fitted = SoftTreeRegressor(**QUICK).fit(
        waves.drop(columns="y"), waves["y"], callbacks=[heard.append]
    )
    assert [each.epoch for each in heard] == list(fitted.history_["epoch"])
    assert [each.validation_loss for each in heard] == list(fitted.history_["validation_loss"])
    assert [each.training_loss for each in heard] == list(fitted.history_["training_loss"])
    assert [each.best_epoch for each in heard] == list(fitted.history_["best_epoch"])
    kept = [each.best_validation_loss for each in heard]
    assert kept == list(fitted.history_["best_validation_loss"])


def test_losses_of_several_tasks_come_by_name(waves):
    heard = []
    data = waves.assign(z=-waves["y"])
    sw.train(data, ["y", "z"], callbacks=[heard.append], **QUICK)
    assert set(heard[0].validation_loss) == {"y", "z"}


def test_a_callback_stops(waves):
    heard = []

    def stop(epoch):
        heard.append(epoch)
        return epoch.epoch == 2

    model = sw.train(waves, "y", callbacks=[stop, heard.append], trees=12, epochs=50)
    assert max(each.epoch for each in heard) == 2
    assert model.history.num_rows == 2


class Pruned(Exception):
    pass


def prune(epoch):
    if epoch.epoch == 2:
        raise Pruned(f"at {epoch.validation_loss}")


def test_an_exception_of_a_callback_comes_out_and_leaves_a_model(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    regressor = SoftTreeRegressor(trees=12, epochs=50)
    with pytest.raises(Pruned, match="at"):
        regressor.fit(X, y, callbacks=[prune])
    assert regressor.predict(X).shape == (len(X),)
    assert regressor.history_.num_rows == 2
    with pytest.raises(Pruned) as caught:
        sw.train(waves, "y", callbacks=[prune], trees=12, epochs=50)
    assert caught.value.model.predict(X).num_rows == len(X)


def test_an_exception_in_a_thread_of_many_members_comes_out(waves):
    with pytest.raises(Pruned):
        sw.train(waves, "y", callbacks=[prune], trees=12, epochs=50, members=3, threads=2)


def test_rows_to_stop_on_are_used(waves):
    train, valid = waves.iloc[:300], waves.iloc[300:]
    fitted = SoftTreeRegressor(**QUICK).fit(
        train.drop(columns="y"), train["y"], eval_set=(valid.drop(columns="y"), valid["y"])
    )
    model = sw.train(train, {"y": "squared"}, validation=valid, **QUICK)
    assert list(fitted.history_["validation_loss"]) == list(model.history["validation_loss"])
    # groups of trees, each at its best, are better together than any epoch; offsets that are
    # fitted once more to all rows cost the validation rows little
    loss = fitted.model_.evaluate(valid)["y"].metrics["loss"]
    best = fitted.history_["best_validation_loss"]
    assert best.min() <= fitted.history_["validation_loss"].min()
    assert loss == pytest.approx(best[-1], rel=0.01)
    with pytest.raises(sw.Error, match="one pair"):
        SoftTreeRegressor().fit(train.drop(columns="y"), train["y"], eval_set=[1, 2, 3])
    with pytest.raises(sw.Error, match="validation table"):
        SoftTreeRegressor(valid_fraction=0.1).fit(
            train.drop(columns="y"), train["y"], eval_set=(valid.drop(columns="y"), valid["y"])
        )


def test_validation_rows_have_no_other_classes(waves):
    X, y = waves[["x1"]], waves["city"]
    with pytest.raises(sw.Error, match="'Bonn', which is no class"):
        SoftTreeClassifier(**QUICK).fit(X, y, eval_set=(X, ["Bonn"] * len(X)))


def test_weights_and_validation_rows_go_together(waves):
    train, valid = waves.iloc[:300], waves.iloc[300:]
    fitted = SoftTreeRegressor(**QUICK).fit(
        train.drop(columns="y"),
        train["y"],
        sample_weight=np.linspace(0.5, 2, 300),
        eval_set=[(valid.drop(columns="y"), valid["y"])],
    )
    assert np.isfinite(fitted.history_["validation_loss"]).all()


def test_notes_are_logged(waves, caplog):
    with caplog.at_level(logging.INFO, logger="softwood"):
        sw.train(waves.assign(constant=1), "y", **QUICK)
    assert any("constant" in record.getMessage() for record in caplog.records)


def test_an_interrupt_is_not_lost_behind_an_error(monkeypatch):
    def interrupt(text):
        raise KeyboardInterrupt(text)

    nothing_to_learn_from = {"x": [1.0] * 20, "y": [None, *range(19)]}
    with pytest.raises(sw.Error, match="no feature is left"):
        sw.train(nothing_to_learn_from, "y", **QUICK)
    monkeypatch.setattr(logging.getLogger("softwood"), "info", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sw.train(nothing_to_learn_from, "y", **QUICK)


def test_a_bar_is_shown_on_request_and_is_silent_otherwise(waves, capfd):
    sw.train(waves, "y", **QUICK)
    assert capfd.readouterr().err == ""
    model = sw.train(waves, "y", verbose=True, **QUICK)
    shown = capfd.readouterr().err
    assert "training" in shown
    last = model.history[np.array([-1 + model.history.num_rows])]
    best = f"best {last['best_validation_loss'][0]:.5g} at {last['best_epoch'][0]:.0f}"
    assert f"train {last['training_loss'][0]:.5g}  valid {last['validation_loss'][0]:.5g}" in shown
    assert best in shown, "the same figures as the command line's"


def test_other_threads_run_while_a_model_is_trained(waves):
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    sw.train(
        pd.DataFrame(visits(20000)).rename(columns={"y": "visits"}),
        {"visits": "poisson"},
        epochs=5,
        trees=48,
    )
    done.set()
    thread.join()
    assert len(ticks) > 20


INTERRUPTED = """
import os, signal, threading, numpy as np, softwood as sw
X = np.random.default_rng(0).normal(size=(20000, 10))
y = X @ np.arange(10) + np.sin(5 * X[:, 0])
regressor = sw.SoftTreeRegressor(epochs=2000, schedule="constant")
heard = []
def send(epoch):
    heard.append(epoch.epoch)
    if epoch.epoch == 3:
        os.kill(os.getpid(), signal.SIGINT)
try:
    regressor.fit(X, y, callbacks=[send])
except KeyboardInterrupt:
    print("interrupted", regressor.score(X, y) > 0.2, len(heard) < 1000)
"""


def test_an_interrupt_leaves_a_usable_model():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["interrupted", "True", "True"], done.stderr


INTERRUPTED_EARLY = """
import logging, os, signal, threading, numpy as np, softwood as sw
from sklearn.exceptions import NotFittedError
X = np.random.default_rng(0).normal(size=(20000, 12))
X[:, 5] = 1
y = np.arange(20000) % 250
noted = threading.Event()
class Noted(logging.Handler):
    def emit(self, record):
        noted.set()
logger = logging.getLogger("softwood")
logger.setLevel(logging.INFO)
logger.addHandler(Noted())
def interrupt():
    noted.wait()
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=interrupt)
thread.start()
classifier = sw.SoftTreeClassifier()
heard = []
try:
    classifier.fit(X, y, callbacks=[heard.append])
except KeyboardInterrupt as stopped:
    print("interrupted", len(heard))
thread.join()
try:
    classifier.predict(X[:3])
except NotFittedError:
    print("not fitted")
"""


def test_an_interrupt_before_the_first_epoch_is_heard_at_once():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_EARLY], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["interrupted", "0", "not", "fitted"], done.stdout + done.stderr


def test_predicts_from_eight_threads_at_once(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    expected = fitted.predict(X)
    results: list[np.ndarray] = []

    def work():
        results.extend(fitted.predict(X) for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert all((each == expected).all() for each in results)


FORKED = """
import os, numpy as np, softwood as sw
X = np.random.default_rng(0).normal(size=(500, 3))
train = lambda: sw.SoftTreeRegressor(trees=12, depth=2, epochs=4, threads=2).fit(X, X[:, 0])
fitted = train()
expected = fitted.predict(X)
child = os.fork()
if child == 0:
    same = (fitted.predict(X) == expected).all() and (train().predict(X) == expected).all()
    os._exit(0 if same else 1)
print("child ended with", os.waitpid(child, 0)[1])
"""


def test_a_forked_child_predicts_and_trains():
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "child ended with 0\n", done.stderr


def test_a_model_that_cannot_be_written_loses_nothing(tmp_path, waves):
    model = sw.train(waves, "y", **QUICK)
    model.save(tmp_path / "m.softwood")
    before = (tmp_path / "m.softwood").read_bytes()
    with pytest.raises(sw.Error, match="no/such"):
        model.save(tmp_path / "no/such/folder")
    (tmp_path / "cut.softwood").write_bytes(before[: len(before) // 2])
    with pytest.raises(sw.Error, match=r"cut\.softwood"):
        sw.load(tmp_path / "cut.softwood")
    with pytest.raises(sw.Error, match="missing"):
        sw.load(tmp_path / "missing")
    assert (tmp_path / "m.softwood").read_bytes() == before
