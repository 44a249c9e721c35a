#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softwood {

/// How the dates of an ARFF attribute are written: Java's SimpleDateFormat with the letters
/// y M d H m s S and literal text, such as "yyyy-MM-dd'T'HH:mm:ss". Two-digit years are 1969 …
/// 2068.
class ArffDateFormat {
 public:
  /// Nothing if the pattern uses other letters or repeats one.
  static std::optional<ArffDateFormat> from_pattern(std::string_view pattern);

  /// Seconds since 1970-01-01 00:00 UTC of a whole text, if it is such a date.
  std::optional<double> parse(std::string_view text) const;
  /// "ymd", "dmy" or "mdy": the order of year, month and day; "ymd" if one is not there.
  std::string date_order() const;

 private:
  struct Item {
    char field = '\0';  // one of yMdHmsS, or '\0' for a literal
    char literal = '\0';
    std::size_t width = 1;
  };
  std::vector<Item> items_;
};

}  // namespace softwood
