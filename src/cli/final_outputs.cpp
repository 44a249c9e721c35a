#include "cli/final_outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/data_source.h"
#include "softwood/error.h"

namespace softwood::cli {

void FinalOutputs::write(const std::string& path, const std::function<void()>& write_it) {
  try {
    write_it();
    written_.push_back(fmt::format("'{}'", path));
  } catch (const ClosedPipe&) {
    closed_ = true;
  } catch (const Error& error) {
    failures_.emplace_back(error.what());
  }
}

void FinalOutputs::check() const {
  if (!failures_.empty()) {
    std::vector<std::string> lines = failures_;
    if (!written_.empty()) lines.push_back(fmt::format("Written: {}.", fmt::join(written_, ", ")));
    if (!advice_.empty()) lines.push_back(advice_);
    throw Error(fmt::format("{}", fmt::join(lines, "\n")));
  }
  if (closed_) throw ClosedPipe();
}

}  // namespace softwood::cli
