#include "cli/loss_list.h"

#include <algorithm>
#include <cctype>

namespace softwood::cli {
namespace {

std::string file_name_of(const std::string& loss) {
  std::string name;
  for (const char letter : loss) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '.';
    name += plain ? letter : '_';
  }
  return name;
}

}  // namespace

std::vector<std::string> split_losses(const std::string& list) {
  std::vector<std::string> losses = {""};
  int depth = 0;
  bool quoted = false;
  for (const char letter : list) {
    if (letter == '"') quoted = !quoted;
    if (!quoted && (letter == '(' || letter == '[')) ++depth;
    if (!quoted && (letter == ')' || letter == ']')) --depth;
    if (letter == ',' && depth == 0 && !quoted) {
      losses.emplace_back();
    } else {
      losses.back() += letter;
    }
  }
  for (std::string& loss : losses) {
    const std::size_t first = loss.find_first_not_of(" \t"), last = loss.find_last_not_of(" \t");
    loss = first == std::string::npos ? "" : loss.substr(first, last - first + 1);
  }
  std::erase(losses, "");
  return losses;
}

std::vector<std::string> file_names_of(const std::vector<std::string>& losses) {
  std::vector<std::string> names;
  for (const std::string& loss : losses) {
    const std::string plain = file_name_of(loss);
    std::string name = plain;
    for (int number = 2; std::find(names.begin(), names.end(), name) != names.end(); ++number)
      name = plain + "-" + std::to_string(number);
    names.push_back(name);
  }
  return names;
}

}  // namespace softwood::cli
