#include "data/file/file_kind_words.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {
namespace {

struct KindWords {
  FileKind kind;
  const char* name;
  const char* words;
  bool read_by_python;
  const char* advice;  // {0} is the path; goes after "…; or " if Python reads it
};

#define BY_PANDAS(reader) \
  "write it as CSV: python -c \"import pandas; pandas." reader ".to_csv('{0}.csv', index=False)\""

constexpr KindWords kKinds[] = {
    {FileKind::text, "text", "a text", false, ""},
    {FileKind::parquet, "parquet", "a Parquet file", true, BY_PANDAS("read_parquet('{0}')")},
    {FileKind::arrow, "arrow", "an Arrow (Feather) file", true, BY_PANDAS("read_feather('{0}')")},
    {FileKind::arrow_stream, "arrow_stream", "an Arrow stream", true,
     "write it as CSV: python -c \"import pyarrow.ipc, pyarrow.csv; "
     "pyarrow.csv.write_csv(pyarrow.ipc.open_stream('{0}').read_all(), '{0}.csv')\""},
    {FileKind::orc, "orc", "an ORC file", true, BY_PANDAS("read_orc('{0}')")},
    {FileKind::excel, "excel", "an Excel workbook", true,
     "save the sheet as CSV, in Excel or with python -c \"import pandas; "
     "pandas.read_excel('{0}').to_csv('{0}.csv', index=False)\""},
    {FileKind::old_excel, "old_excel", "an Excel workbook of the old kind (.xls)", true,
     "save the sheet as CSV"},
    {FileKind::open_document, "open_document", "an OpenDocument spreadsheet", true,
     "save the sheet as CSV"},
    {FileKind::json_lines, "json_lines", "JSON, an object per line", true,
     BY_PANDAS("read_json('{0}', lines=True)")},
    {FileKind::json, "json", "JSON", true, BY_PANDAS("read_json('{0}')")},
    {FileKind::sqlite, "sqlite", "an SQLite database", true,
     "write a table of it as CSV: sqlite3 -header -csv '{0}' 'select * from TABLE' > '{0}.csv'"},
    {FileKind::zip, "zip", "a zip archive", true, "unpack it: unzip '{0}'"},
    {FileKind::bzip2, "bzip2", "compressed by bzip2", true,
     "unpack it on the way: bzip2 -dc '{0}' | softwood … -"},
    {FileKind::xz, "xz", "compressed by xz", true,
     "unpack it on the way: xz -dc '{0}' | softwood … -"},
    {FileKind::zstd, "zstd", "compressed by zstd", true,
     "unpack it on the way: zstd -dc '{0}' | softwood … -"},
    {FileKind::numpy, "numpy", "a NumPy array", true,
     "write it as CSV: python -c \"import numpy; numpy.savetxt('{0}.csv', numpy.load('{0}'), "
     "delimiter=',')\", and read that with --no-header"},
    {FileKind::stata, "stata", "a Stata file", true, BY_PANDAS("read_stata('{0}')")},
    {FileKind::sas, "sas", "a SAS file", true, BY_PANDAS("read_sas('{0}', format='sas7bdat')")},
    {FileKind::sas_transport, "sas_transport", "a SAS transport file", true,
     BY_PANDAS("read_sas('{0}', format='xport')")},
    {FileKind::spss, "spss", "an SPSS file", true, BY_PANDAS("read_spss('{0}')")},
    {FileKind::xml, "xml", "XML", true, BY_PANDAS("read_xml('{0}')")},
    {FileKind::r_data, "r_data", "an R data file", false,
     "Write it as CSV: Rscript -e \"write.csv(readRDS('{0}'), '{0}.csv', row.names = FALSE)\""},
    {FileKind::hdf5, "hdf5", "an HDF5 file", false,
     "Write its table as CSV, for example with python -c \"import pandas; "
     "pandas.read_hdf('{0}').to_csv('{0}.csv', index=False)\""},
    {FileKind::pickle, "pickle", "a Python pickle", false,
     "If you trust it (a pickle can run any program), load it in Python and give the table to "
     "softwood.train, or write it as CSV"},
    {FileKind::html, "html", "a web page (HTML)", false,
     "Often a page about the data, or a login, was saved instead of them: download the file "
     "itself"},
    {FileKind::pdf, "pdf", "a PDF document", false,
     "Take the table out of it, or ask for it as CSV"},
    {FileKind::utf16, "utf16", "UTF-16 text", false,
     "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 '{0}' > '{0}.csv'"},
    {FileKind::model, "model", "a Softwood model", false,
     "A table goes here; the order is softwood predict MODEL DATA"},
};

#undef BY_PANDAS

const KindWords& words_of(FileKind kind) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds),
                       [&](const KindWords& each) { return each.kind == kind; });
}

}  // namespace

std::string_view file_kind_name(FileKind kind) {
  return words_of(kind).name;
}

std::string_view file_kind_words(FileKind kind) {
  return words_of(kind).words;
}

bool is_read_by_python(FileKind kind) {
  return words_of(kind).read_by_python;
}

void refuse_foreign_kind(FileKind kind, const std::string& origin) {
  if (kind == FileKind::text) return;
  const KindWords& words = words_of(kind);
  std::error_code unknown;
  const bool piped = !std::filesystem::is_regular_file(origin, unknown);
  const std::string advice = fmt::format(fmt::runtime(words.advice), piped ? "FILE" : origin);
  const char* python =
      !words.read_by_python ? ""
      : piped ? "Only CSV and ARFF texts come through a pipe. The softwood command that `pip "
                "install .` gives reads it from a file; or "
              : "The softwood command that `pip install .` gives reads it; or ";
  throw Error(
      fmt::format("'{}' is {}, no CSV or ARFF text. {}{}.", origin, words.words, python, advice));
}

}  // namespace softwood
