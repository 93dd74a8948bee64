// Changed code of a file on the page of diff coverage.
#include "report/formats/diff/diff_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_base_parts.h"
#include "report/formats/diff/diff_parts.h"
#include "report/formats/diff/hunks.h"
#include "report/formats/diff/marks.h"
#include "report/formats/html/condition_parts.h"
#include "report/formats/html/html_parts.h"
#include "report/formats/html/source_colors.h"

namespace qd::report {
namespace {

constexpr int32_t kLinesAroundOnPages = 4;

/// Link to the file in the page of all files.
std::string full_report_link(const DiffFile& file, const DiffStyle& style) {
  const std::string address = full_report_address(file, style);
  if (address.empty()) return "";
  return fmt::format("<a class=\"full\" href=\"{}\" aria-label=\"{} in the full report\">full report</a>",
                     escape_html(address), html_text(file.path));
}

/// List item for a branch of a line, as in the pop-overs of the file view.
std::string branch_item(const DiffFile& file, const AnnotatedSource::Branch& branch) {
  std::string to = branch.arc.to < 0 ? "→ exit" : fmt::format("→ {}", branch.arc.to);
  auto known = file.source.kernel_branches.find(branch.arc);
  std::string why = known == file.source.kernel_branches.end() ? "" : known->second.why;
  return fmt::format(
      "<li class=\"{0}\"><b>{1}</b> <span class=\"to\">{2}</span> <span class=\"what\">{3}</span>{4}</li>",
      branch.taken ? "yes" : "no", branch.taken ? "✓" : "✗", to, html_text(branch.what),
      branch.taken ? ""
                   : fmt::format(" <span class=\"who\">– {}</span>", why.empty() ? "never taken" : html_text(why)));
}

/// Button "12↛15, exit" and its pop-over with all branches of the line.
std::string branches_html(const DiffFile& file, int32_t line) {
  const std::vector<int32_t>& missing = file.source.missing_branches.at(line);
  const std::string text = fmt::format("{}↛{}", line, destinations(missing));
  auto all = file.source.branches.find(line);
  if (all == file.source.branches.end()) return fmt::format("<span class=\"never\">{}</span>", never_jumped(missing));
  std::string items;
  for (const AnnotatedSource::Branch& branch : all->second) items += branch_item(file, branch);
  const std::string id = anchor_id(file.path, line) + ":B";
  const std::string label =
      fmt::format("Branches of line {}: {} of {} taken", line, all->second.size() - missing.size(), all->second.size());
  return fmt::format(
      "<button type=\"button\" class=\"chip partly\" popovertarget=\"{0}\" title=\"{1}\" "
      "aria-label=\"{1}\">{2}</button><div popover class=\"pop\" id=\"{0}\" role=\"dialog\" "
      "aria-label=\"Branches of line {3}\"><h3><b>Line {3}</b> · {4} of {5} branches taken</h3>"
      "<ul class=\"edges\">{6}</ul></div>",
      id, label, text, line, all->second.size() - missing.size(), all->second.size(), items);
}

/// Unchanged lines: a fold with their states, unless there are too many for a page of many files.
std::string gap(const DiffFile& file, Hunk lines, bool kernels) {
  constexpr int32_t kMostLines = 1000;
  const int32_t n = lines.last - lines.first + 1;
  const std::string what = plural(n, "line") + " not changed";
  std::string content = what;
  if (n <= kMostLines) {
    content = fmt::format("<details><summary>{}</summary><pre>", what);
    for (int32_t line = lines.first; line <= lines.last; ++line) {
      const auto i = static_cast<size_t>(line) - 1;
      const char* kernel = !kernels ? "" : (file.source.origins[i] & kKernel) != 0 ? " K" : "  ";
      content += fmt::format("{:>6}  {}{}  {}\n", line, mark_of(file.source, line).glyph, kernel,
                             html_text(file.source.lines[i]));
    }
    content += "</pre></details>";
  }
  return fmt::format("<tr class=\"gap\"><td colspan=\"{}\"><div>{}</div></td></tr>\n", kernels ? 5 : 4, content);
}

std::string row(const DiffFile& file, int32_t line, const LineFlags& flags, bool kernels,
                const std::vector<ColorSpan>& colors, const DecisionsByLine& decisions, bool gradients) {
  auto i = static_cast<size_t>(line) - 1;
  LineState state = file.source.state(line);
  const LineMark mark = mark_of(file.source, line);
  bool changed = flags.changed[i];
  std::string out = fmt::format("<tr id=\"{}\" class=\"{} {}{}\"><td class=\"n\"><a href=\"{}\">{}</a></td>",
                                anchor_id(file.path, line),
                                flags.counted[i] ? "new"
                                : flags.lost[i]  ? "lost"
                                : changed        ? "txt"
                                                 : "old",
                                css_class(state), mark.kernel_css, anchor_href(file.path, line), line);
  out += changed ? "<td class=\"d\"><span role=\"img\" aria-label=\"changed\">+</span></td>" : "<td class=\"d\"></td>";
  out += fmt::format("<td class=\"g\"><span role=\"img\" aria-label=\"{0}\" title=\"{0}\">{1}</span></td>",
                     html_text(mark.words), mark.glyph);
  if (kernels)
    out += (file.source.origins[i] & kKernel) != 0 ? "<td class=\"o\"><span role=\"img\" aria-label=\"ran in a "
                                                     "kernel\" title=\"ran in a kernel\">K</span></td>"
           : mark.missing_in_kernel                ? "<td class=\"o\"><span role=\"img\" aria-label=\"did not run in a "
                                                     "kernel\" title=\"did not run in a kernel\">𝕂</span></td>"
                                                   : "<td class=\"o\"></td>";
  out += "<td class=\"c\">" + color_line(file.source.lines[i], colors);
  if (auto found = decisions.find(line); found != decisions.end())
    out += conditions_html(found->second, line, anchor_id(file.path, line) + ":C");
  if (std::string why = reason_beside(file.source, line); !why.empty())
    out += fmt::format("<span class=\"never\">{}</span>", html_text(why));
  if (flags.lost[i] && file.source.first_lines[i] == line)
    out += fmt::format("<span class=\"never lost\">{}</span>", kLostTag);
  if (std::string gap = file.arch_gap_of(line); !gap.empty())
    out += fmt::format("<span class=\"never\">{}</span>", html_text(gap));
  if (gradients && std::ranges::binary_search(file.gradients.missing, line))
    out += fmt::format("<span class=\"never\">{}</span>", kNeverDifferentiated);
  if (file.source.missing_branches.contains(line)) out += branches_html(file, line);
  if (auto count = file.source.missing_counts.find(line); count != file.source.missing_counts.end())
    out += fmt::format("<span class=\"never\">{}</span>", never_taken(count->second));
  return out + "</td></tr>\n";
}

}  // namespace

const char* css_class(LineState state) {
  switch (state) {
    case LineState::NotStatement: return "non";
    case LineState::Covered: return "cov";
    case LineState::Partial: return "par";
    case LineState::Missing: return "mis";
    case LineState::Excluded: return "exc";
  }
  return "";
}

std::string diff_file_html(const DiffFile& file, const DiffCoverage& coverage, const DiffStyle& style) {
  const int64_t lacking = file.total() - file.covered(coverage.branches);
  std::string out =
      fmt::format("<section class=\"file\" id=\"{}\" aria-label=\"{}\">\n<h2><a href=\"{}\">{}</a>",
                  anchor_id(file.path), html_text(file.path), anchor_href(file.path), html_path(file.path));
  if (file.source.has_kernel_lines()) out += "<span class=\"chip kernel\">kernel</span>";
  out += full_report_link(file, style);
  if (!file.measured()) {
    out += "<span class=\"chip none push\">not measured</span>";
  } else {
    int64_t total = file.total();
    if (!file.lost.empty())
      out += fmt::format("<span class=\"chip bad push\">✗ {} lost</span>",
                         plural(static_cast<int64_t>(file.lost.size()), "unchanged line"));
    if (total > 0)
      out += fmt::format("<span class=\"chip {}{}\">{}</span>", quality(total - lacking, total),
                         file.lost.empty() ? " push" : "",
                         lacking == 0 ? "✓ all covered" : fmt::format("✗ {} of {} missing", lacking, total));
  }
  out += "</h2>\n<div class=\"scroll\">\n<table class=\"code\">\n";
  LineFlags flags = line_flags(file);
  auto colors = source_colors(file.path, file.source.lines);
  DecisionsByLine decisions = by_line(file.decisions);
  bool kernels = file.source.has_kernel_lines() || !file.source.kernel_lines.empty();
  int32_t shown_to = 0;
  for (Hunk hunk : hunks(file, kLinesAroundOnPages)) {
    if (hunk.first > shown_to + 1) out += gap(file, {shown_to + 1, hunk.first - 1}, kernels);
    for (int32_t line = hunk.first; line <= hunk.last; ++line)
      out += row(file, line, flags, kernels, colors[static_cast<size_t>(line) - 1], decisions, coverage.gradients);
    shown_to = hunk.last;
  }
  if (shown_to < file.source.n_lines()) out += gap(file, {shown_to + 1, file.source.n_lines()}, kernels);
  return out + "</table>\n</div>\n</section>\n";
}

}  // namespace qd::report
