#include "cli/progress_bar.h"

#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/talk.h"

namespace softwood::cli {
namespace {

constexpr int kBarWidth = 20;

std::string bar(double fraction) {
  const int full = static_cast<int>(std::lround(fraction * kBarWidth));
  std::string text;
  for (int cell = 0; cell < kBarWidth; ++cell) text += cell < full ? "█" : "░";
  return text;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string rate(double rows_per_second) {
  if (rows_per_second >= 1e6) return fmt::format("{:.1f}M rows/s", rows_per_second / 1e6);
  return fmt::format("{:.0f}k rows/s", rows_per_second / 1e3);
}

/// "5 members, epoch 7/40".
std::string place(const Progress& progress) {
  std::string epoch = fmt::format("epoch {}/{}", progress.epoch, progress.epochs);
  if (progress.members == 1) return epoch;
  return fmt::format("{} members, {}", progress.members, epoch);
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressBar::draw(const Progress& progress) {
  std::string line = "\r\x1b[K" + place(progress) + " " + bar(progress.fraction);
  if (latest_.epoch > 0) line += "  " + epoch_text(latest_);
  line +=
      fmt::format("  {}  {} left", rate(progress.rows_per_second), duration(progress.seconds_left));
  talk(line);
  line_open_ = true;
}

void ProgressBar::show(const Progress& progress) {
  if (!quiet_ && on_terminal_) draw(progress);
}

void ProgressBar::show_epoch(const Progress& progress, const EpochResult& result) {
  latest_ = result;
  if (quiet_) return;
  if (on_terminal_) {
    draw(progress);
    return;
  }
  talk(fmt::format("{}  {}  {}  {} left\n", place(progress), epoch_text(result),
                   rate(progress.rows_per_second), duration(progress.seconds_left)));
}

void ProgressBar::say(const std::string& text) {
  if (quiet_) return;
  if (line_open_) talk("\r\x1b[K");
  talk_line(text);
  line_open_ = false;
}

void ProgressBar::finish() {
  if (line_open_) talk("\n");
  line_open_ = false;
}

}  // namespace softwood::cli
