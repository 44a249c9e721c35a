#include "data/text/missing_text.h"

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(MissingText, what_pandas_r_excel_and_databases_write_is_missing_in_any_case) {
  // pandas' default na_values but None, then Excel's errors and others'.
  for (const char* text :
       {"",       "#N/A",    "#N/A N/A", "#NA",    "-1.#IND", "-1.#QNAN", "-NaN",    "-nan",
        "1.#IND", "1.#QNAN", "<NA>",     "N/A",    "NA",      "NULL",     "NaN",     "n/a",
        "nan",    "null",    "#DIV/0!",  "#NULL!", "#NUM!",   "#REF!",    "#VALUE!", "#NAME?",
        "?",      "NaT",     "\\N",      "(null)", "na",      "Null",     "\u00a0"}) {
    EXPECT_TRUE(is_missing_text(text)) << text;
  }
}

TEST(MissingText, texts_that_may_be_levels_are_missing_among_numbers_and_dates_only) {
  for (const char* text : {"-", "--", ".", "None", "none", "NONE", "unknown", "n.a.", "–"}) {
    EXPECT_FALSE(is_missing_text(text)) << text;
    EXPECT_TRUE(is_missing_among_values(text)) << text;
  }
}

TEST(MissingText, other_texts_are_there) {
  for (const char* text : {"0", "N", "nano", "??", "no", "-1", ".5", "#1", "nothing", "n"}) {
    EXPECT_FALSE(is_missing_text(text)) << text;
    EXPECT_FALSE(is_missing_among_values(text)) << text;
  }
}

TEST(MissingText, arff_knows_few) {
  for (const char* text : {"", "?", "NA", "nan", "null"}) EXPECT_TRUE(is_missing_in_arff(text));
  for (const char* text : {"N/A", "#N/A", "-", "NaT"}) EXPECT_FALSE(is_missing_in_arff(text));
}

}  // namespace
}  // namespace softwood
