// Text escaping: makes text of files and sources safe for the place where it is shown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace qd::report {

/// Replaces control characters by their pictures (U+2400 and on), and tabs by blanks up to the next stop of eight. The
/// result cannot control a terminal.
std::string visible(std::string_view text);

/// The same, but tabs stay: for a page, which has its own tab stops.
std::string visible_but_tabs(std::string_view text);

/// Replaces bytes that are no UTF-8 by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Text of a file or of data as it is displayed: visible(), and valid UTF-8.
std::string displayed(std::string_view text);

/// Escapes & < > " ' for HTML and markdown.
std::string escape_html(std::string_view text);

/// Text of a file or of data in HTML: displayed(), and escaped.
std::string html_text(std::string_view text);

/// Escapes & < > " as coverage.py does in attributes of XML.
std::string escape_xml(std::string_view text);

/// Width in terminal columns: two for a character of East Asian scripts or an emoji, none for a combining one and for
/// control characters.
size_t display_width(std::string_view text);

/// Number of characters of UTF-8 text.
size_t n_characters(std::string_view text);

/// Length in units of UTF-16, as GitHub counts it.
size_t utf16_length(std::string_view text);

/// Appends the digits of `n`.
void append_number(std::string& text, int64_t n);

/// Number with its noun: "1 line", "2 lines".
std::string plural(int64_t n, std::string_view noun);

}  // namespace qd::report
