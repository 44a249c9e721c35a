"""Checkpoints: whatever ends a training, the resumed one comes to the same bytes."""

import os
import random
import re
import signal
import subprocess
import time

import pytest
from command_line import SOFTWOOD, fail, predict, run, succeed

# Long enough to be killed on the way: half a second.
SHAPES = {
    "one model": ["--target", "y", "--members", "1", "--epochs", "60"],
    "members": ["--target", "y", "--members", "3", "--epochs", "25"],
    "soft sharing": ["--target", "y,x2", "--share", "soft", "--members", "1", "--epochs", "40"],
}


def train_again(folder, data, *options, name="model"):
    """The same command again and again, as scripts have it: goes on where there is a checkpoint."""
    command = [SOFTWOOD, "train", data, "--drop", "id", "--threads", "2", "-o", folder / name]
    command += ["--checkpoint", folder / "point", "--resume", *options]
    return list(map(str, command))


@pytest.fixture(scope="module")
def whole(tmp_path_factory, wave_csv):
    """Per shape: the bytes of a model that was never interrupted, and the seconds it took."""
    folder = tmp_path_factory.mktemp("whole")
    made = {}
    for name, options in SHAPES.items():
        begun = time.monotonic()
        succeed("train", wave_csv, "--drop", "id", "-q", "-o", folder / "model", *options)
        made[name] = (folder / "model").read_bytes(), time.monotonic() - begun
    return made


@pytest.mark.parametrize("shape", SHAPES)
def test_a_training_killed_at_random_moments_ends_with_the_same_bytes(
    shape, whole, wave_csv, tmp_path
):
    expected, seconds = whole[shape]
    moments = random.Random(shape)
    kills = 0
    for minutes in (0.0001, 0.001):
        command = train_again(tmp_path, wave_csv, "-q", *SHAPES[shape])
        command += ["--checkpoint-minutes", str(minutes)]
        for _ in range(4):
            process = subprocess.Popen(command, stderr=subprocess.PIPE)
            try:
                process.communicate(timeout=moments.uniform(0.02, seconds))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "model").read_bytes() == expected
        for left in ("point", "point.before", "model"):
            (tmp_path / left).unlink(missing_ok=True)
    assert kills > 0


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_leaves_model_and_checkpoint_and_the_resumed_run_the_same_bytes(
    sent, code, whole, wave_csv, tmp_path
):
    command = train_again(tmp_path, wave_csv, *SHAPES["members"])
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL),  # also where tests run by nohup
    ) as process:
        while "epoch" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(sent)
        talk = process.stderr.read()
        assert process.wait(timeout=60) == code, talk
    assert "--resume" in talk
    assert len(predict(tmp_path / "model", wave_csv)["mean"]) == 400
    succeed(*command[1:], "-q")
    assert (tmp_path / "model").read_bytes() == whole["members"][0]


@pytest.fixture
def interrupted(wave_csv, tmp_path):
    """A folder with the checkpoints `point` and `point.before` of a run that has not ended."""
    options = [*SHAPES["one model"], "--checkpoint-every", "2"]
    command = train_again(tmp_path, wave_csv, *options)
    points = [tmp_path / "point", tmp_path / "point.before"]
    # A kill may come between the two steps that replace one by the other.
    while not all(point.exists() for point in points):
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            while not all(point.exists() for point in points):
                assert process.poll() is None
                time.sleep(0.002)
            process.kill()
            process.stderr.read()
    for left in tmp_path.glob("*.part"):
        left.unlink()
    return tmp_path


def resume(folder, data, *options):
    """With options that replace those of the interrupted run."""
    kept = SHAPES["one model"]
    for name in options[::2]:
        if name in kept:
            at = kept.index(name)
            kept = kept[:at] + kept[at + 2 :]
    return train_again(folder, data, *kept, "--checkpoint-every", "2", *options)[1:]


@pytest.mark.parametrize("damage", ["cut", "bit", "gone", "empty"])
def test_a_damaged_checkpoint_is_told_and_the_one_before_it_is_used(
    damage, interrupted, whole, wave_csv
):
    point = interrupted / "point"
    held = bytearray(point.read_bytes())
    if damage == "bit":
        held[len(held) // 2] ^= 1
    point.write_bytes({"cut": held[:-7], "bit": held, "empty": b""}.get(damage, b""))
    if damage == "gone":
        point.unlink()
    done = run(*resume(interrupted, wave_csv))
    assert done.returncode == 0, done.stderr
    if damage != "gone":
        assert "damaged" in done.stderr
        assert "point.before" in done.stderr
    assert "going on from the checkpoint" in done.stderr
    assert (interrupted / "model").read_bytes() == whole["one model"][0]


def test_without_a_sound_checkpoint_nothing_is_begun_silently(interrupted, wave_csv):
    for name in ("point", "point.before"):
        (interrupted / name).write_bytes(b"softwood checkpoint 1\n" + bytes(100))
    message = fail(*resume(interrupted, wave_csv))
    assert "damaged" in message
    assert "none before it" in message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--depth", "4"], ["--depth", "4", "not given"]),
        (["--epochs", "70"], ["--epochs", "70", "60"]),
        (["--members", "2"], ["--members", "2", "1"]),
        (["--loss", "absolute"], ["losses", "absolute"]),
        (["--drop", "x2"], ["--drop"]),
    ],
)
def test_other_options_are_refused_and_named(options, words, interrupted, wave_csv):
    message = fail(*resume(interrupted, wave_csv, *options))
    assert "cannot resume" in message
    for word in words:
        assert word in message


