#pragma once

#include <string>
#include <vector>

namespace softwood::cli {

/// "huber(delta=2),nb(exposure=years)" at the commas outside brackets and quotes; blanks around the
/// parts and empty parts are dropped.
std::vector<std::string> split_losses(const std::string& list);

/// A file's name for each loss, all different: letters, digits, '-' and '.' of it, '_' for all
/// else.
std::vector<std::string> file_names_of(const std::vector<std::string>& losses);

}  // namespace softwood::cli
