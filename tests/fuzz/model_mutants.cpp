// model_mutants FOLDER COUNT [FIRST]: mutants number FIRST (0) … of the model files of a folder in
// turn. Each must be refused with softwood::Error, or be a model that can be used; soon, and with
// little memory. The one that was not is left in mutant.softwood.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "fuzz/files_of.h"
#include "fuzz/mutants/model_mutator.h"
#include "fuzz/mutants/use_model.h"
#include "fuzz/on_trial.h"
#include "softwood/error.h"

namespace softwood::fuzz {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr double kMostSeconds = 20;  // sanitizers are slow, and take memory of their own
constexpr long kMostKilobytes = 2'000'000;
#else
constexpr double kMostSeconds = 2;
constexpr long kMostKilobytes = 400'000;  // a loss may come to its own limit
#endif

struct Count {
  std::uint64_t tried = 0, refused = 0;
  double longest = 0;
};

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// True if it was refused.
bool try_mutant(const std::string& bytes) {
  std::optional<Model> model;
  try {
    model = Model::from_bytes(bytes);
  } catch (const Error&) {
    return true;
  }
  use_model(*model, rows_for_models());
  return false;
}

Count try_mutants(const std::string& folder, std::uint64_t first, std::uint64_t count) {
  std::vector<std::string> models;
  for (const auto& path : files_of(folder)) models.push_back(bytes_of_file(path));
  for (const std::string& model : models) {
    if (try_mutant(model)) throw std::logic_error("a model is refused before it is changed");
  }
  OnTrial on_trial("mutant.softwood");
  Count result;
  for (std::uint64_t number = first; number < first + count; ++number) {
    const std::string bytes = mutant_of(models[number % models.size()], number);
    on_trial.put(bytes);
    const double start = processor_seconds();
    result.refused += try_mutant(bytes) ? 1 : 0;
    result.longest = std::max(result.longest, processor_seconds() - start);
    ++result.tried;
    if (result.longest > kMostSeconds)
      throw std::logic_error(fmt::format("mutant {} took {:.1f} s", number, result.longest));
  }
  return result;
}

int run(const std::string& folder, std::uint64_t count, std::uint64_t first) {
  const Count result = try_mutants(folder, first, count);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("{} mutants, {} refused, the longest took {:.2f} s; {} MB in all\n", result.tried,
             result.refused, result.longest, used.ru_maxrss / 1000);
  // Were nearly all refused, or nearly none, they would show little.
  const double share = static_cast<double>(result.refused) / static_cast<double>(result.tried);
  if (result.tried >= 100 && (share < 0.5 || share > 0.97))
    throw std::logic_error(fmt::format("{:.0f} % were refused", 100 * share));
  if (used.ru_maxrss > kMostKilobytes) throw std::logic_error("too much memory");
  return 0;
}

}  // namespace
}  // namespace softwood::fuzz

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return softwood::fuzz::run(argv[1], std::stoull(argv[2]), argc > 3 ? std::stoull(argv[3]) : 0);
}
