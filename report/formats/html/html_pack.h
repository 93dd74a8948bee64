// Packing of page data. templates/report_store.js unpacks a part when the page needs it.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Raw deflate (RFC 1951), as base64. Thread-safe.
std::string packed(std::string_view text);

/// Base64 of RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace qd::report
