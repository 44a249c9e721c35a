#include "data/arrow/type.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>
#include <vector>

#include "data/arrow/numbers.h"

namespace softwood {
namespace {

using Kind = ArrowType::Kind;

ArrowType number_type(char letter) {
  switch (letter) {
    case 'c':
      return {Kind::number, &read_plain<std::int8_t>};
    case 'C':
      return {Kind::number, &read_plain<std::uint8_t>};
    case 's':
      return {Kind::number, &read_plain<std::int16_t>};
    case 'S':
      return {Kind::number, &read_plain<std::uint16_t>};
    case 'i':
      return {Kind::number, &read_plain<std::int32_t>};
    case 'I':
      return {Kind::number, &read_plain<std::uint32_t>};
    case 'l':
      return {Kind::number, &read_plain<std::int64_t>};
    case 'L':
      return {Kind::number, &read_plain<std::uint64_t>};
    case 'e':
      return {Kind::number, &read_halves};
    case 'f':
      return {Kind::number, &read_plain<float>};
    case 'g':
      return {Kind::number, &read_plain<double>};
    default:
      return {};
  }
}

/// The numbers of "5,2" or "5,2,128"; none if there is anything else.
std::vector<int> numbers_in(std::string_view list) {
  std::vector<int> numbers;
  const char *at = list.data(), *const end = at + list.size();
  while (at != end) {
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc() || (next != end && *next != ',')) return {};
    at = next == end ? end : next + 1;
  }
  return numbers;
}

/// "d:precision,scale" or "d:precision,scale,bits".
ArrowType decimal_type(std::string_view format) {
  constexpr int kMostScale = 200;  // far beyond 256 bits; what is read stays within a double
  const std::vector<int> numbers = numbers_in(format.substr(2));
  if (numbers.size() != 2 && numbers.size() != 3) return {};
  ArrowType type{Kind::number, &read_decimals};
  type.scale = numbers[1];
  if (numbers.size() == 3) type.bits = numbers[2];
  const bool known = type.bits == 32 || type.bits == 64 || type.bits == 128 || type.bits == 256;
  return known && std::abs(std::int64_t{type.scale}) <= kMostScale ? type : ArrowType{};
}

std::int64_t ticks_per_second(char unit) {
  return unit == 's' ? 1 : unit == 'm' ? 1000 : unit == 'u' ? 1000000 : 1000000000;
}

/// "tdD", "tdm", "tt…", "ts…:zone", "tD…".
ArrowType time_type(std::string_view format) {
  if (format == "tdD") return {Kind::moment, &read_days};
  if (format == "tdm") return {Kind::moment, &read_moments, 1000};
  if (format.size() < 3 || std::string_view("smun").find(format[2]) == std::string_view::npos) {
    return {};
  }
  const std::int64_t per_second = ticks_per_second(format[2]);
  // Times of day in seconds and milliseconds have 32 bits.
  const bool short_time = per_second <= 1000;
  if (format[1] == 's') return {Kind::moment, &read_moments, per_second};
  if (format[1] == 'D') return {Kind::number, &read_spans<std::int64_t>, per_second};
  if (format[1] != 't') return {};
  return {Kind::number, short_time ? &read_spans<std::int32_t> : &read_spans<std::int64_t>,
          per_second};
}

}  // namespace

ArrowType find_arrow_type(std::string_view format) {
  if (format == "n") return {Kind::nothing};
  if (format == "b") return {Kind::boolean, &read_bits};
  if (format == "u" || format == "U" || format == "vu") return {Kind::text};
  if (format.size() == 1) return number_type(format[0]);
  if (format.starts_with("d:")) return decimal_type(format);
  if (format.starts_with('t')) return time_type(format);
  return {};
}

std::string arrow_type_name(std::string_view format) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kNames = {
      {{"+l", "list"},
       {"+L", "large list"},
       {"+vl", "list view"},
       {"+vL", "large list view"},
       {"+w", "list of fixed size"},
       {"+s", "struct"},
       {"+m", "map"},
       {"+u", "union"},
       {"+r", "run-end encoded"},
       {"z", "binary"},
       {"Z", "large binary"},
       {"vz", "binary view"},
       {"w:", "binary of fixed size"},
       {"ti", "interval"},
       {"d:", "decimal"},
       {"t", "time"}}};
  for (const auto& [start, name] : kNames) {
    if (format.starts_with(start)) return std::string(name);
  }
  return std::string(format);
}

}  // namespace softwood
