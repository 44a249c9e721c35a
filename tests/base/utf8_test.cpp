#include "base/utf8.h"

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(Utf8, whole_characters_are_told_from_other_bytes) {
  for (const char* text : {"", "plain", "f\xC3\xBCr", "\xE2\x82\xAC", "\xF0\x9F\x8C\xB2"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"f\xFCr", "\xC3", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

TEST(Utf8, other_bytes_are_read_as_latin_1) {
  EXPECT_EQ(as_utf8("f\xC3\xBCr"), "f\xC3\xBCr");
  EXPECT_EQ(as_utf8("f\xFCr"), "f\xC3\xBCr");
}

}  // namespace
}  // namespace softwood
