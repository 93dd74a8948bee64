// Prints the condition coverage of sources, one a line.
// Input, a JSON object a line: {"source": TEXT, "measured": [{"range": [..4], "conditions": [[..4], ...],
// "evaluations": ["T-F:F", ...]}, ...]}.
#include <iostream>
#include <nlohmann/json.hpp>

#include "report/analysis/analysis.h"

using nlohmann::json;
using namespace qd::report;
using qd::SourceRange;

namespace {

SourceRange range_of(const json& numbers) { return {numbers[0], numbers[1], numbers[2], numbers[3]}; }
json json_of(const SourceRange& range) { return {range.line, range.col, range.end_line, range.end_col}; }
json json_of(const Evaluation& evaluation) { return evaluation.conditions + ":" + evaluation.result; }

json json_of(const ConditionCoverage& condition) {
  json result = {{"range", json_of(condition.source.range)},
                 {"text", condition.source.text},
                 {"true", condition.true_seen},
                 {"false", condition.false_seen},
                 {"constant", condition.source.constant.has_value()},
                 {"pair", nullptr},
                 {"wanted", json::array()}};
  if (condition.independence.shown)
    result["pair"] = {json_of(condition.independence.shown->when_true),
                      json_of(condition.independence.shown->when_false)};
  for (const Evaluation& evaluation : condition.independence.wanted) result["wanted"].push_back(json_of(evaluation));
  return result;
}

json dump(const json& input) {
  FileData data;
  for (const json& measured : input["measured"]) {
    MeasuredDecision& decision = data.decisions[range_of(measured["range"])];
    for (const json& condition : measured["conditions"]) decision.conditions.push_back(range_of(condition));
    for (const std::string text : measured["evaluations"])
      decision.evaluations[0].insert({text.substr(0, text.size() - 2), text.back()});
  }
  SourceAnalysis source = analyze_source(input["source"], "f.py", {{"# no cover"}, {"# no branch"}, {}},
                                         {.arcs = false, .conditions = true});
  FileConditions coverage = condition_coverage(source, data);
  ConditionNumbers numbers = coverage.numbers();
  json result = {
      {"stale", coverage.n_stale},
      {"numbers",
       {numbers.n_decisions, numbers.n_outcomes, numbers.n_missing_outcomes, numbers.n_mcdc, numbers.n_missing_mcdc}},
      {"decisions", json::array()}};
  for (const DecisionCoverage& decision : coverage.decisions) {
    json conditions = json::array();
    for (const ConditionCoverage& condition : decision.conditions) conditions.push_back(json_of(condition));
    result["decisions"].push_back({{"range", json_of(decision.source.range)},
                                   {"kind", decision.source.kind},
                                   {"text", decision.source.text},
                                   {"line", decision.source.line},
                                   {"true", decision.true_seen},
                                   {"false", decision.false_seen},
                                   {"mcdc", decision.source.has_mcdc()},
                                   {"complete", decision.complete()},
                                   {"conditions", conditions}});
  }
  return result;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << dump(json::parse(line)).dump() << "\n";
}
