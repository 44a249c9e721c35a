"""The parts of bench/accuracy that measure nothing: results, tables, comparison, report."""

from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

from bench.accuracy.compare import Comparison, make_blocks, trees_curves
from bench.accuracy.folds import fold_of_rows, free_name
from bench.accuracy.report import markdown_report, text_report
from bench.accuracy.results import Result, append_result, read_results
from bench.accuracy.tables import DECLARATIONS, TableSpec, select_groups

HOUSES = TableSpec("houses", "houses.csv", "price", "regression")
VISITS = TableSpec("visits", "visits.csv", "visits", "count")


def result(table="houses", seed=0, method="xgboost", error=1.0, seconds=1.0):
    return Result(table, "all", seed, method, "1 - R2", error, seconds, 10)


def by_key(*results):
    return {row.key: row for row in results}


def compare(results, specs, seeds=(0, 1), rivals=("xgboost",)):
    comparison = Comparison("softwood:default", list(rivals))
    return make_blocks(results, {"some": specs}, seeds, [comparison])


def append_many(path, method):
    for seed in range(50):
        append_result(path, result(seed=seed, method=method))


def test_a_later_result_replaces_an_earlier_one(tmp_path):
    path = tmp_path / "deep" / "results.csv"
    for error in (0.5, 0.25):
        append_result(path, result(error=error))
    assert read_results(path) == by_key(result(error=0.25))


def test_rows_from_before_the_bytes_column_stay(tmp_path):
    path = tmp_path / "results.csv"
    path.write_text(
        "table,rows,seed,method,metric,error,seconds,size\r\nhouses,all,0,old,1 - R2,0.5,2.0,7\r\n"
    )
    append_result(path, result())
    found = read_results(path)
    assert found[("houses", "all", 0, "old")].size == 7
    assert len(found) == 2
    assert path.read_text().startswith("table,rows,seed,method,metric,error,seconds,size,bytes\n")


def test_a_cut_off_line_spoils_neither_reading_nor_the_next_line(tmp_path):
    path = tmp_path / "results.csv"
    append_result(path, result())
    with path.open("a") as file:
        file.write("houses,all,1,xgb")
    append_result(path, result(seed=2))
    assert set(read_results(path)) == {result().key, result(seed=2).key}


def test_processes_that_append_at_once_lose_nothing(tmp_path):
    path, methods = tmp_path / "results.csv", ["a", "b", "c", "d"]
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(append_many, [path] * 4, methods))
    assert len(read_results(path)) == 200


def test_every_set_names_declared_tables_and_all_is_three_sets():
    for name in DECLARATIONS["sets"]:
        assert all(select_groups(name, None).values())
    groups = select_groups("all", None)
    assert {name: len(found) for name, found in groups.items()} == {
        "small": 22,
        "large": 10,
        "counts": 20,
    }
    assert {spec.kind for spec in groups["counts"]} == {"count"}


def test_no_table_drops_its_response_or_its_exposure():
    for table in DECLARATIONS["table"].values():
        assert not {table["target"], table.get("exposure")} & set(table.get("drop", []))


def test_rows_override_the_cut_of_a_set_and_zero_means_all():
    assert {spec.cut for spec in select_groups("small", None)["small"]} == {"10000"}
    assert {spec.cut for spec in select_groups("small", 0)["small"]} == {"all"}
    assert select_groups("adult,letter", 500)["chosen"][1].cut == "500"


def test_an_unknown_table_is_named():
    with pytest.raises(SystemExit, match="adlut"):
        select_groups("adlut", None)


def test_a_ratio_takes_only_the_seeds_both_have():
    ours = [result(method="softwood:default", seed=s, error=e) for s, e in ((0, 2.0), (1, 90.0))]
    [block] = compare(by_key(*ours, result(seed=0, error=4.0)), [HOUSES])
    ratio = block.lines[0].ratios["xgboost"]
    assert (ratio.error, ratio.verdict) == (0.5, "win")
    assert block.lines[0].errors["softwood:default"] == 46.0


@pytest.mark.parametrize(
    ("error", "of_houses", "of_visits"),
    [(0.98, "win", "win"), (0.995, "tie", "win"), (1.002, "tie", "tie"), (1.005, "tie", "loss")],
)
def test_counts_tie_within_a_smaller_distance(error, of_houses, of_visits):
    rows = [result(table=t) for t in ("houses", "visits")]
    rows += [result(table=t, method="softwood:default", error=error) for t in ("houses", "visits")]
    [block] = compare(by_key(*rows), [HOUSES, VISITS])
    verdicts = [line.ratios["xgboost"].verdict for line in block.lines]
    assert verdicts == [of_houses, of_visits]


def test_the_summary_is_the_geometric_mean_and_the_verdicts():
    rows = [result(table=t) for t in ("houses", "visits")]
    rows += [result(table="houses", method="softwood:default", error=0.5)]
    rows += [result(table="visits", method="softwood:default", error=8.0)]
    [summary] = compare(by_key(*rows), [HOUSES, VISITS])[0].summaries()
    assert summary.mean == pytest.approx(2.0)
    assert (summary.tables, summary.wins, summary.ties, summary.losses) == (2, 1, 0, 1)


def test_what_was_not_measured_is_a_dash_and_a_table_without_ours_is_left_out():
    rows = by_key(result(), result(method="softwood:default"), result(table="visits"))
    blocks = compare(rows, [HOUSES, VISITS], rivals=("xgboost", "catboost"))
    table = text_report(blocks).splitlines()
    assert [line.split()[0] for line in table[2:-1]] == ["houses"]
    assert table[2].count("–") == 3
    assert "| houses | 1.000 | 1.000 | – | 1.000 | – |" in markdown_report(blocks)


def test_the_curve_of_trees_is_relative_to_the_rival():
    rows = [result(method=f"softwood:trees{n}", error=e) for n, e in ((30, 0.8), (10, 1.2))]
    curves = trees_curves(by_key(*rows, result(error=2.0)), [HOUSES], [0], "xgboost")
    assert curves == {"houses/all": {10: 0.6, 30: 0.4}}


def test_folds_are_equal_parts_and_the_same_for_the_same_seed():
    folds = fold_of_rows(1003, 7)
    assert sorted(np.bincount(folds)) == [200, 200, 201, 201, 201]
    assert (folds == fold_of_rows(1003, 7)).all()
    assert (folds != fold_of_rows(1003, 8)).any()


def test_the_fold_column_clashes_with_no_other():
    assert free_name(["a", "fold", "fold_"]) == "fold__"


def test_auto_is_compared_with_the_rivals_and_their_five_folds(monkeypatch):
    pytest.importorskip("lightgbm", reason="bench/accuracy/requirements.txt is not installed")
    from bench.accuracy.options import comparisons, our_methods, parse_arguments

    monkeypatch.setattr("sys.argv", ["accuracy", "--data", ".", "--auto"])
    options = parse_arguments()
    assert comparisons(options)[-1] == Comparison("softwood:auto", ["xgboost", "xgboost_five"])
    assert our_methods(options)["softwood:auto"].rows == "joined"
    options.label = "narrow"
    assert comparisons(options)[-1].ours == "softwood:narrow_auto"
