"""Files that are larger than they look, or never end: an error that names the limit, soon."""

import gzip
import os
import re
import resource
import subprocess
import time

import pytest
from command_line import QUICK, SOFTWOOD, fail, is_sanitized, predict, succeed

GIGABYTE = 1 << 30


def run_bounded(command, *, memory=GIGABYTE, timeout=60, env=None):
    """A shell's command of which no process may have more memory."""

    def limit():
        if not is_sanitized():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        ["bash", "-c", command],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **(env or {})},
    )


def fail_bounded(command, **limits):
    done = run_bounded(command, **limits)
    assert done.returncode == 2, (command, done.stderr)
    assert "out of memory" not in done.stderr
    return done.stderr


def packed_end_to_end(path, text, times):
    """gzip members follow each other, so a small file can hold any number of copies of `text`."""
    path.write_bytes(gzip.compress(text, 9) * times)
    return path


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("train /dev/zero -t y -o MODEL", "NUL byte"),
        ("train - -t y -o MODEL </dev/zero", "NUL byte"),
        ("predict WAVE_MODEL /dev/zero", "NUL byte"),
        ("evaluate WAVE_MODEL - </dev/zero", "NUL byte"),
        ("train /dev/zero -t y -o MODEL --most-gigabytes 0.001", "more than 0.001 GB"),
        ("train WAVE -t y -o MODEL --config /dev/zero", "no file of options"),
        ("train WAVE -t y -o MODEL --loss @/dev/zero", "NUL byte"),
        ("losses --check @/dev/zero", "NUL byte"),
        ("describe /dev/zero", "no Softwood model"),
        ("predict /dev/zero WAVE", "no Softwood model"),
    ],
)
def test_a_device_without_end_is_refused(command, words, wave_csv, wave_model, tmp_path):
    for name, path in [("WAVE_MODEL", wave_model), ("WAVE", wave_csv), ("MODEL", tmp_path / "m")]:
        command = command.replace(name, str(path))
    assert words in fail_bounded(f"{SOFTWOOD} {command}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "verb", ["train - -t y -o m", "predict WAVE_MODEL -", "evaluate WAVE_MODEL -"]
)
def test_a_stream_without_end_is_refused_at_the_limit(verb, wave_model, tmp_path):
    verb = verb.replace("WAVE_MODEL", str(wave_model))
    command = f"cd {tmp_path}; yes 1,2,3 | {SOFTWOOD} {verb} --most-gigabytes 0.03"
    message = fail_bounded(command, env={"TMPDIR": str(tmp_path)})
    assert "'standard input' holds more than 0.03 GB of text" in message
    assert "--most-gigabytes N" in message
    assert list(tmp_path.iterdir()) == []


def test_a_model_from_a_pipe_is_read_no_further_than_its_header_says(wave_model, wave_csv):
    endless = f"(cat {wave_model}; cat /dev/zero)"
    message = fail_bounded(f"{endless} | {SOFTWOOD} describe /dev/stdin")
    assert "no Softwood model, or it is damaged" in message
    for start in (r"\377\377\377\377\000\000\000\000{", r"\377\377\377\004\000\000\000\000{"):
        message = fail_bounded(
            f"(printf '{start}'; cat /dev/zero) | {SOFTWOOD} describe /dev/stdin"
        )
        assert "no Softwood model" in message
    done = run_bounded(f"cat {wave_model} | {SOFTWOOD} predict /dev/stdin {wave_csv}")
    assert done.stdout == succeed("predict", wave_model, wave_csv)


@pytest.mark.parametrize("name", ["bomb.csv.gz", "bomb.arff.gz"])
@pytest.mark.parametrize("text", [bytes(1 << 20), b"1,2,3\n" * 150_000])
def test_a_gzip_bomb_is_refused(name, text, tmp_path):
    """Ten gigabytes each."""
    bomb = packed_end_to_end(tmp_path / name, text, 10_000)
    assert bomb.stat().st_size < 20_000_000
    options = "--most-gigabytes 0.05" if text[:1] != b"\0" else ""
    command = f"{SOFTWOOD} train {bomb} -t y -o {tmp_path}/m {options}"
    message = fail_bounded(command, env={"TMPDIR": str(tmp_path)})
    assert ("more than 0.05 GB" if options else "NUL byte") in message
    assert list(tmp_path.iterdir()) == [bomb]


def test_what_is_no_table_is_not_unpacked_at_all(wave_csv, tmp_path):
    bomb = packed_end_to_end(tmp_path / "bomb.gz", bytes(1 << 20), 1000)
    model = tmp_path / "m"
    fail_bounded(f"{SOFTWOOD} train {wave_csv} -t y -o {model} --config {bomb}")
    fail_bounded(f"{SOFTWOOD} train {wave_csv} -t y -o {model} --loss @{bomb}")
    fail_bounded(f"{SOFTWOOD} describe {bomb}")


def test_the_limit_may_be_lifted_and_plain_files_have_none(wave_csv, wave_model, tmp_path):
    packed = tmp_path / "wave.csv.gz"
    packed.write_bytes(gzip.compress(wave_csv.read_bytes()))
    small = ("--most-gigabytes", "0.000001")
    assert "more than 1e-06 GB" in fail("predict", wave_model, packed, *small)
    expected = predict(wave_model, wave_csv)
    assert predict(wave_model, packed, "--most-gigabytes", "0.001") == expected
    assert predict(wave_model, wave_csv, *small) == expected
    assert "above 0" in fail("predict", wave_model, packed, "--most-gigabytes", "0")
    assert "above 0" in fail("predict", wave_model, packed, "--most-gigabytes", "nan")


