#pragma once

#include <functional>
#include <string>
#include <vector>

namespace softwood::cli {

/// What is written when long work is done, the most precious first. That one output fails is no
/// reason to lose the next.
class FinalOutputs {
 public:
  /// Calls `write_it`, now. An Error or a closed pipe is kept for check().
  void write(const std::string& path, const std::function<void()>& write_it);
  /// Throws the Error that tells all that failed and what has been written nevertheless; ClosedPipe
  /// if it was nothing but that.
  void check() const;

  bool has_failed() const { return !failures_.empty(); }
  /// What to do if something has failed, at the end of the Error.
  void advise(const std::string& text) { advice_ = text; }

 private:
  std::vector<std::string> written_, failures_;
  std::string advice_;
  bool closed_ = false;
};

}  // namespace softwood::cli
