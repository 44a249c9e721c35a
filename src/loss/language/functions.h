#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loss/language/ops.h"

namespace softwood::loss {

/// A function of the language and what it becomes.
struct Function {
  enum class Kind {
    elementwise,  ///< one Op on numbers, component by component on vectors
    conditional,  ///< if(condition, a, b)
    min_max,      ///< min and max: of two, or of a vector
    reduction,    ///< vector → number: sum, logsumexp
    vector_map,   ///< vector → vector: softmax, cumsum, diff
    size,         ///< vector → how many components
    range,        ///< number → vector 0, 1, …
  };
  std::string_view name;
  Kind kind;
  Op op;  ///< of all but size and range
  int arity;
  std::string_view summary;  ///< "log(1 + x)"
};

/// As the enumerator is spelt: "elementwise".
std::string_view kind_name(Function::Kind kind);

/// Every function, in the order of the documentation.
const std::vector<Function>& functions();
const Function* find_function(std::string_view name);
std::vector<std::string> function_names();

}  // namespace softwood::loss
