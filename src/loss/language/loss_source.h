#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace softwood {

namespace loss {
struct Syntax;
}

/// A parameter's setting: a number, the name of a data column, or a vector of numbers.
using LossSetting = std::variant<double, std::string, std::vector<double>>;

/// A loss as text: everything a model file keeps of it.
struct LossSource {
  std::string name;  ///< "zero_inflated_poisson", "mine.loss", or "formula"
  std::string text;  ///< the whole program; a one-line formula is completed to one
  std::map<std::string, LossSetting> settings;  ///< huber(2), poisson(exposure=Exposure)
};

/// A loss whose text has been parsed, so that compiling it need not do so again.
struct ParsedLoss : LossSource {
  /// Throws Error pointing at the text.
  explicit ParsedLoss(LossSource source);

  std::shared_ptr<const loss::Syntax> syntax;  ///< of `text`; never null
};

}  // namespace softwood
