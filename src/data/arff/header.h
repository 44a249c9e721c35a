#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/arff/date.h"
#include "data/arff/text.h"
#include "data/text/level_index.h"

namespace softwood {

struct ArffAttribute {
  enum class Kind { numeric, nominal, text, date };
  std::string name;
  Kind kind = Kind::numeric;
  LevelIndex levels;  // nominal: as declared
  /// date: how it is written; without one, ISO 8601.
  std::optional<ArffDateFormat> date_format;
};

/// Reads everything up to and including @data. Throws Error for anything that is not a header.
std::vector<ArffAttribute> read_arff_header(ArffLines& lines);

}  // namespace softwood
