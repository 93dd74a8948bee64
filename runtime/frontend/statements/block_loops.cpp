// The number of iterations of a loop over blocks: known, or checked in front of the loop.
#include "runtime/frontend/statements/loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/text.h"
#include "runtime/ir/blocks.h"
#include "runtime/ir/iterations.h"
#include "runtime/ir/walk.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

bool threads_meet(const ir::Kernel& kernel, ir::BlockId body) {
  bool meet = false;
  ir::walk(kernel, body, [&](InstId id) { meet |= ir::has_effect(kernel[id].op, ir::kConvergent); });
  return meet;
}

/// Gives the loop arrays of its own, in place of arrays that are named before it.
void declare_arrays(ir::Kernel& kernel, ir::BlockId body) {
  std::set<InstId> placed;
  ir::walk(kernel, body, [&](InstId id) { placed.insert(id); });
  std::map<InstId, InstId> own;
  ir::walk(kernel, body, [&](InstId id) {
    for (InstId operand : kernel.operands_of(id)) {
      if (kernel[operand].op == Op::Shared && !placed.contains(operand)) own[operand] = InstId::None;
    }
  });
  for (auto& [array, copy] : own) {
    copy = ir::Builder(kernel, ir::BlockId::None, kernel[array].location).like(kernel[array], {});
    kernel[body].insert(kernel[body].begin(), copy);
  }
  ir::walk(kernel, body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    for (uint32_t i = 0; i < inst.operand_count; ++i) {
      InstId& operand = kernel.operands[inst.operand_begin + i];
      if (auto found = own.find(operand); found != own.end()) operand = found->second;
    }
  });
}

/// Number of iterations, if all bounds are constants.
std::optional<int64_t> known_iterations(const ir::Kernel& kernel, std::span<const InstId> bounds) {
  int64_t product = 1;
  for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
    const ir::Inst &begin = kernel[bounds[i]], &end = kernel[bounds[i + 1]];
    if (begin.op != Op::Const || end.op != Op::Const) return std::nullopt;
    const uint64_t indices = ir::extent(begin.type, begin.integer(), end.integer());
    if (__builtin_mul_overflow(product, indices, &product)) return std::nullopt;
  }
  return product;
}

std::string not_a_multiple(std::string_view iterations, int32_t block_dim) {
  return fmt::format("the loop runs {} iterations, which is not a multiple of its block_dim {}", iterations, block_dim);
}

/// Emits an assert that the number of iterations is a multiple.
void check_multiple(Compilation& c, const std::vector<InstId>& bounds, int32_t block_dim, const Range& range) {
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  const InstId none = c.build.constant(Type::I64, Value(int64_t{0}));
  InstId product = InstId::None;
  for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
    const InstId difference =
        c.build.binary(BinaryOp::Sub, c.build.cast(Type::I64, bounds[i + 1]), c.build.cast(Type::I64, bounds[i]));
    const InstId extent =
        c.kernel[bounds[i]].type == Type::U64
            ? c.build.select(c.build.compare(ir::CompareOp::Lt, bounds[i], bounds[i + 1]), difference, none)
            : c.build.binary(BinaryOp::Max, difference, none);
    product = product == InstId::None ? extent : c.build.binary(BinaryOp::Mul, product, extent);
  }
  const InstId rest = c.build.binary(BinaryOp::Mod, product, c.build.constant(Type::I64, Value(int64_t{block_dim})));
  Text text;
  text.add("the loop runs ");
  text.add_value(Number{product, Type::I64}, "", range);
  text.add(fmt::format(" iterations, which is not a multiple of its block_dim {}", block_dim));
  emit_check(c, Op::Assert, c.build.compare(ir::CompareOp::Eq, rest, none), text, range, ir::Format::Kind::Plain);
}

}  // namespace

void finish_block_loop(Compilation& c, InstId loop, const Range& range) {
  const ir::BlockId body = c.kernel[loop].blocks[0];
  declare_arrays(c.kernel, body);
  if (!ir::is_block_loop(c.kernel, body)) return;
  int32_t& block_dim = c.kernel.loops[c.kernel[loop].aux].block_dim;
  if (block_dim == 0) block_dim = c.options.default_gpu_block_dim;
  if (block_dim > ir::kMaxBlockDim) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("`block_dim` is {} at most, not {}: the iterations are threads of blocks",
                               ir::kMaxBlockDim, block_dim));
    return;
  }
  if (!threads_meet(c.kernel, body)) return;
  const auto operands = c.kernel.operands_of(loop);
  const std::vector<InstId> bounds(operands.begin(), operands.end());
  if (auto known = known_iterations(c.kernel, bounds)) {
    if (*known % block_dim != 0)
      c.report.error(ErrorKind::Type, range, not_a_multiple(fmt::format("{}", *known), block_dim));
    return;
  }
  // The check goes in front of the loop, which has been added already.
  const auto position = [&] {
    const std::vector<InstId>& insts = c.kernel[c.build.block()];
    return std::ranges::find(insts, loop) - insts.begin();
  };
  const auto at = position();
  const auto end = static_cast<ptrdiff_t>(c.kernel[c.build.block()].size());
  check_multiple(c, bounds, block_dim, range);
  std::vector<InstId>& insts = c.kernel[c.build.block()];
  std::rotate(insts.begin() + at, insts.begin() + end, insts.end());
}

}  // namespace qd::frontend
