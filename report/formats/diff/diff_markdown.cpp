// Markdown format for a pull request. GitHub takes 65,536 characters; a longer report drops details, least important
// first.
//
//   <!-- qd-cov diff -->
//   ### 🔴 Diff coverage: 88%, below 90%
//   | File | Coverage | Missing |
//   |:-----|---------:|:--------|
//   | 🔴 `pkg/grid.py` | 75% | 31-33 |
//   604 lines, 55 missing · Overall: 74%
//   <details><summary><code>pkg/grid.py</code>: 3 missing</summary>   one for each file with missing lines: these,
//                                                                     with the lines around them
//   <sub>✓ covered · ✗ missing ...</sub>
//
// If the page of all files has a URL, the totals and the files of the table link to it.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_arch_parts.h"
#include "report/formats/diff/diff_base_parts.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/diff/diff_parts.h"
#include "report/formats/diff/diff_result.h"
#include "report/formats/diff/hunks.h"
#include "report/formats/diff/markdown_escapes.h"
#include "report/formats/diff/marks.h"
#include "report/formats/html/condition_parts.h"
#include "report/gate/gate.h"

namespace qd::report {
namespace {

constexpr size_t kMaxCharacters = 65'536;
constexpr size_t kReserve = 256;  // for text that a bot puts around it

constexpr std::string_view kSeparator = " · ";

/// Numbers of the change and of all files, each behind kSeparator: " · 15 lines, 4 missing · Overall: 74%".
std::string totals(const DiffCoverage& coverage, const DiffStyle& style) {
  std::string text;
  if (coverage.has_lines())
    text += fmt::format(" · {}, {} missing", plural(coverage.total(), "line"), coverage.missing());
  if (coverage.overall)
    text += fmt::format(" · Overall: {}%", coverage.overall->pc_covered_str(style.config.precision));
  if (coverage.has_lines())
    for (const InputCoverage& input : coverage.inputs)
      text += fmt::format(" · {}: {}%", markdown_code(input.name), percent(input.covered, input.total));
  for (const ArchTotal& total : device_totals(coverage))
    text += fmt::format(" · {}: {}%", markdown_text(total.arch), percent(total.covered, total.total));
  const std::string not_measured = plural(static_cast<int64_t>(coverage.not_measured.size()), "file") + " not measured";
  const std::vector<std::string> missed = missed_gates(coverage, style);
  if (!coverage.not_measured.empty() && std::ranges::find(missed, not_measured) == missed.end())
    text += " · " + not_measured;
  if (coverage.conditions) {
    ConditionNumbers n = coverage.condition_numbers();
    if (n.n_outcomes > 0)
      text +=
          fmt::format(" · Conditions: {}%, {} of {} · MC/DC: {}%, {} of {}", percent(n.n_seen_outcomes(), n.n_outcomes),
                      n.n_seen_outcomes(), plural(n.n_outcomes, "outcome"), percent(n.n_shown_mcdc(), n.n_mcdc),
                      n.n_shown_mcdc(), plural(n.n_mcdc, "condition"));
  }
  if (coverage.gradients) {
    const GradientNumbers n = coverage.gradient_numbers();
    if (n.n_lines > 0)
      text += fmt::format(" · Gradients: {}%, {} of {} never differentiated", percent(n.n_differentiated(), n.n_lines),
                          n.n_missing, plural(n.n_lines, "line"));
  }
  if (coverage.base) {
    text += fmt::format(" · Base: {}", base_totals(*coverage.base).substr(std::string_view("coverage ").size()));
    if (coverage.base->lost() > 0)
      text += fmt::format(", {} lost coverage", plural(coverage.base->lost(), "unchanged line"));
  }
  if (missed.size() > kMostGatesInHeading)
    for (size_t i = 1; i < missed.size(); ++i) text += " · " + markdown_text(missed[i]);
  for (const GateResult& gate : style.gates)
    if (!gate.reached && gate.is_warning && gate.what != kDataGate) text += " · " + markdown_text(gate_words(gate));
  return text;
}

/// Whether readers of a comment can open the address of the page of all files: a path of this machine is useless to
/// them.
bool links_to_full_report(const DiffStyle& style) {
  return style.full_report.starts_with("https://") || style.full_report.starts_with("http://");
}

/// Amount of detail. Each step of `kSteps` shows less.
struct Detail {
  int32_t context;       // lines around the missing ones
  size_t code_files;     // files whose code is shown, those with the most missing lines first
  size_t rows;           // rows of the table, likewise
  size_t missing_chars;  // largest length of a Missing cell
};

constexpr size_t kAll = static_cast<size_t>(-1);

class MarkdownWriter {
 public:
  MarkdownWriter(const DiffCoverage& coverage, const DiffStyle& style) : coverage_(coverage), style_(style) {
    by_missing_.resize(coverage.files.size());
    std::iota(by_missing_.begin(), by_missing_.end(), size_t{0});
    auto lacks = [&](size_t i) {
      const DiffFile& file = coverage_.files[i];
      int64_t n = file.total() - file.covered(coverage_.branches) + static_cast<int64_t>(file.lost.size());
      for (const ArchGap& gap : file.arch_gaps) n += static_cast<int64_t>(gap.lines.size());
      return n;
    };
    std::sort(by_missing_.begin(), by_missing_.end(),
              [&](size_t a, size_t b) { return std::pair(-lacks(a), a) < std::pair(-lacks(b), b); });
  }

