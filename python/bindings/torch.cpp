#include <memory>
#include <optional>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "model/layer/layer_pass.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "tree/activation.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

/// Tensors of any library that speaks DLPack, in rows one after the other, in the CPU's memory.
template <class T>
using Tensor = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
template <class T>
using MatrixTensor = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<T> span_of(const Tensor<T>& tensor) {
  return {tensor.data(), tensor.size()};
}

template <class T>
MatrixView<T> view_of(const MatrixTensor<T>& tensor) {
  return {tensor.data(), tensor.shape(0), tensor.shape(1)};
}

template <class T>
PlainTensors<T> plain(const TreeLayer& layer, const Tensor<T>& curves, const Tensor<T>& biases,
                      const Tensor<T>& leaves) {
  if (plain_sizes(layer.ensemble()) != PlainSizes{curves.size(), biases.size(), leaves.size()}) {
    throw Error("curves, biases or leaves are not of the layer's size.");
  }
  return {span_of(curves), span_of(biases), span_of(leaves)};
}

template <class T>
void check_shape(const MatrixTensor<T>& tensor, std::size_t rows, std::size_t cols) {
  if (tensor.shape(0) == rows && tensor.shape(1) == cols) return;
  throw Error("a tensor of rows is not of the layer's size.");
}

/// A LayerPass for Python: every call works without the GIL.
template <class T>
class Pass {
 public:
  Pass(const TreeLayer& layer, Tensor<const T> curves, Tensor<const T> biases,
       Tensor<const T> leaves, MatrixTensor<const T> x, MatrixTensor<T> out, int threads)
      : layer_(layer), num_rows_(x.shape(0)), threads_(threads) {
    check_shape(x, num_rows_, layer.num_inputs());
    check_shape(out, num_rows_, layer.num_outputs());
    const PlainTensors<const T> values = plain(layer, curves, biases, leaves);
    nb::gil_scoped_release release;
    ThreadTeam team(threads);
    pass_ = std::make_unique<LayerPass<T>>(layer, values, view_of(x), team);
    pass_->forward(view_of(out), team);
  }

  void backward(MatrixTensor<const T> output_gradients, Tensor<T> curves, Tensor<T> biases,
                Tensor<T> leaves, std::optional<MatrixTensor<T>> x) {
    check_shape(output_gradients, num_rows_, layer_.num_outputs());
    if (x) check_shape(*x, num_rows_, layer_.num_inputs());
    const PlainTensors<T> gradients = plain(layer_, curves, biases, leaves);
    nb::gil_scoped_release release;
    ThreadTeam team(threads_);
    pass_->backward(view_of(output_gradients), gradients, x ? view_of(*x) : MatrixView<T>(), team);
  }

 private:
  TreeLayer layer_;
  std::size_t num_rows_;
  int threads_;
  std::unique_ptr<LayerPass<T>> pass_;
};

template <class T>
void evaluate(const TreeLayer& layer, Tensor<const T> curves, Tensor<const T> biases,
              Tensor<const T> leaves, MatrixTensor<const T> x, MatrixTensor<T> out, int threads) {
  check_shape(x, x.shape(0), layer.num_inputs());
  check_shape(out, x.shape(0), layer.num_outputs());
  const PlainTensors<const T> values = plain(layer, curves, biases, leaves);
  nb::gil_scoped_release release;
  ThreadTeam team(threads);
  evaluate_layer(layer, values, view_of(x), view_of(out), team);
}

TreeLayer fresh_layer(std::size_t in_features, std::size_t out_features, std::size_t trees,
                      int depth, const std::string& activation, double gamma, std::uint64_t seed) {
  return TreeLayer(FreshTrees{.num_inputs = in_features,
                              .num_outputs = out_features,
                              .num_trees = trees,
                              .depth = depth,
                              .activation = activation_named(activation),
                              .gamma = gamma,
                              .seed = seed});
}

void start(const TreeLayer& layer, Tensor<float> curves, Tensor<float> biases,
           Tensor<float> leaves) {
  const PlainTensors<float> to = plain(layer, curves, biases, leaves);
  const PlainNumbers<float> numbers = layer.start();
  std::ranges::copy(numbers.curves, to.curves.begin());
  std::ranges::copy(numbers.biases, to.biases.begin());
  std::ranges::copy(numbers.leaves, to.leaves.begin());
}

