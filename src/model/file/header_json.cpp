#include "model/file/header_json.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "model/file/damaged.h"

namespace softwood {
namespace {

using nlohmann::json;

class HeaderReader : public json::json_sax_t {
 public:
  SafetensorsHeader take() { return std::move(header_); }
  const char* complaint() const { return complaint_; }

  bool start_object(std::size_t) override { return list_ == nullptr && ++depth_ <= 2; }
  bool key(string_t& text) override {
    if (depth_ == 2) {
      field_ = std::move(text);
      return true;
    }
    in_metadata_ = text == "__metadata__";
    if (in_metadata_) return true;
    const auto [place, is_new] = header_.tensors.try_emplace(std::move(text));
    entry_ = &place->second;
    has_type_ = has_shape_ = has_offsets_ = false;
    return is_new || refuse("a tensor that comes twice");
  }
  bool end_object() override {
    --depth_;
    if (depth_ != 1 || in_metadata_) return true;
    return (has_type_ && has_shape_ && has_offsets_ && entry_->data_offsets.size() == 2) ||
           refuse("a tensor without a type, a shape or a place");
  }
  bool string(string_t& text) override {
    if (depth_ != 2 || list_ != nullptr) return false;
    if (in_metadata_) return header_.metadata.try_emplace(field_, std::move(text)).second;
    if (field_ != "dtype" || std::exchange(has_type_, true)) return false;
    for (const NumberType type : {NumberType::f32, NumberType::f16, NumberType::u8}) {
      if (text != number_type_name(type)) continue;
      entry_->type = type;
      return true;
    }
    return refuse("a tensor of unknown type");
  }
  bool start_array(std::size_t) override {
    if (depth_ != 2 || in_metadata_ || list_ != nullptr) return false;
    if (field_ == "shape" && !std::exchange(has_shape_, true)) list_ = &entry_->shape;
    if (field_ == "data_offsets" && !std::exchange(has_offsets_, true))
      list_ = &entry_->data_offsets;
    return list_ != nullptr;
  }
  bool end_array() override {
    list_ = nullptr;
    return true;
  }
  bool number_unsigned(number_unsigned_t number) override {
    constexpr std::size_t kMostDimensions = 8;
    if (list_ == nullptr || list_->size() == kMostDimensions) return false;
    list_->push_back(number);
    return true;
  }
  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(number_integer_t) override { return false; }
  bool number_float(number_float_t, const string_t&) override { return false; }
  bool binary(binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

 private:
  bool refuse(const char* how) {
    complaint_ = how;
    return false;
  }

  SafetensorsHeader header_;
  const char* complaint_ = "its header is unreadable";
  int depth_ = 0;
  bool in_metadata_ = false;
  std::string field_;
  SafetensorsHeader::Entry* entry_ = nullptr;
  bool has_type_ = false, has_shape_ = false, has_offsets_ = false;
  std::vector<std::size_t>* list_ = nullptr;
};

}  // namespace

std::string_view number_type_name(NumberType type) {
  switch (type) {
    case NumberType::f32:
      return "F32";
    case NumberType::f16:
      return "F16";
    case NumberType::u8:
      break;
  }
  return "U8";
}

std::size_t bytes_of(NumberType type) {
  switch (type) {
    case NumberType::f32:
      return 4;
    case NumberType::f16:
      return 2;
    case NumberType::u8:
      break;
  }
  return 1;
}

SafetensorsHeader parse_header(std::string_view text) {
  HeaderReader reader;
  if (!json::sax_parse(text, &reader)) damaged(reader.complaint());
  return reader.take();
}

}  // namespace softwood
