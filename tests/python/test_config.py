"""Every option also from a file."""

import json

import pytest
from command_line import fail, train

OPTIONS = {
    "target": "y",
    "loss": "huber(delta=2)",
    "drop": ["id", "x2"],
    "trees": 7,
    "depth": 2,
    "epochs": 3,
    "learning-rate": 0.03,
    "valid-fraction": 0.3,
    "activation": "smooth_step",
    "seed": 4,
    "quiet": True,
}


def flags():
    for name, value in OPTIONS.items():
        if value is True:
            yield f"--{name}"
        else:
            yield from (f"--{name}", ",".join(value) if isinstance(value, list) else value)


def as_toml():
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in OPTIONS.items())


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_a_config_file_equals_the_flags(tmp_path, wave_csv, kind):
    config = tmp_path / f"config.{kind}"
    config.write_text(as_toml() if kind == "toml" else json.dumps(OPTIONS))
    from_file = train(tmp_path, wave_csv, "--config", config, name="file")
    from_flags = train(tmp_path, wave_csv, *flags(), name="flags")
    assert from_file.read_bytes() == from_flags.read_bytes()


def test_a_flag_wins_over_the_file(tmp_path, wave_csv):
    config = tmp_path / "config.toml"
    config.write_text(as_toml())
    mixed = train(tmp_path, wave_csv, "--config", config, "--seed", 9, name="mixed")
    config.write_text(as_toml().replace("seed = 4", "seed = 9"))
    whole = train(tmp_path, wave_csv, "--config", config, name="whole")
    assert mixed.read_bytes() == whole.read_bytes()


def test_letters_of_all_kinds_stand_in_quotes(tmp_path, wave_csv):
    config = tmp_path / "config.toml"
    config.write_text('\ufeff# größer\ntarget = "y"\ndrop = ["größe"]\n', encoding="utf-8")
    assert "größe" in fail("train", wave_csv, "-o", tmp_path / "m", "--config", config)
    config.write_text('target = "y"\ngröße = 3\n', encoding="utf-8")
    told = fail("train", wave_csv, "-o", tmp_path / "m", "--config", config)
    assert "config.toml:2" in told
    assert "outside of quotes" in told
