// HTML report, from templates/report.html. Its index is JSON in an element
//
//   <script type="application/json" id="index-data">
//     {"title", "archs": ["host", "cpu"], "marks": ["", "K"] (of archs, beside lines), "arcs", "conditions",
//      "gradients", "contexts" (shown or not), "precision", "kernel", "kernelStates",
//      "kernels" (number of listed ones), "skipped": [covered, empty], "totals": [numbers],
//      "files": [["pkg/a.py", ran in a kernel: 0 or 1, numbers...], ...]}
//
// with the numbers of index_numbers() and, if not all of a file is host code, a list with total and done of each arch.
// All other data is packed JSON (page_data.h) in elements of type text/plain:
//
//   "s0", "s1", ...            the sources of the files (source_json.h)
//   "c0", "c1", ...            the contexts of their lines
//   "functions", "classes"     {"totals", "skipped", "files": [[["name", line, numbers...], ...], ...]}
//   "kernels"                  the kernels and funcs of each file (html_kernels.cpp), when there are any
//   "names"                    the names of the tests
//   "devices"                  of each context its device; empty: the host
//   "tests"                    of each context the number of its test (context_tests.h)
//   "runs"                     for each test [file, statements, file, ...]
//
// With a folder of parts, these are files of the folder, and "parts" in the index has their names:
// {"s0": "mod_py-0123456789abcdef", ...}.
//
// The index and the scripts that draw its tables come before everything that these do not need: the table for browsers
// that run no scripts, the other scripts, and last the packed parts. So a browser paints the table before it reads
// them.
#include "report/formats/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/text.h"
#include "report/formats/html/condition_parts.h"
#include "report/formats/html/html_parts.h"
#include "report/formats/html/page_data.h"
#include "report/formats/tables/trend_chart.h"

