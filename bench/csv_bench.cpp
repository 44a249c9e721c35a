#include <cstdint>
#include <iterator>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/random.h"
#include "data/csv/reader.h"

namespace softwood {
namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

/// Whole numbers, prices, measurements and full doubles in turn.
void append_number(std::string& text, std::size_t column, double value) {
  const auto out = std::back_inserter(text);
  switch (column % 4) {
    case 0:
      fmt::format_to(out, "{}", static_cast<int>(value * 1000));
      break;
    case 1:
      fmt::format_to(out, "{:.2f}", value * 100);
      break;
    case 2:
      fmt::format_to(out, "{:.6f}", value);
      break;
    default:
      fmt::format_to(out, "{:.15g}", value);
  }
}

/// `num_texts` of twenty columns hold one of a hundred words, the others numbers.
std::string table_text(std::size_t num_texts) {
  const RandomStream random(1, "csv bench");
  std::string text = "c0";
  for (int column = 1; column < 20; ++column) text += fmt::format(",c{}", column);
  text += '\n';
  for (std::uint64_t counter = 0; text.size() < kBytes;) {
    for (std::size_t column = 0; column < 20; ++column, ++counter) {
      if (column > 0) text += ',';
      if (column < num_texts) {
        fmt::format_to(std::back_inserter(text), "word {}", random.below(counter, 100));
      } else {
        append_number(text, column, 2 * random.uniform(counter) - 1);
      }
    }
    text += '\n';
  }
  return text;
}

/// MB/s (bytes_per_second) of text in memory; arguments: text columns of twenty, threads.
void read_csv_table(benchmark::State& state) {
  const FileBytes file(table_text(static_cast<std::size_t>(state.range(0))), "bench.csv");
  const ReadOptions options{.threads = static_cast<int>(state.range(1))};
  for (auto _ : state) benchmark::DoNotOptimize(read_csv(file, options).num_rows());
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * file.text().size()));
}
BENCHMARK(read_csv_table)
    ->ArgNames({"texts", "threads"})
    ->Args({0, 1})
    ->Args({0, 2})
    ->Args({10, 1})
    ->Args({10, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace softwood
