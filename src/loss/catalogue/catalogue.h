#pragma once

#include <string>
#include <vector>

namespace softwood {

struct CatalogueEntry {
  std::string name;
  std::vector<std::string> aliases;
  std::string summary;  ///< the first comment line of the file
  std::string kind;     ///< one of loss_kinds(): the comment line "kind: counts"
  std::string text;
};
/// What responses can be, in the order in which people should meet them.
const std::vector<std::string>& loss_kinds();
/// Every built-in loss, by name. The .loss files of src/loss/catalogue are compiled in.
const std::vector<CatalogueEntry>& loss_catalogue();

}  // namespace softwood
