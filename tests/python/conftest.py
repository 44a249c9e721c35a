import pytest
from command_line import QUICK, SOFTWOOD, train
from synthetic import petals, visits, wave, write_csv


def pytest_configure(config):
    if not SOFTWOOD.exists():
        pytest.exit(f"no executable at {SOFTWOOD}: ./dev build dev", returncode=2)


@pytest.fixture(scope="session")
def tables(tmp_path_factory):
    """Folder of wave.csv, visits.csv and petals.csv; read only."""
    folder = tmp_path_factory.mktemp("tables")
    for make in (wave, visits, petals):
        write_csv(folder / f"{make.__name__}.csv", make())
    return folder


@pytest.fixture(scope="session")
def wave_csv(tables):
    return tables / "wave.csv"


@pytest.fixture(scope="session")
def wave_model(tmp_path_factory, wave_csv):
    folder = tmp_path_factory.mktemp("wave")
    return train(folder, wave_csv, "--target", "y", "--drop", "id", *QUICK)
