#pragma once

#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/arrow/abi.h"

namespace softwood {

/// The bytes of some numbers, as an Arrow buffer has them.
template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// A bitmap, lowest bit first.
inline std::string bits_of(const std::vector<int>& bits) {
  std::string bytes((bits.size() + 7) / 8, '\0');
  for (std::size_t bit = 0; bit < bits.size(); ++bit) {
    if (bits[bit] != 0) bytes[bit / 8] = static_cast<char>(bytes[bit / 8] | 1 << (bit % 8));
  }
  return bytes;
}

/// An array as a test writes it down. A buffer without a value is a null pointer.
struct HandMadeArray {
  std::int64_t length = 0;
  std::vector<std::optional<std::string>> buffers = {};
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::vector<HandMadeArray> children = {};
  std::shared_ptr<HandMadeArray> dictionary = nullptr;
};

struct HandMadeType {
  std::string format;
  std::string name = "";
  std::vector<HandMadeType> children = {};
  std::shared_ptr<HandMadeType> dictionary = nullptr;
};

/// Serves hand-made arrays as a stream and counts what is handed out and given back.
class HandMadeStream {
 public:
  HandMadeStream(HandMadeType type, std::vector<HandMadeArray> arrays)
      : type_(std::move(type)), arrays_(std::move(arrays)) {}

  /// get_next fails before this array.
  int fail_before = -1;
  int num_made = 0, num_released = 0;

  ArrowArrayStream make() {
    ++num_made;
    return {&get_schema, &get_next, &last_error, &release_stream, this};
  }

  /// The buffer of an array that has been handed out, where it is in memory.
  std::vector<const void*> buffers_made;

 private:
  template <class T, class Plan>
  struct Made {
    HandMadeStream* stream = nullptr;
    Plan plan;
    std::vector<T> children;
    std::vector<T*> places;
    T dictionary{};
    std::vector<const void*> buffers;
  };

  template <class T, class Plan>
  static void release(T* value) {
    std::unique_ptr<Made<T, Plan>> made(static_cast<Made<T, Plan>*>(value->private_data));
    ++made->stream->num_released;
    for (T& child : made->children) {
      if (child.release != nullptr) child.release(&child);
    }
    if (made->dictionary.release != nullptr) made->dictionary.release(&made->dictionary);
    value->release = nullptr;
  }

  template <class T, class Plan>
  T make_part(const Plan& plan) {
    ++num_made;
    auto made = std::make_unique<Made<T, Plan>>();
    made->stream = this;
    made->plan = plan;
    for (const Plan& child : plan.children) made->children.push_back(make_part<T>(child));
    for (T& child : made->children) made->places.push_back(&child);
    if (plan.dictionary != nullptr) made->dictionary = make_part<T>(*plan.dictionary);
    T value{};
    fill(*made, value);
    value.n_children = static_cast<std::int64_t>(made->children.size());
    value.children = made->places.data();
    value.dictionary = plan.dictionary != nullptr ? &made->dictionary : nullptr;
    value.release = &release<T, Plan>;
    value.private_data = made.release();
    return value;
  }

  void fill(Made<ArrowSchema, HandMadeType>& made, ArrowSchema& schema) {
    schema.format = made.plan.format.c_str();
    schema.name = made.plan.name.c_str();
  }

  void fill(Made<ArrowArray, HandMadeArray>& made, ArrowArray& array) {
    for (const std::optional<std::string>& buffer : made.plan.buffers) {
      made.buffers.push_back(buffer ? buffer->data() : nullptr);
      buffers_made.push_back(made.buffers.back());
    }
    array.length = made.plan.length;
    array.null_count = made.plan.null_count;
    array.offset = made.plan.offset;
    array.n_buffers = static_cast<std::int64_t>(made.buffers.size());
    array.buffers = made.buffers.data();
  }

  static HandMadeStream& self(ArrowArrayStream* stream) {
    return *static_cast<HandMadeStream*>(stream->private_data);
  }
  static int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    *out = self(stream).make_part<ArrowSchema>(self(stream).type_);
    return 0;
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    HandMadeStream& made = self(stream);
    *out = {};
    if (made.next_ == made.fail_before) return EIO;
    if (made.next_ == static_cast<int>(made.arrays_.size())) return 0;
    *out = made.make_part<ArrowArray>(made.arrays_[static_cast<std::size_t>(made.next_++)]);
    return 0;
  }
  static const char* last_error(ArrowArrayStream*) { return "the disk is gone"; }
  static void release_stream(ArrowArrayStream* stream) {
    ++self(stream).num_released;
    stream->release = nullptr;
  }

  HandMadeType type_;
  std::vector<HandMadeArray> arrays_;
  int next_ = 0;
};

}  // namespace softwood
