#include "runtime/ir/block_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/blocks.h"
#include "runtime/ir/walk.h"

namespace qd::ir {
namespace {

constexpr int64_t kSmallest = 4;  // bytes of a number in shared memory

int64_t bytes_of(const Kernel& kernel, BlockId body) {
  int64_t bytes = 0;
  walk(kernel, body, [&](InstId id) {
    const Inst& inst = kernel[id];
    if (inst.op == Op::Shared)
      bytes += std::max<int64_t>(kSmallest, size_in_bytes(inst.type)) * std::max<int64_t>(1, inst.length());
  });
  return bytes;
}

/// An atomic operation on a shared number of 64 bits, or None.
InstId wide_atomic(const Kernel& kernel, BlockId body) {
  InstId found = InstId::None;
  walk(kernel, body, [&](InstId id) {
    const Inst& inst = kernel[id];
    if (found != InstId::None || (inst.op != Op::AtomicRmw && inst.op != Op::AtomicCas)) return;
    InstId place = kernel.operands_of(inst)[0];
    if (kernel[place].op == Op::LocalPtr) place = kernel.operands_of(place)[0];
    if (kernel[place].op == Op::Shared && bit_width(inst.type) == 64) found = id;
  });
  return found;
}

std::string named(const std::string& name) { return name.empty() ? "" : " (" + name + ")"; }

}  // namespace

std::optional<Excess> beyond(const Kernel& kernel, const BlockLimits& limits) {
  std::optional<Excess> first;
  walk(kernel, [&](InstId id) {
    const Inst& loop = kernel[id];
    if (first || loop.op != Op::For || !is_block_loop(kernel, loop.blocks[0])) return;
    const int64_t threads = kernel.loops[loop.aux].block_dim;
    const int64_t bytes = bytes_of(kernel, loop.blocks[0]);
    const InstId atomic = limits.wide_atomics ? InstId::None : wide_atomic(kernel, loop.blocks[0]);
    if (threads > limits.threads) {
      first = {id, fmt::format("runs at most {} threads in a block{}, and this loop has a block_dim of {}",
                               limits.threads, named(limits.threads_name), threads)};
    } else if (bytes > limits.shared_bytes) {
      first = {id, fmt::format("has at most {} bytes of shared memory for a block{}, and this loop uses {}",
                               limits.shared_bytes, named(limits.shared_bytes_name), bytes)};
    } else if (atomic != InstId::None) {
      first = {atomic, fmt::format("has no atomic operations on numbers of 64 bits in shared memory{}",
                                   named(limits.wide_atomics_name))};
    }
  });
  return first;
}

}  // namespace qd::ir
