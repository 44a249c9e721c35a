#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace softwood {

/// A parameter's setting: a number, the name of a data column, or a vector of numbers.
using LossSetting = std::variant<double, std::string, std::vector<double>>;

/// A loss as text: everything a model file keeps of it.
struct LossSource {
  std::string name;  ///< "zero_inflated_poisson", "mine.loss", or "formula"
  std::string text;  ///< the whole program; a one-line formula is completed to one
  std::map<std::string, LossSetting> settings;  ///< huber(2), poisson(exposure=Exposure)
};

/// What a user may write after --loss:
///   a catalogue name or a short one ("zip", "nb"), with settings or without, by name or by
///   position: huber(delta=2), huber(2), multi_quantile(0.1, 0.9)
///   @FILE, with settings or without: @mine.loss(k=3)
///   a formula in y and f (one line or several): (y - f)^2
/// Throws Error: unknown name (with the nearest), unreadable file, unknown setting, too many.
LossSource find_loss(std::string_view spec);

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
