// Diff coverage as one self-contained page: the numbers, a table of the files, and the changed code of each.
#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_arch_parts.h"
#include "report/formats/diff/diff_base_parts.h"
#include "report/formats/diff/diff_code_html.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/diff/diff_parts.h"
#include "report/formats/diff/marks.h"
#include "report/formats/html/condition_parts.h"
#include "report/formats/html/html_parts.h"

namespace qd::report {
namespace {

std::string shown(const std::string& text) { return escape_html(visible(text)); }

class Page {
 public:
  Page(const DiffCoverage& coverage, const DiffStyle& style) : coverage_(coverage), style_(style) {}

  std::string write() {
    std::string body;
    for (const std::string& note : coverage_.notes) body += fmt::format("<p class=\"note\">{}</p>\n", shown(note));
    body += coverage_.files.empty() && coverage_.not_measured.empty()
                ? "<p class=\"empty\">No lines with coverage information in this diff.</p>\n"
                : table() + legend();
    body += devices();
    body += against_base();
    for (const DiffFile& file : coverage_.files) body += diff_file_html(file, coverage_, style_);
    for (const DiffFile& file : coverage_.not_measured) body += diff_file_html(file, coverage_, style_);
    for (const DiffFile& file : coverage_.lost_elsewhere) body += diff_file_html(file, coverage_, style_);

    bool any = coverage_.has_lines();
    std::string percentage = any ? percent(coverage_.covered(), coverage_.total()) + "%" : "–";
    return html_page("diff.html", {"style.css", "pops.css"}, {"page.js", "diff.js"},
                     {
                         {"title", shown(fmt::format("{} diff coverage", percentage))},
                         {"heading", "Diff coverage"},
                         {"percent", percentage},
                         {"quality", any ? quality(coverage_.covered(), coverage_.total()) : "none"},
                         {"figure_caption", any ? "of changed lines covered" : "no changed lines"},
                         {"subtitle", shown(coverage_.title)},
                         {"facts", facts()},
                         {"full_report", full_report()},
                         {"body", body},
                         {"condition_keys", coverage_.conditions ? kConditionKeys : ""},
                         {"footer", footer()},
                     });
  }

 private:
  std::string facts() const {
    std::string out;
    auto fact = [&](const std::string& number, const std::string& text) {
      out += fmt::format("<li><b>{}</b> {}</li>", number, text);
    };
    fact(std::to_string(coverage_.total()), coverage_.total() == 1 ? "changed line" : "changed lines");
    fact(std::to_string(coverage_.missing()), "missing");
    if (!coverage_.not_measured.empty())
      fact(std::to_string(coverage_.not_measured.size()),
           coverage_.not_measured.size() == 1 ? "file not measured" : "files not measured");
    if (coverage_.overall) fact(coverage_.overall->pc_covered_str(style_.precision) + "%", "overall coverage");
    if (coverage_.base) {
      fact(std::to_string(coverage_.base->lost()),
           coverage_.base->lost() == 1 ? "unchanged line lost coverage" : "unchanged lines lost coverage");
      fact(std::to_string(coverage_.base->gained()), "gained it");
    }
    if (coverage_.conditions) {
      ConditionNumbers n = coverage_.condition_numbers();
      fact(fmt::format("{} of {}", n.n_seen_outcomes(), n.n_outcomes), "outcomes of conditions");
      fact(fmt::format("{} of {}", n.n_shown_mcdc(), n.n_mcdc), "decide alone (MC/DC)");
    }
    if (coverage_.n_arch_gaps() > 0)
      fact(std::to_string(coverage_.n_arch_gaps()), coverage_.n_arch_gaps() == 1
                                                        ? "line ran on one device, never on another"
                                                        : "lines ran on one device, never on another");
    for (const GateResult& gate : style_.gates)
      out += fmt::format("<li><span class=\"chip {}\">{} {}</span></li>", gate.reached ? "good" : "bad",
                         gate.reached ? "✓" : "✗", shown(gate_words(gate)));
    return out;
  }

  std::string full_report() const {
    return style_.full_report.empty()
               ? ""
               : fmt::format("<a class=\"full\" href=\"{}\">Full report</a>\n      ", escape_html(style_.full_report));
  }

  std::string footer() const {
    return provenance(coverage_, [](const std::string& name) { return fmt::format("<code>{}</code>", shown(name)); }) +
           ". Made by qd-cov.";
  }

  std::string ranges(const DiffFile& file) const {
    return links(file.path, file.missing_formatted(coverage_.branches));
  }

  // "31-33" links to line 31.
  static std::string links(const std::string& path, const std::string& list) {
    std::string out;
    for (size_t at = 0; at < list.size();) {
      size_t end = std::min(list.find(", ", at), list.size());
      std::string piece = list.substr(at, end - at);
      out += fmt::format("{}<a href=\"{}\">{}</a>", out.empty() ? "" : ", ",
                         anchor_href(path, std::atoi(piece.c_str())), escape_html(piece));
      at = end + 2;
    }
    return out;
  }

