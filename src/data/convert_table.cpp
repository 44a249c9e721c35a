#include "data/convert_table.h"

#include "data/settle_frame.h"

namespace softwood {

Table convert_table(Table table, const ReadOptions& options) {
  return settle_frame(table.columns(), options, false, table.origin);
}

}  // namespace softwood