  std::string write(const Detail& detail) const {
    std::string out = "<!-- qd-cov diff -->\n";
    out += headline();
    out += table(detail);
    std::string numbers = totals(coverage_, style_);
    if (links_to_full_report(style_))
      numbers += fmt::format(" · [Full report]({})", markdown_address(style_.full_report));
    if (!numbers.empty()) out += fmt::format("\n{}\n", numbers.substr(kSeparator.size()));
    out += not_measured(detail);
    out += devices(detail);
    out += against_base(detail);
    out += all_code(detail);
    for (const std::string& note : coverage_.notes) out += fmt::format("\n_{}_\n", markdown_text(note));
    out += fmt::format("\n<sub>{}</sub>\n",
                       provenance(coverage_, [](const std::string& name) { return markdown_code(name); }));
    return out;
  }

 private:
  std::string headline() const {
    std::string mark = style_.reached() ? "🟢" : "🔴";
    if (style_.gates.empty())
      mark = coverage_.has_lines() ? light(coverage_.covered(), coverage_.total(), style_) : "⚪";
    return fmt::format("### {} {}\n", mark, markdown_text(result_words(coverage_, style_)));
  }

  std::set<size_t> most_missing(size_t n) const {
    return {by_missing_.begin(), by_missing_.begin() + static_cast<ptrdiff_t>(std::min(n, by_missing_.size()))};
  }

  std::string table(const Detail& detail) const {
    if (coverage_.files.empty()) return "";
    std::set<size_t> shown = most_missing(detail.rows);
    std::string out = "\n| File | Coverage | Missing |\n|:-----|---------:|:--------|\n";
    for (size_t i : shown) {
      const DiffFile& file = coverage_.files[i];
      int64_t total = file.total();
      int64_t covered = file.covered(coverage_.branches);
      std::string missing = file.missing_formatted(coverage_.branches);
      missing = cut(missing, detail.missing_chars);
      for (size_t at = 0; (at = missing.find('>', at)) != std::string::npos; at += 4) missing.replace(at, 1, "&gt;");
      std::string name = markdown_cell_code(file.path);
      if (const std::string address = full_report_address(file, style_);
          links_to_full_report(style_) && !address.empty())
        name = fmt::format("[{}]({})", name, markdown_address(address));
      out +=
          fmt::format("| {} {} | {}% | {} |\n", light(covered, total, style_), name, percent(covered, total), missing);
    }
    if (shown.size() < coverage_.files.size()) {
      int64_t missing = coverage_.missing();
      for (size_t i : shown) missing -= coverage_.files[i].total() - coverage_.files[i].covered(coverage_.branches);
      out += fmt::format("| … and {} | | {} missing |\n",
                         plural(static_cast<int64_t>(coverage_.files.size() - shown.size()), "more file"), missing);
    }
    return out;
  }

  std::string not_measured(const Detail& detail) const {
    if (coverage_.not_measured.empty()) return "";
    std::string out = "\n⚪ Not measured: ";
    size_t n = std::min(detail.rows, coverage_.not_measured.size());
    for (size_t i = 0; i < n; ++i) {
      const DiffFile& file = coverage_.not_measured[i];
      out += fmt::format("{}{} ({})", i == 0 ? "" : ", ", markdown_code(file.path),
                         file.not_measured == "no data" ? plural(file.unmeasured_statements, "changed line")
                                                        : markdown_text(file.not_measured));
    }
    if (n < coverage_.not_measured.size())
      out +=
          fmt::format("{}{}", n == 0 ? "" : " and ",
                      plural(static_cast<int64_t>(coverage_.not_measured.size() - n), n == 0 ? "file" : "more file"));
    return out + "\n";
  }

