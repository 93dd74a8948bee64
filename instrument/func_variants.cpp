// Renames the variants of probes before there are counters, so that copies of a func that are not told apart share
// counters.
#include "instrument/lower_probes.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace qd::instrument {

void join_many_variants(ir::Kernel& kernel) {
  std::map<uint32_t, std::set<uint32_t>> variants;  // by function
  for (const ir::Probe& probe : kernel.probes) variants[probe.function].insert(probe.variant);
  std::map<uint32_t, uint32_t> joined;
  for (const auto& [function, list] : variants) {
    if (list.size() <= kMostFuncVariants) continue;
    joined[function] = static_cast<uint32_t>(kernel.variants.size());
    kernel.variants.push_back(fmt::format("{} different sets of arguments", list.size()));
  }
  for (ir::Probe& probe : kernel.probes) {
    if (auto found = joined.find(probe.function); found != joined.end()) probe.variant = found->second;
  }
}

}  // namespace qd::instrument
