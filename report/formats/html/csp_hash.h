// Content security policy hash: lets the policy of a page allow a text of the user.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Source expression "'sha256-<base64>'", by FIPS 180-4.
std::string csp_hash(std::string_view text);

}  // namespace qd::report
