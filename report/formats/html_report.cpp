// The page from templates/report.html. Its data is
//
//   <script type="application/json" id="index-data">: {"title", "arcs", "conditions", "contexts" (shown or not), "precision", "kernel", "kernelStates",
//     "skipped": [covered, empty], "totals": [numbers], "files": [["pkg/a.py", ran in a kernel: 0 or 1, numbers...], ...]}
//
// with the numbers of index_numbers(), and packed JSON (html_pack.h) in elements of type text/plain: "s0", "s1", ... the sources of the files
// (source_json.h), "c0", ... who ran their lines, "names" the names of the contexts, and "runs" for each context [file, statements, file, ...].
// The packed parts come last, so that the index is on the screen before they are read.
#include "report/formats/html_report.h"

#include <fmt/format.h>

#include "report/formats/condition_parts.h"
#include "report/formats/html_pack.h"
#include "report/formats/html_parts.h"
#include "report/formats/script_json.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

constexpr std::string_view kPartsHere = "<!--parts-->";

std::string part(std::string_view id, std::string_view text) { return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, text); }

std::string static_cells(const Numbers& n, const HtmlReportOptions& options) {
  std::string cells = fmt::format("<td>{}</td><td>{}</td><td>{}</td>", n.n_statements, n.n_missing, n.n_excluded);
  if (options.has_arcs) cells += fmt::format("<td>{}</td><td>{}</td>", n.n_branches, n.n_partial_branches);
  return cells + fmt::format("<td>{}%</td>", n.pc_covered_str(options.precision));
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) {
    if (result.size() > 1) result += ',';
    append_script_json(result, valid_utf8(visible(text)));
  }
  return result + ']';
}

}  // namespace

void HtmlReport::add(HtmlFile&& file) {
  total_ += file.numbers;
  total_conditions_ += file.condition_numbers;
  if (!file.listed) {
    ++(file.skipped_as_covered ? skipped_covered_ : skipped_empty_);
    return;
  }
  any_kernel_ = any_kernel_ || file.has_kernel_lines;
  any_kernel_state_ = any_kernel_state_ || file.has_kernel_states;
  rows_ += fmt::format("{}[{}]", rows_.empty() ? "" : ",\n", file.row);
  static_rows_ += fmt::format("<tr><td>{}</td>{}</tr>\n", escape_html(file.path), static_cells(file.numbers, options_));
  parts_ += part(fmt::format("s{}", n_listed_), file.source);
  if (!file.contexts.empty()) parts_ += part(fmt::format("c{}", n_listed_), file.contexts);
  if (options_.show_contexts) runs_.resize(options_.contexts->size());
  for (const auto& [context, n] : file.runs) runs_[context] += fmt::format("{}{},{}", runs_[context].empty() ? "" : ",", n_listed_, n);
  ++n_listed_;
}

std::string HtmlReport::index() const {
  std::string title;
  append_script_json(title, valid_utf8(visible(options_.title)));
  return fmt::format(
      "{{\"title\":{},\"arcs\":{},\"conditions\":{},\"contexts\":{},\"precision\":{},\"kernel\":{},\"kernelStates\":{},\"skipped\":[{},{}],\"totals\":[{}],"
      "\"files\":[\n{}]}}",
      title, options_.has_arcs, options_.conditions, options_.show_contexts, options_.precision, any_kernel_, any_kernel_state_, skipped_covered_,
      skipped_empty_, index_numbers(total_, options_.conditions ? &total_conditions_ : nullptr), rows_);
}

std::string HtmlReport::facts() const {
  std::string facts;
  auto fact = [&](const std::string& value, std::string_view what) { facts += fmt::format("<li><b>{}</b> {}</li>", value, what); };
  const Numbers& n = total_;
  fact(fmt::to_string(n.n_files), n.n_files == 1 ? "file" : "files");
  fact(fmt::to_string(n.n_statements), "statements");
  fact(fmt::to_string(n.n_missing), "missing");
  fact(fmt::to_string(n.n_excluded), "excluded");
  if (options_.has_arcs) {
    fact(fmt::to_string(n.n_branches), "branches");
    fact(fmt::to_string(n.n_partial_branches), "partial");
  }
  if (options_.conditions) {
    const ConditionNumbers& c = total_conditions_;
    fact(fmt::format("{} of {}", c.n_seen_outcomes(), c.n_outcomes), "outcomes of conditions");
    fact(fmt::format("{} of {}", c.n_shown_mcdc(), c.n_mcdc), "decide alone (MC/DC)");
  }
  return facts;
}

std::string HtmlReport::text() const {
  std::string head = "<th>File</th><th>Statements</th><th>Missing</th><th>Excluded</th>";
  if (options_.has_arcs) head += "<th>Branches</th><th>Partial</th>";
  std::string title = escape_html(valid_utf8(visible(options_.title)));
  int64_t total = total_.n_statements + total_.n_branches;
  std::string percent = total_.pc_covered_str(options_.precision) + "%";
  std::string kernel_legend = any_kernel_ ? "<li class=\"ker\"><b>K</b> ran in a kernel</li>" : "";
  if (any_kernel_state_)
    kernel_legend +=
        "<li class=\"mis\"><b>✗</b> in kernels: not hit</li><li class=\"unm\"><b>?</b> not measured</li><li class=\"unc\"><b>○</b> not compiled</li>";
  std::string page = html_page("report.html", {"style.css", "report.css", "source.css"},
                               {"page.js", "report_store.js", "report_columns.js", "report_grid.js", "report_tree.js", "report_index.js", "source_view.js", "report.js"},
                               {
                                   {"title", fmt::format("{} – {}", title, percent)},
                                   {"heading", title},
                                   {"percent", percent},
                                   {"quality", total == 0 ? "none" : quality(total - total_.n_missing - total_.n_missing_branches, total)},
                                   {"facts", facts()},
                                   {"head", head + "<th>Coverage</th>"},
                                   {"rows", static_rows_},
                                   {"foot", static_cells(total_, options_)},
                                   {"index", index()},
                                   {"kernel_legend", kernel_legend},
                                   {"condition_legend", options_.conditions ? kConditionLegend : ""},
                                   {"footer", "Made by qd-cov."},
                                   {"parts", std::string(kPartsHere)},
                               });
  std::string parts;
  if (options_.show_contexts) {
    std::string runs = "[";
    for (const std::string& of : runs_) runs += fmt::format("{}[{}]", runs.size() > 1 ? "," : "", of);
    parts += part("names", packed(json_list(*options_.contexts))) + part("runs", packed(runs + "]"));
  }
  size_t cut = page.find(kPartsHere);
  std::string tail = page.substr(cut + kPartsHere.size());
  page.resize(cut);
  page.reserve(cut + parts.size() + parts_.size() + tail.size());
  return page.append(parts).append(parts_).append(tail);
}

}  // namespace qd::report
