#pragma once

#include <stdexcept>
#include <string>

namespace softwood {

/// A mistake in what the user gave us: a file, a column, an option, a loss.
/// The message says what is wrong, where, and what to do. Programmer mistakes assert instead.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// The message names what was under way, and what would take less.
class OutOfMemory : public Error {
 public:
  using Error::Error;
};

/// A hook ended the training before there was anything to keep.
class Stopped : public Error {
 public:
  Stopped() : Error("stopped before the first epoch: there is no model.") {}
};

}  // namespace softwood
