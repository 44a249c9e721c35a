#include "data/arff/header.h"

#include <set>

#include <fmt/format.h>

#include "data/text/cell_text.h"
#include "data/text/text_column.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using Kind = ArffAttribute::Kind;

/// {a, 'b c', d}
void read_levels(std::string_view list, const ArffLines& lines, ArffAttribute& attribute) {
  attribute.kind = Kind::nominal;
  if (!list.ends_with('}')) {
    lines.fail(
        fmt::format("the levels of '{}' want a closing brace on this line.", attribute.name));
  }
  list = trimmed(list.substr(1, list.size() - 2));
  if (list.empty()) return;
  std::vector<ArffToken> values;
  split_values(list, lines, values);
  for (const ArffToken& value : values) attribute.levels.add(value.text);
}

/// date ["format"]
void read_date_format(std::string_view rest, const ArffLines& lines, ArffAttribute& attribute) {
  attribute.kind = Kind::date;
  const std::string pattern = take_token(rest, "", lines).text;
  if (pattern.empty() || pattern == "yyyy-MM-dd'T'HH:mm:ss") return;
  attribute.date_format = ArffDateFormat::from_pattern(pattern);
  if (attribute.date_format) return;
  lines.fail(
      fmt::format("the date format {} of '{}' is not understood. Known are the letters y M d "
                  "H m s S, each in one place.",
                  quoted_for_message(pattern), attribute.name));
}

ArffAttribute read_attribute(std::string_view rest, const ArffLines& lines) {
  ArffAttribute attribute;
  attribute.name = take_token(rest, " \t{", lines).text;
  if (attribute.name.empty()) lines.fail("an attribute without a name.");
  if (rest.starts_with('{')) {
    read_levels(rest, lines, attribute);
    return attribute;
  }
  const std::string type = lower_case(take_token(rest, " \t", lines).text);
  if (type == "numeric" || type == "real" || type == "integer") {
    attribute.kind = Kind::numeric;
  } else if (type == "string") {
    attribute.kind = Kind::text;
  } else if (type == "date") {
    read_date_format(rest, lines, attribute);
  } else {
    lines.fail(
        fmt::format("attribute '{}' is of type '{}'. Known are numeric, real, integer, string, "
                    "date and {{levels}}.",
                    attribute.name, type));
  }
  return attribute;
}

}  // namespace

std::vector<ArffAttribute> read_arff_header(ArffLines& lines) {
  std::vector<ArffAttribute> attributes;
  std::set<std::string> names;
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::string keyword = lower_case(take_token(rest, " \t", lines).text);
    if (keyword == "@data") {
      if (attributes.empty()) lines.fail("@data without any @attribute before it.");
      return attributes;
    }
    if (keyword == "@relation") continue;
    if (keyword != "@attribute") {
      lines.fail("this is no ARFF header: expected @relation, @attribute or @data.");
    }
    attributes.push_back(read_attribute(rest, lines));
    if (!names.insert(attributes.back().name).second) {
      lines.fail(fmt::format("two attributes are called '{}'. Rename one of them.",
                             attributes.back().name));
    }
  }
  throw Error(fmt::format("'{}' is no ARFF file: it has no @data.", lines.origin()));
}

}  // namespace softwood
