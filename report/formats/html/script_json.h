// JSON for an inert <script> element of a page.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Appends `text` as a JSON string without a '<', so that nothing in it can end the element that it stands in.
void append_script_json(std::string& out, std::string_view text);

}  // namespace qd::report
