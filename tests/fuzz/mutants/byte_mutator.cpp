#include "fuzz/mutants/byte_mutator.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "fuzz/mutants/chance.h"

namespace softwood::fuzz {
namespace {

/// What stands between a dictionary line's quotes.
std::string unescaped(std::string_view text) {
  std::string word;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      word += text[at];
    } else if (text[++at] == 'x' && at + 2 < text.size()) {
      word += static_cast<char>(std::stoi(std::string(text.substr(at + 1, 2)), nullptr, 16));
      at += 2;
    } else {
      word += text[at];
    }
  }
  return word;
}

void change(std::string& bytes, const std::vector<std::string>& words,
            const std::vector<std::string>& inputs, Chance& chance) {
  const std::size_t at = chance.below(bytes.size() + 1);
  switch (chance.below(8)) {
    case 0:
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << chance.below(8)));
      return;
    case 2:
      if (at < bytes.size()) bytes[at] = static_cast<char>(chance.below(256));
      return;
    case 3: {
      const std::string& other = chance.one_of(inputs);
      bytes.replace(at, bytes.npos, other, chance.below(other.size() + 1));
      return;
    }
    case 4:
      bytes.erase(at, 1 + chance.below(chance.one_in(4) ? bytes.size() + 1 : 8));
      return;
    case 5: {
      const std::string part = bytes.substr(at, 1 + chance.below(16));
      for (std::size_t k = chance.below(20) + 1; k > 0; --k) bytes.insert(at, part);
      return;
    }
    default:
      if (!words.empty()) bytes.insert(at, chance.one_of(words));
  }
}

}  // namespace

std::vector<std::string> words_of(const std::filesystem::path& dictionary) {
  std::vector<std::string> words;
  std::ifstream file(dictionary);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('"'), last = line.rfind('"');
    if (line.starts_with('#') || first == line.npos || last <= first) continue;
    words.push_back(unescaped(std::string_view(line).substr(first + 1, last - first - 1)));
  }
  return words;
}

ByteMutator::ByteMutator(std::vector<std::string> inputs, std::vector<std::string> words)
    : inputs_(std::move(inputs)), words_(std::move(words)) {}

std::string ByteMutator::mutant(std::uint64_t number) const {
  Chance chance(number);
  std::string bytes = chance.one_of(inputs_);
  const std::size_t changes = 1 + chance.below(chance.one_in(4) ? 16 : 3);
  for (std::size_t k = 0; k < changes; ++k) change(bytes, words_, inputs_, chance);
  constexpr std::size_t kLongest = 16'384;
  bytes.resize(std::min(bytes.size(), kLongest));
  return bytes;
}

}  // namespace softwood::fuzz
