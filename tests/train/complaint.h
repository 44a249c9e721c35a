#pragma once

#include <string>

#include "softwood/error.h"
#include "train/choices/validate.h"

namespace softwood {

/// What validate() says of the options; "" if they are fine.
inline std::string complaint(const TrainOptions& options) {
  try {
    validate(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace softwood
