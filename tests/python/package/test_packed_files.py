"""What is small when packed, and lack of memory, in Python."""

import bz2
import gzip
import lzma
import subprocess
import sys
import zipfile

import pyarrow as pa
import pytest
import softwood

ROWS = b"1,2,3\n" * 40_000


def zipped(content, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", content)


def zstd(content, path):
    with pa.CompressedOutputStream(pa.OSFile(str(path), "wb"), "zstd") as stream:
        stream.write(content)


WAYS = {
    "gz": lambda content, path: path.write_bytes(gzip.compress(content)),
    "bz2": lambda content, path: path.write_bytes(bz2.compress(content)),
    "xz": lambda content, path: path.write_bytes(lzma.compress(content)),
    "zst": zstd,
    "zip": zipped,
    "bz2 of gz": lambda content, path: path.write_bytes(bz2.compress(gzip.compress(content))),
    "gz of bz2": lambda content, path: path.write_bytes(gzip.compress(bz2.compress(content))),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_packed_has_a_limit_that_can_be_lifted(way, tmp_path):
    path = tmp_path / "packed"
    WAYS[way](ROWS, path)
    with pytest.raises(softwood.Error, match=r"holds more than 0.0002 GB.*most_gigabytes=N"):
        softwood.read(path, header=False, most_gigabytes=0.0002)
    assert softwood.read(path, header=False, most_gigabytes=0.001).num_rows == 40_000
    assert softwood.read(path, header=False).num_rows == 40_000


def test_a_plain_file_has_no_limit(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_bytes(ROWS)
    assert softwood.read(path, header=False, most_gigabytes=0.0001).num_rows == 40_000
    with pytest.raises(softwood.Error, match="above 0"):
        softwood.read(path, most_gigabytes=0)


PROGRAM = """
import random
import resource
import softwood as sw
draw = random.Random(1)
table = {name: [draw.gauss(0, 1) for _ in range(200)] for name in "aby"}
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    sw.train(table, "y", trees=3000, depth=8, epochs=1, members=1, threads=1)
except MemoryError as error:
    assert isinstance(error, sw.Error)
    print(error)
"""


def test_lack_of_memory_is_a_memory_error_that_says_what_took_it():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert "out of memory while trees are trained on 2 columns" in done.stdout
