// Packs data of a page. templates/report_store.js unpacks it when it is asked for.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Raw deflate (RFC 1951), as base64. May run in several threads at once.
std::string packed(std::string_view text);

/// RFC 4648.
std::string base64(std::string_view bytes);

}  // namespace qd::report
