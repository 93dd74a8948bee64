// Condition parts: texts about conditions, and the button on a line of an HTML page with its pop-over.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/analysis/conditions/conditions.h"

namespace qd::report {

/// Decisions by the line that they begin on.
using DecisionsByLine = std::map<int32_t, std::vector<const DecisionCoverage*>>;
DecisionsByLine by_line(const std::vector<DecisionCoverage>& decisions);

/// Evaluations that would show that a condition decides alone: "wants a true, b false"; or the reason why none can.
/// Empty when it was shown.
std::string wanted_text(const ConditionCoverage& condition, const DecisionCoverage& decision);

/// For each line, the missing outcomes of its conditions: "a never true; b never decides, wants a true, b false".
/// Decisions of the statements in `missing_lines` are left out.
std::map<int32_t, std::string> condition_notes(const std::vector<DecisionCoverage>& decisions,
                                               const std::vector<int32_t>& missing_lines);

/// Button "◇ 3/6" (outcomes seen) and its pop-over: the conditions, their evaluations, and those that decide alone.
/// `id` is that of the pop-over, escaped. All text of the source is escaped.
std::string conditions_html(const std::vector<const DecisionCoverage*>& decisions, int32_t line, const std::string& id);

/// Returns for each evaluation of a decision the origins that saw it, a bit each.
using OriginsOf = std::function<std::vector<uint32_t>(const DecisionCoverage&)>;

/// The same for the file view of the HTML report, as JSON: {"chip": ["part", 3, 6, "label"], "decisions": [{"kind":
/// "if", "text": "a and b", "outcomes": [3, 6], "conditions": [["a", "s", "n", "s", "ways 1 and 2"], ...], "note":
/// "Never evaluated.", "ways": [["T-", "T"], ...]}, ...]}. Outcomes of a condition: s(een), n(ever), a(lways, of a
/// literal), - (never, of a literal); then whether it decides alone: s(hown), n(ot), - (not analysed), and the words to
/// it. With `origins_of`, "by": [1, 3] has for each evaluation the origins that saw it, a bit each; if only single
/// conditions were recorded, they are in "parts": ["T-", ...].
void append_conditions_json(std::string& out, const std::vector<const DecisionCoverage*>& decisions, int32_t line,
                            const OriginsOf& origins_of = {});

/// Keyboard shortcuts of pages with conditions, for the list of shortcuts.
inline constexpr const char* kConditionKeys =
    "<div><dt><kbd>c</kbd> <kbd>C</kbd></dt><dd>next, previous missed condition</dd></div>\n    ";

inline constexpr const char* kConditionLegend =
    "<li><b>◇</b> outcomes of conditions seen</li><li><b>◆</b> all of them, and each condition decides alone</li>";

/// Table cell "3/6", with the share for sorting.
std::string fraction_cell(int64_t done, int64_t of);

}  // namespace qd::report