  std::string name_cell(const DiffFile& file) const {
    std::string out =
        fmt::format("<td class=\"name\"><a href=\"{}\">{}</a>", anchor_href(file.path), html_path(file.path));
    if (!file.old_path.empty()) out += fmt::format(" <span class=\"was\">was {}</span>", html_path(file.old_path));
    return out + "</td>";
  }

  // What each of several inputs covers of the file's lines.
  std::string input_cells(const DiffFile& file) const {
    std::string out;
    for (const InputCoverage& input : coverage_.inputs) {
      auto found = input.missing.find(file.path);
      if (found == input.missing.end()) {
        out += "<td class=\"num\" title=\"it has no data of this file\">–</td>";
        continue;
      }
      auto total = static_cast<int64_t>(file.statements.size());
      out +=
          fmt::format("<td class=\"num\">{}%</td>", percent(total - static_cast<int64_t>(found->second.size()), total));
    }
    return out;
  }

  // What ran on each of several devices of the file's lines that it can run.
  std::string device_cells(const DiffFile& file) const {
    std::string out;
    for (const ArchTotal& device : devices_) {
      auto found = file.archs.find(device.arch);
      if (found == file.archs.end() || found->second.total() == 0) {
        out += "<td class=\"num device\" title=\"no lines of kernels\">–</td>";
        continue;
      }
      const ArchLines& lines = found->second;
      out +=
          fmt::format("<td class=\"num device\">{}%</td>", percent(lines.covered(coverage_.branches), lines.total()));
    }
    return out;
  }

  std::string device_totals_cells() const {
    std::string out;
    for (const ArchTotal& device : devices_)
      out += device.total == 0
                 ? "<td class=\"num device\">–</td>"
                 : fmt::format("<td class=\"num device\">{}%</td>", percent(device.covered, device.total));
    return out;
  }

  /// Lines that ran on one device and never on another.
  std::string devices() const {
    std::string out;
    for (const ArchGapFiles& gap : arch_gap_files(coverage_)) {
      if (out.empty())
        out =
            "<section class=\"base\" id=\"devices\" aria-labelledby=\"devices-title\">\n<h2 id=\"devices-title\">"
            "Devices</h2>\n";
      out += fmt::format(
          "<p class=\"sub\"><span class=\"chip part\">{}</span></p>\n<table class=\"files\">\n<thead><tr><th "
          "scope=\"col\">File</th><th scope=\"col\">Lines</th></tr></thead>\n<tbody>\n",
          shown(arch_gap_headline(gap)));
      for (const ArchGapFiles::Place& place : gap.files)
        out += fmt::format("<tr>{}<td class=\"ranges always\">{}</td></tr>\n", name_cell(*place.file),
                           links(place.file->path, place.lines));
      out += "</tbody>\n</table>\n";
    }
    return out.empty() ? out : out + "</section>\n";
  }

  std::string input_totals() const {
    std::string out;
    for (const InputCoverage& input : coverage_.inputs)
      out += fmt::format("<td class=\"num\">{}%</td>", percent(input.covered, input.total));
    return out;
  }

  static std::string unknown_cells(size_t n) {
    std::string out;
    for (size_t i = 0; i < n; ++i) out += "<td class=\"num\">?</td>";
    return out;
  }

  std::string condition_cells(const ConditionNumbers& n) const {
    if (!coverage_.conditions) return "";
    return fraction_cell(n.n_seen_outcomes(), n.n_outcomes) + fraction_cell(n.n_shown_mcdc(), n.n_mcdc);
  }

  std::string table() const {
    std::string out =
        "<table class=\"files\">\n<thead><tr><th scope=\"col\">File</th><th scope=\"col\" class=\"num\">Lines</th>"
        "<th scope=\"col\" class=\"num\">Missing</th>";
    for (const InputCoverage& input : coverage_.inputs)
      out += fmt::format("<th scope=\"col\" class=\"num\">{}</th>", shown(input.name));
    for (const ArchTotal& device : devices_)
      out += fmt::format("<th scope=\"col\" class=\"num device\">{}</th>", shown(device.arch));
    if (coverage_.conditions)
      out += "<th scope=\"col\" class=\"num\">Conditions</th><th scope=\"col\" class=\"num\">MC/DC</th>";
    out +=
        "<th scope=\"col\" class=\"num\">Coverage</th><th></th>"
        "<th scope=\"col\" class=\"ranges\">Missing lines</th></tr></thead>\n<tbody>\n";
    for (const DiffFile& file : coverage_.files) {
      int64_t total = file.total();
      int64_t covered = file.covered(coverage_.branches);
      out += fmt::format(
          "<tr>{}<td class=\"num\">{}</td><td class=\"num\">{}</td>{}{}<td class=\"num\">{}%</td><td>{}</td><td "
          "class=\"ranges\">{}</td></tr>\n",
          name_cell(file), total, total - covered, input_cells(file) + device_cells(file),
          condition_cells(condition_numbers(file.decisions)), percent(covered, total), svg_bar(covered, total),
          ranges(file));
    }
    for (const DiffFile& file : coverage_.not_measured)
      out += fmt::format(
          "<tr>{}<td class=\"num\">{}</td><td class=\"num\">?</td>{}<td class=\"num\">?</td><td colspan=\"2\">"
          "<span class=\"chip none\">not measured: {}</span></td></tr>\n",
          name_cell(file), file.unmeasured_statements,
          unknown_cells(coverage_.inputs.size() + devices_.size()) + (coverage_.conditions ? unknown_cells(2) : ""),
          shown(file.not_measured));
    if (coverage_.files.size() > 1)
      out += fmt::format(
          "<tr class=\"total\"><td>Total</td><td class=\"num\">{}</td><td class=\"num\">{}</td>{}<td "
          "class=\"num\">{}%</td><td>{}</td><td></td></tr>\n",
          coverage_.total(), coverage_.missing(),
          input_totals() + device_totals_cells() + condition_cells(coverage_.condition_numbers()),
          percent(coverage_.covered(), coverage_.total()), svg_bar(coverage_.covered(), coverage_.total()));
    return out + "</tbody>\n</table>\n";
  }

