#include "model/file/linear_tensors.h"

#include <memory>

#include <fmt/format.h>

namespace softwood {
namespace {

std::string tensor_name(std::size_t member, const char* part) {
  return fmt::format("member.{}.linear.{}", member, part);
}

}  // namespace

void write_linear(const LinearPart& part, std::size_t member, Safetensors& file) {
  file.tensors[tensor_name(member, "weights")] = {
      .shape = {part.features().size(), part.num_outputs()},
      .values = {part.weights().begin(), part.weights().end()}};
  file.tensors[tensor_name(member, "biases")] = {
      .shape = {part.num_outputs()}, .values = {part.biases().begin(), part.biases().end()}};
}

LinearPart read_linear(Safetensors& file, std::size_t member, const Encoder& encoder,
                       std::size_t num_outputs) {
  auto features = std::make_shared<const LinearFeatures>(encoder.columns());
  const std::size_t num_features = features->size();
  return {std::move(features),
          file.take(tensor_name(member, "weights"), {num_features, num_outputs}),
          file.take(tensor_name(member, "biases"), {num_outputs})};
}

}  // namespace softwood
