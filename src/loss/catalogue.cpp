#include "loss/catalogue.h"

#include "loss/catalogue_texts.h"

namespace softwood {
namespace {

constexpr std::string_view kAliasMark = "# also:";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    names.emplace_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

CatalogueEntry read_entry(const loss::CatalogueText& source) {
  CatalogueEntry entry{.name = std::string(source.name),
                       .aliases = {},
                       .summary = {},
                       .text = std::string(source.text)};
  const std::string_view text = source.text;
  entry.summary = std::string(trimmed(text.substr(1, text.find('\n') - 1)));
  if (const std::size_t mark = text.find(kAliasMark); mark != std::string_view::npos) {
    const std::size_t begin = mark + kAliasMark.size();
    entry.aliases = split_names(text.substr(begin, text.find('\n', begin) - begin));
  }
  return entry;
}

}  // namespace

const std::vector<CatalogueEntry>& loss_catalogue() {
  static const std::vector<CatalogueEntry> entries = [] {
    std::vector<CatalogueEntry> all;
    for (const loss::CatalogueText& source : loss::catalogue_texts())
      all.push_back(read_entry(source));
    return all;
  }();
  return entries;
}

}  // namespace softwood
