// Results of instruments besides arcs and conditions: a number for each place in a source, for instance the largest
// value of an expression. A kind that this program does not know is kept and merged by its own rule.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/source/source_range.h"

namespace qd::report {

/// Rule that merges two values of one place: of launches, processes or data files. 0 is the value without a launch.
enum class MergeRule : uint32_t { Or, Add, Max };

/// Its name in a data file: or, add, max.
std::string_view merge_name(MergeRule rule);
std::optional<MergeRule> merge_rule(std::string_view name);

/// Results that belong together.
struct ResultKind {
  std::string name;     // of the instrument
  uint32_t width = 64;  // of a value, in bits: 1 to 64. A sum stops at the largest value
  MergeRule merge = MergeRule::Or;

  uint64_t largest() const { return width < 64 ? (uint64_t{1} << width) - 1 : UINT64_MAX; }
  uint64_t merged(uint64_t a, uint64_t b) const;
  auto operator<=>(const ResultKind&) const = default;
};

/// 1 where the derivative of a line was computed. The range of a line has it twice, and no columns.
inline const ResultKind kDerivatives{"derivative", 1, MergeRule::Or};

/// The values of one place, keyed by its range in the file.
struct MeasuredResult {
  int32_t first_line = 0;               // of the kernel or func around
  std::map<uint32_t, uint64_t> values;  // by ContextId; none: compiled, never launched
};
using MeasuredResults = std::map<ResultKind, std::map<SourceRange, MeasuredResult>>;

}  // namespace qd::report
