#include "loss/catalogue/catalogue.h"

#include "loss/catalogue/catalogue_texts.h"
#include "loss/catalogue/spec_text.h"

namespace softwood {
namespace {

using loss::trimmed;

std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    names.emplace_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

/// What follows "# mark:" on its line; empty without such a line.
std::string_view comment(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + mark.size();
  return trimmed(text.substr(begin, text.find('\n', begin) - begin));
}

CatalogueEntry read_entry(const loss::CatalogueText& source) {
  const std::string_view text = source.text;
  return {.name = std::string(source.name),
          .aliases = split_names(comment(text, "# also:")),
          .summary = std::string(trimmed(text.substr(1, text.find('\n') - 1))),
          .kind = std::string(comment(text, "# kind:")),
          .text = std::string(text)};
}

}  // namespace

const std::vector<std::string>& loss_kinds() {
  static const std::vector<std::string> kinds = {"numbers", "counts", "amounts", "classes",
                                                 "survival"};
  return kinds;
}

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
