#include "model/file/tree_tensors.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/file/bundle_tensors.h"
#include "model/file/half.h"
#include "softwood/error.h"
#include "tree/plain_tensors.h"

namespace softwood {
namespace {

std::string tensor_name(std::size_t member, const char* part) {
  return fmt::format("member.{}.{}", member, part);
}

[[noreturn]] void refuse(std::size_t member, const char* part) {
  throw Error(fmt::format("the model's tensor '{}' has a wrong size.", tensor_name(member, part)));
}

const Safetensors::Tensor& find(const Safetensors& file, std::size_t member, const char* part,
                                NumberType type) {
  return file.find(tensor_name(member, part), type);
}

bool has_knots(const Safetensors& file, std::size_t member) {
  return file.tensors.contains(tensor_name(member, "knots"));
}

/// Numbers that a file has, of which each bundle takes some: no product wraps.
class Supply {
 public:
  explicit Supply(std::size_t count) : left_(count) {}
  /// False: there are not as many.
  bool take(std::size_t count, std::size_t times = 1) {
    if (times != 0 && count > left_ / times) return false;
    left_ -= count * times;
    return true;
  }
  bool is_used_up() const { return left_ == 0; }

 private:
  std::size_t left_;
};

/// Bits that fill up the last byte are 0, or the same model would have several files.
bool has_clean_end(std::span<const std::uint8_t> bytes, std::size_t size) {
  return size % 8 == 0 || bytes.back() >> size % 8 == 0;
}

/// In the kernels' layout, and that of the curves once more for one bundle.
std::size_t bytes_in_memory(const EnsembleShape& shape) {
  std::size_t floats = 0;
  for (const Bundle& bundle : shape.bundles) {
    floats += num_padded_nodes(shape, bundle) * num_knots(shape, bundle);
  }
  return floats * sizeof(float);
}

}  // namespace

void check_trees(const EnsembleShape& shape, std::size_t member, const Safetensors& file,
                 std::size_t& memory) {
  const bool is_thinned = has_knots(file, member);
  const Safetensors::Tensor& curves =
      find(file, member, "curves", is_thinned ? NumberType::f16 : NumberType::f32);
  const std::size_t num_bytes =
      is_thinned ? find(file, member, "knots", NumberType::u8).bytes.size() : 0;
  Supply biases(find(file, member, "biases", NumberType::f32).values.size());
  Supply leaves(find(file, member, "leaves", NumberType::f32).values.size());
  Supply knots(is_thinned ? 8 * num_bytes : curves.values.size());
  std::size_t num_curve_knots = 0;
  for (const Bundle& bundle : shape.bundles) {
    if (!biases.take(shape.num_splits_per_tree(), bundle.num_trees)) refuse(member, "biases");
    const std::size_t splits = shape.num_splits_per_tree() * bundle.num_trees;
    if (!knots.take(num_knots(shape, bundle), splits))
      refuse(member, is_thinned ? "knots" : "curves");
    num_curve_knots += num_knots(shape, bundle) * splits;
    const std::size_t num_leaves = shape.num_leaves_per_tree() * bundle.num_trees;
    if (!leaves.take(num_leaves, bundle.num_outputs)) refuse(member, "leaves");
  }
  if (!biases.is_used_up()) refuse(member, "biases");
  if (!leaves.is_used_up()) refuse(member, "leaves");
  if (!is_thinned) {
    if (!knots.is_used_up()) refuse(member, "curves");
    return;
  }
  const std::vector<std::uint8_t>& bytes = file.tensors.at(tensor_name(member, "knots")).bytes;
  if (bytes.size() != (num_curve_knots + 7) / 8 || !has_clean_end(bytes, num_curve_knots))
    refuse(member, "knots");
  if (KeptKnots(num_curve_knots, bytes).count() != curves.values.size()) refuse(member, "curves");
  const std::size_t needed = bytes_in_memory(shape);
  if (needed > memory) throw Error("the model's curves leave out too many knots for its size.");
  memory -= needed;
}

void write_trees(const Member& member, std::size_t index, Safetensors& file) {
  const Ensemble& ensemble = member.ensemble;
  PlainNumbers<float> numbers(plain_sizes(ensemble));
  const std::vector<PlainTensors<float>> parts = by_bundle(ensemble, numbers.view());
  for (std::size_t bundle = 0; bundle < parts.size(); ++bundle)
    plain_from_values<float>(ensemble, bundle, member.values, parts[bundle]);
  const auto add = [&](const char* part, std::vector<float> values, NumberType type) {
    Safetensors::Tensor& tensor = file.tensors[tensor_name(index, part)];
    tensor.shape = {values.size()};
    tensor.values = std::move(values);
    tensor.type = type;
  };
  add("biases", std::move(numbers.biases), NumberType::f32);
  add("leaves", std::move(numbers.leaves), NumberType::f32);
  if (member.kept.keeps_all()) return add("curves", std::move(numbers.curves), NumberType::f32);
  std::vector<float> kept;
  for (std::size_t knot = 0; knot < numbers.curves.size(); ++knot) {
    if (member.kept[knot]) kept.push_back(numbers.curves[knot]);
  }
  add("curves", std::move(kept), NumberType::f16);
  file.tensors[tensor_name(index, "knots")] = {
      .shape = {member.kept.bytes().size()},
      .type = NumberType::u8,
      .bytes = {member.kept.bytes().begin(), member.kept.bytes().end()}};
}

void read_trees(Safetensors& file, std::size_t index, const KnotPlaces& places, Member& member) {
  const auto take = [&](const char* part) {
    return std::exchange(file.tensors.at(tensor_name(index, part)).values, {});
  };
  const Ensemble& ensemble = member.ensemble;
  const EnsembleShape& shape = ensemble.shape();
  const std::vector<float> curves = take("curves"), biases = take("biases"),
                           leaves = take("leaves");
  if (has_knots(file, index))
    member.kept =
        KeptKnots(plain_sizes(ensemble).curves, file.tensors.at(tensor_name(index, "knots")).bytes);
  member.values = ensemble.make_buffer();
  std::size_t next = 0, first_knot = 0, first_bias = 0, first_leaf = 0;
  std::vector<float> own;
  for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle) {
    const PlainSizes sizes = plain_sizes(ensemble, bundle);
    own.resize(sizes.curves);
    for (std::size_t knot = 0; knot < sizes.curves; ++knot) {
      if (member.kept.keeps_all() || member.kept[first_knot + knot]) own[knot] = curves[next++];
    }
    const std::size_t per_split = num_knots(shape, shape.bundles[bundle]);
    for (std::size_t at = 0; at < sizes.curves && !member.kept.keeps_all(); at += per_split)
      fill_in(shape, shape.bundles[bundle], places, member.kept, first_knot + at,
              std::span(own).subspan(at, per_split));
    values_from_plain<float>(ensemble, bundle,
                             {.curves = own,
                              .biases = std::span(biases).subspan(first_bias, sizes.biases),
                              .leaves = std::span(leaves).subspan(first_leaf, sizes.leaves)},
                             member.values);
    first_knot += sizes.curves, first_bias += sizes.biases, first_leaf += sizes.leaves;
  }
}

std::size_t num_tree_tensors(const Member& member) {
  return member.kept.keeps_all() ? 3 : 4;
}

}  // namespace softwood
