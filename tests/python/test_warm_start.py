"""--start-from and --add-trees: training goes on from a finished model."""

import re
import shlex
from importlib.resources import files

import numpy as np
import pytest
from command_line import ROOT, fail, numbers, predict, run, succeed, train
from synthetic import write_csv

LEARN = ("--ensemble", "linear,wide=6,rest_narrow=8", "--depth", "2", "--members", "2", "-q")


def rows(count, seed, cities=("Oslo", "Rome", "Lima"), **more):
    """y = sin(3 x) + the city's share; kind tells whether y is high."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, count).round(5)
    city = draw.choice(cities, count)
    shares = {"Oslo": 1.0, "Rome": 0.0, "Lima": -1.0, "Kyiv": 3.0}
    y = np.sin(3 * x) + np.array([shares[each] for each in city]) + draw.normal(0, 0.1, count)
    kind = np.where(y > 2, "top", np.where(y > 0, "high", "low"))
    table = {"x": x, "city": city, "y": y.round(5), "kind": kind}
    return table | {name: make(draw, table) for name, make in more.items()}


def joined(*tables):
    return {name: np.concatenate([table[name] for table in tables]) for name in tables[0]}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Folder of old.csv and later rows: the same, with another city, with another column."""
    folder = tmp_path_factory.mktemp("warm")
    old, new = rows(300, 1), rows(150, 2)
    kyiv = rows(150, 3, ("Oslo", "Rome", "Kyiv"))
    tests = {"test": rows(200, 4), "test_kyiv": rows(200, 5, ("Oslo", "Rome", "Kyiv"))}
    tables = {"old": old, "new": new, "all": joined(old, new), "kyiv": kyiv}
    for name, table in (tables | {"all_kyiv": joined(old, kyiv)} | tests).items():
        write_csv(folder / f"{name}.csv", table)
    train(folder, folder / "old.csv", "-t", "y", "--drop", "kind", *LEARN, name="old")
    return folder


def go_on(world, folder, data, *options, name="on", start="old"):
    told = run("train", world / f"{data}.csv", "--start-from", world / f"{start}.softwood",
               "-o", folder / f"{name}.softwood", *options)  # fmt: skip
    assert told.returncode == 0, told.stderr
    return folder / f"{name}.softwood", told.stderr


def rmse(model, world, test):
    told = succeed("evaluate", model, world / f"{test}.csv")
    return float(re.search(r"rmse +(\S+)", told)[1])


@pytest.mark.parametrize("data", ["all", "new"])
def test_the_model_gets_better_on_new_rows(data, world, tmp_path):
    model, words = go_on(world, tmp_path, data)
    known = 300 if data == "all" else 0
    assert f"{known} rows that the model has learned from before, 150 new ones" in words
    assert rmse(model, world, "test") < rmse(world / "old.softwood", world, "test")


def test_it_takes_fewer_epochs_than_a_first_training(world, tmp_path):
    _, words = go_on(world, tmp_path, "all")
    first = succeed("describe", world / "old.softwood")
    epochs = int(re.search(r"rows in (\d+) epochs", first)[1])
    assert 1 <= int(re.search(r"epoch \d+/(\d+)", words)[1]) <= 0.5 * epochs


def test_bytes_do_not_depend_on_threads_or_on_a_break(world, tmp_path):
    whole, _ = go_on(world, tmp_path, "all", "--threads", "1", name="whole")
    other, _ = go_on(world, tmp_path, "all", "--threads", "3", name="other")
    assert other.read_bytes() == whole.read_bytes()
    point = ("--checkpoint", tmp_path / "point", "--checkpoint-every", "1")
    go_on(world, tmp_path, "all", *point, name="checked")
    assert (tmp_path / "checked.softwood").read_bytes() == whole.read_bytes()
    resumed, _ = go_on(world, tmp_path, "all", *point, "--resume", name="resumed")
    assert resumed.read_bytes() == whole.read_bytes()


