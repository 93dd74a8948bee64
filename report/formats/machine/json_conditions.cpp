// Condition coverage of a file within "qd_cov":
//
//   "summary": NUMBERS,
//   "decisions": [{line, kind, text, measured,
//                  conditions: [{line, text, constant, true_seen, false_seen, decides_alone}]}]
#include "report/formats/machine/json_report.h"

namespace qd::report {

namespace {

void write_or_null(PythonJson& json, const char* name, bool known, bool value) {
  if (known) return json.entry(name, value);
  json.key(name);
  json.raw("null");
}

void write_decision(PythonJson& json, const DecisionCoverage& decision) {
  json.item();
  json.open('{');
  json.entry("line", int64_t{decision.source.range.line});
  json.entry("kind", decision.source.kind);
  json.entry("text", decision.source.text);
  json.entry("measured", decision.measured);
  json.key("conditions");
  json.open('[');
  for (const ConditionCoverage& condition : decision.conditions) {
    json.item();
    json.open('{');
    json.entry("line", int64_t{condition.source.range.line});
    json.entry("text", condition.source.text);
    write_or_null(json, "constant", condition.source.constant.has_value(), condition.source.constant.value_or(false));
    json.entry("true_seen", condition.true_seen);
    json.entry("false_seen", condition.false_seen);
    write_or_null(json, "decides_alone", decision.source.has_mcdc() && !condition.source.constant,
                  condition.independence.shown.has_value());
    json.close('}');
  }
  json.close(']');
  json.close('}');
}

}  // namespace

void write_json_conditions(PythonJson& json, const ConditionNumbers& n,
                           const std::vector<DecisionCoverage>* decisions) {
  json.key("summary");
  json.open('{');
  json.entry("num_decisions", int64_t{n.n_decisions});
  json.entry("num_outcomes", int64_t{n.n_outcomes});
  json.entry("seen_outcomes", int64_t{n.n_seen_outcomes()});
  json.entry("num_mcdc", int64_t{n.n_mcdc});
  json.entry("shown_mcdc", int64_t{n.n_shown_mcdc()});
  json.entry("num_decisions_without_mcdc", int64_t{n.n_without_mcdc});
  json.close('}');
  if (decisions != nullptr) {
    json.key("decisions");
    json.open('[');
    for (const DecisionCoverage& decision : *decisions) write_decision(json, decision);
    json.close(']');
  }
}

}  // namespace qd::report
