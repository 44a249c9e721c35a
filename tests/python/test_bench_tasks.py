"""bench/tasks: tables with several responses, their splits, scores and report; one tiny run."""

import csv
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from command_line import QUICK, SOFTWOOD
from statsmodels.genmod.families import Tweedie

from bench.accuracy.results import Result, append_result
from bench.accuracy.splits import known_rows
from bench.tasks.compare import Comparer, standing
from bench.tasks.report import make_grids, markdown, task_grids, text
from bench.tasks.scores import auc, error, tweedie_deviance
from bench.tasks.splits import make_split, read_table
from bench.tasks.tables import DECLARATIONS, SETS, Task, TaskTable, select_tables

CLAIMS = TaskTable(
    "claims",
    "claims.csv",
    (Task("number", "count"), Task("amount", "tweedie"), Task("fraud", "binary")),
    drop=("id",),
    exposure="years",
    dates={"day": "%d/%m/%Y"},
    hours={"at": "%H.%M.%S"},
)
HOLED = TaskTable(
    "claims", "claims.csv", (Task("number", "count"), Task("amount", "tweedie")), holes=0.5
)
SOILS = TaskTable("soils", "soils.arff", (Task("lead", "regression"), Task("zinc", "regression")))
SIGNS = TaskTable("signs", "soils.arff", (Task("poor", "binary"), Task("wet", "binary")))
WEATHER = TaskTable("weather", "weather.csv", (Task("heat", "regression"),))
ROWS = 500
NOT_INSTALLED = "bench/accuracy/requirements.txt is not installed"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """claims.csv: fraud is not known of every third row."""
    folder, generator = tmp_path_factory.mktemp("data"), np.random.default_rng(3)
    risk, years = generator.normal(size=ROWS), generator.uniform(0.5, 2, ROWS)
    number = generator.poisson(years * np.exp(risk))
    fraud = np.where(np.arange(ROWS) % 3 > 0, risk > generator.normal(0, 0.5, ROWS), np.nan)
    columns = {"id": np.arange(ROWS), "risk": risk, "years": years, "number": number}
    columns |= {"amount": number * generator.gamma(2, 50, ROWS), "fraud": fraud}
    columns |= {"day": "13/02/2004", "at": "18.00.00"}
    pd.DataFrame(columns).to_csv(folder / "claims.csv", index=False)
    (folder / "soils.arff").write_text(soils(generator))
    return folder


def soils(generator):
    """Lead and zinc by depth and rock, and whether they are little; one depth in ten is missing."""
    lines = ["@relation soils", "@attribute depth numeric", "@attribute rock {chalk, clay}"]
    lines += ["@attribute 'lead' numeric", "@attribute zinc numeric"]
    lines += ["@attribute poor {0, 1}", "@attribute wet {0, 1}", "@data"]
    for row in range(ROWS):
        depth, is_clay = generator.normal(), generator.random() < 0.5
        lead, zinc = depth + is_clay, 100 * (depth - is_clay) + generator.normal()
        cell = "?" if row % 10 == 0 else f"{depth:.4f}"
        signs = f"{int(lead < 0)}, {int(zinc > 0)}"
        lines.append(f"{cell}, {'clay' if is_clay else 'chalk'}, {lead:.4f}, {zinc:.4f}, {signs}")
    return "\n".join(lines)


