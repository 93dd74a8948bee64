// Terminal format of diff coverage: a table of the changed files and the totals, like diff-cover's:
//
//   Diff Coverage
//   Diff: main...HEAD, staged and unstaged changes
//   ----------------------------------------------------
//   File             Lines  Missing   Cover               Missing lines
//   pkg/grid.py         12        3     75%  ██████░░     31-33
//   ----------------------------------------------------
//   Total:    12 lines
//   Missing:  3 lines
//   Coverage: 75%
#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/terminal.h"
#include "report/formats/common/text.h"
#include "report/formats/diff/diff_arch_parts.h"
#include "report/formats/diff/diff_base_parts.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/html/condition_parts.h"

namespace qd::report {
namespace {

constexpr size_t kMostGained = 10;  // largest number of files without lost lines that are listed

std::string shown_name(const DiffFile& file) {
  return file.old_path.empty() ? visible(file.path)
                               : fmt::format("{} (was {})", visible(file.path), visible(file.old_path));
}

/// Table of the coverage by each of several inputs.
std::string inputs(const DiffCoverage& coverage) {
  size_t width = 0;
  for (const InputCoverage& input : coverage.inputs) width = std::max(width, display_width(visible(input.name)));
  std::string out;
  for (const InputCoverage& input : coverage.inputs) {
    std::string name = visible(input.name) + ":";
    out += fmt::format("{}{} {}%, {} of {}\n", name, std::string(width + 1 - display_width(name), ' '),
                       percent(input.covered, input.total), input.covered, plural(input.total, "line"));
  }
  return out;
}

/// Totals of conditions, and the missing ones.
std::string conditions(const DiffCoverage& coverage) {
  ConditionNumbers n = coverage.condition_numbers();
  if (n.n_decisions == 0) return "Conditions: none in the changed lines\n";
  std::string out = fmt::format("Conditions: {}%, {} of {} outcomes seen\n", percent(n.n_seen_outcomes(), n.n_outcomes),
                                n.n_seen_outcomes(), n.n_outcomes);
  out += fmt::format("MC/DC: {}%, {} of {} shown to decide alone\n", percent(n.n_shown_mcdc(), n.n_mcdc),
                     n.n_shown_mcdc(), plural(n.n_mcdc, "condition"));
  for (const DiffFile& file : coverage.files)
    for (const auto& [line, text] : missing_conditions(file.decisions, file.missing))
      out += fmt::format("  {}:{}: {}\n", visible(file.path), line, visible(text));
  return out;
}

/// Total of gradients, and the lines that ran and were never differentiated.
std::string gradients(const DiffCoverage& coverage, const Painter& painter, size_t width) {
  const GradientNumbers n = coverage.gradient_numbers();
  if (n.n_lines == 0) return "Gradients: no derivative passes through the changed lines that ran\n";
  std::string out = fmt::format("Gradients: {}%, {} of {} differentiated\n", percent(n.n_differentiated(), n.n_lines),
                                n.n_differentiated(), plural(n.n_lines, "line"));
  if (n.n_missing > 0) out += painter.paint("33", "Ran, never differentiated:") + "\n";
  for (const DiffFile& file : coverage.files) {
    if (file.gradients.missing.empty()) continue;
    const std::string head = fmt::format("  {}: ", visible(file.path));
    out += fmt::format("{}{}\n", head, wrapped(file.formatted(file.gradients.missing), display_width(head), width));
  }
  return out;
}

/// Table of the coverage on each device, and the lines that never ran on one.
std::string devices(const DiffCoverage& coverage, const Painter& painter, size_t width) {
  std::string out;
  size_t name_width = 0;
  const std::vector<ArchTotal> totals = device_totals(coverage);
  for (const ArchTotal& total : totals) name_width = std::max(name_width, display_width(visible(total.arch)));
  for (const ArchTotal& total : totals) {
    std::string name = visible(total.arch) + ":";
    name += std::string(name_width + 1 - display_width(name), ' ');
    if (total.total == 0)
      out += fmt::format("On {} no changed lines of kernels\n", name);
    else
      out += fmt::format("On {} {}%, {} of {} of kernels\n", name, percent(total.covered, total.total), total.covered,
                         plural(total.total, "line"));
  }
  for (const ArchGapFiles& gap : arch_gap_files(coverage)) {
    out += painter.paint("33", arch_gap_headline(gap)) + "\n";
    for (const ArchGapFiles::FileLines& place : gap.files) {
      std::string head = fmt::format("  {}: ", visible(place.file->path));
      out += fmt::format("{}{}\n", head, wrapped(place.lines, display_width(head), width));
    }
  }
  return out;
}

/// Section of lines that were lost and gained, lost ones first, and the categories.
std::string against_base(const BaseCoverage& base, const Painter& painter, size_t width) {
  std::string out =
      fmt::format("Against {} (commit {}): {}\n", visible(base.name), base.commit.substr(0, 10), base_totals(base));
  const char* color = base.lost() > 0 ? "31" : base.gained() > 0 ? "32" : "0";
  std::string sentence = lost_and_gained(base);
  out += fmt::format("  {}\n", base.lost() + base.gained() > 0 ? painter.paint(color, sentence) : sentence);
  size_t n_gained = 0;
  for (const BaseFile* file : lost_and_gained_files(base)) {
    if (file->lost_text.empty() && ++n_gained > kMostGained) continue;
    auto list = [&](const char* what, const char* its_color, const std::string& lines) {
      if (lines.empty()) return;
      std::string head = fmt::format("  {} {}: ", what, visible(file->path));
      out += fmt::format("  {} {}: {}\n", painter.paint(its_color, what), visible(file->path),
                         wrapped(lines, display_width(head), width));
    };
    list("lost  ", "31", file->lost_text);
    list("gained", "32", file->gained_text);
  }
  if (n_gained > kMostGained)
    out += fmt::format("  gained in {}\n", plural(static_cast<int64_t>(n_gained - kMostGained), "more file"));
  if (std::vector<Category> used = used_categories(base); !used.empty()) {
    out += painter.paint("1", fmt::format("  {:<33}{:>7}{}", "Category", "Lines", base.branches ? "  Branches" : "")) +
           "\n";
    for (Category category : used) {
      out += fmt::format("  {}  {:<28}{:>7}", category_code(category), category_name(category), base.count(category));
      if (base.branches) out += fmt::format("{:>10}", base.count_branches(category));
      out += "\n";
    }
  }
  return out;
}

}  // namespace

std::string diff_terminal(const DiffCoverage& coverage, const DiffStyle& style) {
  Painter painter{style.color};
  size_t name_width = 4;
  for (const auto* files : {&coverage.files, &coverage.not_measured})
    for (const DiffFile& file : *files) name_width = std::max(name_width, display_width(shown_name(file)));
  constexpr size_t kLinesWidth = 5;
  constexpr size_t kNumbersWidth = kLinesWidth + 2 + 9 + 8 + 2 + kBarWidth + 2, kLeastName = 16, kLeastMissing = 18;
  const auto screen = static_cast<size_t>(style.width);
  if (name_width + kNumbersWidth + kLeastMissing > screen)  // names are cut before lists become too narrow to read
    name_width = std::max(kLeastName, screen - std::min(screen, kNumbersWidth + kLeastMissing));
  size_t indent = name_width + kNumbersWidth;
  auto pad = [](const std::string& text, size_t width) {
    return text + std::string(width - std::min(width, display_width(text)), ' ');
  };

  bool any_missing = false;
  for (const DiffFile& file : coverage.files)
    any_missing = any_missing || file.covered(coverage.branches) < file.total();
  std::string head =
      fmt::format("{}  {:>{}}  {:>7}  {:>6}", pad("File", name_width), "Lines", kLinesWidth, "Missing", "Cover");
  if (any_missing) head = pad(head, indent) + "Missing lines";

  size_t rule_width =
      coverage.files.empty() && coverage.not_measured.empty() ? 60 : head.size() + (any_missing ? 0 : kBarWidth + 2);
  std::string rule(rule_width, '-');
  std::string out = painter.paint("1", "Diff Coverage") + "\n";
  out += fmt::format("Diff: {}\n{}\n", visible(coverage.title), rule);
  if (!coverage.files.empty() || !coverage.not_measured.empty()) {
    out += painter.paint("1", head) + "\n";
    for (const DiffFile& file : coverage.files) {
      int64_t total = file.total();
      int64_t covered = file.covered(coverage.branches);
      const char* color = painter.quality(covered, total);
      out += fmt::format("{}  {:>{}}  {:>7}  {}  {}", pad(shortened_path(shown_name(file), name_width), name_width),
                         total, kLinesWidth, total - covered,
                         painter.paint(color, fmt::format("{:>6}", percent(covered, total) + "%")),
                         painter.paint(color, bar(covered, total)));
      if (covered < total)
        out += fmt::format(
            "  {}", wrapped(file.missing_formatted(coverage.branches), indent, static_cast<size_t>(style.width)));
      out += '\n';
    }
    for (const DiffFile& file : coverage.not_measured)
      out += fmt::format("{}  {:>{}}  {:>7}  {}\n", pad(shortened_path(shown_name(file), name_width), name_width),
                         file.unmeasured_statements, kLinesWidth, "?",
                         painter.paint("35", fmt::format("not measured: {}", visible(file.not_measured))));
    out += rule + "\n";
  }
  if (coverage.has_lines()) {
    std::string percentage = percent(coverage.covered(), coverage.total()) + "%";
    out += fmt::format("Total:   {}\n", plural(coverage.total(), "line"));
    out += fmt::format("Missing: {}\n", plural(coverage.missing(), "line"));
    out +=
        fmt::format("Coverage: {}\n", painter.paint(painter.quality(coverage.covered(), coverage.total()), percentage));
    out += inputs(coverage);
  } else {
    out += "No lines with coverage information in this diff.\n";
  }
  if (!coverage.not_measured.empty()) {
    int64_t lines = 0;
    for (const DiffFile& file : coverage.not_measured) lines += file.unmeasured_statements;
    out += fmt::format("Not measured: {} in {}\n", plural(lines, "line"),
                       plural(static_cast<int64_t>(coverage.not_measured.size()), "file"));
  }
  out += devices(coverage, painter, static_cast<size_t>(style.width));
  if (coverage.conditions) out += conditions(coverage);
  if (coverage.gradients) out += gradients(coverage, painter, static_cast<size_t>(style.width));
  if (coverage.base) out += against_base(*coverage.base, painter, static_cast<size_t>(style.width));
  for (const std::string& note : coverage.notes) out += fmt::format("Note: {}\n", visible(note));
  return out;
}

}  // namespace qd::report