  /// Section of lines that ran on one device and never on another.
  std::string devices(const Detail& detail) const {
    std::string out;
    for (const ArchGapFiles& gap : arch_gap_files(coverage_)) {
      out += fmt::format("\n<details open><summary>🟡 {}</summary>\n", escape_html(arch_gap_headline(gap)));
      const size_t n = std::min(detail.rows, gap.files.size());
      if (n > 0) out += "\n| File | Lines |\n|:-----|:------|\n";
      for (size_t i = 0; i < n; ++i)
        out += fmt::format("| {} | {} |\n", markdown_cell_code(gap.files[i].file->path),
                           cut(gap.files[i].lines, detail.missing_chars));
      if (n > 0 && n < gap.files.size())
        out += fmt::format("| … and {} | |\n", plural(static_cast<int64_t>(gap.files.size() - n), "more file"));
      out += "\n</details>\n";
    }
    return out;
  }

  /// Section of the base comparison, lost lines first; open when there are some.
  std::string against_base(const Detail& detail) const {
    if (!coverage_.base) return "";
    const BaseCoverage& base = *coverage_.base;
    std::string out =
        fmt::format("\n<details{}><summary>{} Against the base: {}, {}</summary>\n", base.lost() > 0 ? " open" : "",
                    base.lost() > 0     ? "🔴"
                    : base.gained() > 0 ? "🟢"
                                        : "⚪",
                    base_totals(base), lost_and_gained(base));
    std::vector<const BaseFile*> files = lost_and_gained_files(base);
    size_t n = std::min(detail.rows, files.size());
    if (n > 0) out += "\n| File | Lost | Gained |\n|:-----|:-----|:-------|\n";
    for (size_t i = 0; i < n; ++i)
      out += fmt::format("| {} {} | {} | {} |\n", files[i]->of(Category::LBC).empty() ? "🟢" : "🔴",
                         markdown_cell_code(files[i]->path), cut(files[i]->lost_text, detail.missing_chars),
                         cut(files[i]->gained_text, detail.missing_chars));
    if (n > 0 && n < files.size())
      out += fmt::format("| … and {} | | |\n", plural(static_cast<int64_t>(files.size() - n), "more file"));
    std::vector<Category> used = used_categories(base);
    if (!used.empty())
      out += fmt::format("\n| Category | Lines |{}\n|:---------|------:|{}\n", base.branches ? " Branches |" : "",
                         base.branches ? "---------:|" : "");
    for (Category category : used)
      out += fmt::format("| {}: {} | {} |{}\n", category_code(category), category_name(category), base.count(category),
                         base.branches ? fmt::format(" {} |", base.count_branches(category)) : "");
    return out + "\n</details>\n";
  }

  /// Cuts a list of lines to `most` characters.
  static std::string cut(const std::string& list, size_t most) {
    if (list.size() <= most) return list;
    size_t at = list.rfind(", ", most);
    return list.substr(0, at == std::string::npos ? 0 : at + 2) + "…";
  }

  std::string all_code(const Detail& detail) const {
    std::set<size_t> shown = most_missing(detail.code_files);
    std::string out;
    size_t left_out = 0, n_shown = std::min(detail.code_files, coverage_.lost_elsewhere.size());
    for (size_t i = 0; i < n_shown; ++i)
      out += file_code(coverage_.lost_elsewhere[i], missing_hunks(coverage_.lost_elsewhere[i], detail.context));
    left_out += coverage_.lost_elsewhere.size() - n_shown;
    for (size_t i = 0; i < coverage_.files.size(); ++i) {
      const DiffFile& file = coverage_.files[i];
      std::vector<Hunk> pieces = missing_hunks(file, detail.context, coverage_.gradients);
      if (pieces.empty()) continue;
      if (!shown.contains(i)) {
        ++left_out;
        continue;
      }
      out += file_code(file, pieces);
      ++n_shown;
    }
    if (n_shown > 0) out += legend();
    if (left_out > 0 && n_shown > 0)
      out += fmt::format("\n<sub>The code of {} is left out.</sub>\n",
                         plural(static_cast<int64_t>(left_out), "more file"));
    return out;
  }

  /// Legend of the signs beside the code.
  std::string legend() const {
    std::string out = "\n<sub>";
    for (LineState state : {LineState::Covered, LineState::Missing, LineState::Partial, LineState::Excluded})
      out += fmt::format("{} {} · ", glyph(state), word(state));
    bool kernels = false, states = false;
    for (const DiffFile& file : coverage_.files) {
      kernels = kernels || file.source.has_kernel_lines();
      states = states || !file.source.kernel_lines.empty();
    }
    if (kernels) out += "k ran in a kernel · ";
    if (states) out += "? not measured, ○ not compiled (kernels) · ";
    if (coverage_.conditions) out += "◇ condition · ";
    return out + "coloured: changed</sub>\n";
  }

