// Marks: signs and words for states of lines.
#include "report/formats/diff/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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

LineMark mark_of(const AnnotatedSource& source, int32_t line) {
  const LineState state = source.state(line);
  LineMark mark{glyph(state), word(state)};
  const auto kernel = source.kernel_lines.find(source.first_lines[static_cast<size_t>(line) - 1]);
  if (state != LineState::Missing || kernel == source.kernel_lines.end()) return mark;
  mark.missing_in_kernel = true;
  mark.words = fmt::format("{}: {}", name(kernel->second.state), kernel->second.why);
  if (kernel->second.state == ProbeState::NotCompiled) {
    mark.glyph = "○";
    mark.kernel_css = " unc";
  } else if (kernel->second.state != ProbeState::NotHit) {
    mark.glyph = "?";
    mark.kernel_css = " unm";
  }
  return mark;
}

std::string reason_beside(const AnnotatedSource& source, int32_t line) {
  const LineMark mark = mark_of(source, line);
  auto first_of = [&](int32_t of) { return source.first_lines[static_cast<size_t>(of) - 1]; };
  if (!mark.missing_in_kernel || first_of(line) != line) return "";
  int32_t before = line - 1;
  while (before > 0 && (source.state(before) == LineState::NotStatement || first_of(before) != before)) --before;
  return before > 0 && mark_of(source, before).words == mark.words ? "" : mark.words;
}

std::string destinations(const std::vector<int32_t>& lines) {
  std::string result;
  for (int32_t line : lines) {
    if (!result.empty()) result += ", ";
    result += line < 0 ? "exit" : std::to_string(line);
  }
  return result;
}

std::string never_jumped(const std::vector<int32_t>& lines) {
  std::vector<int32_t> inside;
  std::ranges::copy_if(lines, std::back_inserter(inside), [](int32_t line) { return line >= 0; });
  if (inside.empty()) return "never jumped to the exit";
  return fmt::format("never jumped to line{} {}{}", inside.size() == 1 ? "" : "s", destinations(inside),
                     inside.size() < lines.size() ? " or the exit" : "");
}

std::string never_taken(const BranchCount& count) { return count.text() + " never taken"; }

}  // namespace qd::report
