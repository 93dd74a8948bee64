// The table is in the page as HTML. Sources are in it as data, which templates/report.js shows:
//
//   {"path": "pkg/a.py", "percent": "87", "missing": 3, "states": "cm-p", "kernel": "10", "branches": {"4": "7, exit"}, "lines": ["HTML of line 1", ...]}
//
// `states` has a letter a line: c(overed) m(issing) p(artial) x (excluded) - (no statement), and for missing lines of kernels h (not hit)
// u (not measured) n (not compiled), with the reasons in "why": {"9": "no launch reached it"}; `kernel` is empty when no line ran in one. With
// conditions there are also "outcomes": "3/6" and "conditions": {"4": "HTML of the chip of line 4"}.
#include "report/formats/html_report.h"

#include <fmt/format.h>

#include "report/formats/condition_parts.h"
#include "report/formats/html_parts.h"
#include "report/formats/marks.h"
#include "report/formats/python_colors.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

// For a <script> element: no '<', so that nothing in it can end it.
std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || c == '<') {
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

char letter(LineState state) {
  switch (state) {
    case LineState::NotStatement: return '-';
    case LineState::Covered: return 'c';
    case LineState::Partial: return 'p';
    case LineState::Missing: return 'm';
    case LineState::Excluded: return 'x';
  }
  return '-';
}

char letter(ProbeState state) {
  switch (state) {
    case ProbeState::Hit: return 'c';
    case ProbeState::NotHit: return 'h';
    case ProbeState::LeftOut:
    case ProbeState::NotHeld:
    case ProbeState::Failed: return 'u';
    case ProbeState::NotCompiled: return 'n';
  }
  return 'm';
}

/// "14, exit", with what is known of a destination in a kernel that was not measured.
std::string missing_destinations(const AnnotatedSource& source, int32_t line, const std::vector<int32_t>& to) {
  std::string result;
  for (int32_t destination : to) {
    result += (result.empty() ? "" : ", ") + destinations({destination});
    auto known = source.kernel_branches.find({line, destination});
    if (known != source.kernel_branches.end() && known->second.state != ProbeState::NotHit)
      result += fmt::format(" – {}: {}", name(known->second.state), known->second.why);
  }
  return result;
}

std::string json_of_conditions(const Analysis& analysis) {
  std::string chips;
  for (const auto& [line, decisions] : by_line(analysis.conditions.decisions))
    chips += fmt::format("{}\"{}\":{}", chips.empty() ? "" : ",", line,
                         json_string(conditions_html(decisions, line, anchor_id(analysis.relative, line) + ":C")));
  ConditionNumbers numbers = analysis.conditions.numbers();
  return fmt::format(",\"outcomes\":\"{}/{}\",\"conditions\":{{{}}}", numbers.n_seen_outcomes(), numbers.n_outcomes, chips);
}

std::string json_of(const Analysis& analysis, const AnnotatedSource& source, const HtmlReportOptions& options) {
  std::string states, kernel, branches, why, lines;
  auto colors = python_colors(source.lines);
  for (int32_t line = 1; line <= source.n_lines(); ++line) {
    auto i = static_cast<size_t>(line) - 1;
    auto known = source.kernel_lines.find(source.first_lines[i]);
    if (source.state(line) == LineState::Missing && known != source.kernel_lines.end()) {
      states += letter(known->second.state);
      why += fmt::format("{}\"{}\":{}", why.empty() ? "" : ",", line, json_string(visible(known->second.why)));
    } else {
      states += letter(source.state(line));
    }
    kernel += (source.origins[i] & kKernel) != 0 ? '1' : '0';
    lines += fmt::format("{}{}", i == 0 ? "" : ",", json_string(color_line(source.lines[i], colors[i])));
  }
  for (const auto& [line, to] : source.missing_branches)
    branches += fmt::format("{}\"{}\":{}", branches.empty() ? "" : ",", line, json_string(missing_destinations(source, line, to)));
  if (!why.empty()) why = fmt::format(",\"why\":{{{}}}", why);
  return fmt::format("{{\"path\":{},\"percent\":\"{}\",\"missing\":{},\"states\":\"{}\",\"kernel\":\"{}\",\"branches\":{{{}}}{}{},\"lines\":[{}]}}",
                     json_string(visible(analysis.relative)), analysis.numbers.pc_covered_str(options.precision), analysis.numbers.n_missing, states,
                     source.has_kernel_lines() ? kernel : "", branches, why, options.conditions ? json_of_conditions(analysis) : "", lines);
}

std::string condition_cells(const ConditionNumbers& numbers) {
  return fraction_cell(numbers.n_seen_outcomes(), numbers.n_outcomes) + fraction_cell(numbers.n_shown_mcdc(), numbers.n_mcdc);
}

}  // namespace

void HtmlReport::add(const Analysis& analysis, const std::string& text, const FileData& data, const std::vector<std::string>& contexts) {
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
  AnnotatedSource source = annotate(text, analysis, data, contexts);
  bool kernel = source.has_kernel_lines();
  any_kernel_ = any_kernel_ || kernel;
  for (const auto& [line, known] : source.kernel_lines) any_kernel_state_ = any_kernel_state_ || known.state != ProbeState::NotHit;
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
  data_ += fmt::format("{}{}", data_.empty() ? "" : ",\n", json_of(analysis, source, options_));
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

  return html_page("report.html", "report.js",
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
