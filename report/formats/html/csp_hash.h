// What allows a text of the user's in a content security policy.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// "'sha256-<base64>'", by FIPS 180-4.
std::string csp_hash(std::string_view text);

}  // namespace qd::report