def cells(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def result(task, method="single", error=1.0, seed=0, seconds=1.0, cut="all", metric="m"):
    return Result(task, cut, seed, method, metric, error, seconds, 10)


def comparer(rows, tables=(CLAIMS, WEATHER), seeds=(0, 1)):
    return Comparer({row.key: row for row in rows}, list(tables), seeds)


def claims_rows(method, errors, **options):
    tasks = ("claims/number", "claims/amount", "claims/fraud")
    return [result(t, method, e, **options) for t, e in zip(tasks, errors, strict=True)]


def constant_errors(split):
    """Of the test rows' own means: per year of exposure, or of class 1."""
    years = np.array([float(row["years"]) for row in cells(split.path("test"))])
    found = []
    for task in CLAIMS.tasks:
        y = split.test_response(task)
        weights = np.ones(len(y)) if task.kind == "binary" else years
        y, weights = y[np.isfinite(y)], weights[np.isfinite(y)]
        found.append(error(task.kind, y, weights * y.sum() / weights.sum()))
    return found


def test_no_table_drops_its_responses_or_its_exposure():
    for table in select_tables("all", None):
        kept = {task.target for task in table.tasks} | {table.exposure}
        assert not kept & set(table.drop)


def test_sets_name_declared_tables_and_all_is_everything():
    assert {name: len(tables) for name, tables in SETS.items()} == {
        "mixed": 7,
        "mtr": 14,
        "multitask": 6,
        "few": 8,
    }
    assert {t.name for t in select_tables("mixed,mtr,multitask", None)} == set(DECLARATIONS)
    assert [t.name for t in select_tables("few,slump", None)] == SETS["few"]
    assert {kind for t in select_tables("mtr", None) for kind in t.kinds} == {"regression"}


def test_holes_of_the_run_make_another_table_of_the_complete_ones():
    names = [t.name for t in select_tables("slump,tox21_rdkit,bike_sharing_hour", None, [0, 0.5])]
    assert names == ["slump", "tox21_rdkit", "bike_sharing_hour", "slump+half"]
    [table] = select_tables("slump,tox21_rdkit", None, [0.25])
    assert (table.holes, table.spec(table.tasks[0]).name) == (0.25, "slump+holes0.25/SLUMP_cm")
    assert not table.is_complete


def test_rows_override_the_cuts_and_zero_means_all():
    [health] = select_tables("euhealthinsurance", None)
    assert health.cut == "40000"
    assert select_tables("euhealthinsurance", 0)[0].cut == "all"
    assert select_tables("NMES1988", 500)[0].cut == "500"


def test_an_unknown_table_is_named():
    with pytest.raises(SystemExit, match="NMSE"):
        select_tables("NMSE", None)


def test_ids_go_and_dates_and_times_become_numbers(data):
    frame = read_table(data, CLAIMS)
    assert "id" not in frame
    assert set(frame["day"]) == {12461}
    assert set(frame["at"]) == {18}


def test_parts_are_disjoint_and_of_the_declared_shares(data, tmp_path):
    split = make_split(data, tmp_path, CLAIMS, 0)
    rows = [[row["risk"] for row in cells(split.path(p))] for p in ("train", "valid", "test")]
    assert [len(part) for part in rows] == [320, 80, 100]
    assert len({risk for part in rows for risk in part}) == ROWS


def test_holes_are_independent_and_leave_test_rows_whole(data, tmp_path):
    split = make_split(data, tmp_path, HOLED, 0)
    known = cells(split.path("train")) + cells(split.path("valid"))
    is_hole = np.array([[row[t.target] == "" for t in HOLED.tasks] for row in known])
    assert is_hole.mean(axis=0) == pytest.approx(0.5, abs=0.08)
    assert is_hole.all(axis=1).mean() == pytest.approx(0.25, abs=0.07)
    assert all(row["number"] and row["amount"] for row in cells(split.path("test")))


def test_holes_follow_the_seed(data, tmp_path):
    texts = [
        make_split(data, tmp_path / name, HOLED, seed).path("train").read_text()
        for name, seed in (("a", 0), ("b", 0), ("c", 1))
    ]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_a_task_alone_has_the_rows_with_its_response_and_no_other_response(data, tmp_path):
    split, fraud = make_split(data, tmp_path, CLAIMS, 0), CLAIMS.tasks[2]
    folder = tmp_path / "fraud"
    folder.mkdir()
    alone = split.write_task(fraud, folder)
    for part in ("train", "valid", "test"):
        expected = [row for row in cells(split.path(part)) if row["fraud"] != ""]
        for row in expected:
            del row["number"], row["amount"]
        assert cells(alone.path(part)) == expected
    y = split.test_response(fraud)
    assert len(cells(alone.path("test"))) == np.isfinite(y).sum() < len(y)


def test_the_tweedie_deviance_is_that_of_statsmodels():
    y, mean = np.array([0, 0, 3.5, 120]), np.array([0.2, 4, 2, 100])
    expected = Tweedie(var_power=1.5).deviance(y, mean) / len(y)
    assert tweedie_deviance(y, mean) == pytest.approx(expected)
    assert error("tweedie", y, y + 1e-12) == pytest.approx(0, abs=1e-5)


def test_log_loss_takes_the_probability_of_class_one():
    assert error("binary", np.array([1.0, 0.0]), np.array([0.8, 0.4])) == pytest.approx(
        -(np.log(0.8) + np.log(0.6)) / 2
    )


def test_the_auc_counts_ordered_pairs_and_ties_by_half():
    y = np.array([0, 0, 1, 1.0])
    assert auc(y, np.array([0.1, 0.5, 0.5, 0.9])) == pytest.approx(3.5 / 4)
    assert auc(np.ones(3), np.arange(3)) is None


def test_a_standing_is_the_mean_of_tables_not_of_tasks():
    rows = claims_rows("single", (1, 1, 1)) + claims_rows("hard", (0.5, 0.5, 0.5))
    rows += [result("weather/heat"), result("weather/heat", "hard", 2.0)]
    standing = comparer(rows).standing("hard", "single")
    assert standing.tables == pytest.approx({"claims": 0.5, "weather": 2.0})
    assert standing.mean == pytest.approx(1.0)
    assert (standing.wins, standing.ties, standing.losses) == (3, 0, 1)


def test_a_table_without_all_its_tasks_does_not_count():
    rows = claims_rows("single", (1, 1, 1)) + claims_rows("hard", (0.5, 0.5, 0.5))[:2]
    assert comparer(rows).standing("hard", "single") is None
    assert comparer(rows).seconds(CLAIMS, "hard") is None


def test_counts_and_amounts_tie_within_a_smaller_distance_than_classes():
    rows = claims_rows("single", (1, 1, 1)) + claims_rows("hard", (0.995, 1.005, 0.995))
    standing = comparer(rows).standing("hard", "single")
    assert (standing.wins, standing.ties, standing.losses) == (1, 1, 1)


def test_only_seeds_that_both_have_are_compared():
    rows = claims_rows("single", (4, 4, 4)) + claims_rows("hard", (2, 2, 2))
    rows += claims_rows("hard", (90, 90, 90), seed=1)
    assert comparer(rows).standing("hard", "single").mean == pytest.approx(0.5)


def test_seconds_are_added_over_tasks_and_averaged_over_seeds():
    rows = claims_rows("single", (1, 1, 1), seconds=2.0)
    rows += claims_rows("single", (1, 1, 1), seed=1, seconds=4.0)
    assert comparer(rows).seconds(CLAIMS, "single") == pytest.approx(9.0)


def test_another_cut_is_another_table():
    rows = claims_rows("hard", (1, 1, 1), cut="100")
    assert comparer(rows).methods() == []


def test_single_comes_first_and_xgboost_last():
    rows = [result("weather/heat", m) for m in ("xgboost", "soft", "single", "hard")]
    assert comparer(rows).methods() == ["single", "soft", "hard", "xgboost"]


def test_the_report_shows_ratios_errors_and_areas():
    rows = claims_rows("single", (4, 4, 4)) + claims_rows("hard", (2, 4, 8))
    areas = [result("claims/fraud", m, e) for m, e in (("single", 0.25), ("hard", 0.125))]
    found, aucs = comparer(rows), {row.key: row for row in areas}
    grids = make_grids(found, found.methods(), ["single", "xgboost"])
    assert "fraud" not in text(grids)
    grids += task_grids(found, aucs, found.methods())
    lines = [" ".join(line.split()) for line in text(grids).splitlines()]
    assert "claims 1.000" in lines
    assert "tasks: wins/ties/losses 1/1/1" in lines
    assert "number 4.000 2.000 0.500 m" in lines
    assert "fraud 0.7500 0.8750" in lines
    assert "| fraud | 4.000 | 8.000 | 2.000 | m |" in markdown(grids)
    assert not any("xgboost" in line or "weather" in line for line in lines)


def test_the_report_has_means_by_holes_and_names_the_worst_table():
    half = WEATHER.with_holes(0.5)
    rows = [result("weather/heat", m, e) for m, e in (("cat", 1.0), ("hard", 0.5))]
    rows += [result("weather+half/heat", m, e) for m, e in (("cat", 1.0), ("hard", 2.0))]
    found = comparer(rows, tables=[WEATHER, half])
    lines = [
        " ".join(line.split()) for line in text(make_grids(found, ["hard"], ["cat"])).split("\n")
    ]
    assert "mean of those as they are 0.500" in lines
    assert "mean of +half 2.000" in lines
    assert "geometric mean of the tables 1.000" in lines
    assert "worst table weather+half 2.000" in lines


def test_bytes_are_added_over_tasks_and_absent_where_unknown():
    rows = [replace(row, bytes=100) for row in claims_rows("hard", (1, 1, 1))]
    found = comparer(rows + claims_rows("xgboost", (1, 1, 1)))
    assert found.bytes(CLAIMS, "hard") == 300
    assert found.bytes(CLAIMS, "xgboost") is None
    grid = make_grids(found, ["hard", "xgboost"], [])[-1]
    assert (grid.header, grid.rows) == (["table", "hard"], [["claims", "300"]])


def test_a_task_with_constant_test_responses_has_no_error_and_is_left_out():
    assert np.isnan(error("regression", np.ones(4), np.arange(4.0)))
    nan = float("nan")
    rows = claims_rows("single", (1, 1, nan)) + claims_rows("hard", (0.5, 0.5, nan))
    found = comparer(rows)
    assert found.standing("hard", "single").tables == pytest.approx({"claims": 0.5})
    assert found.seconds(CLAIMS, "hard") == pytest.approx(3.0)
    # a seed that only one of them has changes nothing
    lone = claims_rows("single", (1, 1, 1), seed=1)
    assert comparer(rows + lone).standing("hard", "single").tables == pytest.approx({"claims": 0.5})
    # with another seed it has one
    rows += claims_rows("single", (1, 1, 1), seed=1) + claims_rows("hard", (0.5, 0.5, 4), seed=1)
    assert comparer(rows).standing("hard", "single").mean == pytest.approx(1.0)


def test_a_standing_can_be_asked_of_the_results_file(tmp_path):
    for name, ours in (("enb", 0.5), ("enb+half", 2.0)):
        for target in ("Y1", "Y2"):
            for row in (("five", ours), ("catboost_multi", 1.0)):
                append_result(tmp_path / "results.csv", result(f"{name}/{target}", *row))
    found = standing(tmp_path, "five", "catboost_multi", "few")
    assert found.tables == pytest.approx({"enb": 0.5, "enb+half": 2.0})
    assert found.worst == "enb+half"


def test_known_rows_are_those_of_train_and_validation_as_they_are_written(data, tmp_path):
    split = make_split(data, tmp_path, SOILS.with_holes(0.5), 0)
    expected = cells(split.path("train")) + cells(split.path("valid"))
    assert known_rows(split).to_dict("records") == expected


def test_a_booster_of_all_tasks_sees_no_response_as_a_feature(data, tmp_path):
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.accuracy.problem import fold_problems, whole_problem
    from bench.tasks.multi_task import JointReader

    table = replace(SOILS.with_holes(0.5), drop=("poor", "wet"))
    split = make_split(data, tmp_path, table, 0)
    problem, test = whole_problem(split, 0, JointReader)
    assert problem.train.features.shape == (400, 2)
    assert problem.train.y.shape == (400, 2)
    assert np.isnan(problem.train.y).mean() == pytest.approx(0.5, abs=0.08)
    assert not np.isnan(test.y).any()
    folds, _ = fold_problems(split, 0, JointReader)
    assert [len(fold.valid.y) for fold in folds] == [80] * 5


def test_methods_are_left_out_where_they_have_no_model():
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.tasks.methods import METHODS

    def suited(name):
        tables = {"mixed": CLAIMS, "signs": SIGNS, "soils": SOILS}
        tables |= {f"{k}+half": t.with_holes(0.5) for k, t in tables.items()}
        return {key for key, table in tables.items() if METHODS[name].suits(table)}

    assert suited("catboost_multi") == {"signs", "soils", "soils+half"}
    assert suited("xgboost_multi") == {"signs", "soils"}
    assert suited("ridge") == {"signs", "soils", "signs+half", "soils+half"}
    assert len(suited("catboost")) == len(suited("five")) == 6


@pytest.mark.parametrize("holes", [0, 0.5])
@pytest.mark.parametrize("table", [SOILS, SIGNS])
def test_every_rival_beats_the_constant(data, tmp_path, table, holes, monkeypatch):
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.accuracy import boosters
    from bench.tasks.jobs import jobs_of, measure
    from bench.tasks.methods import METHODS

    monkeypatch.setattr(boosters, "MAX_ROUNDS", 60)
    others = {"lead", "zinc", "poor", "wet"} - {task.target for task in table.tasks}
    table = replace(table, drop=tuple(others))
    table = table.with_holes(holes) if holes else table
    for name, method in METHODS.items():
        if method.is_ours:
            continue
        figures = [measure(data, tmp_path, job) for job in jobs_of(table, 0, name, method)]
        errors = [row.error for figure in figures for row in figure.errors]
        assert max(errors, default=0) < (0.9 if table.kinds == {"regression"} else 0.6), name


def test_a_variant_runs_beside_the_baselines_or_alone(monkeypatch):
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.tasks.options import methods_to_run, parse_arguments

    def methods(*words):
        monkeypatch.setattr("sys.argv", ["tasks", "--data", ".", *words])
        return list(methods_to_run(parse_arguments()))

    assert methods("--label", "x", "--baselines", "catboost") == ["catboost", "x"]
    assert methods("--label", "x", "--methods", "one") == ["one", "x"]
    assert methods("--label", "x", "--methods", "one", "--variant-only") == ["x"]
    assert methods() == ["single", "hard", "soft", "none", "partly", "xgboost"]


def test_softwood_is_given_all_known_rows_in_one_file(data, tmp_path, monkeypatch):
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.tasks.jobs import jobs_of, measure
    from bench.tasks.methods import variant

    monkeypatch.setenv("SOFTWOOD", str(SOFTWOOD))
    table = replace(SOILS, drop=("poor", "wet"))
    for per_task in (False, True):
        # --members is refused beside validation rows
        method = variant([*QUICK, "--members", "2"], per_task, joined=True)
        figures = [measure(data, tmp_path, job) for job in jobs_of(table, 0, "two", method)]
        errors = [row.error for figure in figures for row in figure.errors]
        assert len(errors) == 2
        assert max(errors) < 0.9


def test_a_joint_and_a_single_model_are_measured_on_the_same_rows(data, tmp_path, monkeypatch):
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.tasks.jobs import jobs_of, measure
    from bench.tasks.methods import METHODS, variant

    monkeypatch.setenv("SOFTWOOD", str(SOFTWOOD))
    methods = {"each": variant([*QUICK], True), "all": variant([*QUICK], False)}
    found = {}
    methods |= {name: METHODS[name] for name in ("hard", "xgboost")}
    for name, method in methods.items():
        figures = [measure(data, tmp_path, job) for job in jobs_of(CLAIMS, 0, name, method)]
        found[name] = [row for figure in figures for row in figure.errors]
        assert [row.table for figure in figures for row in figure.aucs] == ["claims/fraud"]
    for rows in found.values():
        assert [row.table for row in rows] == [spec.name for spec in CLAIMS.specs()]
    errors = np.array([[row.error for row in rows] for rows in found.values()])
    # Predictions beside the wrong rows would be worse than the constants, whose errors these are.
    assert (errors < constant_errors(make_split(data, tmp_path, CLAIMS, 0))).all()
    assert len({row.bytes for row in found["all"]}) == 1  # each has its equal part
    assert len({row.bytes for row in found["each"]}) == 3


def test_growth_is_told_as_ratios_and_seconds_for_each_further_task():
    pytest.importorskip("lightgbm", reason=NOT_INSTALLED)
    from bench.tasks.growth import report

    lines = [
        line.split() for line in report("tasks, hard", [1, 2, 4], [2.0, 2.5, 3.5]).splitlines()
    ]
    assert lines[3] == ["4", "3.50", "1.75"]
    assert lines[4][-6:] == ["0.500", "s,", "0.250", "of", "the", "first"]
