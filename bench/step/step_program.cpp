// Answers on standard output, a line of JSON each, what is asked on standard input:
//   run THREADS STEPS    seconds of a step, the mean of so many
//   parts                where the time of a step goes, on one thread
//   machine              the most that this core can do
// Arguments, all NAME=VALUE: rows, numeric, categories, tasks, classes, loss, and any option of
// training by its name.
#include <charconv>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/simd_target.h"
#include "options/set_option.h"
#include "softwood/error.h"
#include "step/machine.h"
#include "step/parts.h"
#include "step/problem.h"
#include "step/steps.h"

namespace softwood {
namespace {

std::size_t number(const std::string& text) {
  std::size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size())
    throw Error(fmt::format("'{}' is no number.", text));
  return value;
}

ProblemSize read_size(int count, char** arguments) {
  ProblemSize size;
  const std::map<std::string, std::size_t*> numbers = {{"rows", &size.num_rows},
                                                       {"numeric", &size.num_numeric},
                                                       {"categories", &size.num_categories},
                                                       {"tasks", &size.num_tasks},
                                                       {"classes", &size.num_classes}};
  for (int index = 1; index < count; ++index) {
    const std::string argument = arguments[index];
    const std::size_t at = argument.find('=');
    if (at == std::string::npos) throw Error(fmt::format("'{}' is not NAME=VALUE.", argument));
    const std::string name = argument.substr(0, at), value = argument.substr(at + 1);
    if (const auto found = numbers.find(name); found != numbers.end()) {
      *found->second = number(value);
    } else if (name == "loss") {
      size.loss = value;
    } else {
      set_option(size.options, name, value);
    }
  }
  return size;
}

/// The sizes by which rivals build the same trees and bounds are found.
nlohmann::json account(const Problem& problem) {
  std::size_t nodes = 0, trees = 0, parameters = 0, products = 0, look_ups = 0, knots = 0;
  for (const PreparedGroup& group : problem.groups()) {
    const Ensemble& ensemble = group.initial.ensemble;
    trees += ensemble.shape().num_trees();
    nodes += ensemble.shape().num_trees() * ensemble.shape().num_splits_per_tree();
    parameters += ensemble.buffer_size();
    for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
      const BundleLayout& layout = ensemble.layout(bundle);
      products += layout.num_nodes * layout.linear_columns.size();
      look_ups += layout.num_nodes * layout.knot_columns.size();
      for (const ColumnPlace& place : layout.knot_columns)
        knots += layout.num_nodes * place.num_knots;
    }
  }
  return {
      {"simd", simd_target()}, {"trees", trees},       {"nodes", nodes}, {"parameters", parameters},
      {"products", products},  {"look_ups", look_ups}, {"knots", knots}};
}

class Answers {
 public:
  explicit Answers(const ProblemSize& size) : problem_(size) {}

  nlohmann::json account() const { return softwood::account(problem_); }

  nlohmann::json to(const std::string& question) {
    std::istringstream words(question);
    std::string verb;
    words >> verb;
    if (verb == "parts") return parts_of_step(problem_);
    if (verb == "machine")
      return {{"gflops", peak_gflops()}, {"gigabytes_per_second", cache_gigabytes_per_second()}};
    int threads = 0;
    std::size_t count = 0;
    if (verb != "run" || !(words >> threads >> count) || threads < 1 || count < 1)
      throw Error(fmt::format("'{}' is no question.", question));
    Steps& steps = with(threads);
    return {{"seconds", steps.run(count)}, {"rows", steps.rows_per_step()}};
  }

 private:
  Steps& with(int threads) {
    auto& steps = steps_[threads];
    if (!steps) steps = std::make_unique<Steps>(problem_, threads);
    return *steps;
  }

  Problem problem_;
  std::map<int, std::unique_ptr<Steps>> steps_;  // by threads
};

}  // namespace
}  // namespace softwood

int main(int count, char** arguments) {
  try {
    softwood::choose_simd_target();
    softwood::Answers answers(softwood::read_size(count, arguments));
    std::cout << answers.account() << std::endl;
    for (std::string question; std::getline(std::cin, question);)
      std::cout << answers.to(question) << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "step_program: " << error.what() << "\n";
    return 1;
  }
}
