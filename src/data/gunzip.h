#pragma once

#include <string>
#include <string_view>

#include "data/file_bytes.h"

namespace softwood {

/// Whether the bytes begin as every gzip file does.
bool is_gzip(std::string_view bytes);

/// Unpacks all members of a gzip file; its checksums are verified. Throws Error naming `origin`
/// when the bytes are damaged or end too early.
ByteBuffer gunzip(std::string_view packed, const std::string& origin);

}  // namespace softwood
