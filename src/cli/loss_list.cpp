#include "cli/loss_list.h"

#include <algorithm>
#include <cctype>

#include "loss/catalogue/spec_text.h"

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
  std::vector<std::string> losses;
  for (const std::string_view part : loss::split_at_commas(list)) {
    if (const std::string_view loss = loss::trimmed(part); !loss.empty()) losses.emplace_back(loss);
  }
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
