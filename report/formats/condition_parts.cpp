// The pop-over of a decision:
//
//   if  x > top or x < low and low > 0.0                              4 of 6 outcomes
//   Condition         true     false     decides alone
//   A  x > top        ✓ seen   ✓ seen    ✓ ways 1 and 2
//   B  x < low        ✗ never  ✓ seen    ✗ wants: x > top false, x < low true, low > 0.0 true
//   ...
//   Way  A  B  C  outcome
//   1    T  –  –  true
#include "report/formats/condition_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/formats/html_parts.h"
#include "report/formats/text.h"

namespace qd::report {
namespace {

std::string shown(const std::string& text) { return escape_html(visible(text)); }
std::string code(const std::string& text) { return fmt::format("<code>{}</code>", shown(text)); }

// A, B, ..., Z, then numbers.
std::string letter(size_t i) { return i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1); }

std::string outcome_cell(bool seen, const std::optional<bool>& constant, bool value) {
  if (constant) return *constant == value ? "<td>always</td>" : "<td>–</td>";
  return seen ? "<td class=\"yes\">✓ seen</td>" : "<td class=\"no\">✗ never</td>";
}

size_t way_number(const DecisionCoverage& decision, const Evaluation& evaluation) {
  return static_cast<size_t>(std::distance(decision.evaluations.begin(), decision.evaluations.find(evaluation))) + 1;
}

std::string alone_cell(const ConditionCoverage& condition, const DecisionCoverage& decision) {
  if (!decision.source.has_mcdc() || condition.source.constant) return "<td>–</td>";
  if (const auto& pair = condition.independence.shown) {
    auto [first, second] = std::minmax({way_number(decision, pair->when_true), way_number(decision, pair->when_false)});
    return fmt::format("<td class=\"yes\">✓ ways {} and {}</td>", first, second);
  }
  return fmt::format("<td class=\"no\">✗ {}</td>", shown(wanted_text(condition, decision)));
}

std::string conditions_table(const DecisionCoverage& decision) {
  std::string out =
      "<table><thead><tr><th scope=\"col\">Condition</th><th scope=\"col\">true</th><th scope=\"col\">false</th>"
      "<th scope=\"col\">decides alone</th></tr></thead><tbody>";
  for (size_t i = 0; i < decision.conditions.size(); ++i) {
    const ConditionCoverage& condition = decision.conditions[i];
    out += fmt::format("<tr><th scope=\"row\"><b>{}</b> {}</th>{}{}{}</tr>", letter(i), code(condition.source.text),
                       outcome_cell(condition.true_seen, condition.source.constant, true),
                       outcome_cell(condition.false_seen, condition.source.constant, false), alone_cell(condition, decision));
  }
  return out + "</tbody></table>";
}

std::string ways_table(const DecisionCoverage& decision) {
  std::string out = "<table><thead><tr><th scope=\"col\">Way</th>";
  for (size_t i = 0; i < decision.conditions.size(); ++i) out += fmt::format("<th scope=\"col\">{}</th>", letter(i));
  out += "<th scope=\"col\">outcome</th></tr></thead><tbody>";
  size_t number = 0;
  for (const Evaluation& evaluation : decision.evaluations) {
    out += fmt::format("<tr><th scope=\"row\">{}</th>", ++number);
    for (char c : evaluation.conditions)
      out += c == 'T' || c == 'F' ? fmt::format("<td>{}</td>", c) : "<td><span role=\"img\" aria-label=\"not evaluated\">–</span></td>";
    out += fmt::format("<td>{}</td></tr>", evaluation.result == 'T' ? "true" : "false");
  }
  return out + "</tbody></table>";
}

std::string decision_html(const DecisionCoverage& decision) {
  ConditionNumbers numbers = condition_numbers({decision});
  std::string out = fmt::format("<h3>{} {} <span>{} of {} outcomes</span></h3>", decision.source.kind, code(decision.source.text),
                                numbers.n_seen_outcomes(), numbers.n_outcomes);
  out += conditions_table(decision);
  bool whole = std::all_of(decision.evaluations.begin(), decision.evaluations.end(), [](const Evaluation& e) { return e.result != '-'; });
  if (!decision.source.has_mcdc())
    out += fmt::format("<p>More than {} conditions: which of them decide alone is not analysed.</p>", kMaxMcdcConditions);
  if (decision.evaluations.empty()) return out + (decision.measured ? "<p>Never evaluated.</p>" : "<p>Not recorded: never compiled with conditions.</p>");
  return out + (whole ? ways_table(decision) : "");
}

}  // namespace

