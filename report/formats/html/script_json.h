// JSON for an inert <script> element of a page.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Appends `text` as a JSON string without a '<', so that nothing in it can end the element that it stands in.
void append_script_json(std::string& out, std::string_view text);

/// What a browser counts to: 2^53 at most.
constexpr int64_t browser_number(uint64_t n) {
  return n < uint64_t{1} << 53 ? static_cast<int64_t>(n) : int64_t{1} << 53;
}

}  // namespace qd::report
