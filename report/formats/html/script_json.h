// JSON for an inert <script> element of a page.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Appends `text` as a JSON string without a '<', so that no part of it can end its element.
void append_script_json(std::string& out, std::string_view text);

/// Clamps a number to the range of exact integers in a browser: 2^53 at most.
constexpr int64_t browser_number(uint64_t n) {
  return n < uint64_t{1} << 53 ? static_cast<int64_t>(n) : int64_t{1} << 53;
}

}  // namespace qd::report
