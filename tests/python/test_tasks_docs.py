"""The commands of docs/tasks.md work as written, on small made-up tables with the same columns."""

import re
import shlex

import numpy as np
import pytest
from command_line import ROOT, succeed
from synthetic import write_csv

PAGE = (ROOT / "docs/tasks.md").read_text()
COMMANDS = re.findall(r"^softwood (.*)$", PAGE, flags=re.MULTILINE)
ROWS = 300


def make_tables(folder):
    draw = np.random.default_rng(1)

    def numbers(*names):
        return {name: draw.normal(0, 1, ROWS).round(4) for name in names}

    def counts(*names):
        return {name: draw.poisson(1.5, ROWS) for name in names}

    def holed(*names):
        values = {name: draw.normal(5, 1, ROWS).round(3).astype(str) for name in names}
        return {name: np.where(draw.uniform(size=ROWS) < 0.3, "", v) for name, v in values.items()}

    def flags(*names):
        return {name: draw.choice(["0", "1", ""], ROWS) for name in names}

    visits = counts("visits", "nvisits", "ovisits", "novisits", "emergency", "hospital")
    kinds = (
        "analysis dentistry diagnostics endoscopy hospitalizations mammography operations visits"
    )
    health = counts(*(f"num_{kind}" for kind in kinds.split()))
    assays = "NR-AR NR-AR-LBD NR-AhR NR-Aromatase NR-ER NR-ER-LBD NR-PPAR-gamma SR-ARE SR-ATAD5"
    assays += " SR-HSE SR-MMP SR-p53"
    years = {"policy_years": draw.choice([0.5, 1.0], ROWS)}
    claims = counts("Numtppd", "Numtpbi") | counts("Indtppd", "Indtpbi")
    gases = holed("CO(GT)", "NMHC(GT)", "C6H6(GT)", "NOx(GT)", "NO2(GT)")
    features = numbers("age", "income")
    insured = numbers("relation", "gender", "age_at_inception", "group")
    ids = {"id": np.arange(ROWS)}
    tables = {
        "visits": visits | features,
        "NMES1988": visits | features,
        "bikes": counts("casual", "registered") | {"holiday": draw.integers(0, 2, ROWS)} | features,
        "euhealthinsurance": health | years | insured,
        "bike_sharing_hour": counts("casual", "registered", "cnt", "instant") | features,
        "tox21": flags(*assays.split()) | features | {"mol_id": ids["id"]},
        "star_tennessee": holed("read", "math") | features | ids,
        "air_quality": gases | features,
        "claims": claims | {"Exppdays": draw.integers(100, 366, ROWS)} | features,
    }
    tables["tox21"] |= {"smiles": np.full(ROWS, "CCO")}
    tables["star_tennessee"] |= {"sch": ids["id"], "tch": ids["id"]}
    tables["claims"] |= {"PolNum": ids["id"]}
    for name, table in tables.items():
        write_csv(folder / f"{name}.csv", table)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    make_tables(folder)
    return folder


def test_the_page_has_commands():
    assert len(COMMANDS) >= 11


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    words = shlex.split(command, comments=True)
    if words[0] == "train":
        words += ["--epochs", "2", "--quiet"]
    succeed(*words)
