#pragma once

#include <string>

#include "softwood/train.h"

namespace softwood::cli {

/// Training as seen on standard error: one living line on a terminal, a line per epoch when piped,
/// nothing when quiet.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);

  void show(const Progress& progress);
  void show_epoch(const Progress& progress, const EpochResult& result);
  /// A remark; the living line is drawn anew below it.
  void say(const std::string& text);
  /// Ends the living line.
  void finish();

 private:
  void draw(const Progress& progress);

  bool quiet_;
  bool on_terminal_;
  bool line_open_ = false;
  EpochResult latest_;
};

}  // namespace softwood::cli
