// Limit of QD_COVERAGE_MAX_PROBES on the number of measured places of the source.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/data/arc.h"
#include "runtime/ir/kernel.h"

namespace qd::instrument {

/// Counts the distinct arcs of the source that are measured in this process. Variants, inlined calls, and programs that
/// are made again share them.
class ProbeCap {
 public:
  explicit ProbeCap(std::optional<size_t> cap) : cap_(cap) {}

  /// Removes the probes for which there is no room from a kernel that is split into tasks. Returns their arcs, as in
  /// Kernel::probes. The probes of a kernel are admitted in the order in which the front end met them. Reports on
  /// stderr when it removes probes for the first time.
  std::vector<ir::Probe> apply(ir::Kernel& kernel);

 private:
  std::optional<size_t> cap_;
  std::set<std::pair<std::string, report::Arc>> measured_;
  bool said_ = false;
};

}  // namespace qd::instrument