def test_a_checkpoint_belongs_to_the_model_that_was_started_from(world, tmp_path):
    point = ("--checkpoint", tmp_path / "point")
    once, _ = go_on(world, tmp_path, "all", *point, name="once")
    twice = fail("train", world / "all.csv", "--start-from", once, "-q",
                 "-o", tmp_path / "twice", *point, "--resume")  # fmt: skip
    assert "starts from another model" in twice
    more = fail("train", world / "all.csv", "--start-from", world / "old.softwood", "-q",
                "--add-trees", "4", "-o", tmp_path / "twice", *point, "--resume")  # fmt: skip
    assert "adds another number of trees" in more


def test_a_model_may_take_its_own_place(world, tmp_path):
    place = tmp_path / "m.softwood"
    place.write_bytes((world / "old.softwood").read_bytes())
    fresh, _ = go_on(world, tmp_path, "all", name="fresh")
    succeed("train", world / "all.csv", "--start-from", place, "-o", place, "-q")
    assert place.read_bytes() == fresh.read_bytes()
    refused = fail("train", world / "all.csv", "--start-from", place, "-o", tmp_path / "n",
                   "--history", place)  # fmt: skip
    assert "m.softwood" in refused


def test_added_trees_leave_the_old_ones_as_they_are(world, tmp_path):
    model, words = go_on(world, tmp_path, "all", "--add-trees", "8")
    before = succeed("describe", world / "old.softwood")
    after = succeed("describe", model)
    trees = [int(re.search(r"trees +(\d+)", told)[1]) for told in (before, after)]
    assert trees[0] < trees[1] <= trees[0] + 8
    assert "linear" in words
    assert rmse(model, world, "test") < rmse(world / "old.softwood", world, "test")
    again, _ = go_on(world, tmp_path, "all", "--add-trees", "8", name="again")
    assert again.read_bytes() == model.read_bytes()


def test_trees_may_be_added_and_trained_on_in_turn(world, tmp_path):
    model, _ = go_on(world, tmp_path, "all", "--add-trees", "8", name="first")
    for step, options in enumerate([(), ("--add-trees", "4"), ()]):
        succeed("train", world / "all.csv", "--start-from", model, "-q", "-o",
                tmp_path / f"step{step}.softwood", *options)  # fmt: skip
        model = tmp_path / f"step{step}.softwood"
    assert rmse(model, world, "test") < rmse(world / "old.softwood", world, "test")


@pytest.mark.parametrize("options", [(), ("--add-trees", "8")])
def test_a_new_level_is_taken_up(options, world, tmp_path):
    model, words = go_on(world, tmp_path, "all_kyiv", *options)
    assert "column 'city' has 1 new level: Kyiv" in words
    assert "4: Lima, Oslo, Rome, Kyiv + other" in succeed("describe", model)
    old = rmse(world / "old.softwood", world, "test_kyiv")
    assert rmse(model, world, "test_kyiv") < 0.5 * old
    assert rmse(model, world, "test") < 1.1 * rmse(world / "old.softwood", world, "test")


def test_new_columns_are_told_and_taken_up_by_added_trees(world, tmp_path):
    def sun(draw, table):
        return draw.uniform(0, 1, len(table["x"])).round(4)

    later = rows(300, 6, sun=sun)
    later["y"] = (later["y"] + 2 * later["sun"]).round(5)
    data = write_csv(tmp_path / "sunny.csv", later)
    start = ("--start-from", world / "old.softwood", "-o", tmp_path / "m")
    told = run("train", data, *start)
    assert "new columns, which the model's trees do not see: sun" in told.stderr
    blind = rmse(tmp_path / "m", tmp_path, "sunny")
    told = run("train", data, *start, "--add-trees", "16")
    assert "new columns, for the added trees: sun" in told.stderr
    assert rmse(tmp_path / "m", tmp_path, "sunny") < 0.7 * blind
    missing = fail("predict", tmp_path / "m", world / "test.csv")
    assert "sun" in missing


def test_a_new_class_gets_an_output_of_its_own(world, tmp_path):
    learn = ("-t", "kind", "-l", "softmax", "--drop", "y", *LEARN)
    low = {k: v[rows(150, 2)["kind"] != "top"] for k, v in rows(150, 2).items()}
    old = train(tmp_path, write_csv(tmp_path / "two.csv", low), *learn)
    model = tmp_path / "three"
    told = run("train", world / "all_kyiv.csv", "--start-from", old, "-o", model)
    assert told.returncode == 0, told.stderr
    assert "'kind' has new classes, which get outputs of their own: top" in told.stderr
    shares = predict(model, world / "test_kyiv.csv")
    probabilities = [numbers(shares[f"probability_{each}"]) for each in ("high", "low", "top")]
    assert np.allclose(np.sum(probabilities, axis=0), 1, atol=1e-5)
    truth = rows(200, 5, ("Oslo", "Rome", "Kyiv"))["kind"]
    assert np.mean(np.array(shares["class"]) == truth) > 0.9


