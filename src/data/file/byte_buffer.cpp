#include "data/file/byte_buffer.h"

#include <algorithm>
#include <cassert>
#include <new>

namespace softwood {

void ByteBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  char* grown = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (grown == nullptr) throw std::bad_alloc();
  static_cast<void>(data_.release());
  data_.reset(grown);
  capacity_ = capacity;
}

void ByteBuffer::push_back(char byte) {
  if (is_full()) reserve(capacity_ + capacity_ / 2 + 1);
  data_.get()[size_++] = byte;
}

void ByteBuffer::append(std::string_view bytes) {
  assert(size_ + bytes.size() <= capacity_);
  std::copy(bytes.begin(), bytes.end(), data_.get() + size_);
  size_ += bytes.size();
}

}  // namespace softwood
