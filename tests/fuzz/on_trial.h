#pragma once

#include <array>
#include <csignal>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace softwood::fuzz {

/// What is tried is written to a file if it ends the process. One at a time.
class OnTrial {
 public:
  explicit OnTrial(std::string path) : path_(std::move(path)) {
    current_ = this;
    for (const int signal : kDeadly) std::signal(signal, leave_behind);
  }
  OnTrial(const OnTrial&) = delete;
  OnTrial& operator=(const OnTrial&) = delete;
  ~OnTrial() {
    for (const int signal : kDeadly) std::signal(signal, SIG_DFL);
    current_ = nullptr;
  }
  /// Borrowed until the next one.
  void put(const std::string& bytes) { bytes_ = &bytes; }

 private:
  static constexpr std::array kDeadly = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};

  static void leave_behind(int signal) {
    std::signal(signal, SIG_DFL);
    const int file = ::open(current_->path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const std::string* const bytes = current_->bytes_;
    if (file >= 0 && bytes != nullptr) {
      const auto written = ::write(file, bytes->data(), bytes->size());
      static_cast<void>(written);
    }
    std::raise(signal);
  }

  inline static OnTrial* current_ = nullptr;
  const std::string path_;
  const std::string* bytes_ = nullptr;
};

}  // namespace softwood::fuzz
