"""Same data, options and seed: the same bytes."""

import pytest
from command_line import QUICK, succeed, train


def model_bytes(tmp_path, data, *options):
    return train(tmp_path, data, "--target", "y", *QUICK, *options).read_bytes()


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("options", [(), ("--columns-per-tree", 1), ("--recipe", "paper")])
def test_threads_change_no_bit_of_the_model(tmp_path, wave_csv, threads, options):
    alone = model_bytes(tmp_path, wave_csv, "--threads", 1, *options)
    assert model_bytes(tmp_path, wave_csv, "--threads", threads, *options) == alone


def test_threads_change_no_bit_of_the_predictions(wave_model, wave_csv):
    outputs = {succeed("predict", wave_model, wave_csv, "--threads", n) for n in (1, 2, 3)}
    assert len(outputs) == 1


def test_the_same_seed_gives_the_same_model(tmp_path, wave_csv):
    one, two = (model_bytes(tmp_path, wave_csv, "--seed", 5) for _ in range(2))
    assert one == two


def test_another_seed_gives_another_model(tmp_path, wave_csv):
    one, two = (model_bytes(tmp_path, wave_csv, "--seed", seed) for seed in (5, 6))
    assert one != two


def test_the_model_does_not_know_where_it_was_made(tmp_path, wave_csv):
    for name in ("here", "there"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.csv").write_bytes(wave_csv.read_bytes())
        train(folder, folder / f"{name}.csv", "--target", "y", *QUICK)
    here, there = (tmp_path / name / "model.softwood" for name in ("here", "there"))
    assert here.read_bytes() == there.read_bytes()
