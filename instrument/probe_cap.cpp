// Removes probes from a kernel before there are counters, so that the other probes are counted as if these had never
// been there.
#include "instrument/probe_cap.h"

#include <fmt/format.h>

#include <algorithm>

#include "instrument/message.h"
#include "runtime/ir/derivative_probe.h"

namespace qd::instrument {

namespace {

/// Calls `visit` for every list of a kernel that may hold probes: the instructions of a block, or the probes that the
/// launcher handles.
template <class Blocks, class Probes>
void for_each_list(ir::Kernel& kernel, Blocks&& block, Probes&& probes) {
  for (std::vector<ir::InstId>& insts : kernel.blocks) block(insts);
  for (ir::Task& task : kernel.tasks) probes(task.start_probes);
  probes(kernel.end_probes);
}

}  // namespace

std::vector<ir::Probe> ProbeCap::apply(ir::Kernel& kernel) {
  if (!cap_) return {};
  std::vector<bool> used(kernel.probes.size());
  auto is_probe = [&](ir::InstId id) { return kernel[id].op == ir::Op::Probe; };
  for_each_list(
      kernel,
      [&](const std::vector<ir::InstId>& insts) {
        for (ir::InstId id : insts)
          if (is_probe(id)) used[kernel[id].aux] = true;
      },
      [&](const std::vector<uint32_t>& probes) {
        for (uint32_t probe : probes) used[probe] = true;
      });

  std::vector<ir::Probe> left_out;
  std::vector<bool> out(kernel.probes.size());
  for (size_t i = 0; i < kernel.probes.size(); ++i) {
    const ir::Probe& probe = kernel.probes[i];
    const ir::Function& function = kernel.functions[probe.function];
    std::pair<std::string, report::Arc> place(function.file, {probe.from, probe.to});
    if (!used[i] || probe.from == ir::kDerivative || measured_.contains(place)) continue;
    if (measured_.size() < *cap_) {
      measured_.insert(std::move(place));
      continue;
    }
    out[i] = true;
    left_out.push_back(probe);
    if (said_) continue;
    said_ = true;
    tell(fmt::format("QD_COVERAGE_MAX_PROBES={} is reached: no more places of kernels are measured, from {}:{} on",
                     *cap_, function.file, probe.from > 0 ? probe.from : probe.to));
  }
  if (left_out.empty()) return left_out;
  for_each_list(
      kernel,
      [&](std::vector<ir::InstId>& insts) {
        std::erase_if(insts, [&](ir::InstId id) { return is_probe(id) && out[kernel[id].aux]; });
      },
      [&](std::vector<uint32_t>& probes) { std::erase_if(probes, [&](uint32_t probe) { return out[probe]; }); });
  return left_out;
}

}  // namespace qd::instrument
