#include "softwood/model.h"

#include <optional>

#include "fuzz/mutants/model_pieces.h"
#include "fuzz/mutants/use_model.h"
#include "fuzz/targets.h"
#include "softwood/error.h"

namespace softwood::fuzz {

void model(std::string_view bytes) {
  std::optional<Model> loaded;
  try {
    loaded = Model::from_bytes(with_checksum(bytes));
  } catch (const Error&) {
    return;
  }
  use_model(*loaded, rows_for_models());
}

}  // namespace softwood::fuzz
