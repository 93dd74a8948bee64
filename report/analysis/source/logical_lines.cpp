// Logical lines, found in one pass over the tokens.
#include "report/analysis/source/logical_lines.h"

#include <algorithm>
#include <numeric>

namespace qd::report {

using syntax::Token;
using syntax::TokenKind;

LogicalLines::LogicalLines(const std::vector<Token>& tokens, int32_t n_lines)
    : first(static_cast<size_t>(n_lines) + 2) {
  std::iota(first.begin(), first.end(), 0);
  last = first;
  int32_t start = 0;
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::Newline) {
      int32_t end = std::min(token.range.line, n_lines + 1);
      if (start != 0 && end > start) {
        last[static_cast<size_t>(start)] = end;
        for (int32_t line = start; line <= end; ++line) first[static_cast<size_t>(line)] = start;
      }
      start = 0;
    } else if (start == 0 && is_visible(token)) {
      start = token.range.line;
    }
  }
}

}  // namespace qd::report
