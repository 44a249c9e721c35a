#pragma once

#include <memory>
#include <utility>

#include "data/arrow/abi.h"

namespace softwood {

/// Owns an ArrowSchema, ArrowArray or ArrowArrayStream and releases it once.
template <class T>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  /// Moves `*source` here, as the specification moves: a copy of the bytes, and the source is
  /// marked as released.
  explicit ArrowOwner(T* source) : value_(*source) { source->release = nullptr; }
  ~ArrowOwner() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;

  bool is_released() const { return value_.release == nullptr; }
  T* get() { return &value_; }
  T* operator->() { return &value_; }

 private:
  T value_{};
};

/// Moves an array to where several may hold it; the last one releases it.
inline std::shared_ptr<const ArrowArray> share_array(ArrowArray* source) {
  auto owner = std::make_shared<ArrowOwner<ArrowArray>>(source);
  const ArrowArray* array = owner->get();
  return {std::move(owner), array};
}

}  // namespace softwood
