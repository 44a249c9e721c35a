#pragma once

#include <string_view>
#include <vector>

namespace softwood::loss {

struct CatalogueText {
  std::string_view name;
  std::string_view text;
};

/// The files of src/loss/catalogue, by name; written at build time (embed_catalogue.cmake).
const std::vector<CatalogueText>& catalogue_texts();

}  // namespace softwood::loss