  std::string file_code(const DiffFile& file, const std::vector<Hunk>& pieces) const {
    int64_t lacking = file.total() - file.covered(coverage_.branches);
    LineFlags flags = line_flags(file);
    bool kernels = file.source.has_kernel_lines();
    std::map<int32_t, std::string> notes = condition_notes(file.decisions, file.missing);
    std::string body;
    for (size_t h = 0; h < pieces.size(); ++h) {
      if (h > 0) body += "        ⋮\n";
      for (int32_t line = pieces[h].first; line <= pieces[h].last; ++line)
        body += code_line(file, line, flags, kernels, notes);
    }
    // A fence must be longer than any run of backticks in it.
    std::string fence = "```";
    while (body.find(fence) != std::string::npos) fence += '`';
    std::string words = lacking == 0 ? "all covered" : fmt::format("{} missing", lacking);
    for (const ArchGap& gap : file.arch_gaps) words += fmt::format("; {} {}", gap.lines.size(), visible(gap.words()));
    if (!file.lost.empty()) words = fmt::format("{}{} lost", file.total() == 0 ? "" : words + ", ", file.lost.size());
    return fmt::format("\n<details><summary>{} {}: {}</summary>\n\n{}diff\n{}{}\n\n</details>\n",
                       file.lost.empty() ? light(file.covered(coverage_.branches), file.total(), style_) : "🔴",
                       html_code(file.path), escape_html(words), fence, body, fence);
  }

  // The language "diff" colours a line by its first character.
  std::string code_line(const DiffFile& file, int32_t line, const LineFlags& flags, bool kernels,
                        const std::map<int32_t, std::string>& notes) const {
    auto i = static_cast<size_t>(line) - 1;
    LineState state = file.source.state(line);
    char color = ' ';
    if (flags.counted[i] && state == LineState::Covered) color = '+';
    if (flags.counted[i] && state == LineState::Partial) color = '!';
    if ((flags.counted[i] || flags.lost[i]) && state == LineState::Missing) color = '-';
    auto note = notes.find(line);
    const int32_t first = file.source.first_lines[i];
    const bool never = coverage_.gradients && std::ranges::binary_search(file.gradients.missing, first);
    if ((note != notes.end() || never || !file.arch_gap_of(first).empty()) && color == '+') color = '!';
    std::string text = fmt::format("{}{}{:>5}", color, mark_of(file.source, line).glyph, line);
    if (kernels) text += (file.source.origins[i] & kKernel) != 0 ? " k" : "  ";
    text += fmt::format(" {}", visible(file.source.lines[i]));
    if (std::string why = reason_beside(file.source, line); !why.empty()) text += "  ← " + visible(why);
    if (flags.lost[i] && file.source.first_lines[i] == line) text += fmt::format("  ← {}", kLostTag);
    auto partial = file.source.missing_branches.find(line);
    if (partial != file.source.missing_branches.end()) text += fmt::format("  ◐ {}", never_jumped(partial->second));
    if (auto count = file.source.missing_counts.find(line); count != file.source.missing_counts.end())
      text += fmt::format("  ◐ {}", never_taken(count->second));
    if (std::string gap = file.arch_gap_of(line); !gap.empty()) text += fmt::format("  ← {}", visible(gap));
    if (never && first == line) text += fmt::format("  {}", kNeverDifferentiated);
    if (note != notes.end()) text += "  ◇ " + visible(note->second);
    while (text.ends_with(' ')) text.pop_back();
    return text + "\n";
  }

  const DiffCoverage& coverage_;
  const DiffStyle& style_;
  std::vector<size_t> by_missing_;
};

}  // namespace

std::string diff_markdown(const DiffCoverage& coverage, const DiffStyle& style) {
  MarkdownWriter writer(coverage, style);
  size_t n = coverage.files.size();
  std::vector<Detail> steps = {{3, kAll, kAll, kAll}, {1, kAll, kAll, kAll}, {0, kAll, kAll, 400}};
  for (size_t files = std::max(n, coverage.lost_elsewhere.size()) / 2; files > 0; files /= 2)
    steps.push_back({0, files, kAll, 200});
  steps.push_back({0, 0, kAll, 20});
  size_t most_rows = n + coverage.not_measured.size() + (coverage.base ? coverage.base->files.size() : 0);
  for (size_t rows = most_rows; rows > 0; rows /= 2) steps.push_back({0, 0, rows, 80});
  steps.push_back({0, 0, 0, 80});
  std::string text;
  for (const Detail& step : steps) {
    text = writer.write(step);
    if (utf16_length(text) + kReserve <= kMaxCharacters) break;
  }
  return text;
}

std::string diff_markdown_summary(const DiffCoverage& coverage, const DiffStyle& style) {
  return fmt::format("**{}**{}\n", markdown_text(result_words(coverage, style)), totals(coverage, style));
}

}  // namespace qd::report
