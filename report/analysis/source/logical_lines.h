// Logical lines of Python: the physical lines of one statement.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/syntax/parse.h"

namespace qd::report {

/// Whether the token is visible in the text. Newlines, indents and the end are not.
inline bool is_visible(const syntax::Token& token) {
  using enum syntax::TokenKind;
  return token.kind != Newline && token.kind != Indent && token.kind != Dedent && token.kind != EndMarker;
}

/// Logical lines that span several physical ones; every other line stands for itself.
struct LogicalLines {
  std::vector<int32_t> first;  // [line] -> first line of its logical line
  std::vector<int32_t> last;   // [first line] -> last line of that logical line

  LogicalLines(const std::vector<syntax::Token>& tokens, int32_t n_lines);
  int32_t first_of(int32_t line) const {
    return line >= 0 && static_cast<size_t>(line) < first.size() ? first[static_cast<size_t>(line)] : line;
  }
};

}  // namespace qd::report
