"""What a model file may cost, whoever wrote it: about its size, and two seconds.

Files are made by what docs/model_format.md says, their checksums right, and given to the command.
"""

import copy
import json
import struct
import subprocess
import sys
import zlib

import linear_part_file
import numpy as np
import pytest
from command_line import QUICK, SOFTWOOD, train
from synthetic import write_csv

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """Metadata, description and tensors of a model of two columns."""
    folder = tmp_path_factory.mktemp("small")
    x = np.arange(60)
    table = {"x": x, "c": [f"{k % 3}" for k in x], "y": np.sin(x)}
    data = write_csv(folder / "data.csv", table)
    model = train(folder, data, "--target", "y", "--members", 1, *QUICK)
    return linear_part_file.read(model.read_bytes())


# What a process has taken at most begins with what its parent had: the parent is to be small.
LAUNCHER = """
import os, sys
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss)
"""


class Cost:
    def __init__(self, path):
        self.size = path.stat().st_size
        command = [sys.executable, "-S", "-c", LAUNCHER, str(SOFTWOOD), "describe", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        self.message = done.stderr
        code, seconds, kilobytes = done.stdout.split()[-3:]
        self.code, self.seconds, self.memory = int(code), float(seconds), 1024 * int(kilobytes)

    def __str__(self):
        return (
            f"exit {self.code}, {self.size / 1e6:.2f} MB: {self.memory / 1e6:.0f} MB, "
            f"{self.seconds:.2f} s: {self.message[:150]}"
        )


def with_text(small, description: str, tensors=None) -> bytes:
    """A file whose description is that text, JSON or not."""
    metadata, _, own = small
    tensors = own if tensors is None else tensors
    content = linear_part_file.write(metadata, {"zzz": 0}, tensors)
    return with_header(
        content, lambda header: header.replace(json.dumps('{"zzz": 0}'), json.dumps(description))
    )


def with_header(content: bytes, change) -> bytes:
    """The file with its header's text changed, the checksum made right."""
    (length,) = struct.unpack("<Q", content[:8])
    header = change(content[8 : 8 + length].decode()).encode()
    content = struct.pack("<Q", len(header)) + header + content[8 + length :]
    key = b'"checksum":"'
    at = content.find(key) + len(key)
    if at < len(key):
        return content
    content = content[:at] + b"0" * 8 + content[at + 8 :]
    return content[:at] + f"{zlib.crc32(content):08x}".encode() + content[at + 8 :]


def changed(small, change) -> bytes:
    """The small model after `change(description, tensors)`."""
    metadata, description, tensors = copy.deepcopy(small)
    change(description, tensors)
    return linear_part_file.write(metadata, description, tensors)


def raw_in_description(small, place, text: str) -> bytes:
    """A JSON text in place of what `place(description)` sets to "@here"."""
    _, description, _ = copy.deepcopy(small)
    place(description)
    whole = json.dumps(description)
    assert '"@here"' in whole
    return with_text(small, whole.replace('"@here"', text))


def many_trees(count):
    def change(description, _):
        description["members"][0]["trees"]["bundles"][0]["trees"] = count

    return lambda small: changed(small, change)


def many_tensors(small):
    entry = '"t{}":{{"data_offsets":[0,4],"dtype":"F32","shape":[1]}}'
    more = ",".join(entry.format(k) for k in range(200_000))
    content = linear_part_file.write(*small)
    return with_header(content, lambda header: header.rstrip()[:-1] + "," + more + "}")


def lying_header(length):
    return lambda small: struct.pack("<Q", length) + linear_part_file.write(*small)[8:]


def unknown(text):
    """An entry that no description has."""

    def place(description):
        description["zzz"] = "@here"

    return lambda small: raw_in_description(small, place, text())


def of_column(key, text):
    def place(description):
        description["encoder"]["columns"][0].pop("coarse", None)
        description["encoder"]["columns"][0][key] = "@here"

    return lambda small: raw_in_description(small, place, text())


def of_training(key, text):
    def place(description):
        description["members"][0]["training"][key] = "@here"

    return lambda small: raw_in_description(small, place, text())


def list_of(part, count):
    return lambda: "[" + ",".join([part] * count) + "]"


def labels(small):
    def change(description, _):
        description["tasks"][0]["labels"] = [str(k) for k in range(1_000_000)]

    return changed(small, change)


def tasks(text, count, outputs):
    """So many tasks of texts that are all different."""

    def make(small):
        def change(description, _):
            task = description["tasks"][0]
            description["tasks"] = []
            for k in range(count):
                loss = {**task["loss"], "text": text.replace("NUMBER", str(k))}
                units = {"offset": [0] * outputs, "unit": [1] * outputs}
                description["tasks"].append({**task, "loss": loss, **units})

        return changed(small, change)

    return make


def members(count):
    """Each of a few letters, and an encoder with many edges, whose scales every member has."""

    def make(small):
        def change(description, tensors):
            description["encoder"]["columns"][0]["edges"] = list(range(50_000))
            description["encoder"]["columns"][0].pop("coarse", None)
            member = description["members"][0]
            member["trees"]["bundles"] = []
            member["training"]["group_of_bundle"] = []
            member["training"]["groups"] = []
            description["members"] = [member] * count
            tensors.clear()

        return changed(small, change)

    return make


def bundles(depth, count, is_thinned=False):
    """So many bundles of one tree of that depth: blocks of nodes that are not full."""

    def make(small):
        def change(description, tensors):
            edges = list(range(2000))
            column = description["encoder"]["columns"][0]
            description["encoder"]["columns"] = [{**column, "edges": edges}]
            description["encoder"]["columns"][0].pop("coarse", None)
            member = description["members"][0]
            member["training"]["group_of_bundle"] = []
            member["training"]["groups"] = []
            member["trees"]["depth"] = depth
            bundle = {"columns": [0], "trees": 1, "first_output": 0, "outputs": 1}
            member["trees"]["bundles"] = [bundle] * count
            tensors.clear()
            splits = 2**depth - 1
            numbers = count * splits * (len(edges) + 1)
            if is_thinned:
                tensors["member.0.knots"] = np.zeros((numbers + 7) // 8, np.uint8)
            tensors["member.0.curves"] = np.zeros(0, np.float16) if is_thinned else np.ones(numbers)
            tensors["member.0.biases"] = np.ones(count * splits)
            tensors["member.0.leaves"] = np.ones(count * (splits + 1))

        return changed(small, change)

    return make


EVIL = {
    "two_million_trees": many_trees(2_000_000),
    "2_to_60_trees": many_trees(2**60),
    "200000_tensors_over_the_same_bytes": many_tensors,
    "a_header_of_2_to_63_bytes": lying_header(2**63),
    "a_header_of_16_million_bytes": lying_header(2**24),
    "a_header_of_no_bytes": lying_header(0),
    "lists_in_lists": unknown(lambda: "[" * 8_000_000),
    "empty_lists": unknown(list_of("[]", 2_500_000)),
    "small_numbers": unknown(list_of("0", 4_000_000)),
    "empty_objects": unknown(list_of("{}", 2_500_000)),
    "objects": unknown(list_of('{"a":0}', 1_000_000)),
    "one_long_text": unknown(lambda: '"' + "x" * 8_000_000 + '"'),
    "edges": of_column("edges", lambda: json.dumps(list(range(1_000_000)))),
    "groups": of_training("groups", list_of('{"kind":"wide"}', 500_000)),
    "groups_of_bundles": of_training("group_of_bundle", list_of("0", 4_000_000)),
    "a_million_labels": labels,
    "slow_losses": tasks("outputs f[300]\nloss = sum(softmax(f + NUMBER)^2)\nmean = f[0]", 30, 300),
    "small_losses": tasks("loss = (y-f)^2 + NUMBER\nmean = f", 20_000, 1),
    "members": members(40),
    "more_members": members(3000),
    "single_deep_trees": bundles(8, 10),
    "single_stumps": bundles(1, 300),
    "hardly_any_knots": bundles(8, 100, is_thinned=True),
    "hardly_any_knots_of_stumps": bundles(1, 3000, is_thinned=True),
}


@pytest.mark.parametrize("name", EVIL)
def test_a_hostile_file_costs_little(tmp_path, small, name):
    sound = tmp_path / "sound.softwood"
    sound.write_bytes(linear_part_file.write(*small))
    evil = tmp_path / "evil.softwood"
    evil.write_bytes(EVIL[name](small))
    little = Cost(sound)
    assert little.code == 0, little
    cost = Cost(evil)
    print(cost)
    assert cost.code in (0, 2), cost
    assert "internal error" not in cost.message, cost
    # A loss may come to its own limit, whoever asks for it.
    free = 200 if name == "slow_losses" else 50
    # A knot that a file leaves out takes a bit there and a float in memory.
    times = 40 if name == "hardly_any_knots" else 2
    assert cost.memory < little.memory + times * cost.size + free * MEGABYTE, cost
    assert cost.seconds < 2, cost