def test_other_data_are_refused_and_named(interrupted, wave_csv, tmp_path):
    lines = wave_csv.read_text().splitlines()
    shorter = tmp_path / "shorter.csv"
    shorter.write_text("\n".join(lines[:-1]) + "\n")
    assert "399 rows" in fail(*resume(interrupted, shorter, "--quiet"))
    cells = lines[7].split(",")
    cells[lines[0].split(",").index("y")] = "0.125"
    other = tmp_path / "other.csv"
    other.write_text("\n".join([*lines[:7], ",".join(cells), *lines[8:]]) + "\n")
    assert "response 'y'" in fail(*resume(interrupted, other, "--quiet"))


def with_simd(target, command):
    env = {**os.environ, "SOFTWOOD_SIMD": target}
    return subprocess.run([SOFTWOOD, *command], env=env, capture_output=True, text=True)


def test_another_simd_target_is_refused_and_can_be_pinned(interrupted, whole, wave_csv):
    command = resume(interrupted, wave_csv)
    known = re.search(r"it has (.*)\.", with_simd("none", command).stderr)[1].split(", ")
    own = os.environ.get("SOFTWOOD_SIMD", known[0])
    for target in known:
        if target.upper() == own.upper():
            continue
        done = with_simd(target, command)
        assert done.returncode == 2, (target, done.stderr)
        assert f"made with {own} instructions, this run uses {target}" in done.stderr
        assert f"SOFTWOOD_SIMD={own}" in done.stderr
    pinned = with_simd(own, command)
    assert pinned.returncode == 0, pinned.stderr
    assert (interrupted / "model").read_bytes() == whole["one model"][0]


def test_threads_may_change(interrupted, whole, wave_csv):
    command = resume(interrupted, wave_csv)
    command[command.index("--threads") + 1] = "1"
    succeed(*command)
    assert (interrupted / "model").read_bytes() == whole["one model"][0]


def test_the_checkpoint_of_an_unfinished_training_is_not_replaced_by_mistake(interrupted, wave_csv):
    command = [each for each in resume(interrupted, wave_csv) if each != "--resume"]
    before = (interrupted / "point").read_bytes()
    assert "--resume" in fail(*command)
    assert (interrupted / "point").read_bytes() == before


def test_an_ended_training_may_begin_anew_and_resuming_it_repeats_its_model(wave_csv, tmp_path):
    options = ["--target", "y", "--members", "1", "--epochs", "6", "-q"]
    command = train_again(tmp_path, wave_csv, *options)[1:]
    succeed(*command)
    first = (tmp_path / "model").read_bytes()
    succeed(*command)
    assert (tmp_path / "model").read_bytes() == first
    succeed(*[each for each in command if each != "--resume"])
    assert (tmp_path / "model").read_bytes() == first


def test_a_constant_rate_may_go_on_for_more_epochs_with_the_same_bytes(wave_csv, tmp_path):
    paper = ["--target", "y", "--recipe", "paper", "--patience", "0", "-q", "--epochs"]
    succeed("train", wave_csv, "--drop", "id", "-o", tmp_path / "whole", *paper, "12")
    for epochs in ("5", "12"):
        succeed(*train_again(tmp_path, wave_csv, *paper, epochs)[1:])
    assert (tmp_path / "model").read_bytes() == (tmp_path / "whole").read_bytes()
    message = fail(*train_again(tmp_path, wave_csv, *paper, "3")[1:])
    assert "epoch 12" in message


@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_a_checkpoint_that_cannot_be_written_is_told_and_ends_no_training(
    strict, wave_csv, tmp_path
):
    folder = tmp_path / "full"
    folder.mkdir()
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", "--epochs", "8", "--members", "1"]
    command += ["-o", tmp_path / "model", "--checkpoint", folder / "point", "--drop", "id"]
    command += ["--checkpoint-every", "1", *strict]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        process.stderr.readline()
        (folder).rename(tmp_path / "moved")
        talk = process.stderr.read()
        assert process.wait(timeout=60) == 0, talk
    assert "no checkpoint was written, training goes on" in talk
    assert len(predict(tmp_path / "model", wave_csv)["mean"]) == 400


def test_what_was_never_written_is_not_promised_to_be_in_the_checkpoint(wave_csv, tmp_path):
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", "--epochs", "4", "--members", "1"]
    command += ["-o", tmp_path / "model", "--checkpoint", tmp_path / "point"]
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 1; exec "$@"', "limited", *map(str, command)],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 2
    assert "no checkpoint was written" in done.stderr
    assert f"cannot write '{tmp_path}/model': File too large" in done.stderr
    assert "--resume" not in done.stderr


def test_a_strict_training_goes_on_from_the_checkpoint_before_a_damaged_one(
    interrupted, whole, wave_csv
):
    (interrupted / "point").write_bytes(b"")
    done = run(*resume(interrupted, wave_csv), "--strict")
    assert done.returncode == 0, done.stderr
    assert "damaged" in done.stderr
    assert (interrupted / "model").read_bytes() == whole["one model"][0]


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--resume"], "--checkpoint FILE"),
        (["--checkpoint-every", "2"], "--checkpoint FILE"),
        (["--checkpoint", "P", "--checkpoint-every", "0"], "1 or more"),
        (["--checkpoint", "P", "--checkpoint-minutes", "-1"], "0 or more"),
        (["--checkpoint", "P", "--checkpoint-every", "1", "--checkpoint-minutes", "1"], "one of"),
        (["--checkpoint", "/nowhere/point"], "/nowhere/point"),
    ],
)
def test_mistakes_are_named(options, word, wave_csv, tmp_path):
    options = [str(tmp_path / "point") if each == "P" else each for each in options]
    output = tmp_path / "model"
    assert word in fail("train", wave_csv, "--target", "y", "-o", output, *options)
