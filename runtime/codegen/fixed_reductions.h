// Reductions of a parallel task into single places: which of its atomics need not happen at once.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::codegen {

/// A temp, or an element with constant indices.
struct ReductionKey {
  ir::Op op;                     // GlobalTemp or ElementPtr
  uint32_t slot;                 // of the temp, or the array
  std::vector<int64_t> element;  // its indices
  auto operator<=>(const ReductionKey&) const = default;
};

struct FixedReduction {
  ir::AtomicOp op;
  ir::Type type;
  ir::InstId place;
};

/// The operation by which results of `op` are gathered; Add for Sub, which adds the negative. Nothing for operations
/// whose order matters.
std::optional<ir::AtomicOp> gathered(ir::AtomicOp op);

/// Nothing: the place is not known at compile time.
std::optional<ReductionKey> reduction_key(const ir::Kernel& kernel, const ir::Inst& place);

/// The places that only one kind of atomic touches, and whose old values nobody reads. Numbers have 32 bits or 64.
std::map<ReductionKey, FixedReduction> fixed_reductions(const ir::Kernel& kernel, const ir::Task& task);

}  // namespace qd::codegen
