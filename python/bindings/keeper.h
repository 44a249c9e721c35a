#pragma once

#include <memory>
#include <utility>

#include <nanobind/nanobind.h>

namespace softwood::python {

/// Keeps a Python object (or what holds one) alive for C++, where any thread may drop it last.
template <class T>
std::shared_ptr<const void> keep(T object) {
  const auto drop = [](T* kept) {
    // After the interpreter's end there is nobody to give it back to.
    if (!nanobind::is_alive()) return;
    const nanobind::gil_scoped_acquire gil;
    delete kept;
  };
  return std::shared_ptr<T>(new T(std::move(object)), drop);
}

}  // namespace softwood::python
