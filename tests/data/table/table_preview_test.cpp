#include "data/table/table_preview.h"

#include "data/reading.h"

namespace softwood {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(TablePreview, cells_are_aligned_and_missing_ones_dots) {
  EXPECT_EQ(preview_text(read_csv_text("number,ä\n1.25,x\n,yes\n1000000,zürich\n")),
            "softwood.Table: 3 rows, 2 columns\n"
            "   number  ä\n"
            "     1.25  x\n"
            "        ·  yes\n"
            "  1000000  zürich");
}

TEST(TablePreview, large_tables_and_long_texts_are_cut) {
  std::string text = "a,b,c,d,e,f,g,h,i\n";
  for (int row = 0; row < 7; ++row) text += "1,2,3,4,5,6,7,ääääääääääääääääääää!,hidden\n";
  const std::string preview = preview_text(read_csv_text(text));
  EXPECT_THAT(preview, HasSubstr("7 rows, 9 columns (the first 8 shown)\n"));
  EXPECT_THAT(preview, HasSubstr("ääääääääääääääääääää…\n"));
  EXPECT_THAT(preview, Not(HasSubstr("hidden")));
  EXPECT_TRUE(preview.ends_with("…  …"));
}

TEST(TablePreview, html_is_escaped) {
  const std::string html = preview_html(read_csv_text("<b>,c\n1,a & b\n"));
  EXPECT_THAT(html, HasSubstr("&lt;b&gt;</th>"));
  EXPECT_THAT(html, HasSubstr("a &amp; b</td>"));
  EXPECT_THAT(html, HasSubstr("1 row, 2 columns"));
}

TEST(TablePreview, a_table_without_columns_is_just_its_size) {
  EXPECT_EQ(preview_text(Table()), "softwood.Table: 0 rows, 0 columns");
}

}  // namespace
}  // namespace softwood
