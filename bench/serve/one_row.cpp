// How long one row takes in C++: `serve_one_row MODEL TABLE [ROWS]` prints p50 and p99 of a
// RowPredictor and of Model::predict, in microseconds, row after row of the table.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "softwood/error.h"
#include "softwood/row_predictor.h"

namespace softwood {
namespace {

struct Quantiles {
  double half, almost_all;
};

/// Of `count` calls of work(row), in microseconds.
template <class Work>
Quantiles times_of(std::size_t count, std::size_t num_rows, const Work& work) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (std::size_t i = 0; i < count; ++i) {
    const auto start = Clock::now();
    work(i % num_rows);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return {times[count / 2], times[count * 99 / 100]};
}

std::vector<double> cells_of(const RowPredictor& predictor, const Table& table, std::size_t row) {
  std::vector<double> cells;
  for (const RowPredictor::Input& input : predictor.inputs()) {
    const Column& column = table.column(input.name);
    if (column.is_missing(row)) {
      cells.push_back(NAN);
    } else if (column.kind == ColumnKind::categorical) {
      cells.push_back(predictor.level(input.name, column.text(row)));
    } else {
      cells.push_back(column.values[row]);
    }
  }
  return cells;
}

Table one_row(const Table& table, std::size_t row) {
  std::vector<Column> columns;
  for (const Column& column : table.columns()) {
    Column& one = columns.emplace_back(Column{.name = column.name, .kind = column.kind});
    if (column.kind == ColumnKind::categorical) {
      one.levels = column.levels;
      one.codes.push_back(column.codes[row]);
    } else {
      one.values.push_back(column.values[row]);
    }
  }
  return Table(std::move(columns));
}

void print(const std::string& what, Quantiles times) {
  std::cout << what << ' ' << times.half << ' ' << times.almost_all << '\n';
}

void run(const std::string& path, const std::string& table_path, std::size_t count) {
  constexpr std::size_t kDistinctRows = 1000;
  const Model model = Model::load(path);
  const Table table = read_table(table_path, {.read_as = model.read_as()});
  RowPredictor predictor(model);
  std::vector<std::vector<double>> rows;
  std::vector<Table> tables;
  for (std::size_t row = 0; row < std::min(table.num_rows(), kDistinctRows); ++row) {
    rows.push_back(cells_of(predictor, table, row));
    tables.push_back(one_row(table, row));
  }
  double sum = 0;
  const auto predict = [&](std::size_t row) { sum += predictor.predict(rows[row])[0]; };
  const auto predict_table = [&](std::size_t row) {
    sum += static_cast<double>(model.predict(tables[row]).num_rows());
  };
  times_of(rows.size(), rows.size(), predict);
  print("RowPredictor", times_of(count, rows.size(), predict));
  times_of(rows.size(), rows.size(), predict_table);
  print("Model::predict", times_of(count, rows.size(), predict_table));
  if (std::isnan(sum)) std::cout << "some predictions are NaN\n";
}

}  // namespace
}  // namespace softwood

int main(int argc, char** argv) try {
  if (argc < 3) throw softwood::Error("usage: serve_one_row MODEL TABLE [ROWS]");
  softwood::run(argv[1], argv[2], argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 20000);
} catch (const softwood::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