DecisionsByLine by_line(const std::vector<DecisionCoverage>& decisions) {
  DecisionsByLine result;
  for (const DecisionCoverage& decision : decisions) result[decision.source.range.line].push_back(&decision);
  return result;
}

std::string wanted_text(const ConditionCoverage& condition, const DecisionCoverage& decision) {
  if (condition.independence.shown) return "";
  const std::vector<Evaluation>& wanted = condition.independence.wanted;
  if (wanted.empty()) return "cannot: the literals in it decide";
  std::string text = "wants " + evaluation_text(wanted[0], decision.conditions);
  return wanted.size() == 1 ? text : text + "; and " + evaluation_text(wanted[1], decision.conditions);
}

std::map<int32_t, std::string> condition_notes(const std::vector<DecisionCoverage>& decisions, const std::vector<int32_t>& missing_lines) {
  std::map<int32_t, std::string> result;
  auto add = [&](int32_t line, const std::string& text) { result[line] += (result[line].empty() ? "" : "; ") + text; };
  for (const DecisionCoverage& decision : decisions) {
    if (std::binary_search(missing_lines.begin(), missing_lines.end(), decision.source.line)) continue;
    if (decision.evaluations.empty()) {
      add(decision.source.range.line, decision.source.text + " never evaluated");
      continue;
    }
    for (const ConditionCoverage& condition : decision.conditions) {
      std::string missing = condition.missing(decision.source.has_mcdc());
      if (missing.empty()) continue;
      std::string wanted = condition.n_missing() == 0 ? ", " + wanted_text(condition, decision) : "";
      add(condition.source.range.line, fmt::format("{} {}{}", condition.source.text, missing, wanted));
    }
  }
  return result;
}

std::string conditions_html(const std::vector<const DecisionCoverage*>& decisions, int32_t line, const std::string& id) {
  ConditionNumbers numbers;
  std::string body;
  bool complete = true;
  for (const DecisionCoverage* decision : decisions) {
    numbers += condition_numbers({*decision});
    complete = complete && decision->complete();
    body += decision_html(*decision);
  }
  const char* quality = complete ? "good" : numbers.n_seen_outcomes() == 0 ? "bad" : "part";
  std::string label = fmt::format("Conditions of line {}: {} of {} outcomes seen, {} of {} decide alone", line, numbers.n_seen_outcomes(),
                                  numbers.n_outcomes, numbers.n_shown_mcdc(), numbers.n_mcdc);
  return fmt::format(
      "<button type=\"button\" class=\"chip cond {0}\" popovertarget=\"{1}\" title=\"{2}\" aria-label=\"{2}\">{3} {4}/{5}</button>"
      "<div popover class=\"pop\" id=\"{1}\" role=\"dialog\" aria-label=\"Conditions of line {6}\">{7}</div>",
      quality, id, label, complete ? "◆" : "◇", numbers.n_seen_outcomes(), numbers.n_outcomes, line, body);
}

std::string fraction_cell(int64_t done, int64_t of) {
  double share = of == 0 ? 100 : 100.0 * static_cast<double>(done) / static_cast<double>(of);
  return fmt::format("<td class=\"num\" data-value=\"{:.6f}\">{}</td>", share, of == 0 ? "–" : fmt::format("{}/{}", done, of));
}

}  // namespace qd::report
