#pragma once

#include <nanobind/nanobind.h>

namespace softwood::python {

/// One function per file of this folder: adds its part to the module. No arithmetic here.
void bind_errors(nanobind::module_& module);
void bind_column(nanobind::module_& module);
void bind_table(nanobind::module_& module);
void bind_arrow(nanobind::module_& module);
void bind_pickle(nanobind::module_& module);
void bind_read(nanobind::module_& module);
void bind_loss(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_options(nanobind::module_& module);
void bind_explain(nanobind::module_& module);
void bind_train(nanobind::module_& module);
void bind_compare(nanobind::module_& module);
void bind_layer(nanobind::module_& module);
void bind_command(nanobind::module_& module);

}  // namespace softwood::python
