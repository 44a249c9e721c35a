"""Puts a linear part into a model file, by what docs/model_format.md says of it alone."""

import json
import struct
import zlib

import numpy as np

TYPES = {"F32": "<f4", "F16": "<f2", "U8": "u1"}


def read(content: bytes) -> tuple[dict, dict, dict[str, np.ndarray]]:
    """Metadata, description and tensors of a model file."""
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    metadata = header.pop("__metadata__")
    numbers = content[8 + length :]
    tensors = {}
    for name, entry in header.items():
        part = numbers[slice(*entry["data_offsets"])]
        tensors[name] = np.frombuffer(part, TYPES[entry["dtype"]]).reshape(entry["shape"])
    return metadata, json.loads(metadata["model"]), tensors


def write(metadata: dict, description: dict, tensors: dict[str, np.ndarray]) -> bytes:
    blank = {**metadata, "model": json.dumps(description), "checksum": "0" * 8}
    header: dict = {"__metadata__": blank}
    numbers = b""
    for name, tensor in tensors.items():
        kind = {"float16": "F16", "uint8": "U8"}.get(tensor.dtype.name, "F32")
        part = tensor.astype(TYPES[kind]).tobytes()
        offsets = [len(numbers), len(numbers) + len(part)]
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": offsets}
        numbers += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    content = struct.pack("<Q", len(text)) + text + numbers
    key = b'"checksum":"'
    at = content.index(key) + len(key)
    return content[:at] + f"{zlib.crc32(content):08x}".encode() + content[at + 8 :]


def num_features(column: dict) -> int:
    match column["kind"]:
        case "curve":
            return 2
        case "levels":
            return len(column["levels"]) + 2
    return 1


def with_linear_part(content: bytes, seed: int = 1, keep_trees: bool = True) -> bytes:
    """The model with random weights in every member."""
    metadata, description, tensors = read(content)
    random = np.random.default_rng(seed)
    features = sum(map(num_features, description["encoder"]["columns"]))
    for number, member in enumerate(description["members"]):
        member["linear"] = True
        outputs = member["trees"]["outputs"]
        tensors[f"member.{number}.linear.weights"] = random.normal(size=(features, outputs))
        tensors[f"member.{number}.linear.biases"] = random.normal(size=outputs)
        if not keep_trees:
            tensors.pop(f"member.{number}.knots", None)
            for part in ("curves", "biases", "leaves"):
                tensors[f"member.{number}.{part}"] = np.zeros(0)
            member["trees"]["bundles"] = []
            member["training"]["group_of_bundle"] = []
    return write(metadata, description, tensors)


def linear_values(description: dict, tensors: dict[str, np.ndarray], cells: dict) -> np.ndarray:
    """g [rows, outputs] of member 0; `cells`: values per column of the table, None = missing."""
    features = []
    for column in description["encoder"]["columns"]:
        values = cells[column["source"]]
        missing = np.array([value is None for value in values])
        if column["kind"] == "levels":
            known = column["levels"]
            codes = [
                len(known) + 1
                if value is None
                else known.index(value)
                if value in known
                else len(known)
                for value in values
            ]
            features.append(np.eye(len(known) + 2)[codes])
            continue
        x = np.array([np.nan if value is None else value for value in values])
        if column["kind"] == "curve":
            x = np.clip(x, column["edges"][0], column["edges"][-1])
        features.append(np.nan_to_num((x - column["mean"]) / column["sd"])[:, None])
        if column["kind"] == "curve":
            features.append(missing[:, None].astype(float))
    weights, biases = tensors["member.0.linear.weights"], tensors["member.0.linear.biases"]
    return np.hstack(features) @ weights.astype(float) + biases
