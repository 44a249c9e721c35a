"""Every call that writes goes wrong once, in every way: nothing is lost, and it is told."""

import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from command_line import succeed
from failing_calls import REASONS, names_of_calls, run, skip_without_module
from synthetic import write_csv

TINY = ["--trees", "2", "--depth", "1", "--threads", "1", "--members", "2", "--recipe", "paper"]
OLD, OLD_MODE = b"precious", 0o640


@pytest.fixture(scope="module", autouse=True)
def _module():
    skip_without_module()


@dataclass
class Case:
    """A command in a folder, whose files are prepared by what `before` holds."""

    arguments: list[str]
    outputs: list[str]
    before: dict[str, bytes] = field(default_factory=dict)
    checkpoint: str = ""

    def prepare(self, folder: Path) -> None:
        for name, content in self.before.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        for name in self.outputs:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(OLD)
            (folder / name).chmod(OLD_MODE)

    def run(self, folder: Path, **settings: object):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.prepare(folder)
        return run([each.replace("FOLDER", str(folder)) for each in self.arguments], **settings)

    def contents(self, folder: Path) -> dict[str, bytes]:
        return {name: without_seconds((folder / name).read_bytes()) for name in self.outputs}


def without_seconds(content: bytes) -> bytes:
    """The last column of a history is never the same."""
    if not content.startswith(b"epoch,"):
        return content
    return b"\n".join(line.rpartition(b",")[0] for line in content.split(b"\n"))


def result(stdout: bytes) -> object:
    """What standard output says but for the seconds of a comparison."""
    if not stdout.startswith(b"["):
        return stdout
    return [{k: v for k, v in each.items() if k != "seconds"} for each in json.loads(stdout)]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begun")
    draw = np.random.default_rng(1)
    x = draw.normal(size=40).round(2)
    data = str(write_csv(folder / "t.csv", {"x": x, "y": (x**2).round(2)}))
    model = str(folder / "m.softwood")
    train = ["train", data, "-t", "y", *TINY, "-o", "FOLDER/m.softwood"]
    files = ["--history", "FOLDER/h.csv", "--out-of-fold", "FOLDER/o.csv"]
    point = ["--checkpoint", "FOLDER/point", "--checkpoint-every", "1", "--epochs"]
    for epochs in ("1", "2"):  # with a checkpoint and the one before it
        begun = [each.replace("FOLDER", str(folder)) for each in [*train, *point, epochs]]
        succeed(*begun, "--resume")
    points = {name: (folder / name).read_bytes() for name in ("point", "point.before")}
    outputs = ["m.softwood", "h.csv", "o.csv"]
    compare = ["compare", data, "-t", "y", "-l", "squared,absolute", *TINY, "--epochs", "2"]
    return {
        "train": Case([*train, *files, *point, "2"], outputs, {}, "point"),
        "resumed": Case([*train, *files, *point, "3", "--resume"], outputs, points, "point"),
        "predict": Case(["predict", model, data, "-o", "FOLDER/p.csv"], ["p.csv"]),
        "predict to stdout": Case(["predict", model, data], []),
        "predict to /dev/stdout": Case(["predict", model, data, "-o", "/dev/stdout"], []),
        "evaluate": Case(["evaluate", model, data, "--json"], []),
        "compare": Case(
            [*compare, "--json", "-o", "FOLDER/models"],
            ["models/squared.softwood", "models/absolute.softwood"],
        ),
    }


CASES = [
    "train",
    "resumed",
    "predict",
    "predict to stdout",
    "predict to /dev/stdout",
    "evaluate",
    "compare",
]


@pytest.fixture(scope="module", params=CASES)
def sound(request, cases, tmp_path_factory):
    """A case, what it writes if nothing goes wrong, and its calls."""
    folder = tmp_path_factory.mktemp("sound")
    case = cases[request.param]
    done = case.run(folder / "run", FAULT_LOG=folder / "log")
    assert done.returncode == 0, done.stderr
    calls = names_of_calls(folder / "log")
    assert len(calls) >= 2, calls
    return case, case.contents(folder / "run"), result(done.stdout), calls


def modes(case, folder):
    return {name: (folder / name).stat().st_mode & 0o7777 for name in case.outputs}


@pytest.mark.parametrize("fault", ["EINTR", "SHORT"])
def test_an_interrupted_call_and_a_short_write_change_nothing(fault, sound, tmp_path):
    case, expected, said, calls = sound
    for number, name in enumerate(calls, 1):
        if fault == "SHORT" and name != "write":
            continue
        where = f"{fault} at call {number}, {name}"
        done = case.run(tmp_path / "run", FAULT=fault, FAULT_AT=number)
        assert done.returncode == 0, (where, done.stderr)
        assert case.contents(tmp_path / "run") == expected, where
        assert set(modes(case, tmp_path / "run").values()) <= {OLD_MODE}, where
        assert result(done.stdout) == said, where
        assert b"warning: no checkpoint" not in done.stderr, where
        assert not list((tmp_path / "run").rglob("*.part")), where


