// Condition coverage of one file: the outcomes seen of the conditions in its kernels, and the conditions that were
// shown to decide alone (MC/DC).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/conditions/mcdc.h"
#include "report/data/coverage_data.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

struct SourceAnalysis;

/// A condition in the source.
struct SourceCondition {
  SourceRange range;
  std::string text;              // on one line
  std::optional<bool> constant;  // a literal: it has the same value in every run, so it does not count
  bool operator==(const SourceCondition&) const = default;
};

/// A decision in the source, whether it ever ran or not.
struct SourceDecision {
  SourceRange range;
  std::string kind;        // as in MeasuredDecision
  std::string text;        // on one line
  int32_t line = 0;        // the line of the statement: the first of its logical line
  int32_t function = 0;    // first line of the function it is in
  bool in_kernel = false;  // that function is a kernel or func by its decorators
  std::vector<SourceCondition> conditions;
  std::set<Evaluation> possible;  // all ways to evaluate it; empty: more than kMaxMcdcConditions conditions

  bool has_mcdc() const { return !possible.empty(); }
  bool operator==(const SourceDecision&) const = default;
};

/// The decisions of all functions of a module, host functions too, sorted. `first_line` gives the first lines of
/// logical lines.
std::vector<SourceDecision> find_decisions(const syntax::Module& module, const std::vector<int32_t>& first_line);

/// Outcomes seen of a condition.
struct ConditionCoverage {
  SourceCondition source;
  bool true_seen = false, false_seen = false;
  Independence independence;  // of a decision with MC/DC

  int32_t n_missing() const { return source.constant ? 0 : !true_seen + !false_seen; }
  /// "never true", "never false", "never evaluated", "never decides" (both seen, but not shown to decide alone); empty
  /// when nothing is missing.
  std::string missing(bool has_mcdc) const;
};

/// Outcomes seen of a decision in a kernel or func.
struct DecisionCoverage {
  SourceDecision source;
  bool measured = false;  // true when any compiled code recorded it
  bool true_seen = false, false_seen = false;
  std::vector<ConditionCoverage> conditions;
  std::set<Evaluation> evaluations;

  bool complete() const;
};

/// Numbers of condition coverage. Each condition that is no literal has two outcomes.
struct ConditionNumbers {
  int32_t n_decisions = 0, n_outcomes = 0, n_missing_outcomes = 0;
  int32_t n_mcdc = 0, n_missing_mcdc = 0;  // conditions of decisions with MC/DC; those not shown to decide alone
  int32_t n_without_mcdc = 0;              // decisions of more than kMaxMcdcConditions conditions

  int32_t n_seen_outcomes() const { return n_outcomes - n_missing_outcomes; }
  int32_t n_shown_mcdc() const { return n_mcdc - n_missing_mcdc; }
  ConditionNumbers& operator+=(const ConditionNumbers& other);
};

struct FileConditions {
  std::vector<DecisionCoverage> decisions;  // those that count, by position
  int32_t n_stale = 0;  // measured decisions that the source does not have, because it has changed since

  ConditionNumbers numbers() const;
};

/// Joins the decisions of a source with their measured data. A decision counts when its function is a kernel or func by
/// its decorators, or was compiled as one, and its line is neither excluded nor one whose missing branches are
/// forgiven. An assert counts only when it was recorded: without debug mode it is no part of a kernel.
FileConditions condition_coverage(const SourceAnalysis& source, const FileData& data);

/// The numbers of one decision, and of several.
ConditionNumbers condition_numbers(const DecisionCoverage& decision);
ConditionNumbers condition_numbers(const std::vector<DecisionCoverage>& decisions);

/// A text such as "b never false", with its line, for each condition that lacks something. Decisions of the statements
/// in `missing_lines` are left out, because these are reported as missing anyway.
std::vector<std::pair<int32_t, std::string>> missing_conditions(const std::vector<DecisionCoverage>& decisions,
                                                                const std::vector<int32_t>& missing_lines);

/// "a true, b false": the conditions that were evaluated.
std::string evaluation_text(const Evaluation& evaluation, const std::vector<ConditionCoverage>& conditions);

/// At most `size` characters, the last an ellipsis when there are more.
std::string shortened(const std::string& text, size_t size);

}  // namespace qd::report
