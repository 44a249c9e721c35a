#pragma once

#include <string>
#include <string_view>

namespace softwood {

/// What a file holds, told by its content, never by its name.
enum class FileKind {
  text,  ///< CSV, ARFF, and whatever else is not known
  parquet,
  arrow,  ///< Arrow's file format, also called Feather
  arrow_stream,
  orc,
  excel,          ///< .xlsx and its kin
  old_excel,      ///< .xls
  open_document,  ///< .ods
  json_lines,     ///< an object per line
  json,           ///< an array
  sqlite,
  zip,
  bzip2,
  xz,
  zstd,
  numpy,
  stata,
  sas,
  sas_transport,
  spss,
  xml,
  r_data,
  hdf5,
  pickle,
  html,
  pdf,
  utf16,
  model,  ///< of Softwood
};

/// By the first and the last bytes of a file; whole files will do.
FileKind find_kind_of_bytes(std::string_view first, std::string_view last);

/// The kind of a regular file; gzip is looked into. Of a pipe or what cannot be opened nothing is
/// known: text.
FileKind find_file_kind(const std::string& path);

}  // namespace softwood
