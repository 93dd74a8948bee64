// Lines as Python's str.splitlines sees them. Some characters end such a line that end no line of Python source.
#pragma once

#include <cstddef>
#include <string_view>

namespace qd::report {

/// Takes the next line off `text`, with its line end (\n, \r, \r\n, \v, \f, U+001C to U+001E, U+0085, U+2028, U+2029).
/// Empty when no text is left.
std::string_view take_python_line(std::string_view& text);

/// The line without its line end.
std::string_view without_line_end(std::string_view line);

/// Position of the first character that is no white space in the sense of Python's `\s`; the size of `text` when there
/// is none.
size_t skip_python_space(std::string_view text, size_t at = 0);

}  // namespace qd::report
