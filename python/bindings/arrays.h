#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace softwood::python {

using Numbers =
    nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Codes = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>, nanobind::c_contig,
                                nanobind::device::cpu>;
using Matrix =
    nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T>;

/// A NumPy array of this shape that owns the vector's numbers.
template <class T>
Array<T> to_numpy(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(
      kept, [](void* each) noexcept { delete static_cast<std::vector<T>*>(each); });
  return Array<T>(kept->data(), shape, owner);
}

template <class T>
Array<T> to_numpy(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

}  // namespace softwood::python
