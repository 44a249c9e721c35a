"""A model is a safetensors file, and a damaged one is refused."""

import csv
import json
from pathlib import Path

import pytest
from command_line import fail, succeed
from safetensors import safe_open
from safetensors.numpy import load_file


def test_any_safetensors_reader_opens_it(wave_model):
    tensors = load_file(wave_model)
    assert tensors
    assert sum(tensor.size for tensor in tensors.values()) > 100


def test_the_metadata_states_versions(wave_model):
    with safe_open(wave_model, framework="numpy") as file:
        metadata = file.metadata()
    assert metadata["version"] == "7"
    assert metadata["softwood"] == succeed("--version").split()[-1]


def test_the_description_tells_how_the_members_were_trained(tmp_path, wave_csv):
    model = tmp_path / "m.softwood"
    options = ["--target", "y", "--drop", "id", "--members", 2, "--groups", "wide=16,narrow=5"]
    succeed("train", wave_csv, *options, "--epochs", 3, "-o", model, "-q")
    with safe_open(model, framework="numpy") as file:
        description = json.loads(file.metadata()["model"])
    assert description["tasks"][0]["target_kind"] == "numeric"
    for member in description["members"]:
        training = member["training"]
        rows = training["training_rows"] + training["validation_rows"]
        assert rows == len(wave_csv.read_text().splitlines()) - 1
        assert [group["kind"] for group in training["groups"]] == ["wide", "narrow"]
        assert len(training["group_of_bundle"]) == len(member["trees"]["bundles"])
        assert "seconds" not in training["history"]
    # Members are trained in step; the first one tells how it went.
    told = [len(each["training"]["history"]["validation_loss"]) for each in description["members"]]
    assert told == [3, 0]


def test_a_file_of_version_3_predicts_as_it_did():
    old = Path(__file__).parents[1] / "model/file/version_3"
    predicted = succeed("predict", old / "model.softwood", old / "table.csv", "--quantiles", 0.9)
    # The last bits may be those of other instructions.
    assert rounded_cells(predicted) == rounded_cells((old / "predictions.csv").read_text())


def rounded_cells(text):
    def rounded(cell):
        try:
            return float(f"{float(cell):.5g}")
        except ValueError:
            return cell

    return [list(map(rounded, row)) for row in csv.reader(text.splitlines())]


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_model_is_refused(tmp_path, wave_model, wave_csv, share):
    whole = wave_model.read_bytes()
    cut = tmp_path / "cut.softwood"
    cut.write_bytes(whole[: int(share * len(whole))])
    assert "cut.softwood" in fail("predict", cut, wave_csv)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.9999])
def test_a_flipped_bit_is_noticed(tmp_path, wave_model, wave_csv, share):
    content = bytearray(wave_model.read_bytes())
    content[int(share * len(content))] ^= 0x10
    bad = tmp_path / "bad.softwood"
    bad.write_bytes(content)
    assert "bad.softwood" in fail("predict", bad, wave_csv)


def test_added_bytes_are_noticed(tmp_path, wave_model, wave_csv):
    long = tmp_path / "long.softwood"
    long.write_bytes(wave_model.read_bytes() + b"\0")
    fail("predict", long, wave_csv)


def test_a_table_is_no_model(wave_csv):
    assert "wave.csv" in fail("predict", wave_csv, wave_csv)


def test_evaluate_refuses_what_predict_refuses(tmp_path, wave_csv):
    fail("evaluate", tmp_path / "missing.softwood", wave_csv)


def test_a_copied_model_predicts_alike(tmp_path, wave_model, wave_csv):
    copy = tmp_path / "other name.softwood"
    copy.write_bytes(wave_model.read_bytes())
    assert succeed("predict", copy, wave_csv) == succeed("predict", wave_model, wave_csv)
