#pragma once

#include <functional>
#include <string>

namespace softwood {

using NoteSink = std::function<void(const std::string&)>;

/// Where training says what it has to say; neither is empty.
struct Words {
  NoteSink note;  ///< what a user may want to know
  NoteSink warn;  ///< what a user should look at; may throw
};

}  // namespace softwood
