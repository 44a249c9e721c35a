#include "tree/activation.h"

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {

std::string activation_name(Activation activation) {
  return activation == Activation::logistic ? "logistic" : "smooth_step";
}

Activation activation_named(const std::string& name) {
  for (const Activation activation : {Activation::logistic, Activation::smooth_step}) {
    if (name == activation_name(activation)) return activation;
  }
  throw Error(fmt::format("activation '{}' is unknown: use logistic or smooth_step.", name));
}

}  // namespace softwood
