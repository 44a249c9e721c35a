#pragma once

#include <string_view>

namespace softwood::fuzz {

/// Gives bytes from anywhere to a part of the library. Only softwood::Error may come out of it, and
/// that is caught: whatever else happens is a mistake of ours.
void arff(std::string_view bytes);
void arrow(std::string_view bytes);
void checkpoint(std::string_view bytes);
void config(std::string_view bytes);
void csv(std::string_view bytes);
void dates(std::string_view bytes);
void differential(std::string_view bytes);
void gunzip(std::string_view bytes);
void loss(std::string_view bytes);
void model(std::string_view bytes);

}  // namespace softwood::fuzz
