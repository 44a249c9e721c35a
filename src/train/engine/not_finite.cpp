#include "train/engine/not_finite.h"

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {

void throw_not_finite(int epoch, std::size_t batch, const std::string& trouble) {
  throw Error(
      fmt::format("training met a value that is not finite in epoch {}, batch {}: {}. Try a lower "
                  "--learning-rate, --clip 1, or look for extreme responses; if the loss is your "
                  "own, check where it is defined with 'softwood losses --check'.",
                  epoch, batch, trouble));
}

}  // namespace softwood
