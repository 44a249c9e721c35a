#include "data/file/text_limit.h"

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {

void TextLimit::refuse() const {
  throw Error(
      fmt::format("'{}' holds more than {:g} GB of text, and what is packed or comes through a "
                  "pipe may have no end. If so much is meant: --most-gigabytes N (in Python "
                  "most_gigabytes=N), or unpack it into a file, which has no limit.",
                  origin_, static_cast<double>(most_) / 1e9));
}

}  // namespace softwood
