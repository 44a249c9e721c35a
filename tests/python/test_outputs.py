"""Outputs as people expect them of files: links, modes, pipes, names, what others have left."""

import os
import resource
import shutil
import signal
import stat
import subprocess
import threading

import pytest
from command_line import SOFTWOOD, fail, succeed

FEW = ("--target", "y", "--drop", "id", "--trees", "2", "--depth", "1", "--epochs", "2")


def train(data, output, *options):
    return ["train", data, *FEW, "-o", output, *options]


@pytest.fixture(scope="module")
def expected(wave_csv, tmp_path_factory):
    """The bytes of the model that these options make."""
    path = tmp_path_factory.mktemp("expected") / "model"
    succeed(*train(wave_csv, path, "-q"))
    return path.read_bytes()


def test_a_pipe_waits_for_its_reader_and_gets_the_model(wave_csv, expected, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    succeed(*train(wave_csv, pipe, "-q"))
    reader.join(timeout=30)
    assert got == [expected]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("other", ["x", "./x", "linked", "link"])
def test_two_outputs_of_one_name_are_refused_by_whatever_name(other, wave_csv, tmp_path):
    (tmp_path / "linked").symlink_to("x")
    (tmp_path / "x").write_bytes(b"precious")
    os.link(tmp_path / "x", tmp_path / "link")
    for option in ("--history", "--checkpoint"):
        message = fail(*train(wave_csv, tmp_path / "x", option, f"{tmp_path}/{other}"))
        assert f"--output '{tmp_path}/x'" in message
        assert "one file" in message
    assert (tmp_path / "x").read_bytes() == b"precious"


@pytest.mark.parametrize(
    ("model", "others"),
    [("/dev/stdout", ("--history", "-")), ("x", ("--history", "-", "--out-of-fold", "/dev/fd/1"))],
)
def test_two_outputs_in_one_pipe_are_refused(model, others, wave_csv, tmp_path):
    options = [SOFTWOOD, *train(wave_csv, tmp_path / model, "--members", "2", *others)]
    done = subprocess.run(list(map(str, options)), capture_output=True, text=True)
    assert done.returncode == 2
    assert "are one file or stream" in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_that_is_no_standard_output_takes_one_output_only(wave_csv, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    twice = ("--history", tmp_path / "pipe")
    assert "one file or stream" in fail(*train(wave_csv, tmp_path / "pipe", *twice))


def test_what_takes_everything_takes_every_output(wave_csv):
    nowhere = ("--history", "/dev/null", "--out-of-fold", "/dev/null", "--members", "2")
    succeed(*train(wave_csv, "/dev/null", "-q", *nowhere))


def test_the_checkpoint_before_the_last_is_an_output_too(wave_csv, tmp_path):
    model = tmp_path / "point.before"
    assert "one file" in fail(*train(wave_csv, model, "--checkpoint", tmp_path / "point"))


def test_what_is_read_is_not_replaced(wave_csv, wave_model, tmp_path):
    loss, data, config = tmp_path / "l.loss", tmp_path / "d.csv", tmp_path / "c.toml"
    loss.write_text("outputs f\nloss = (y - f)^2\nmean = f\n")
    shutil.copy(wave_csv, data)
    config.write_text("trees = 2\n")
    model = tmp_path / "model"
    shutil.copy(wave_model, model)
    for command, victim in [
        (train(data, loss, "--loss", f"@{loss}"), loss),
        (train(data, model, "--loss", f"@{loss}", "--history", loss), loss),
        (train(data, data), data),
        (train(data, config, "--config", config), config),
        (train(data, model, "--valid", data, "--out-of-fold", data, "--members", "2"), data),
        (["predict", model, data, "-o", model], model),
        (["predict", model, data, "-o", data], data),
    ]:
        before = victim.read_bytes()
        assert "is read and would be replaced" in fail(*command)
        assert victim.read_bytes() == before


def test_links_stay_and_modes_are_kept(wave_csv, expected, tmp_path):
    (tmp_path / "link").symlink_to("real")
    real = tmp_path / "real"
    real.write_bytes(b"old")
    real.chmod(0o600)
    succeed(*train(wave_csv, tmp_path / "link", "-q"))
    assert (tmp_path / "link").is_symlink()
    assert real.read_bytes() == expected
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_checkpoint_may_be_a_link_to_a_file_that_is_not_there_yet(wave_csv, expected, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "point").symlink_to("elsewhere/real")
    checkpoint = ("--checkpoint", tmp_path / "point", "--checkpoint-every", "1", "-q")
    succeed(*train(wave_csv, tmp_path / "model", *checkpoint))
    assert (tmp_path / "point").is_symlink()
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == [
        "real",
        "real.before",
    ]
    succeed(*train(wave_csv, tmp_path / "model", *checkpoint, "--resume"))
    assert (tmp_path / "model").read_bytes() == expected


def test_a_checkpoint_is_no_pipe(wave_csv, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    model = tmp_path / "model"
    assert "is no file" in fail(*train(wave_csv, model, "--checkpoint", tmp_path / "pipe"))
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert list(tmp_path.iterdir()) == [tmp_path / "pipe"]


def test_names_that_cannot_be_are_mistakes_of_the_user(wave_csv, wave_model, tmp_path):
    assert "is a folder" in fail("describe", tmp_path)
    assert "Is a directory" in fail(*train(wave_csv, tmp_path))
    long = tmp_path / ("n" * 256)
    assert "File name too long" in fail(*train(wave_csv, long))
    assert "File name too long" in fail("predict", wave_model, wave_csv, "-o", long)
    assert "File name too long" in fail("describe", long)
    assert "File name too long" in fail("predict", wave_model, long)
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_dev_null_takes_a_model(wave_csv, tmp_path):
    (tmp_path / "null").symlink_to("/dev/null")
    succeed(*train(wave_csv, tmp_path / "null", "-q"))
    assert (tmp_path / "null").is_symlink()
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_the_next_run_removes_what_a_killed_one_has_left(wave_csv, expected, tmp_path):
    left = tmp_path / ".model.softwood-4194305-0badcafe.part"
    left.write_bytes(b"half")
    others = tmp_path / ".other.softwood-4194305-0badcafe.part"
    others.write_bytes(b"half")
    succeed(*train(wave_csv, tmp_path / "model", "-q"))
    assert sorted(tmp_path.iterdir()) == [others, tmp_path / "model"]
    assert (tmp_path / "model").read_bytes() == expected


def with_file_limit(num_bytes, *arguments):
    """A run whose files may have so many bytes; what is longer raises SIGXFSZ."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (num_bytes, num_bytes))

    return subprocess.run(
        [SOFTWOOD, *map(str, arguments)],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_model_above_the_limit_of_files_is_told_and_what_fits_is_written(
    wave_csv, expected, tmp_path
):
    model, history = tmp_path / "model", tmp_path / "h.csv"
    model.write_bytes(b"precious")
    done = with_file_limit(len(expected) - 1, *train(wave_csv, model, "--history", history, "-q"))
    assert done.returncode == 2
    assert f"cannot write '{model}': File too large." in done.stderr
    assert f"Written: '{history}'." in done.stderr
    assert model.read_bytes() == b"precious"
    assert history.read_text().count("\n") == 3
    assert sorted(tmp_path.iterdir()) == [history, model]


def test_a_checkpoint_above_the_limit_of_files_is_told_and_training_goes_on(
    wave_csv, expected, tmp_path
):
    model, point = tmp_path / "model", tmp_path / "point"
    command = train(wave_csv, model, "--checkpoint", point, "--checkpoint-every", "1")
    succeed(*command)
    assert point.stat().st_size > len(expected) + 100
    for left in tmp_path.iterdir():
        left.unlink()
    done = with_file_limit(len(expected), *command)
    assert done.returncode == 0, done.stderr
    assert f"training goes on: cannot write '{point}': File too large." in done.stderr
    assert model.read_bytes() == expected
    assert list(tmp_path.iterdir()) == [model]


def test_a_closed_pipe_ends_in_silence_and_takes_no_model_along(wave_csv, expected, tmp_path):
    model = tmp_path / "model"
    words = " ".join(map(str, train(wave_csv, model, "-q", "--history", "-")))
    script = f"{SOFTWOOD} {words} | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert model.read_bytes() == expected
    assert (done.stdout, done.stderr) in [("0\n", ""), ("141\n", "")]
    script = f"{SOFTWOOD} predict {model} {wave_csv} | sleep 0; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) in [("0\n", ""), ("141\n", "")]


def test_nohup_keeps_a_training_whole(wave_csv, tmp_path):
    options = ("--target", "y", "--drop", "id", "--members", "1", "--epochs", "60")
    succeed("train", wave_csv, *options, "-q", "-o", tmp_path / "whole")
    command = [SOFTWOOD, "train", wave_csv, *options, "-o", tmp_path / "model"]
    with subprocess.Popen(
        list(map(str, command)),
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # as nohup does
    ) as process:
        while "epoch" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGHUP)
        talk = process.stderr.read()
        assert process.wait(timeout=60) == 0, talk
    assert "interrupted" not in talk
    assert (tmp_path / "model").read_bytes() == (tmp_path / "whole").read_bytes()


FULL_DISK = """
set -eu
mount -t tmpfs -o size=64k tmpfs "$1"
echo precious >"$1/model"
head -c 1000000 /dev/zero >"$1/filler" 2>/dev/null || true
set +e
"$2" train "$3" --target y --drop id --trees 30 --depth 3 --epochs 3 --members 1 -q \\
  -o "$1/model" --history "$4/history.csv"
echo "exit $?"
cat "$1/model"
ls -A "$1"
"""


def test_a_full_disk_leaves_the_old_model_and_takes_the_history_elsewhere(wave_csv, tmp_path):
    disk, kept = tmp_path / "disk", tmp_path / "kept"
    disk.mkdir()
    kept.mkdir()
    can_mount = ["unshare", "--mount", "mount", "-t", "tmpfs", "none", disk]
    if not shutil.which("unshare") or subprocess.run(can_mount, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    script = ["unshare", "--mount", "bash", "-c", FULL_DISK, "full", disk, SOFTWOOD, wave_csv, kept]
    done = subprocess.run(script, capture_output=True, text=True, timeout=60)
    assert f"cannot write '{disk}/model': No space left on device." in done.stderr
    assert done.stdout.splitlines() == ["exit 2", "precious", "filler", "model"]
    assert (kept / "history.csv").read_text().startswith("epoch,")
