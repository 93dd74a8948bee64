// Python's text functions: repr(), strip(), splitlines(), decoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// repr() of a str. Bytes that are no UTF-8 are shown as Python shows those that it could not decode.
std::string python_repr(std::string_view text);

/// str.strip(), which removes all of Unicode's spaces.
std::string python_strip(std::string_view text);

/// str.splitlines(), which knows ten kinds of line ends.
std::vector<std::string> python_splitlines(std::string_view text);

/// Python's error for text that is no UTF-8: "'utf-8' codec can't decode byte 0xff in position 3: invalid start byte";
/// nothing if it is.
std::optional<std::string> utf8_error(std::string_view text);

/// Code points of a text; each byte that is no UTF-8 is one of U+DC80 to U+DCFF, as with Python's "surrogateescape".
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view text);

}  // namespace qd::report
