// Data and texts in a page: JSON for an inert <script> element, packed data, and hashes for its security policy.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

// JSON for an inert <script> element of a page.

/// Appends `text` as a JSON string without a '<', so that no part of it can end its element.
void append_script_json(std::string& out, std::string_view text);

/// Clamps a number to the range of exact integers in a browser: 2^53 at most.
constexpr int64_t browser_number(uint64_t n) {
  return n < uint64_t{1} << 53 ? static_cast<int64_t>(n) : int64_t{1} << 53;
}

// Packing of page data. templates/report_store.js unpacks a part when the page needs it.

/// Raw deflate (RFC 1951), as base64. Thread-safe.
std::string packed(std::string_view text);

// Content security policy hash: lets the policy of a page allow a text of the user.

/// Source expression "'sha256-<base64>'", by FIPS 180-4.
std::string csp_hash(std::string_view text);

}  // namespace qd::report
