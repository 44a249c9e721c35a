// Runs the files of ./TARGET, for each target named, through that target: fuzz_replay csv arff
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/targets.h"

namespace {

using Target = void(std::string_view bytes);

Target* find_target(const std::string& name) {
  using namespace softwood::fuzz;
  static const std::map<std::string, Target*> targets = {
      {"arff", arff},     {"config", config}, {"csv", csv},    {"dates", dates},
      {"gunzip", gunzip}, {"loss", loss},     {"model", model}};
  const auto found = targets.find(name);
  return found == targets.end() ? nullptr : found->second;
}

std::vector<std::filesystem::path> files_of(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(const std::string& name) {
  Target* const target = find_target(name);
  if (target == nullptr) {
    std::cerr << "no target '" << name << "'\n";
    return false;
  }
  const auto files = files_of(name);
  for (const auto& path : files) {
    std::cout << path.string() << std::endl;  // flushed: the last one named is the one that fails
    std::ifstream file(path, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    target(bytes);
  }
  return !files.empty();
}

}  // namespace

int main(int argc, char** argv) {
  return argc > 1 && std::all_of(argv + 1, argv + argc, replay) ? 0 : 1;
}
