// Annotated format: the changed code of each file, with a mark for each line:
//
//   pkg/grid.py: 75%, missing 31-33
//     30 + ✓ k      if cell > 0:
//     31 + ✗            mass += 1
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/formats/common/terminal.h"
#include "report/formats/common/text.h"
#include "report/formats/diff/diff_base_parts.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/diff/hunks.h"
#include "report/formats/diff/marks.h"
#include "report/formats/html/condition_parts.h"

namespace qd::report {
namespace {

constexpr int32_t kLinesAround = 3;

const char* color_of(LineState state) {
  switch (state) {
    case LineState::Covered: return "32";
    case LineState::Partial: return "33";
    case LineState::Missing: return "31";
    case LineState::NotStatement:
    case LineState::Excluded: break;
  }
  return "2";
}

class Writer {
 public:
  Writer(const DiffCoverage& coverage, const DiffStyle& style) : coverage_(coverage), style_(style) {}

  void file(const DiffFile& file) {
    bool branches = coverage_.branches;
    std::string head = visible(file.path), lost;
    if (!file.measured()) {
      head += ": not measured: " + visible(file.not_measured);
    } else {
      if (file.total() > 0) head += fmt::format(": {}%", percent(file.covered(branches), file.total()));
      if (!file.lost.empty())
        lost = fmt::format("{} {} lost coverage", file.total() > 0 ? "," : ":",
                           plural(static_cast<int64_t>(file.lost.size()), "unchanged line"));
      if (file.covered(branches) < file.total()) head += ", missing " + file.missing_formatted(branches);
    }
    out += fmt::format("\n{}\n", paint("1", head + lost));
    LineFlags flags = line_flags(file);
    notes_ = condition_notes(file.decisions, file.missing);
    bool kernels = file.source.has_kernel_lines();
    bool first = true;
    for (Hunk hunk : hunks(file, kLinesAround)) {
      if (!first) out += paint("2", "     ⋮") + "\n";
      first = false;
      for (int32_t line = hunk.first; line <= hunk.last; ++line) one_line(file, line, flags, kernels);
    }
  }

  void legend() {
    std::string text;
    for (LineState state :
         {LineState::Covered, LineState::Missing, LineState::Partial, LineState::Excluded, LineState::NotStatement})
      if (used_.contains(state)) text += fmt::format("  {} {}", glyph(state), word(state));
    if (kernel_used_) text += "  k ran in a kernel";
    for (const auto& [sign, words] : kernel_marks_) text += fmt::format("  {} {} (kernel)", sign, words);
    if (notes_used_) text += "  ◇ condition";
    if (!text.empty()) out += fmt::format("\n{}  + changed\n", text.substr(2));
  }

  std::string out;

 private:
  std::string paint(const char* code, const std::string& text) const {
    return style_.color ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
  }

  void one_line(const DiffFile& file, int32_t line, const LineFlags& flags, bool kernels) {
    auto i = static_cast<size_t>(line) - 1;
    bool changed = flags.changed[i];
    LineState state = file.source.state(line);
    used_.insert(state);
    std::string code = visible(file.source.lines[i]);
    bool in_kernel = (file.source.origins[i] & kKernel) != 0;
    kernel_used_ = kernel_used_ || in_kernel;
    const LineMark mark = mark_of(file.source, line);
    if (mark.missing_in_kernel) kernel_marks_.insert({mark.glyph, mark.words.substr(0, mark.words.find(':'))});
    std::string gutter = fmt::format("{:>6} {} {}", line, changed ? '+' : ' ', paint(color_of(state), mark.glyph));
    if (kernels) gutter += in_kernel ? " k" : "  ";
    const bool stands_out = (flags.counted[i] || flags.lost[i]) && state == LineState::Missing;
    const char* color = stands_out ? color_of(state) : changed ? "0" : "2";
    column_ = indent_ = kernels ? 13 : 11;
    room_ = std::max<size_t>(static_cast<size_t>(style_.width), indent_ + 20) - indent_;
    out += gutter + " ";
    add(color, code);
    if (std::string why = reason_beside(file.source, line); !why.empty()) add_note("35", "← " + visible(why));
    if (flags.lost[i] && file.source.first_lines[i] == line) add_note("31", fmt::format("← {}", kLostTag));
    auto partial = file.source.missing_branches.find(line);
    if (partial != file.source.missing_branches.end()) add_note("33", "◐ " + never_jumped(partial->second));
    if (auto count = file.source.missing_counts.find(line); count != file.source.missing_counts.end())
      add_note("33", "◐ " + never_taken(count->second));
    if (std::string gap = file.arch_gap_of(line); !gap.empty()) add_note("33", "← " + visible(gap));
    if (coverage_.gradients && std::ranges::binary_search(file.gradients.missing, line))
      add_note("33", kNeverDifferentiated);
    if (auto note = notes_.find(line); note != notes_.end()) {
      add_note("33", "◇ " + visible(note->second));
      notes_used_ = true;
    }
    while (out.ends_with(' ')) out.pop_back();
    out += "\n";
  }

  /// Adds text at the end of the line, on as many lines of its column as needed.
  void add(const char* color, const std::string& text) {
    bool first = true;
    for (const std::string& piece : folded(text, room_)) {
      if (!first) out.append("\n").append(indent_, ' ');
      column_ = (first ? column_ : indent_) + display_width(piece);
      first = false;
      out += *color == '0' || piece.empty() ? piece : paint(color, piece);
    }
  }
  void add_note(const char* color, const std::string& note) {
    if (column_ + 2 + display_width(note) > indent_ + room_) {
      out.append("\n").append(indent_, ' ');
      column_ = indent_;
    } else {
      out += "  ";
      column_ += 2;
    }
    add(color, note);
  }

  const DiffCoverage& coverage_;
  const DiffStyle& style_;
  std::set<LineState> used_;
  std::set<std::pair<std::string, std::string>> kernel_marks_;  // signs and words for missing lines of kernels
  bool kernel_used_ = false;
  std::map<int32_t, std::string> notes_;  // of the file being written
  bool notes_used_ = false;
  size_t indent_ = 0, room_ = 0, column_ = 0;  // of the present line: of its text; the next column to write
};

}  // namespace

std::string diff_annotated(const DiffCoverage& coverage, const DiffStyle& style) {
  Writer writer(coverage, style);
  writer.out = diff_terminal(coverage, style);
  for (const DiffFile& file : coverage.files) writer.file(file);
  for (const DiffFile& file : coverage.not_measured) writer.file(file);
  for (const DiffFile& file : coverage.lost_elsewhere) writer.file(file);
  writer.legend();
  return writer.out;
}

}  // namespace qd::report
