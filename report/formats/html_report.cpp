// The table is in the page as HTML. Sources are in it as data (report/formats/source_json), which templates/source_view.js shows.
#include "report/formats/html_report.h"

#include <fmt/format.h>

#include "report/formats/condition_parts.h"
#include "report/formats/html_parts.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

std::string condition_cells(const ConditionNumbers& numbers) {
  return fraction_cell(numbers.n_seen_outcomes(), numbers.n_outcomes) + fraction_cell(numbers.n_shown_mcdc(), numbers.n_mcdc);
}

}  // namespace

void HtmlReport::add(const Analysis& analysis, const SourceParts& source) {
  const Numbers& n = analysis.numbers;
  ConditionNumbers conditions = analysis.conditions.numbers();
  total_ += n;
  total_conditions_ += conditions;
  bool conditions_covered = !options_.conditions || (conditions.n_missing_outcomes == 0 && conditions.n_missing_mcdc == 0);
  bool covered = n.n_missing == 0 && n.n_partial_branches == 0 && conditions_covered;
  if ((options_.skip_covered && covered) || (options_.skip_empty && n.n_statements == 0)) {
    ++skipped_;
    return;
  }
  bool kernel = source.has_kernel_lines;
  any_kernel_ = any_kernel_ || kernel;
  any_kernel_state_ = any_kernel_state_ || source.has_kernel_states;
  rows_ += fmt::format("<tr data-covered=\"{}\"><td class=\"name\"><a href=\"{}\">{}</a>{}</td>", covered ? 1 : 0, anchor_href(analysis.relative),
                       escape_html(visible(analysis.relative)), kernel ? " <span class=\"chip kernel\">kernel</span>" : "");
  auto number = [&](int32_t value) { rows_ += fmt::format("<td class=\"num\">{}</td>", value); };
  number(n.n_statements);
  number(n.n_missing);
  number(n.n_excluded);
  if (has_arcs_) {
    number(n.n_branches);
    number(n.n_partial_branches);
  }
  if (options_.conditions) rows_ += condition_cells(conditions);
  int64_t parts = n.n_statements + n.n_branches;
  int64_t done = n.n_executed() + n.n_executed_branches();
  rows_ += fmt::format("<td class=\"num\" data-value=\"{:.6f}\">{}%</td><td>{}</td></tr>\n", n.pc_covered(),
                       n.pc_covered_str(options_.precision), svg_bar(done, parts));
  data_ += fmt::format("{}{}", data_.empty() ? "" : ",\n", source.source);
}

std::string HtmlReport::text() const {
  const Numbers& n = total_;
  int64_t parts = n.n_statements + n.n_branches;
  int64_t done = n.n_executed() + n.n_executed_branches();
  std::string facts;
  auto fact = [&](int64_t value, const char* what) { facts += fmt::format("<li><b>{}</b> {}</li>", value, what); };
  fact(n.n_files, n.n_files == 1 ? "file" : "files");
  fact(n.n_statements, "statements");
  fact(n.n_missing, "missing");
  fact(n.n_excluded, "excluded");
  if (has_arcs_) {
    fact(n.n_branches, "branches");
    fact(n.n_partial_branches, "partial");
  }
  if (options_.conditions) {
    const ConditionNumbers& c = total_conditions_;
    facts += fmt::format("<li><b>{} of {}</b> outcomes of conditions</li>", c.n_seen_outcomes(), c.n_outcomes);
    facts += fmt::format("<li><b>{} of {}</b> decide alone (MC/DC)</li>", c.n_shown_mcdc(), c.n_mcdc);
  }
  if (skipped_ > 0) fact(skipped_, "files not listed");

  std::string head;
  for (const char* title : {"File", "Statements", "Missing", "Excluded", "Branches", "Partial", "Conditions", "MC/DC", "Coverage"}) {
    std::string_view name = title;
    if (!has_arcs_ && (name == "Branches" || name == "Partial")) continue;
    if (!options_.conditions && (name == "Conditions" || name == "MC/DC")) continue;
    head += fmt::format("<th scope=\"col\"{}><button type=\"button\">{}</button></th>", name == "File" ? "" : " class=\"num\"", name);
  }
  std::string foot = fmt::format("<td>Total</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td>", n.n_statements,
                                 n.n_missing, n.n_excluded);
  if (has_arcs_) foot += fmt::format("<td class=\"num\">{}</td><td class=\"num\">{}</td>", n.n_branches, n.n_partial_branches);
  if (options_.conditions) foot += condition_cells(total_conditions_);
  foot += fmt::format("<td class=\"num\">{}%</td><td>{}</td>", n.pc_covered_str(options_.precision), svg_bar(done, parts));

  std::string kernel_legend = any_kernel_ ? "<li class=\"ker\"><b>K</b> ran in a kernel</li>" : "";
  if (any_kernel_state_)
    kernel_legend +=
        "<li class=\"mis\"><b>✗</b> in kernels: not hit</li><li class=\"unm\"><b>?</b> not measured</li><li class=\"unc\"><b>○</b> not compiled</li>";

  return html_page("report.html", {"style.css", "source.css"}, {"page.js", "source_view.js", "report.js"},
                   {
                       {"title", escape_html(visible(options_.title))},
                       {"heading", escape_html(visible(options_.title))},
                       {"percent", n.pc_covered_str(options_.precision) + "%"},
                       {"quality", parts == 0 ? "none" : quality(done, parts)},
                       {"figure_caption", has_arcs_ ? "of lines and branches" : "of lines covered"},
                       {"facts", facts},
                       {"head", head},
                       {"rows", rows_},
                       {"foot", foot},
                       {"condition_keys", options_.conditions ? kConditionKeys : ""},
                       {"condition_legend", options_.conditions ? kConditionLegend : ""},
                       {"kernel_legend", kernel_legend},
                       {"data", data_},
                       {"footer", "Made by qd-cov."},
                   });
}

}  // namespace qd::report