def check_checkpoints(case, folder, where):
    """Whatever was left of them, the same command resumes to the same bytes."""
    again = [each.replace("FOLDER", str(folder)) for each in case.arguments]
    done = run([*again, *([] if "--resume" in again else ["--resume"])])
    assert done.returncode == 0, (where, done.stderr)
    assert b"damaged" not in done.stderr, (where, done.stderr)


def loses_bytes(calls, number):
    """Whether a file is not whole, or not where it belongs, without that call."""
    name, following = calls[number - 1], calls[number : number + 1]
    # Behind the rename a folder is synced, which is no reason to fail.
    return name in ("write", "rename") or (name == "fsync" and following in (["rename"], ["fsync"]))


@pytest.mark.parametrize("fault", ["ENOSPC", "EIO"])
def test_a_failing_call_loses_nothing_and_is_told(fault, sound, tmp_path):
    case, expected, said, calls = sound
    failed = 0
    for number, name in enumerate(calls, 1):
        if fault == "ENOSPC" and name not in ("open", "write", "fsync"):
            continue
        where = f"{fault} at call {number}, {name}"
        folder = tmp_path / "run"
        done = case.run(folder, FAULT=fault, FAULT_AT=number)
        talk = done.stderr.decode()
        assert not list(folder.rglob("*.part")), where
        assert set(modes(case, folder).values()) <= {OLD_MODE}, where
        assert done.returncode in (0, 2), (where, talk)
        blamed = set(re.findall(r"^(?:softwood: )?cannot .*'(.*)': .*$", talk, re.MULTILINE))
        lost = {
            f"{folder}/{name}" for name, content in case.contents(folder).items() if content == OLD
        }
        if loses_bytes(calls, number):
            assert done.returncode == 2 or "no checkpoint was written" in talk, (where, talk)
        if done.returncode == 2:
            failed += 1
            assert REASONS[fault] in talk, (where, talk)
            assert blamed or "standard output" in talk, (where, talk)
        assert lost == blamed - {"/dev/stdout"}, (where, talk)
        for output, content in case.contents(folder).items():
            assert content in (OLD, expected[output]), where
        if done.returncode == 0:
            assert result(done.stdout) == said, where
        if case.checkpoint:
            check_checkpoints(case, folder, where)
            assert case.contents(folder) == expected, where
    assert failed > 0


def test_a_checkpoint_that_fails_is_told(cases, tmp_path):
    case = cases["train"]
    case.run(tmp_path / "run", FAULT_LOG=tmp_path / "log")
    calls = names_of_calls(tmp_path / "log")
    number = calls.index("fsync") + 1  # the first file that is written is a checkpoint
    done = case.run(tmp_path / "run", FAULT="ENOSPC", FAULT_AT=number)
    assert done.returncode == 0
    told = r"no checkpoint was written, training goes on: cannot write '.*point': No space left"
    assert re.search(told, done.stderr.decode())


def test_the_last_checkpoint_stays_where_it_was_if_the_next_one_fails(cases, tmp_path):
    case = cases["train"]
    case.run(tmp_path / "run", FAULT_LOG=tmp_path / "log")
    calls = names_of_calls(tmp_path / "log")
    renames = [number for number, name in enumerate(calls, 1) if name == "rename"]
    # The last three are those of model, history and predictions.
    done = case.run(tmp_path / "run", FAULT="EIO", FAULT_AT=renames[-4])
    assert "no checkpoint was written" in done.stderr.decode()
    assert (tmp_path / "run/point").exists()
    assert not (tmp_path / "run/point.before").exists()
    check_checkpoints(case, tmp_path / "run", "the last rename of a checkpoint")


def test_what_was_written_is_said_beside_what_was_not(cases, tmp_path):
    case = cases["train"]
    case.run(tmp_path / "run", FAULT_LOG=tmp_path / "log")
    calls = names_of_calls(tmp_path / "log")
    renames = [number for number, name in enumerate(calls, 1) if name == "rename"]
    of_model, of_history = renames[-3], renames[-2]
    talk = case.run(tmp_path / "run", FAULT="EIO", FAULT_AT=of_history).stderr.decode()
    assert re.search(r"cannot replace '.*h.csv'.*\nWritten: '.*m.softwood', '.*o.csv'\.\n", talk)
    assert "--resume" not in talk
    talk = case.run(tmp_path / "run", FAULT="EIO", FAULT_AT=of_model).stderr.decode()
    assert re.search(r"cannot replace '.*m.softwood'.*\nWritten: '.*h.csv', '.*o.csv'\.\n", talk)
    assert re.search(r"the checkpoint '.*point': the same command with --resume goes on", talk)
