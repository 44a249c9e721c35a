#pragma once

#include <string>

#include "base/output_target.h"

namespace softwood {

/// The file that becomes `target` by a change of name: ".NAME.softwood-PID-RANDOM.part" beside it,
/// with its permissions. Whoever writes it holds a lock on it, which ends with the process, however
/// that ends: so the next one to write `target` can tell those of dead runs, and removes them.
class PartFile {
 public:
  /// Removes those that dead runs have left. Throws Error if the folder takes no new file.
  explicit PartFile(const OutputTarget& target);
  /// Closes it, and removes it unless it has become the target.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// All that was written is on the disk, or Error.
  void sync() const;
  /// Durably. Throws Error if that fails; what stood there then still does.
  void become_target();

 private:
  void create();
  void take_permissions() const;
  /// Whether the system lets this user do it.
  bool give_to(uid_t owner, gid_t group) const;
  void remove() const;

  const OutputTarget& target_;
  std::string path_;  // empty once it is gone
  int descriptor_ = -1;
};

/// Throws the Error that making a PartFile would meet. Leaves nothing behind.
void check_room_for_part_file(const OutputTarget& target);

}  // namespace softwood
