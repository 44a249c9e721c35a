#pragma once

#include <string>
#include <string_view>

#include "data/file/file_bytes.h"

namespace softwood {

/// Whether the bytes begin as every gzip file does.
bool is_gzip(std::string_view bytes);

/// Unpacks all members of a gzip file; its checksums are verified. Throws Error naming `origin`
/// when the bytes are damaged or end too early.
ByteBuffer gunzip(std::string_view packed, const std::string& origin);

/// The first `most` bytes of what is packed, or fewer if `packed`, the start of a gzip file, does
/// not hold more or is damaged.
std::string gunzip_start(std::string_view packed, std::size_t most);

}  // namespace softwood
