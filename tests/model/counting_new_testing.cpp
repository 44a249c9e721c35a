// operator new of the tests of this room counts what it is asked for.
#include <cstdlib>
#include <new>

#include "model/counting_new.h"

namespace softwood {
namespace {

thread_local std::size_t allocations = 0;

void* counted(void* memory) {
  ++allocations;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

std::size_t allocations_of_this_thread() {
  return allocations;
}

}  // namespace softwood

void* operator new(std::size_t size) {
  return softwood::counted(std::malloc(size == 0 ? 1 : size));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return softwood::counted(std::aligned_alloc(unit, (size + unit) / unit * unit));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
