// Groups the arcs of a coverage map by their sums, and numbers the outcomes of its decisions.
#include "instrument/counter_meaning.h"

#include <algorithm>

#include "runtime/ir/derivative_probe.h"

namespace qd::instrument {

static_assert(ir::kDerivative == report::JournalArc::kDerivative);

report::JournalFunction journal_function(const ir::Function& function, bool is_kernel, const std::string& arch) {
  return {function.file, {function.first_line, function.name, is_kernel, arch}};
}

CounterMeaning::CounterMeaning(const CoverageMap& map, const std::vector<ir::Probe>& left_out_probes,
                               const std::string& arch, std::string variant_)
    : variant(std::move(variant_)), results(map.results), counters(map.counters) {
  for (const ir::Function& function : map.functions)
    functions.push_back(journal_function(function, functions.empty(), arch));
  func_variants = map.variants;
  for (const ir::Probe& probe : left_out_probes) left_out.push_back({probe.function, {probe.from, probe.to}});
  for (const MappedArc& arc : map.arcs) {
    const bool has_counter = !arc.count.terms().empty();
    if (!has_counter && arc.from != ir::kDerivative) continue;  // this code never takes it
    auto index = static_cast<uint32_t>(arcs.size());
    arcs.push_back({arc.function, {arc.from, arc.to}, arc.variant});
    if (!has_counter) continue;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.count == arc.count; });
    if (same == groups.end()) same = groups.insert(same, {arc.count, {}});
    same->arcs.push_back(index);
  }
  for (const MappedDecision& mapped : map.decisions) {
    decisions.push_back(mapped.decision);
    const auto count = static_cast<uint32_t>(mapped.decision.outcomes.size());
    for (uint32_t k = 0; k < count; k += 64) {
      words.push_back({mapped.first_counter + k / 64, count - k < 64 ? (uint64_t{1} << (count - k)) - 1 : UINT64_MAX,
                       outcomes + k});
    }
    outcomes += count;
  }
}

bool CounterMeaning::of_derivatives() const {
  return !arcs.empty() && left_out.empty() &&
         std::ranges::all_of(arcs, [](const report::JournalArc& arc) { return arc.is_derivative(); });
}

bool CounterMeaning::has_sums() const {
  return std::ranges::any_of(
      results, [](const MappedResults& mapped) { return mapped.results.kind.merge == report::MergeRule::Add; });
}

}  // namespace qd::instrument
