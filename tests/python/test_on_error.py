"""predict --on-error: bad cells and rows stop it, count as missing, or are left out."""

import pytest
from command_line import QUICK, columns, fail, predict, run, succeed, train
from synthetic import wave, write_csv


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    table = wave(40)
    return table, write_csv(tmp_path_factory.mktemp("good") / "good.csv", table)


@pytest.fixture(scope="module")
def bad_csv(tmp_path_factory, good):
    """A bad cell in line 4, a short row in line 6, a long one in line 9."""
    lines = good[1].read_text().splitlines()
    cells = lines[3].split(",")
    lines[3] = ",".join([cells[0], "oops", *cells[2:]])
    lines[5] = lines[5].split(",")[0]
    lines[8] += ",extra"
    path = tmp_path_factory.mktemp("bad") / "bad.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_default_stops_and_mentions_the_option(wave_model, bad_csv):
    message = fail("predict", wave_model, bad_csv)
    assert "bad.csv:4: column 'x1': 'oops' is not a number" in message
    assert "--on-error missing or skip" in message
    assert message == fail("predict", wave_model, bad_csv, "--on-error", "stop")


def test_missing_predicts_every_row(wave_model, bad_csv, good, tmp_path):
    done = run("predict", wave_model, bad_csv, "--keep", "id", "--on-error", "missing")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert done.stderr == (
        f"warning: {bad_csv}: 3 mistakes in 3 rows of 40 count as missing: line 4, column 'x1': "
        "'oops' is not a number; line 6: 1 cell instead of 5; line 9: 6 cells instead of 5\n"
    )
    mended = {name: list(cells) for name, cells in good[0].items()}
    mended["x1"][2] = ""
    for name in ("x1", "x2", "city", "y"):
        mended[name][4] = ""
    for name in mended:
        mended[name][7] = ""
    expected = predict(wave_model, write_csv(tmp_path / "mended.csv", mended), "--keep", "id")
    assert columns(done.stdout) == expected


def test_skip_leaves_rows_out_and_row_numbers_tell_which(wave_model, bad_csv, good):
    done = run("predict", wave_model, bad_csv, "--keep", "id", "--row-numbers", "--on-error=skip")
    assert done.returncode == 0
    assert done.stderr.count("\n") == 1
    assert "left out 3 rows of 40" in done.stderr
    whole = predict(wave_model, good[1], "--keep", "id", "--row-numbers")
    assert whole["row"] == [str(row) for row in range(1, 41)]
    kept = [row for row in range(40) if row not in (2, 4, 7)]
    assert columns(done.stdout) == {
        name: [cells[row] for row in kept] for name, cells in whole.items()
    }


def test_a_good_file_is_predicted_without_a_word(wave_model, good):
    for how in ("missing", "skip"):
        done = run("predict", wave_model, good[1], "--on-error", how)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == succeed("predict", wave_model, good[1])


def test_evaluate_and_train_know_it_too(tmp_path, wave_model, bad_csv):
    assert "37 rows" in succeed("evaluate", wave_model, bad_csv, "--on-error", "skip")
    options = ("--target", "y", "--numeric", "x1", *QUICK)
    fail("train", bad_csv, *options, "-o", tmp_path / "m.softwood")
    train(tmp_path, bad_csv, *options, "--on-error", "skip")


def test_what_the_model_lacks_is_an_error_all_the_same(wave_model, tmp_path):
    table = wave(10)
    del table["x1"]
    data = write_csv(tmp_path / "data.csv", table)
    assert "'x1'" in fail("predict", wave_model, data, "--on-error", "missing")


def test_an_unknown_way_is_refused(wave_model, wave_csv):
    assert "skip" in fail("predict", wave_model, wave_csv, "--on-error", "ignore")