def test_a_sparse_file_of_many_attributes_takes_time_for_what_is_written(tmp_path):
    path = tmp_path / "t.arff"
    names = "".join(f"@attribute a{n} numeric\n" for n in range(50_000))
    rows = "".join(f"{{0 {n % 7}, {n * 7 % 50_000 or 1} 1}}\n" for n in range(1000))
    path.write_text(f"@relation t\n{names}@data\n{rows}")
    features = ",".join(f"a{n}" for n in range(1, 40))
    command = (
        f"{SOFTWOOD} train {path} -t a0 --features {features} -o {tmp_path}/m {' '.join(QUICK)}"
    )
    done = run_bounded(command, memory=2 * GIGABYTE)
    assert done.returncode == 0, done.stderr
    message = fail_bounded(f"{command} --most-gigabytes 0.1")
    assert re.search(r"t.arff:50253: the numbers of 50000 attributes.*more than 0.1 GB", message)


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 200_000 + " = 1\n",
        "[a" + ".a" * 100_000 + "]\n",
        '"a"' + ' . "a"' * 100_000 + " = 1\n",
        "x = {" + "a" + ".a" * 200_000 + " = 1}\n",
        "x = " + "[" * 100_000,
        '{"x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "".join("[" + ".".join(["a"] * 16) + f".x{n}]\n" for n in range(2000)),
    ],
    ids=["name", "header", "quoted", "inline", "lists", "json", "many"],
)
def test_options_nested_beyond_use_are_refused(text, wave_csv, tmp_path):
    config = tmp_path / "c.toml"
    config.write_text(text)
    options = f"--config {config} -o {tmp_path}/m"
    message = fail_bounded(f"{SOFTWOOD} train {wave_csv} -t y {options}")
    assert message.startswith(f"softwood: {config}:")
    assert len(message) < 1000


def test_dots_that_are_no_names_are_none(wave_csv, tmp_path):
    config = tmp_path / "c.toml"
    dots = "." * 100
    config.write_text(f'# {dots}\nepochs = 2\ntrees = 2 # {dots}\n"{"drop"}" = ["id", "{dots}"]\n')
    message = fail("train", wave_csv, "-t", "y", "--config", config, "-o", tmp_path / "m")
    assert f"'{dots}'" in message  # which is no column: that far it was read


def test_a_table_of_many_columns_or_quotes_is_read_or_refused_soon(tmp_path):
    wide = tmp_path / "wide.csv"
    count = 100_000
    wide.write_text("".join([",".join(f"x{n}" for n in range(count)), "\n"]))
    with wide.open("a") as file:
        for row in range(3):
            file.write(",".join(str((row + n) % 7) for n in range(count)) + "\n")
    command = f"{SOFTWOOD} train {wide} -t x0 --features x1,x2 -o {tmp_path}/m -q --trees 2"
    done = run_bounded(command, memory=2 * GIGABYTE)
    assert done.returncode in (0, 2), done.stderr
    for quotes in ('"' * (1 << 20), '"' * ((1 << 20) + 1), '"",' * (1 << 18)):
        path = tmp_path / "quotes.csv"
        path.write_text(quotes + "\n1\n2\n")
        message = fail_bounded(f"{SOFTWOOD} train {path} -t y -o {tmp_path}/m")
        assert len(message) < 10_000


@pytest.mark.skipif(is_sanitized(), reason="memory cannot be limited under a sanitizer")
def test_lack_of_memory_names_what_took_it(wave_csv, tmp_path):
    train = f"{SOFTWOOD} train {wave_csv} -t y -o {tmp_path}/m --threads 1"
    done = run_bounded(f"{train} --trees 1000 --depth 8", memory=GIGABYTE // 4)
    assert done.returncode == 2
    assert re.search(
        r"out of memory while trees are trained on \d columns of 400 rows", done.stderr
    )
    assert "--depth" in done.stderr
    table = tmp_path / "large.csv"
    with table.open("w") as file:
        file.write("x,y\n")
        file.truncate(GIGABYTE // 2)  # zeros: no table, but memory is asked for before that is seen
    arff = table.rename(tmp_path / "large.arff")
    done = run_bounded(f"{SOFTWOOD} train {arff} -t y -o {tmp_path}/m", memory=GIGABYTE // 4)
    assert done.returncode == 2
    assert f"out of memory while '{arff}' is read" in done.stderr
    assert "trees" not in done.stderr


def test_a_large_table_that_is_cut_while_it_is_read_is_told(tmp_path):
    """At moments from the beginning of the first pass to the end of the last."""
    rows = "".join(f"{k % 97 / 8},{k % 7},{k % 13},{k % 5},{k % 11}.5\n" for k in range(1000))
    path = tmp_path / "large.csv"
    text = ("a,b,c,d,y\n" + rows * (20_000_000 // len(rows))).encode()
    told = 0
    for moment in (0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.12, 0.2):
        path.write_bytes(text)
        command = [SOFTWOOD, "train", path, "-t", "y", "-o", tmp_path / "m", "-q", "--epochs", "1"]
        with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE) as process:
            time.sleep(moment)
            os.truncate(path, 5_000_000)
            message = process.stderr.read().decode()
            process.wait(timeout=60)
        told += "has changed while it was being read" in message
        assert process.returncode in (0, 2), (moment, process.returncode, message)
    assert told > 0
