"""Checkpoints from Python."""

import shutil
import warnings

import numpy as np
import pytest
import softwood
from softwood import SoftTreeRegressor

OPTIONS = {"members": 1, "epochs": 12, "verbose": False}


@pytest.fixture(scope="module")
def table():
    random = np.random.default_rng(3)
    x = random.uniform(size=(200, 2))
    return {"a": x[:, 0], "b": x[:, 1], "y": np.sin(6 * x[:, 0]) + x[:, 1]}


def stop_after(epochs):
    return lambda epoch: epoch.epoch >= epochs


def saved(model, folder, name):
    model.save(folder / name)
    return (folder / name).read_bytes()


def test_a_stopped_training_goes_on_to_the_same_bytes(table, tmp_path):
    whole = saved(softwood.train(table, "y", **OPTIONS), tmp_path, "whole")
    point = tmp_path / "point"
    softwood.train(table, "y", checkpoint=point, callbacks=[stop_after(3)], **OPTIONS)
    resumed = softwood.train(table, "y", checkpoint=point, resume=True, **OPTIONS)
    assert saved(resumed, tmp_path, "resumed") == whole


def test_a_callback_that_raises_leaves_a_checkpoint(table, tmp_path):
    def fail(epoch):
        if epoch.epoch == 4:
            raise KeyError("mine")

    point = tmp_path / "point"
    with pytest.raises(KeyError):
        softwood.train(table, "y", checkpoint=point, callbacks=[fail], **OPTIONS)
    resumed = softwood.train(table, "y", checkpoint=point, resume=True, **OPTIONS)
    whole = softwood.train(table, "y", **OPTIONS)
    assert saved(resumed, tmp_path, "resumed") == saved(whole, tmp_path, "whole")


def test_estimators_resume_too(table, tmp_path):
    X = np.column_stack([table["a"], table["b"]])
    whole = SoftTreeRegressor(**OPTIONS).fit(X, table["y"])
    kept = SoftTreeRegressor(**OPTIONS, checkpoint=tmp_path / "point", checkpoint_every=2)
    kept.fit(X, table["y"], callbacks=[stop_after(5)])
    kept.set_params(resume=True).fit(X, table["y"])
    assert np.array_equal(kept.predict(X), whole.predict(X))


def test_a_checkpoint_that_fails_ends_no_training_whose_warnings_are_errors(table, tmp_path):
    folder = tmp_path / "gone"
    folder.mkdir()

    def remove(epoch):
        if epoch.epoch == 2:
            shutil.rmtree(folder)

    points = {"checkpoint": folder / "point", "checkpoint_every": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = softwood.train(table, "y", callbacks=[remove], **points, **OPTIONS)
    whole = softwood.train(table, "y", **OPTIONS)
    assert saved(kept, tmp_path, "kept") == saved(whole, tmp_path, "whole")


def test_mistakes_are_named(table, tmp_path):
    with pytest.raises(softwood.Error, match="checkpoint=FILE"):
        softwood.train(table, "y", resume=True)
    with pytest.raises(softwood.Error, match="not both"):
        softwood.train(
            table, "y", checkpoint=tmp_path / "p", checkpoint_every=1, checkpoint_minutes=1
        )
    point = tmp_path / "point"
    softwood.train(table, "y", checkpoint=point, callbacks=[stop_after(3)], **OPTIONS)
    with pytest.raises(softwood.Error, match="has not ended"):
        softwood.train(table, "y", checkpoint=point, **OPTIONS)
    with pytest.raises(softwood.Error, match="--depth"):
        softwood.train(table, "y", checkpoint=point, resume=True, depth=2, **OPTIONS)