def test_two_classes_of_a_logistic_loss_stay_two(world, tmp_path):
    low = {k: v[rows(150, 2)["kind"] != "top"] for k, v in rows(150, 2).items()}
    two = write_csv(tmp_path / "two.csv", low)
    old = train(tmp_path, two, "-t", "kind", "--drop", "y", *LEARN)
    told = fail("train", world / "all_kyiv.csv", "--start-from", old, "-o", tmp_path / "m")
    for word in ("kind", "top", "logistic", "softmax"):
        assert word in told


def test_several_tasks_with_holes_go_on(world, tmp_path):
    table = joined(rows(200, 7), rows(100, 8))
    holes = np.where(np.arange(300) % 2 == 0, "", table["y"].astype(str))
    data = write_csv(tmp_path / "d.csv", table | {"half": holes})
    first = write_csv(
        tmp_path / "f.csv", {k: v[:200] for k, v in (table | {"half": holes}).items()}
    )
    learn = ("--task", "half=huber", "--task", "kind=softmax", "--drop", "y", "-q")
    old = train(tmp_path, first, *learn, "--ensemble", "wide=4,narrow=4,own_narrow=4",
                "--epochs", "12", "--members", "1")  # fmt: skip
    told = run("train", data, "--start-from", old, "-o", tmp_path / "m")
    assert "200 rows that the model has learned from before, 100 new ones" in told.stderr
    for options in ((), ("--add-trees", "6")):
        succeed("train", data, "--start-from", old, "-o", tmp_path / "m", "-q", *options)
        assert len(predict(tmp_path / "m", data)["half.mean"]) == 300


def test_a_task_for_which_no_tree_was_kept_stays_constant(tmp_path):
    x = np.random.default_rng(3).uniform(-1, 1, 300).round(4)
    late = np.arange(300) >= 200  # what trees learn of `lost` is wrong for the rows that validate
    table = {"x": x, "y": 3 * x**2, "lost": np.where(late, -x, x), "late": late.astype(int)}
    data = write_csv(tmp_path / "d.csv", table)
    learn = ("-t", "y,lost", "--valid-column", "late", "--ensemble", "own_narrow=4x2", "-q")
    old = train(tmp_path, data, *learn, "--epochs", "6")
    assert len(np.unique(predict(old, data)["lost.mean"])) == 1
    for options in ((), ("--add-trees", "4")):
        on = ("--start-from", old, "-o", tmp_path / "m", "-q", "--epochs", "2")
        succeed("train", data, *on, *options)
        assert len(np.unique(predict(tmp_path / "m", data)["y.mean"])) > 100


@pytest.mark.parametrize("share", ["none", "soft", "hard", "none --components separate"])
def test_models_of_any_sharing_go_on(share, world, tmp_path):
    learn = ("-t", "y,x", "-l", "normal", "--drop", "kind", "--trees", "8", "--epochs", "6", "-q")
    old = train(tmp_path, world / "old.csv", *learn, "--share", *share.split())
    succeed("train", world / "all.csv", "--start-from", old, "-o", tmp_path / "m", "-q")
    assert len(predict(tmp_path / "m", world / "test.csv")["y.mean"]) == 200


