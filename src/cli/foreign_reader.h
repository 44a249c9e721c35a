#pragma once

#include <functional>
#include <string>

#include "data/file/file_kind.h"
#include "softwood/table.h"

namespace softwood::cli {

/// A file that the library does not read itself.
struct ForeignFile {
  std::string path;
  FileKind kind = FileKind::text;
  std::string table;  ///< which of several: a table of a database, a sheet, a file of an archive
};

/// Reads one. Throws Error if it cannot.
using ForeignReader = std::function<Table(const ForeignFile& file, const ReadOptions& options)>;

}  // namespace softwood::cli
