#pragma once

#include <cstddef>

namespace softwood {

/// Where a mapped file has been cut shorter meanwhile, the system ends whoever looks (SIGBUS).
/// Within the range of a guard there are line feeds instead: to a reader of lines, an end. Whether
/// it has come to that, the file's size tells (MappedFile::is_unchanged()).
///
/// The handler of the signal is installed with the first guard, stays, and passes on what is not
/// its own. Beyond some sixteen guards at once files are mapped without.
class CutPagesGuard {
 public:
  /// Of the pages in which the `size` bytes from `begin` on, a page's start, stand.
  CutPagesGuard(char* begin, std::size_t size);
  ~CutPagesGuard();
  CutPagesGuard(const CutPagesGuard&) = delete;
  CutPagesGuard& operator=(const CutPagesGuard&) = delete;

 private:
  std::size_t place_;
};

}  // namespace softwood
