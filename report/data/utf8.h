// UTF-8 validation.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Length of the UTF-8 sequence at `i`; 0 for an invalid or overlong one, or a surrogate.
size_t utf8_sequence(std::string_view text, size_t i);

inline bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8_sequence(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

/// `text` with '?' for each byte that is no UTF-8 or a control character: safe for a message.
std::string shown_text(std::string_view text);

}  // namespace qd::report
