// Arithmetic on the numbers of iterations, as instructions.
#include "runtime/passes/block_ranges.h"

#include <algorithm>
#include <limits>

#include "runtime/ir/iterations.h"

namespace qd::passes {

using ir::BinaryOp;
using ir::Bound;
using ir::Builder;
using ir::InstId;
using ir::Type;

namespace {

/// The number of iterations, where all bounds are constants.
std::optional<int64_t> known_iterations(const ir::Task& task) {
  const auto is_constant = [](const Bound& bound) { return bound.kind == Bound::Kind::Const; };
  if (!std::ranges::all_of(task.bounds, is_constant)) return std::nullopt;
  const int64_t all = ir::iterations(task.bounds, [](const Bound& bound) { return bound.value; });
  return all == ir::kTooManyIterations ? std::nullopt : std::optional(all);
}

}  // namespace

BlockRange::BlockRange(Builder& build, ir::Kernel& kernel, const ir::Task& task)
    : kernel_(kernel), known_(known_iterations(task)) {
  // Behind the last iteration there may be threads of the last block.
  if (known_ && *known_ <= std::numeric_limits<int32_t>::max() - ir::kMaxBlockDim) type_ = Type::I32;
  if (known_) block_type_ = type_;
  for (size_t i = 0; i + 1 < task.bounds.size(); i += 2) {
    if (!known_ && ir::bit_width(task.bounds[i].type) == 64) block_type_ = Type::I64;
    const InstId begin = value(build, task.bounds[i]);
    const InstId end = value(build, task.bounds[i + 1]);
    const InstId difference = build.binary(BinaryOp::Sub, build.cast(type_, end), build.cast(type_, begin));
    const InstId none = number(build, 0);
    // The difference of two u64 may have the sign of a negative number, and that of empty ranges another.
    const InstId extent = task.bounds[i].type == Type::U64
                              ? build.select(build.compare(ir::CompareOp::Lt, begin, end), difference, none)
                              : build.binary(BinaryOp::Max, difference, none);
    axes_.push_back({begin, extent});
    total_ = total_ == InstId::None ? extent : build.binary(BinaryOp::Mul, total_, extent);
  }
}

InstId BlockRange::value(Builder& build, const Bound& bound) const {
  switch (bound.kind) {
    case Bound::Kind::Const: return build.constant(bound.type, static_cast<uint64_t>(bound.value));
    case Bound::Kind::Temp: return build.load(build.global_temp(bound.type, static_cast<uint32_t>(bound.value)));
    case Bound::Kind::Shape:
      return build.cast(bound.type, build.inst(ir::Op::Shape, Type::I32, {}, static_cast<uint32_t>(bound.value),
                                               static_cast<uint64_t>(bound.axis)));
    case Bound::Kind::Param: {
      const auto param = static_cast<uint32_t>(bound.value);
      return build.cast(bound.type, build.inst(ir::Op::Arg, kernel_.params[param].type, {}, param));
    }
  }
  return InstId::None;
}

std::optional<int64_t> BlockRange::known_blocks(int32_t block_dim) const {
  if (!known_) return std::nullopt;
  return (*known_ + block_dim - 1) / block_dim;
}

InstId BlockRange::blocks(Builder& build, int32_t block_dim) const {
  const InstId last = build.binary(BinaryOp::Add, total_, number(build, block_dim - 1));
  return build.cast(block_type_, build.binary(BinaryOp::FloorDiv, last, number(build, block_dim)));
}

InstId BlockRange::first_of_block(Builder& build, InstId block, int32_t block_dim) const {
  return build.binary(BinaryOp::Mul, build.cast(type_, block), number(build, block_dim));
}

InstId BlockRange::threads_of_block(Builder& build, InstId first, int32_t block_dim) const {
  if (known_ && *known_ % block_dim == 0) return build.constant(Type::I32, static_cast<uint64_t>(int64_t{block_dim}));
  const InstId left = build.binary(BinaryOp::Sub, total_, first);
  return build.cast(Type::I32, build.binary(BinaryOp::Min, left, number(build, block_dim)));
}

InstId BlockRange::iteration(Builder& build, InstId first, InstId thread) const {
  return build.binary(BinaryOp::Add, build.cast(Type::I64, first), build.cast(Type::I64, thread));
}

InstId BlockRange::index(Builder& build, InstId first, InstId thread, uint32_t axis) const {
  const Axis& wanted = axes_[axis];
  InstId number = build.binary(BinaryOp::Add, first, build.cast(type_, thread));
  for (size_t inner = axes_.size() - 1; inner > axis; inner--)
    number = build.binary(BinaryOp::FloorDiv, number, axes_[inner].extent);
  if (axis > 0) number = build.binary(BinaryOp::Mod, number, wanted.extent);
  return build.binary(BinaryOp::Add, wanted.begin, build.cast(kernel_[wanted.begin].type, number));
}

}  // namespace qd::passes
