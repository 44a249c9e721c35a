#pragma once

#include <string>
#include <string_view>

#include "data/file/file_kind.h"

namespace softwood {

/// "parquet": how the Python package knows it.
std::string_view file_kind_name(FileKind kind);

/// "a Parquet file".
std::string_view file_kind_words(FileKind kind);

/// Whether the Python package reads it, with the libraries that people have.
bool is_read_by_python(FileKind kind);

/// Throws Error if the kind is not one that this library reads itself: what the file is and what to
/// do. `origin` is a path or "standard input".
void refuse_foreign_kind(FileKind kind, const std::string& origin);

}  // namespace softwood
