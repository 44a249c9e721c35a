#pragma once

#include "data/file/file_bytes.h"
#include "softwood/table.h"

namespace softwood {

/// Reads an ARFF text. numeric, real and integer attributes become numeric columns, nominal ones
/// categorical with their levels as declared, string ones categorical, date ones datetime; unless
/// `options.read_as` says otherwise. In a sparse row what is not written is 0 or the first level,
/// and missing for strings and dates. Instance weights are refused, for they would be lost.
Table read_arff(const FileBytes& file, const ReadOptions& options);

}  // namespace softwood
