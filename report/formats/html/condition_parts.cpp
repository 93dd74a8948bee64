// Condition parts. The pop-over of a decision:
//
//   if  x > top or x < low and low > 0.0                              4 of 6 outcomes
//   Condition         true     false     decides alone
//   A  x > top        ✓ seen   ✓ seen    ✓ ways 1 and 2
//   B  x < low        ✗ never  ✓ seen    ✗ wants: x > top false, x < low true, low > 0.0 true
//   ...
//   Way  A  B  C  outcome
//   1    T  –  –  true
#include "report/formats/html/condition_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/formats/common/text.h"
#include "report/formats/html/html_parts.h"
#include "report/formats/html/page_data.h"

namespace qd::report {
namespace {

std::string code(const std::string& text) { return fmt::format("<code>{}</code>", html_text(text)); }

// Label of a condition: A, B, ..., Z, then numbers.
std::string letter(size_t i) { return i < 26 ? std::string(1, static_cast<char>('A' + i)) : std::to_string(i + 1); }

// Contents of the button for a line's decisions.
struct Chip {
  ConditionNumbers numbers;
  bool complete = true;
  const char* quality = "part";
  std::string label;
};

Chip chip_of(const std::vector<const DecisionCoverage*>& decisions, int32_t line) {
  Chip chip;
  for (const DecisionCoverage* decision : decisions) {
    chip.numbers += condition_numbers(*decision);
    chip.complete = chip.complete && decision->complete();
  }
  const ConditionNumbers& n = chip.numbers;
  chip.quality = chip.complete ? "good" : n.n_seen_outcomes() == 0 ? "bad" : "part";
  chip.label = fmt::format("Conditions of line {}: {} of {} outcomes seen, {} of {} decide alone", line,
                           n.n_seen_outcomes(), n.n_outcomes, n.n_shown_mcdc(), n.n_mcdc);
  return chip;
}

char outcome_letter(bool seen, const std::optional<bool>& constant, bool value) {
  if (constant) return *constant == value ? 'a' : '-';
  return seen ? 's' : 'n';
}

std::string outcome_cell(bool seen, const std::optional<bool>& constant, bool value) {
  if (constant) return *constant == value ? "<td>always</td>" : "<td>–</td>";
  return seen ? "<td class=\"yes\">✓ seen</td>" : "<td class=\"no\">✗ never</td>";
}

size_t way_number(const DecisionCoverage& decision, const Evaluation& evaluation) {
  return static_cast<size_t>(std::distance(decision.evaluations.begin(), decision.evaluations.find(evaluation))) + 1;
}

// Whether a condition decides alone (s, n or -, as in JSON), and the text with the proof or the missing evaluation.
std::pair<char, std::string> alone(const ConditionCoverage& condition, const DecisionCoverage& decision) {
  if (!decision.source.has_mcdc() || condition.source.constant) return {'-', ""};
  if (const auto& pair = condition.independence.shown) {
    auto [first, second] = std::minmax({way_number(decision, pair->when_true), way_number(decision, pair->when_false)});
    return {'s', fmt::format("ways {} and {}", first, second)};
  }
  return {'n', visible(wanted_text(condition, decision))};
}

std::string alone_cell(const ConditionCoverage& condition, const DecisionCoverage& decision) {
  auto [shown, text] = alone(condition, decision);
  if (shown == '-') return "<td>–</td>";
  return fmt::format("<td class=\"{}\">{} {}</td>", shown == 's' ? "yes" : "no", shown == 's' ? "✓" : "✗",
                     escape_html(text));
}

std::string conditions_table(const DecisionCoverage& decision) {
  std::string out =
      "<table><thead><tr><th scope=\"col\">Condition</th><th scope=\"col\">true</th><th scope=\"col\">false</th>"
      "<th scope=\"col\">decides alone</th></tr></thead><tbody>";
  for (size_t i = 0; i < decision.conditions.size(); ++i) {
    const ConditionCoverage& condition = decision.conditions[i];
    out += fmt::format("<tr><th scope=\"row\"><b>{}</b> {}</th>{}{}{}</tr>", letter(i), code(condition.source.text),
                       outcome_cell(condition.true_seen, condition.source.constant, true),
                       outcome_cell(condition.false_seen, condition.source.constant, false),
                       alone_cell(condition, decision));
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
      out += c == 'T' || c == 'F' ? fmt::format("<td>{}</td>", c)
                                  : "<td><span role=\"img\" aria-label=\"not evaluated\">–</span></td>";
    out += fmt::format("<td>{}</td></tr>", evaluation.result == 'T' ? "true" : "false");
  }
  return out + "</tbody></table>";
}

std::vector<std::string> notes(const DecisionCoverage& decision) {
  std::vector<std::string> result;
  if (!decision.source.has_mcdc())
    result.push_back(fmt::format("More than {} conditions: MC/DC is not analysed.", kMaxMcdcConditions));
  if (decision.evaluations.empty())
    result.push_back(decision.measured ? "Never evaluated." : "Not recorded: never compiled with conditions.");
  return result;
}

// Ways are known if whole evaluations were recorded.
bool has_ways(const DecisionCoverage& decision) {
  return !decision.evaluations.empty() && std::all_of(decision.evaluations.begin(), decision.evaluations.end(),
                                                      [](const Evaluation& e) { return e.result != '-'; });
}

std::string decision_html(const DecisionCoverage& decision) {
  ConditionNumbers numbers = condition_numbers(decision);
  std::string out = fmt::format("<h3>{} {} <span>{} of {} outcomes</span></h3>", decision.source.kind,
                                code(decision.source.text), numbers.n_seen_outcomes(), numbers.n_outcomes);
  out += conditions_table(decision);
  for (const std::string& text : notes(decision)) out += fmt::format("<p>{}</p>", text);
  return out + (has_ways(decision) ? ways_table(decision) : "");
}

std::string json_string(std::string_view text) {
  std::string result;
  append_script_json(result, text);
  return result;
}

/// Values of an evaluation: "T-". A letter of a data file other than T and F counts as not evaluated.
std::string letters(const Evaluation& evaluation) {
  std::string values = evaluation.conditions;
  std::replace_if(values.begin(), values.end(), [](char c) { return c != 'T' && c != 'F'; }, '-');
  return values;
}

std::string decision_json(const DecisionCoverage& decision, const OriginsOf& origins_of) {
  ConditionNumbers numbers = condition_numbers(decision);
  std::string out =
      fmt::format("{{\"kind\":{},\"text\":{},\"outcomes\":[{},{}],\"conditions\":[", json_string(decision.source.kind),
                  json_string(visible(decision.source.text)), numbers.n_seen_outcomes(), numbers.n_outcomes);
  for (const ConditionCoverage& condition : decision.conditions) {
    auto [shown, text] = alone(condition, decision);
    out += fmt::format(
        "{}[{},\"{}\",\"{}\",\"{}\",{}]", out.back() == '[' ? "" : ",", json_string(visible(condition.source.text)),
        outcome_letter(condition.true_seen, condition.source.constant, true),
        outcome_letter(condition.false_seen, condition.source.constant, false), shown, json_string(text));
  }
  out += ']';
  if (auto texts = notes(decision); !texts.empty())
    out += fmt::format(",\"note\":{}", json_string(fmt::format("{}", fmt::join(texts, " "))));
  if (has_ways(decision)) {
    out += ",\"ways\":[";
    for (const Evaluation& evaluation : decision.evaluations)
      out += fmt::format("{}[\"{}\",\"{}\"]", out.back() == '[' ? "" : ",", letters(evaluation),
                         evaluation.result == 'T' ? 'T' : 'F');
    out += ']';
  }
  if (!origins_of || decision.evaluations.empty()) return out + '}';
  out += fmt::format(",\"by\":[{}]", fmt::join(origins_of(decision), ","));
  if (!has_ways(decision)) {
    out += ",\"parts\":[";
    for (const Evaluation& evaluation : decision.evaluations)
      out += fmt::format("{}\"{}\"", out.back() == '[' ? "" : ",", letters(evaluation));
    out += ']';
  }
  return out + '}';
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

std::map<int32_t, std::string> condition_notes(const std::vector<DecisionCoverage>& decisions,
                                               const std::vector<int32_t>& missing_lines) {
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

std::string conditions_html(const std::vector<const DecisionCoverage*>& decisions, int32_t line,
                            const std::string& id) {
  std::string body;
  for (const DecisionCoverage* decision : decisions) body += decision_html(*decision);
  Chip chip = chip_of(decisions, line);
  return fmt::format(
      "<button type=\"button\" class=\"chip cond {0}\" popovertarget=\"{1}\" title=\"{2}\" aria-label=\"{2}\">{3} "
      "{4}/{5}</button>"
      "<div popover class=\"pop\" id=\"{1}\" role=\"dialog\" aria-label=\"Conditions of line {6}\">{7}</div>",
      chip.quality, id, chip.label, chip.complete ? "◆" : "◇", chip.numbers.n_seen_outcomes(), chip.numbers.n_outcomes,
      line, body);
}

void append_conditions_json(std::string& out, const std::vector<const DecisionCoverage*>& decisions, int32_t line,
                            const OriginsOf& origins_of) {
  Chip chip = chip_of(decisions, line);
  out += fmt::format("{{\"chip\":[\"{}\",{},{},{}],\"decisions\":[", chip.quality, chip.numbers.n_seen_outcomes(),
                     chip.numbers.n_outcomes, json_string(chip.label));
  for (const DecisionCoverage* decision : decisions)
    out += (out.back() == '[' ? "" : ",") + decision_json(*decision, origins_of);
  out += "]}";
}

std::string fraction_cell(int64_t done, int64_t of) {
  double share = of == 0 ? 100 : 100.0 * static_cast<double>(done) / static_cast<double>(of);
  return fmt::format("<td class=\"num\" data-value=\"{:.6f}\">{}</td>", share,
                     of == 0 ? "–" : fmt::format("{}/{}", done, of));
}

}  // namespace qd::report
