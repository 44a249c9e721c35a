#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/arrow/abi.h"
#include "softwood/table.h"

namespace softwood {

/// What an ArrowSchema or ArrowArray of ours points to; its private_data.
template <class T>
struct ArrowContent {
  std::vector<std::unique_ptr<T>> children;
  std::vector<T*> child_places;
  std::unique_ptr<T> dictionary;

  /// Schemas:
  std::string format, name;
  /// Arrays: the buffers are the table's or these.
  std::shared_ptr<const Table> table;
  std::vector<std::uint8_t> validity;
  std::vector<std::int64_t> integers;
  std::string bytes;
  std::array<const void*, 3> buffers{};

  ArrowContent() = default;
  ArrowContent(const ArrowContent&) = delete;
  ArrowContent& operator=(const ArrowContent&) = delete;
  ~ArrowContent() {
    for (const std::unique_ptr<T>& child : children) release_unless_moved(child.get());
    release_unless_moved(dictionary.get());
  }

 private:
  static void release_unless_moved(T* part) {
    if (part != nullptr && part->release != nullptr) part->release(part);
  }
};

template <class T>
void release_content(T* value) {
  delete static_cast<ArrowContent<T>*>(value->private_data);
  value->release = nullptr;
}

/// Points `*out`, whose other members are set, to its content.
template <class T>
void hold_content(std::unique_ptr<ArrowContent<T>> content, T* out) {
  for (const std::unique_ptr<T>& child : content->children) {
    content->child_places.push_back(child.get());
  }
  out->n_children = static_cast<std::int64_t>(content->children.size());
  out->children = content->child_places.data();
  out->dictionary = content->dictionary.get();
  out->release = &release_content<T>;
  out->private_data = content.release();
}

}  // namespace softwood
