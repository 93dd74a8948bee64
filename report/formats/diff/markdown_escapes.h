// Makes text that stays text in GitHub's markdown: no part of it becomes markup, a link or a mention.
#pragma once

#include <string>
#include <string_view>

namespace qd::report {

/// A code span.
std::string markdown_code(std::string_view text);
/// The same in a table, where a bar would end its cell.
std::string markdown_cell_code(std::string_view text);

/// A piece of a paragraph or of a cell. Names after '@' ping nobody.
std::string markdown_text(std::string_view text);

/// An address for a link, in parentheses behind its text; no character of it ends the link, a cell or a line.
std::string markdown_address(std::string_view address);

/// <code> where only HTML counts: between <summary> and </summary>.
std::string html_code(std::string_view text);

}  // namespace qd::report