namespace qd::report {
namespace {

constexpr const char* kGradientLegend =
    "<li><b>∂</b> differentiated</li><li class=\"par\"><b>∂ never</b> ran, never differentiated</li>";

const std::vector<std::string_view> kStyles = {"style.css", "pops.css", "report.css", "source.css"};
// Scripts that draw the tables of the index, and the other ones.
const std::vector<std::string_view> kFirstScripts = {"page.js",           "report_names.js", "report_store.js",
                                                     "report_columns.js", "report_cells.js", "report_grid.js",
                                                     "report_tree.js",    "report_index.js", "report_address.js"};
const std::vector<std::string_view> kScripts = {
    "report_fuzzy.js",   "report_finder.js",     "report_search.js",  "report_tests.js",  "report_contexts.js",
    "source_colors.js",  "source_conditions.js", "source_model.js",   "source_pops.js",   "source_variants.js",
    "source_rows.js",    "source_head.js",       "source_outline.js", "source_places.js", "source_view.js",
    "report_treemap.js", "report_overview.js",   "report.js"};
constexpr std::string_view kPartsHere = "<!--parts-->";

std::string static_cells(const Numbers& n, const ArchNumbers& archs, const HtmlReportOptions& options) {
  std::string cells = fmt::format("<td>{}</td><td>{}</td><td>{}</td>", n.n_statements, n.n_missing, n.n_excluded);
  if (options.has_arcs) cells += fmt::format("<td>{}</td><td>{}</td>", n.n_branches, n.n_partial_branches);
  cells += n.n_statements + n.n_branches == 0 ? "<td>–</td>"
                                              : fmt::format("<td>{}%</td>", n.pc_covered_str(options.precision));
  for (const ArchNumbers::Count& count : archs.counts)
    cells += count.total == 0 ? "<td>–</td>" : fmt::format("<td>{}%</td>", count.percent(options.precision));
  return cells;
}

/// Style sheet that cannot end its element.
std::string safe_style(std::string text) {
  for (size_t at = text.find("</"); at != std::string::npos; at = text.find("</", at)) text.replace(at, 2, "<\\/");
  return valid_utf8(text);
}

/// Number with groups of digits: "12,345".
std::string grouped(int64_t n) {
  std::string digits = fmt::to_string(n);
  for (auto at = static_cast<int64_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

/// Words behind a share: "ran; 2 of 15 missing, 3 excluded", "all 15 ran".
std::string rest_of(std::string_view did, int64_t missing, int64_t all, int64_t more, std::string_view what) {
  std::string text = missing == 0 ? fmt::format("all {} {}", grouped(all), did)
                                  : fmt::format("{}; {} of {} missing", did, grouped(missing), grouped(all));
  if (more > 0) text += fmt::format(", {} {}", grouped(more), what);
  return text;
}

std::string json_list(const std::vector<std::string>& texts) {
  std::string result = "[";
  for (const std::string& text : texts) {
    if (result.size() > 1) result += ',';
    append_script_json(result, displayed(text));
  }
  return result + ']';
}

}  // namespace

std::string HtmlReport::part(std::string_view id, const std::string& text) const {
  return options_.folder ? fmt::format("\"{}\":\"{}\",\n", id, text)
                         : fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, text);
}

void HtmlReport::Regions::add(const RegionRows& file) {
  rows += fmt::format("{}[{}]", rows.empty() ? "" : ",", file.rows);
  total += file.total;
  condition_total += file.condition_total;
  gradient_total += file.gradient_total;
  arch_total += file.arch_total;
  skipped_covered += file.skipped_covered;
  skipped_empty += file.skipped_empty;
}

std::string HtmlReport::Regions::json(const HtmlReportOptions& options) const {
  return fmt::format("{{\"totals\":[{}{}],\"skipped\":[{},{}],\"files\":[{}]}}",
                     index_numbers(total, options.gradients ? &gradient_total : nullptr,
                                   options.conditions ? &condition_total : nullptr),
                     arch_total.json(), skipped_covered, skipped_empty, rows);
}

void HtmlReport::add(HtmlFile&& file) {
  total_ += file.numbers;
  total_conditions_ += file.condition_numbers;
  total_gradients_ += file.gradients.numbers();
  total_archs_ += file.arch_numbers;
  if (!file.listed) {
    ++(file.skipped_as_covered ? skipped_covered_ : skipped_empty_);
    return;
  }
  any_kernel_ = any_kernel_ || file.has_kernel_lines;
  any_kernel_state_ = any_kernel_state_ || file.has_kernel_states;
  rows_ += fmt::format("{}[{}]", rows_.empty() ? "" : ",\n", file.row);
  static_rows_ += fmt::format("<tr><td>{}</td>{}</tr>\n", escape_html(file.path),
                              static_cells(file.numbers, file.arch_numbers, options_));
  parts_ += part(fmt::format("s{}", n_listed_), file.source);
  if (!file.contexts.empty()) parts_ += part(fmt::format("c{}", n_listed_), file.contexts);
  functions_.add(file.functions);
  classes_.add(file.classes);
  kernels_ += fmt::format("{}[{}]", kernels_.empty() ? "" : ",", file.kernels.rows);
  n_kernels_ += file.kernels.n;
  if (options_.show_contexts) runs_.resize(options_.tests.names.size());
  for (const auto& [test, n] : file.runs)
    runs_[test] += fmt::format("{}{},{}", runs_[test].empty() ? "" : ",", n_listed_, n);
  ++n_listed_;
}

std::string HtmlReport::index(const std::string& parts) const {
  std::string title;
  append_script_json(title, displayed(options_.title));
  std::string archs;
  if (!options_.archs.empty())
    archs = fmt::format("\"archs\":{},\"marks\":{},", json_list(options_.archs), json_list(arch_marks(options_.archs)));
  return fmt::format(
      "{{{}\"title\":{},{}\"arcs\":{},\"conditions\":{},\"gradients\":{},\"contexts\":{},\"precision\":{},\"kernel\":{}"
      ","
      "\"kernelStates\":{},\"kernels\":{},\"skipped\":[{},{}],\"totals\":[{}{}],"
      "\"files\":[\n{}]}}",
      parts, title, archs, options_.has_arcs, options_.conditions, options_.gradients, options_.show_contexts,
      options_.precision, any_kernel_, any_kernel_state_, n_kernels_, skipped_covered_, skipped_empty_,
      index_numbers(total_, options_.gradients ? &total_gradients_ : nullptr,
                    options_.conditions ? &total_conditions_ : nullptr),
      total_archs_.json(), rows_);
}

std::string HtmlReport::about() const {
  std::string facts;
  for (const std::string& fact : options_.about) facts += fmt::format("<li>{}</li>", html_text(fact));
  if (total_.n_unknown_branches > 0)
    facts += fmt::format("<li>{} unknown {} of kernels that Quadrants measured by lines alone, not counted</li>",
                         grouped(total_.n_unknown_branches), total_.n_unknown_branches == 1 ? "branch" : "branches");
  return facts;
}

std::string HtmlReport::shares() const {
  std::string shares;
  const Numbers& n = total_;
  const ConditionNumbers& c = total_conditions_;
  auto share = [&](const char* of, int64_t done, int64_t all, const std::string& rest) {
    if (all == 0) {
      shares += fmt::format("<div><dt>{}</dt><dd></dd><dd class=\"share\">–</dd><dd class=\"rest\">{}</dd></div>", of,
                            "nothing to measure");
      return;
    }
    Numbers part;  // for coverage.py's rounding
    part.n_statements = static_cast<int32_t>(all);
    part.n_missing = static_cast<int32_t>(all - done);
    shares += fmt::format("<div><dt>{}</dt><dd>{}</dd><dd class=\"share\">{}%</dd><dd class=\"rest\">{}</dd></div>", of,
                          svg_bar(done, all), part.pc_covered_str(options_.precision), rest);
  };
  share("Statements", n.n_executed(), n.n_statements,
        rest_of("ran", n.n_missing, n.n_statements, n.n_excluded, "excluded"));
  if (options_.has_arcs)
    share("Branches", n.n_executed_branches(), n.n_branches,
          rest_of("taken", n.n_missing_branches, n.n_branches, n.n_partial_branches, "in lines that ran"));
  for (size_t i = 0; i < total_archs_.counts.size(); ++i) {
    const ArchNumbers::Count& count = total_archs_.counts[i];
    if (options_.archs[i] == kHostArch || count.total == 0) continue;
    const std::string of = fmt::format("Kernels on {}", html_text(options_.archs[i]));
    share(of.c_str(), count.done, count.total,
          fmt::format("ran there: {} of {} {}", grouped(count.done), grouped(count.total),
                      options_.has_arcs ? "statements and branches" : "statements"));
  }
  if (options_.conditions) {
    share("Conditions", c.n_seen_outcomes(), c.n_outcomes,
          fmt::format("seen; {} of {} outcomes", grouped(c.n_seen_outcomes()), grouped(c.n_outcomes)));
    share("MC/DC", c.n_shown_mcdc(), c.n_mcdc,
          fmt::format("decide alone; {} of {} conditions", grouped(c.n_shown_mcdc()), grouped(c.n_mcdc)));
  }
  if (options_.gradients) {
    const GradientNumbers& g = total_gradients_;
    share("Gradients", g.n_differentiated(), g.n_lines,
          fmt::format("differentiated; {} of {} {} ran and never were", grouped(g.n_missing), grouped(g.n_lines),
                      g.n_lines == 1 ? "line" : "lines"));
  }
  return shares;
}

std::string HtmlReport::kernel_legend() const {
  std::string legend;
  const std::vector<std::string> marks = arch_marks(options_.archs);
  const bool several = std::ranges::count(marks, "") + 1 < std::ssize(marks);
  for (size_t i = 0; i < marks.size(); ++i)
    if (!marks[i].empty() && (several || any_kernel_))
      legend += fmt::format("<li class=\"ker\"><b>{}</b> {}</li>", html_text(marks[i]),
                            several ? "ran on " + html_text(options_.archs[i]) : "ran in a kernel");
  if (several) legend += "<li class=\"ker\"><b>–</b> did not run there</li>";
  if (any_kernel_state_) legend += kKernelStateLegend;
  return legend;
}

std::string HtmlReport::text() const {
  auto packed_part = [&](std::string_view id, const std::string& json) {
    return part(id, options_.folder ? options_.folder->write(id, packed(json)) : packed(json));
  };
  std::string parts =
      packed_part("functions", functions_.json(options_)) + packed_part("classes", classes_.json(options_));
  if (n_kernels_ > 0) parts += packed_part("kernels", "[" + kernels_ + "]");
  if (options_.show_contexts) {
    std::string runs = "[";
    for (const std::string& of : runs_) runs += fmt::format("{}[{}]", runs.size() > 1 ? "," : "", of);
    parts += packed_part("names", json_list(options_.tests.names)) +
             packed_part("devices", json_list(options_.tests.devices)) +
             packed_part("tests", fmt::format("[{}]", fmt::join(options_.tests.of, ","))) +
             packed_part("runs", runs + "]");
  }
  parts += parts_;
  if (options_.folder) {
    parts.resize(parts.size() - 2);  // removes the last comma
    parts = fmt::format("\"parts\":{{\n{}}},\n", parts);
  }
  std::string head = "<th>File</th><th>Statements</th><th>Missing</th><th>Excluded</th>";
  if (options_.has_arcs) head += "<th>Branches</th><th>Partial</th>";
  head += "<th>Coverage</th>";
  for (const std::string& arch : options_.archs) head += fmt::format("<th>{}</th>", html_text(arch));
  std::string title = html_text(options_.title);
  int64_t total = total_.n_statements + total_.n_branches;
  std::string percent = total == 0 ? "–" : total_.pc_covered_str(options_.precision) + "%";
  std::string page = html_page(
      "report.html", kStyles, kScripts,
      {
          {"title", total == 0 ? title : fmt::format("{} – {}", title, percent)},
          {"heading", title},
          {"percent", percent},
          {"quality", total == 0 ? "none" : quality(total - total_.n_missing - total_.n_missing_branches, total)},
          {"about", about()},
          {"shares", shares()},
          {"trend", trend_html(options_.trend)},
          {"head", head},
          {"rows", static_rows_},
          {"foot", static_cells(total_, total_archs_, options_)},
          {"index", index(options_.folder ? parts : "")},
          {"kernel_legend", kernel_legend()},
          {"condition_legend", options_.conditions ? kConditionLegend : ""},
          {"gradient_legend", options_.gradients ? kGradientLegend : ""},
          {"footer", html_text(options_.footer)},
          {"parts", std::string(kPartsHere)},
      },
      {safe_style(options_.extra_css), options_.folder != nullptr, kFirstScripts});
  if (options_.folder) parts.clear();
  size_t cut = page.find(kPartsHere);
  std::string tail = page.substr(cut + kPartsHere.size());
  page.resize(cut);
  page.reserve(cut + parts.size() + tail.size());
  return page.append(parts).append(tail);
}

}  // namespace qd::report
