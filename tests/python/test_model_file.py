"""A model is a safetensors file, and a damaged one is refused."""

import pytest
from command_line import fail, succeed
from safetensors import safe_open
from safetensors.numpy import load_file


def test_any_safetensors_reader_opens_it(wave_model):
    tensors = load_file(wave_model)
    assert tensors
    assert sum(tensor.size for tensor in tensors.values()) > 100


def test_the_metadata_states_a_version(wave_model):
    with safe_open(wave_model, framework="numpy") as file:
        metadata = file.metadata()
    assert any("version" in key for key in metadata)


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
