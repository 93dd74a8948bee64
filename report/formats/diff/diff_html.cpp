// HTML format of diff coverage, one self-contained page: the numbers, the files, their changed code, and notes.
#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_arch_parts.h"
#include "report/formats/diff/diff_base_parts.h"
#include "report/formats/diff/diff_formats.h"
#include "report/formats/diff/diff_html.h"
#include "report/formats/diff/diff_parts.h"
#include "report/formats/diff/marks.h"
#include "report/formats/html/condition_parts.h"
#include "report/formats/html/html_parts.h"

namespace qd::report {
namespace {

class Page {
 public:
  Page(const DiffCoverage& coverage, const DiffStyle& style) : coverage_(coverage), style_(style) {}

  std::string write() {
    std::string body;
    for (const std::string& note : coverage_.notes) body += fmt::format("<p class=\"note\">{}</p>\n", html_text(note));
    body += coverage_.files.empty() && coverage_.not_measured.empty()
                ? "<p class=\"empty\">No lines with coverage information in this diff.</p>\n"
                : diff_table_html(coverage_) + legend();
    body += devices();
    body += against_base();
    for (const DiffFile& file : coverage_.files) body += diff_file_html(file, coverage_, style_);
    for (const DiffFile& file : coverage_.not_measured) body += diff_file_html(file, coverage_, style_);
    for (const DiffFile& file : coverage_.lost_elsewhere) body += diff_file_html(file, coverage_, style_);

    bool any = coverage_.has_lines();
    std::string percentage = any ? percent(coverage_.covered(), coverage_.total()) + "%" : "–";
    return html_page("diff.html", {"style.css", "pops.css"}, {"page.js", "diff.js"},
                     {
                         {"title", html_text(fmt::format("{} diff coverage", percentage))},
                         {"heading", "Diff coverage"},
                         {"percent", percentage},
                         {"quality", any ? quality(coverage_.covered(), coverage_.total()) : "none"},
                         {"figure_caption", any ? "of changed lines covered" : "no changed lines"},
                         {"subtitle", html_text(coverage_.title)},
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
    if (coverage_.overall) fact(coverage_.overall->pc_covered_str(style_.config.precision) + "%", "overall coverage");
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
    if (coverage_.gradients) {
      const GradientNumbers n = coverage_.gradient_numbers();
      fact(fmt::format("{} of {}", n.n_differentiated(), n.n_lines), "lines differentiated");
    }
    if (coverage_.n_arch_gaps() > 0)
      fact(std::to_string(coverage_.n_arch_gaps()), coverage_.n_arch_gaps() == 1
                                                        ? "line ran on one device, never on another"
                                                        : "lines ran on one device, never on another");
    for (const GateResult& gate : style_.gates)
      out += fmt::format("<li><span class=\"chip {}\">{} {}</span></li>", gate.reached ? "good" : "bad",
                         gate.reached ? "✓" : "✗", html_text(gate_words(gate)));
    return out;
  }

  std::string full_report() const {
    return style_.full_report.empty()
               ? ""
               : fmt::format("<a class=\"full\" href=\"{}\">Full report</a>\n      ", escape_html(style_.full_report));
  }

  std::string footer() const {
    return provenance(coverage_,
                      [](const std::string& name) { return fmt::format("<code>{}</code>", html_text(name)); }) +
           ". Made by qd-cov.";
  }

  /// Section of lines that ran on one device and never on another.
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
          html_text(arch_gap_headline(gap)));
      for (const ArchGapFiles::FileLines& place : gap.files)
        out += fmt::format("<tr>{}<td class=\"ranges always\">{}</td></tr>\n", diff_name_cell(*place.file),
                           diff_line_links(place.file->path, place.lines));
      out += "</tbody>\n</table>\n";
    }
    return out.empty() ? out : out + "</section>\n";
  }

  /// Section of lines that were lost and gained since the base report, lost ones first, and the categories.
  std::string against_base() const {
    if (!coverage_.base) return "";
    const BaseCoverage& base = *coverage_.base;
    std::string out = fmt::format(
        "<section class=\"base\" id=\"against-base\" aria-labelledby=\"base-title\">\n<h2 id=\"base-title\">Against "
        "the base</h2>\n"
        "<p class=\"sub\"><code>{}</code>, commit <code>{}</code>: {}, {}.</p>\n",
        html_text(base.name), html_text(base.commit.substr(0, 10)), base_totals(base), lost_and_gained(base));
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
          html_path(file->path), file->of(Category::LBC).size(), diff_line_links(file->path, file->lost_text),
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
};

}  // namespace

std::string diff_html(const DiffCoverage& coverage, const DiffStyle& style) { return Page(coverage, style).write(); }

}  // namespace qd::report
