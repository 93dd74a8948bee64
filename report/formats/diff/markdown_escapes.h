// Markdown escapes for GitHub: no part of a text becomes markup, a link or a mention.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// Code span.
std::string markdown_code(std::string_view text);
/// The same in a table, where a bar would end its cell.
std::string markdown_cell_code(std::string_view text);

/// Text of a paragraph or a cell. A name after '@' mentions no user.
std::string markdown_text(std::string_view text);

/// Address for a link, in parentheses behind its text; no character of it ends the link, a cell or a line.
std::string markdown_address(std::string_view address);

/// <code> element for places where only HTML counts: between <summary> and </summary>.
std::string html_code(std::string_view text);

}  // namespace qd::report
