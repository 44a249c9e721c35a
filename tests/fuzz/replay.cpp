// fuzz_replay FOLDER TARGET [COUNT]: runs the files of FOLDER/corpus/TARGET through that target,
// then so many mutants of them, made with the words of FOLDER/TARGET.dict. Always the same ones. An
// input that ends the process is left in fuzz_TARGET.input.
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "fuzz/files_of.h"
#include "fuzz/mutants/byte_mutator.h"
#include "fuzz/on_trial.h"
#include "fuzz/targets.h"

namespace softwood::fuzz {
namespace {

using Target = void(std::string_view bytes);

Target* find_target(const std::string& name) {
  static const std::map<std::string, Target*> targets = {
      {"arff", arff}, {"arrow", arrow}, {"checkpoint", checkpoint},     {"config", config},
      {"csv", csv},   {"dates", dates}, {"differential", differential}, {"gunzip", gunzip},
      {"loss", loss}, {"model", model}};
  const auto found = targets.find(name);
  return found == targets.end() ? nullptr : found->second;
}

int replay(const std::filesystem::path& folder, const std::string& name, std::uint64_t count) {
  Target* const target = find_target(name);
  if (target == nullptr) return 2;
  OnTrial on_trial(fmt::format("fuzz_{}.input", name));
  const auto run = [&](const std::string& bytes) {
    on_trial.put(bytes);
    target(bytes);
  };
  std::vector<std::string> inputs;
  for (const auto& path : files_of(folder / "corpus" / name))
    run(inputs.emplace_back(bytes_of_file(path)));
  if (inputs.empty()) return 1;
  const ByteMutator mutator(inputs, words_of(folder / (name + ".dict")));
  for (std::uint64_t number = 0; number < count; ++number) run(mutator.mutant(number));
  fmt::print("{}: {} files, {} mutants\n", name, inputs.size(), count);
  return 0;
}

}  // namespace
}  // namespace softwood::fuzz

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return softwood::fuzz::replay(argv[1], argv[2], argc > 3 ? std::stoull(argv[3]) : 0);
}
