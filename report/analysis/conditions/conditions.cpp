// Condition coverage: compares the decisions of a source with the evaluations that were recorded.
#include "report/analysis/conditions/conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/analysis/analysis.h"
#include "report/data/utf8.h"

namespace qd::report {

namespace {

bool same_conditions(const SourceDecision& source, const MeasuredDecision& measured) {
  return std::equal(source.conditions.begin(), source.conditions.end(), measured.conditions.begin(),
                    measured.conditions.end(),
                    [](const SourceCondition& a, const SourceRange& b) { return a.range == b; });
}

DecisionCoverage join(const SourceDecision& source, const MeasuredDecision* measured) {
  DecisionCoverage result;
  result.source = source;
  result.measured = measured != nullptr;
  if (measured)
    for (const auto& [context, evaluations] : measured->evaluations)
      result.evaluations.insert(evaluations.begin(), evaluations.end());
  std::vector<Independence> independent(source.conditions.size());
  if (source.has_mcdc()) independent = independence(result.evaluations, source.conditions.size(), source.possible);
  for (size_t i = 0; i < source.conditions.size(); ++i) {
    auto seen = [&](char value) {
      return std::any_of(result.evaluations.begin(), result.evaluations.end(),
                         [&](const Evaluation& e) { return e.conditions[i] == value; });
    };
    result.conditions.push_back({source.conditions[i], seen('T'), seen('F'), independent[i]});
  }
  for (const Evaluation& evaluation : result.evaluations) {
    result.true_seen = result.true_seen || evaluation.result == 'T';
    result.false_seen = result.false_seen || evaluation.result == 'F';
  }
  return result;
}

}  // namespace

std::string ConditionCoverage::missing(bool has_mcdc) const {
  if (source.constant) return "";
  if (!true_seen && !false_seen) return "never evaluated";
  if (!true_seen) return "never true";
  if (!false_seen) return "never false";
  return has_mcdc && !independence.shown ? "never decides" : "";
}

bool DecisionCoverage::complete() const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const ConditionCoverage& c) { return c.missing(source.has_mcdc()).empty(); });
}

ConditionNumbers& ConditionNumbers::operator+=(const ConditionNumbers& other) {
  n_decisions += other.n_decisions;
  n_outcomes += other.n_outcomes;
  n_missing_outcomes += other.n_missing_outcomes;
  n_mcdc += other.n_mcdc;
  n_missing_mcdc += other.n_missing_mcdc;
  n_without_mcdc += other.n_without_mcdc;
  return *this;
}

ConditionNumbers condition_numbers(const DecisionCoverage& decision) {
  ConditionNumbers numbers;
  numbers.n_decisions = 1;
  if (!decision.source.has_mcdc()) numbers.n_without_mcdc = 1;
  for (const ConditionCoverage& condition : decision.conditions) {
    if (condition.source.constant) continue;
    numbers.n_outcomes += 2;
    numbers.n_missing_outcomes += condition.n_missing();
    if (!decision.source.has_mcdc()) continue;
    ++numbers.n_mcdc;
    if (!condition.independence.shown) ++numbers.n_missing_mcdc;
  }
  return numbers;
}

ConditionNumbers condition_numbers(const std::vector<DecisionCoverage>& decisions) {
  ConditionNumbers numbers;
  for (const DecisionCoverage& decision : decisions) numbers += condition_numbers(decision);
  return numbers;
}

ConditionNumbers FileConditions::numbers() const { return condition_numbers(decisions); }

FileConditions condition_coverage(const SourceAnalysis& source, const FileData& data) {
  std::set<int32_t> compiled;
  for (const auto& [function, probes] : data.kernel_functions) compiled.insert(function.first_line);
  FileConditions result;
  result.n_stale = static_cast<int32_t>(data.decisions.size());
  if (!source.decisions) return result;
  auto is_in = [](const std::vector<int32_t>& lines, int32_t line) {
    return std::binary_search(lines.begin(), lines.end(), line);
  };
  for (const SourceDecision& decision : *source.decisions) {
    auto found = data.decisions.find(decision.range);
    const MeasuredDecision* measured =
        found != data.decisions.end() && same_conditions(decision, found->second) ? &found->second : nullptr;
    if (measured) --result.n_stale;
    bool in_kernel = decision.in_kernel || compiled.contains(decision.function);
    if (!measured && (!in_kernel || decision.kind == "assert")) continue;
    if (is_in(source.excluded, decision.line) || is_in(source.no_branch, decision.line)) continue;
    result.decisions.push_back(join(decision, measured));
  }
  return result;
}

std::vector<std::pair<int32_t, std::string>> missing_conditions(const std::vector<DecisionCoverage>& decisions,
                                                                const std::vector<int32_t>& missing_lines) {
  constexpr size_t kTextSize = 40;
  std::vector<std::pair<int32_t, std::string>> result;
  for (const DecisionCoverage& decision : decisions) {
    if (std::binary_search(missing_lines.begin(), missing_lines.end(), decision.source.line)) continue;
    if (decision.evaluations.empty()) {
      result.emplace_back(decision.source.range.line, shortened(decision.source.text, kTextSize) + " never evaluated");
      continue;
    }
    for (const ConditionCoverage& condition : decision.conditions)
      if (std::string missing = condition.missing(decision.source.has_mcdc()); !missing.empty())
        result.emplace_back(condition.source.range.line,
                            fmt::format("{} {}", shortened(condition.source.text, kTextSize), missing));
  }
  return result;
}

std::string evaluation_text(const Evaluation& evaluation, const std::vector<ConditionCoverage>& conditions) {
  std::string result;
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (evaluation.conditions[i] == '-') continue;
    result += fmt::format("{}{} {}", result.empty() ? "" : ", ", conditions[i].source.text,
                          evaluation.conditions[i] == 'T' ? "true" : "false");
  }
  return result;
}

std::string shortened(const std::string& text, size_t size) {
  size_t characters = 0;
  size_t end = text.size();
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i])) continue;
    if (characters == size - 1) end = i;
    ++characters;
  }
  return characters <= size ? text : text.substr(0, end) + "…";
}

}  // namespace qd::report