  /// What was lost and gained since the base report, lost lines first, and the categories.
  std::string against_base() const {
    if (!coverage_.base) return "";
    const BaseCoverage& base = *coverage_.base;
    std::string out = fmt::format(
        "<section class=\"base\" id=\"against-base\" aria-labelledby=\"base-title\">\n<h2 id=\"base-title\">Against "
        "the base</h2>\n"
        "<p class=\"sub\"><code>{}</code>, commit <code>{}</code>: {}, {}.</p>\n",
        shown(base.name), shown(base.commit.substr(0, 10)), base_totals(base), lost_and_gained(base));
    std::vector<const BaseFile*> files = lost_and_gained_files(base);
    if (!files.empty())
      out +=
          "<table class=\"files\">\n<thead><tr><th scope=\"col\">File</th><th scope=\"col\" class=\"num\">Lost</th><th "
          "scope=\"col\">Lost lines</th>"
          "<th scope=\"col\" class=\"num\">Gained</th><th scope=\"col\" class=\"ranges\">Gained "
          "lines</th></tr></thead>\n<tbody>\n";
    for (const BaseFile* file : files)
      out += fmt::format(
          "<tr><td class=\"name\">{}</td><td class=\"num\">{}</td><td class=\"ranges always\">{}</td><td "
          "class=\"num\">{}</td><td class=\"ranges\">{}</td></tr>\n",
          html_path(file->path), file->of(Category::LBC).size(), links(file->path, file->lost_text),
          file->of(Category::GBC).size(), file->gained_text);
    if (!files.empty()) out += "</tbody>\n</table>\n";
    std::vector<Category> used = used_categories(base);
    if (!used.empty())
      out += fmt::format(
          "<table class=\"files categories\">\n<thead><tr><th scope=\"col\">Category</th><th scope=\"col\" "
          "class=\"num\">Lines</th>{}</tr></thead>\n<tbody>\n",
          base.branches ? "<th scope=\"col\" class=\"num\">Branches</th>" : "");
    for (Category category : used)
      out += fmt::format("<tr><td><span class=\"chip {}\">{}</span> {}</td><td class=\"num\">{}</td>{}</tr>\n",
                         category == Category::LBC || category == Category::UNC ? "bad"
                         : is_good_category(category)                           ? "good"
                         : is_bad_category(category)                            ? "part"
                                                                                : "none",
                         category_code(category), category_name(category), base.count(category),
                         base.branches ? fmt::format("<td class=\"num\">{}</td>", base.count_branches(category)) : "");
    if (!used.empty()) out += "</tbody>\n</table>\n";
    return out + "</section>\n";
  }

  std::string legend() const {
    bool kernels = std::any_of(coverage_.files.begin(), coverage_.files.end(),
                               [](const DiffFile& file) { return file.source.has_kernel_lines(); });
    std::string out = "<ul class=\"legend\">";
    for (LineState state : {LineState::Covered, LineState::Missing, LineState::Partial, LineState::NotStatement})
      out += fmt::format("<li class=\"{}\"><b>{}</b> {}</li>", css_class(state), glyph(state), word(state));
    if (kernels) out += "<li class=\"ker\"><b>K</b> ran in a kernel</li>";
    if (std::any_of(coverage_.files.begin(), coverage_.files.end(),
                    [](const DiffFile& file) { return !file.source.kernel_lines.empty(); }))
      out += kKernelStateLegend;
    if (coverage_.conditions) out += kConditionLegend;
    return out + "<li><b>+</b> changed</li></ul>\n";
  }

  const DiffCoverage& coverage_;
  const DiffStyle& style_;
  const std::vector<ArchTotal> devices_ = device_totals(coverage_);
};

}  // namespace

std::string diff_html(const DiffCoverage& coverage, const DiffStyle& style) { return Page(coverage, style).write(); }

}  // namespace qd::report