def test_paper_models_and_validation_tables_go_on(world, tmp_path):
    learn = (
        "-t",
        "y",
        "--drop",
        "kind",
        "--recipe",
        "paper",
        "--trees",
        "8",
        "--epochs",
        "8",
        "-q",
    )
    old = train(tmp_path, world / "old.csv", *learn, "--valid", world / "test.csv")
    on = ("--start-from", old, "-o", tmp_path / "m", "-q")
    succeed("train", world / "all.csv", *on, "--valid", world / "test.csv")
    assert rmse(tmp_path / "m", world, "test") <= rmse(old, world, "test")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--depth", "5"], ["--depth", "train a new model"]),
        (["--ensemble", "wide=3"], ["--ensemble"]),
        (["-t", "x"], ["learned y"]),
        (["-t", "y", "-l", "absolute"], ["learned y"]),
        (["--add-trees", "0"], ["--add-trees"]),
        (["--drop", "nothing"], ["nothing"]),
        (["--drop", "city"], ["--drop", "'city'", "train a new model"]),
        (["--categorical", "x"], ["--categorical x", "in another way"]),
        (["--numeric", "city"], ["--numeric city", "in another way"]),
    ],
)  # fmt: skip
def test_what_would_be_another_model_is_refused(options, words, world, tmp_path):
    told = fail("train", world / "all.csv", "--start-from", world / "old.softwood",
                "-o", tmp_path / "m", *options)  # fmt: skip
    for word in words:
        assert word in told
    assert not (tmp_path / "m").exists()


def test_a_handful_of_rows_does_not_replace_what_the_model_knows(world, tmp_path):
    few = write_csv(tmp_path / "few.csv", rows(4, 10))
    on = ("--start-from", world / "old.softwood", "-o", tmp_path / "m")
    assert "too few" in fail("train", few, *on)
    told = run("train", few, *on, "--epochs", "1")
    assert told.returncode == 0, told.stderr
    assert rmse(tmp_path / "m", world, "test") < 1.3 * rmse(world / "old.softwood", world, "test")
    succeed("train", few, *on, "-q", "--valid", world / "new.csv")
    assert re.search(r"members +2", succeed("describe", tmp_path / "m"))
    assert rmse(tmp_path / "m", world, "test") < 1.1 * rmse(world / "old.softwood", world, "test")


@pytest.mark.parametrize(("factor", "away"), [(1, 1000), (1e6, 0)])
@pytest.mark.parametrize("options", [(), ("--add-trees", "4")])
def test_responses_that_have_moved_for_good_are_told_and_met_in_the_mean(
    factor, away, options, world, tmp_path
):
    moved = rows(150, 11)
    moved["y"] = np.round(factor * (moved["y"] + 2) + away, 5)
    data = write_csv(tmp_path / "moved.csv", moved)
    _, words = go_on(world, tmp_path, "new", *options)
    assert "far from" not in words
    told = run("train", data, "--start-from", world / "old.softwood", *options, "-o",
               tmp_path / "m")  # fmt: skip
    assert "the values of 'y' are far from those that the model was trained on" in told.stderr
    assert np.mean(numbers(predict(tmp_path / "m", data)["mean"])) == pytest.approx(
        np.mean(moved["y"]), rel=1e-3
    )


def test_mistakes_are_named(world, tmp_path):
    of_nobody = fail("train", world / "all.csv", "--start-from", world / "old.softwood",
                     "--task-weight", "y=2", "-o", tmp_path / "m")  # fmt: skip
    assert "name the targets" in of_nobody
    alone = fail("train", world / "all.csv", "-t", "y", "--add-trees", "3", "-o", tmp_path / "m")
    assert "--start-from" in alone
    absent = fail("train", world / "all.csv", "--start-from", tmp_path / "no", "-o", tmp_path / "m")
    assert "no" in absent
    table = {name: cells for name, cells in rows(50, 9).items() if name != "city"}
    data = write_csv(tmp_path / "no_city.csv", table)
    lacking = fail("train", data, "--start-from", world / "old.softwood", "-o", tmp_path / "m")
    assert "city" in lacking


def test_the_commands_of_the_page_work(tmp_path, monkeypatch):
    page = (ROOT / "docs/warm_start.md").read_text()
    commands = re.findall(r"^softwood (train .*)$", page, flags=re.MULTILINE)
    assert len(commands) == 4
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    header, *lines = visits.splitlines(keepends=True)[:401]
    tables = {"visits": lines[:300], "new_visits": lines[300:], "all_visits": lines}
    for name, rows_of_table in tables.items():
        (tmp_path / f"{name}.csv").write_text("".join([header, *rows_of_table]))
    monkeypatch.chdir(tmp_path)
    for command in commands:
        succeed(*shlex.split(command, comments=True), "--epochs", "2", "-q")
