// Reductions of a parallel task into single places: atomics that may be gathered first.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// Key of the place of a reduction: a temp, or an element with constant indices.
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

/// The operation that combines gathered results of `op`; Add for Sub, which adds the negative. Nothing for operations
/// whose order matters.
std::optional<ir::AtomicOp> gathered(ir::AtomicOp op);

/// The key of a place. Nothing when the place is not known at compile time.
std::optional<ReductionKey> reduction_key(const ir::Kernel& kernel, const ir::Inst& place);

/// The operation by which the epilogue of a task adds a variable of its prologue to memory, as privatize_reductions
/// makes them. Nothing for other instructions.
std::optional<ir::AtomicOp> epilogue_op(const ir::Kernel& kernel, const ir::Task& task, ir::InstId variable);

/// The places that only one kind of atomic touches, without a use of the old values. Numbers have 32 bits or 64.
std::map<ReductionKey, FixedReduction> fixed_reductions(const ir::Kernel& kernel, const ir::Task& task);

}  // namespace qd::passes