/// Name and levels of every input; levels of a number: none.
std::vector<std::tuple<std::string, std::optional<std::vector<std::string>>>> inputs_of(
    const TreeLayer& layer) {
  std::vector<std::tuple<std::string, std::optional<std::vector<std::string>>>> inputs;
  if (layer.columns() == nullptr) return inputs;
  for (const EncodedColumn& column : *layer.columns()) {
    std::optional<std::vector<std::string>> levels;
    if (column.kind == EncodedColumn::Kind::levels) levels = column.levels;
    inputs.emplace_back(column.name(), std::move(levels));
  }
  return inputs;
}

void encode(const TreeLayer& layer, const Table& table, MatrixTensor<double> out, int threads) {
  if (!layer.model()) throw Error("a fresh layer knows no columns.");
  check_shape(out, table.num_rows(), layer.num_inputs());
  nb::gil_scoped_release release;
  const std::vector<double> numbers =
      ModelAccess::parts(*layer.model()).encoder.raw_inputs(table, threads);
  std::ranges::copy(numbers, out.data());
}

nb::tuple shapes_of(const TreeLayer& layer) {
  const LayerShapes shapes = layer.shapes();
  return nb::make_tuple(shapes.curves, shapes.biases, shapes.leaves);
}

template <class T>
void bind_pass(nb::module_& module, const char* name) {
  nb::class_<Pass<T>>(module, name, "Some rows through a layer, with what the way back needs.")
      .def(nb::init<const TreeLayer&, Tensor<const T>, Tensor<const T>, Tensor<const T>,
                    MatrixTensor<const T>, MatrixTensor<T>, int>(),
           nb::arg("layer"), nb::arg("curves").noconvert(), nb::arg("biases").noconvert(),
           nb::arg("leaves").noconvert(), nb::arg("x").noconvert(), nb::arg("out").noconvert(),
           nb::arg("threads"))
      .def("backward", &Pass<T>::backward, nb::arg("output_gradients").noconvert(),
           nb::arg("curves").noconvert(), nb::arg("biases").noconvert(),
           nb::arg("leaves").noconvert(), nb::arg("x").noconvert().none());
}

template <class Class>
void bind_evaluate(Class& layer) {
  const auto bind = [&](auto function) {
    layer.def("evaluate", function, nb::arg("curves").noconvert(), nb::arg("biases").noconvert(),
              nb::arg("leaves").noconvert(), nb::arg("x").noconvert(), nb::arg("out").noconvert(),
              nb::arg("threads"));
  };
  bind(&evaluate<float>);
  bind(&evaluate<double>);
}

}  // namespace

/// Tensors that are written to are made by the caller.
void bind_layer(nb::module_& module) {
  // A network's graph may still be alive when Python ends: no leak to report.
  nb::set_leak_warnings(false);
  auto layer =
      nb::class_<TreeLayer>(module, "TreeLayer", "Trees as a layer of a network, without values.")
          .def_static("fresh", &fresh_layer, nb::arg("in_features"), nb::arg("out_features"),
                      nb::kw_only(), nb::arg("trees"), nb::arg("depth"), nb::arg("activation"),
                      nb::arg("gamma"), nb::arg("seed"))
          .def_static(
              "of_model",
              [](const Model& model, std::size_t member) { return TreeLayer(model, member); },
              nb::arg("model"), nb::arg("member"))
          .def_prop_ro("in_features", &TreeLayer::num_inputs)
          .def_prop_ro("out_features", &TreeLayer::num_outputs)
          .def_prop_ro("inputs", &inputs_of)
          .def_prop_ro("shapes", &shapes_of,
                       nb::sig("def shapes(self) -> tuple[list[int], list[int], list[int]]"))
          .def("start", &start, nb::arg("curves").noconvert(), nb::arg("biases").noconvert(),
               nb::arg("leaves").noconvert(), "Writes the first values.")
          .def("encode", &encode, nb::arg("table"), nb::arg("out").noconvert(), nb::arg("threads"))
          .def(
              "put_into",
              [](const TreeLayer& trees, const Model& model, Tensor<const float> curves,
                 Tensor<const float> biases, Tensor<const float> leaves) {
                return trees.put_into(model, plain(trees, curves, biases, leaves));
              },
              nb::arg("model"), nb::arg("curves").noconvert(), nb::arg("biases").noconvert(),
              nb::arg("leaves").noconvert());
  bind_evaluate(layer);
  bind_pass<float>(module, "LayerPass32");
  bind_pass<double>(module, "LayerPass64");
}

}  // namespace softwood::python
