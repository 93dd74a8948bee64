// The signs and words for states of lines.
#include "report/formats/diff/marks.h"

namespace qd::report {

const char* glyph(LineState state) {
  switch (state) {
    case LineState::NotStatement: return "·";
    case LineState::Covered: return "✓";
    case LineState::Partial: return "◐";
    case LineState::Missing: return "✗";
    case LineState::Excluded: return "⊘";
  }
  return "";
}

const char* word(LineState state) {
  switch (state) {
    case LineState::NotStatement: return "not a statement";
    case LineState::Covered: return "covered";
    case LineState::Partial: return "partial";
    case LineState::Missing: return "missing";
    case LineState::Excluded: return "excluded";
  }
  return "";
}

std::string destinations(const std::vector<int32_t>& lines) {
  std::string result;
  for (int32_t line : lines) {
    if (!result.empty()) result += ", ";
    result += line < 0 ? "exit" : std::to_string(line);
  }
  return result;
}

}  // namespace qd::report
