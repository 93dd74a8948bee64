// Merging of two values of an instrument's result.
#include "report/data/instrument_results.h"

#include <algorithm>
#include <array>

namespace qd::report {
namespace {

constexpr std::array<std::string_view, 3> kNames{"or", "add", "max"};

}  // namespace

std::string_view merge_name(MergeRule rule) { return kNames[static_cast<size_t>(rule)]; }

std::optional<MergeRule> merge_rule(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<MergeRule>(found - kNames.begin());
}

uint64_t ResultKind::merged(uint64_t a, uint64_t b) const {
  switch (merge) {
    case MergeRule::Or: return (a | b) & largest();
    case MergeRule::Max: return std::min(std::max(a, b), largest());
    case MergeRule::Add: return a + std::min(b, largest() - std::min(a, largest()));
  }
  return a;
}

}  // namespace qd::report
