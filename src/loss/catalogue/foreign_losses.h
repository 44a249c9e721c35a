#pragma once

#include <span>
#include <string_view>

namespace softwood::loss {

/// A loss by the name that another library gives it.
struct ForeignLoss {
  std::string_view library;
  std::string_view name;
  std::string_view ours;  ///< what it is called in the catalogue
};

std::span<const ForeignLoss> foreign_losses();

/// The one of this name, upper or lower case, with settings as CatBoost writes them (Huber:delta=2)
/// or without; nullptr if there is none.
const ForeignLoss* find_foreign_loss(std::string_view spec);

/// A Python function as text: "lambda y, f: …" or "def …".
bool is_python(std::string_view spec);

}  // namespace softwood::loss
