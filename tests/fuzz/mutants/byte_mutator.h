#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace softwood::fuzz {

/// The words of a dictionary as libFuzzer reads it: a line "word" each, with \xAB, \" and \\.
std::vector<std::string> words_of(const std::filesystem::path& dictionary);

/// Changes inputs as a fuzzer would, but for what it learns from the program: flips bits, splices
/// two inputs, puts in words of a dictionary, cuts, repeats. Same number, same mutant.
class ByteMutator {
 public:
  ByteMutator(std::vector<std::string> inputs, std::vector<std::string> words);

  std::string mutant(std::uint64_t number) const;

 private:
  std::vector<std::string> inputs_, words_;
};

}  // namespace softwood::fuzz
