// Iterations are counted by their indices, a number with one digit for each axis. Behind the last iteration the first
// digit is out of range. So however many iterations there are, nothing is counted in 64 bits unless the axes are; and a
// thread goes from one of its iterations to the next by sums, without the divisions that make digits of a number.
//
//   for i, j in qd.ndrange(2, 3):     # the iteration (1, 0) has the digits 1, 0; a step of 4 has 1, 1
//
// The loop of a task counts up at its end, or, since a Continue of the body goes to its top, there. With one axis it
// counts rounds, whose number is known before it.
#include "runtime/passes/thread_rounds.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/blocks.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/rewrite.h"

namespace qd::passes {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::CompareOp;
using ir::Dispatch;
using ir::InstId;
using ir::Op;
using ir::Type;

/// The digits of an iteration, from the slowest axis to the fastest.
using Digits = std::vector<InstId>;

struct Axis {
  InstId begin;          // as a digit
  InstId extent;         // at least 1, so that it can divide; of the first axis 0 where there are no iterations
  Type indices, digits;  // the types of both: a digit is unsigned
  bool may_wrap;         // whether a sum of digits may be too large for its type
};

class ThreadRounds {
 public:
  ThreadRounds(ir::Kernel& kernel, ir::Task& task, UnknownRange unknown)
      : kernel_(kernel),
        task_(task),
        unknown_(unknown),
        blocks_(ir::is_block_loop(kernel, task.body)),
        b_(kernel, kernel.add_block()) {}

  ThreadCode run() {
    ThreadCode code{.block = b_.block()};
    add_axes();
    const InstId group = dispatch(Dispatch::Group);
    const Distribution given = distribution();
    const InstId start = b_.binary(BinaryOp::Mul, group, given.group_stride);
    const InstId own_start = b_.binary(BinaryOp::Add, start, dispatch(Dispatch::Thread));
    const Digits step = digits(given.step);
    if (axes_.size() == 1 && !blocks_ && axes_[0].digits == Type::U32) {
      emit_counted_loop(own_start, step[0], given.rounds, code);
      return code;
    }
    // A block loop counts the first iterations of blocks, which are the same for all threads of a group, so the threads
    // stay together.
    const Variables counted = variables(digits(blocks_ ? start : own_start));
    const Variables own_counted = blocks_ ? variables(digits(own_start)) : counted;
    const Variables round = variables({number(0)});

    const InstId loop = b_.inst(Op::Loop, Type::Void);
    b_.set_block(kernel_.add_block());
    const Digits at = load(counted), own = blocks_ ? load(own_counted) : at;
    const InstId round_number = load(round)[0];
    const InstId inside = b_.compare(CompareOp::Lt, at[0], axes_[0].extent);
    const InstId goes_on = b_.compare(CompareOp::Lt, round_number, given.rounds);
    b_.choose(b_.binary(BinaryOp::BitAnd, inside, goes_on), [] {}, [&] { b_.inst(Op::Break, Type::Void); });
    auto count = [&] {
      store(counted, sum(at, step));
      if (blocks_) store(own_counted, sum(own, step));
      store(round, {b_.binary(BinaryOp::Add, round_number, number(1))});
    };
    const bool continues = body_has(Op::Continue);
    if (continues) count();
    // Another block may use the shared variables only when all threads of the one before are done with them.
    if (ir::shared_bytes(kernel_, task_.body) > 0)
      b_.when(b_.compare(CompareOp::Ne, round_number, number(0)),
              [&] { b_.inst(Op::Barrier, Type::Void, {}, 0, static_cast<uint64_t>(ir::Scope::Block)); });
    if (routines_ask()) code.iteration = iteration(b_, own);
    put_place(own);
    if (blocks_) {
      const InstId choice = b_.inst(Op::If, Type::Void, {b_.compare(CompareOp::Lt, own[0], axes_[0].extent)});
      kernel_[choice].blocks = {task_.body, kernel_.add_block()};
    } else {
      put_in_front(std::exchange(kernel_[b_.block()], {}));
      b_.set_block(task_.body);
    }
    if (!continues) count();
    kernel_[loop].blocks[0] = b_.block();
    return code;
  }

 private:
  using Variables = std::vector<InstId>;

  /// The numbers of TaskArguments by which a thread finds its iterations.
  struct Distribution {
    InstId group_stride, step, rounds;
  };

  /// That of the launch. If the launch does not know the number of iterations, it interleaves those of all groups:
  /// where groups are to have pieces, the code makes these of it.
  Distribution distribution() {
    const Distribution launched{dispatch(Dispatch::GroupStride), dispatch(Dispatch::Step), dispatch(Dispatch::Rounds)};
    const auto is_unknown = [](const ir::Bound& bound) { return bound.kind == ir::Bound::Kind::Temp; };
    const auto is_wide = [](const Axis& axis) { return axis.digits == Type::U64; };
    if (unknown_ == UnknownRange::Interleaved || blocks_ || std::ranges::none_of(task_.bounds, is_unknown) ||
        std::ranges::any_of(axes_, is_wide))
      return launched;
    const InstId most = number(uint64_t{1} << 31, Type::U64);
    InstId all = number(1, Type::U64);
    for (const Axis& axis : axes_)
      all = b_.binary(BinaryOp::Min, b_.binary(BinaryOp::Mul, all, b_.cast(Type::U64, axis.extent)), most);
    const InstId known = b_.compare(CompareOp::Lt, all, most);
    const InstId above =
        b_.binary(BinaryOp::Add, b_.cast(Type::U32, all), b_.binary(BinaryOp::Sub, launched.step, number(1)));
    const InstId rounds = b_.binary(BinaryOp::FloorDiv, above, launched.step);
    const InstId threads = launched.group_stride;  // of a group
    return {b_.select(known, b_.binary(BinaryOp::Mul, rounds, threads), threads),
            b_.select(known, threads, launched.step), b_.select(known, rounds, launched.rounds)};
  }

  /// The loop over one axis: the number of rounds is computed before it, so that compilers can unroll it and have
  /// several loads under way.
  void emit_counted_loop(InstId start, InstId step, InstId most_rounds, ThreadCode& code) {
    const Axis& axis = axes_[0];
    const InstId last = b_.binary(BinaryOp::Sub, b_.binary(BinaryOp::Sub, axis.extent, start), number(1));
    const InstId all = b_.binary(BinaryOp::Add, b_.binary(BinaryOp::FloorDiv, last, step), number(1));
    const InstId own = b_.select(b_.compare(CompareOp::Lt, start, axis.extent), all, number(0));
    const InstId rounds = b_.binary(BinaryOp::Min, own, most_rounds);
    const Variables counted = variables({number(0)});
    const InstId loop = b_.inst(Op::Loop, Type::Void);
    b_.set_block(kernel_.add_block());
    const InstId round = load(counted)[0];
    b_.choose(b_.compare(CompareOp::Lt, round, rounds), [] {}, [&] { b_.inst(Op::Break, Type::Void); });
    auto count = [&] { store(counted, {b_.binary(BinaryOp::Add, round, number(1))}); };
    const bool continues = body_has(Op::Continue);
    if (continues) count();
    const Digits at = {b_.binary(BinaryOp::Add, start, b_.binary(BinaryOp::Mul, round, step))};
    if (routines_ask()) code.iteration = iteration(b_, at);
    put_place(at);
    put_in_front(std::exchange(kernel_[b_.block()], {}));
    b_.set_block(task_.body);
    if (!continues) count();
    kernel_[loop].blocks[0] = b_.block();
  }

  InstId number(uint64_t value, Type type = Type::U32) { return b_.constant(type, value); }
  InstId dispatch(Dispatch which) { return b_.inst(Op::Dispatch, Type::U32, {}, 0, static_cast<uint64_t>(which)); }

  InstId bound(const ir::Bound& bound) {
    const auto index = static_cast<uint32_t>(bound.value);
    switch (bound.kind) {
      case ir::Bound::Kind::Const: return b_.constant(bound.type, static_cast<uint64_t>(bound.value));
      case ir::Bound::Kind::Shape:
        return b_.cast(bound.type, b_.inst(Op::Shape, Type::I32, {}, index, static_cast<uint64_t>(bound.axis)));
      case ir::Bound::Kind::Temp: return b_.load(b_.global_temp(bound.type, index));
      case ir::Bound::Kind::Param: return b_.cast(bound.type, b_.inst(Op::Arg, kernel_.params[index].type, {}, index));
    }
    return InstId::None;
  }

  void add_axes() {
    for (size_t i = 0; i < task_.bounds.size(); i += 2) {
      const ir::Bound& first = task_.bounds[i];
      const Type digit = ir::bit_width(first.type) == 64 ? Type::U64 : Type::U32;
      const InstId begin = bound(first), end = bound(task_.bounds[i + 1]);
      const InstId filled = b_.compare(CompareOp::Lt, begin, end);
      const InstId from = b_.cast(digit, begin), to = b_.cast(digit, end);
      const InstId none = number(i == 0 ? 0 : 1, digit);
      const InstId extent = b_.select(filled, b_.binary(BinaryOp::Sub, to, from), none);
      const bool small = first.type == Type::I32 && first.kind == ir::Bound::Kind::Const && first.value >= 0;
      axes_.push_back({from, extent, first.type, digit, !small && digit == Type::U32});
      if (i > 0) axes_[0].extent = b_.select(filled, axes_[0].extent, number(0, axes_[0].digits));
    }
  }

  /// The digits of a number of 32 bits.
  Digits digits(InstId all) {
    Digits at(axes_.size());
    for (size_t i = axes_.size(); i-- > 1;) {
      const Axis& axis = axes_[i];
      all = b_.cast(axis.digits, all);
      const InstId above = b_.binary(BinaryOp::FloorDiv, all, axis.extent);
      at[i] = b_.binary(BinaryOp::Sub, all, b_.binary(BinaryOp::Mul, above, axis.extent));
      all = above;
    }
    at[0] = b_.cast(axes_[0].digits, all);
    return at;
  }

  /// Adds digits from the last to the first, with carries.
  Digits sum(const Digits& at, const Digits& step) {
    Digits next(at.size());
    InstId carry = InstId::None;
    for (size_t i = at.size(); i-- > 0;) {
      const Axis& axis = axes_[i];
      InstId digit = b_.binary(BinaryOp::Add, at[i], step[i]);
      if (carry != InstId::None) digit = b_.binary(BinaryOp::Add, digit, b_.cast(axis.digits, carry));
      const InstId wraps = axis.may_wrap ? b_.compare(CompareOp::Lt, digit, at[i]) : InstId::None;
      if (i > 0) {
        carry = b_.compare(CompareOp::Ge, digit, axis.extent);
        if (wraps != InstId::None) carry = b_.binary(BinaryOp::BitOr, carry, wraps);
        digit = b_.select(carry, b_.binary(BinaryOp::Sub, digit, axis.extent), digit);
      } else if (wraps != InstId::None) {
        digit = b_.select(wraps, number(UINT32_MAX), digit);  // out of range
      }
      next[i] = digit;
    }
    return next;
  }

  Variables variables(const Digits& first) {
    Variables all;
    for (InstId digit : first) {
      all.push_back(b_.variable(kernel_[digit].type));
      b_.store(all.back(), digit);
    }
    return all;
  }
  Digits load(const Variables& variables) {
    Digits at;
    for (InstId variable : variables) at.push_back(b_.load(variable));
    return at;
  }
  void store(const Variables& variables, const Digits& next) {
    for (size_t i = 0; i < next.size(); i++) b_.store(variables[i], next[i]);
  }

  bool body_has(Op op) const {
    bool has = false;
    ir::walk(kernel_, task_.body, [&](InstId id) { has |= kernel_[id].op == op; });
    return has;
  }
  /// Whether a routine asks for the number of the iteration.
  bool routines_ask() const {
    bool ask = false;
    ir::walk_reached(kernel_, task_, [&](InstId id) { ask |= kernel_[id].op == Op::Iteration; });
    return ask;
  }
  /// The number of the iteration with these digits.
  InstId iteration(ir::Builder& build, const Digits& at) const {
    InstId all = build.cast(Type::I64, at[0]);
    for (size_t i = 1; i < at.size(); i++) {
      const InstId above = build.binary(BinaryOp::Mul, all, build.cast(Type::I64, axes_[i].extent));
      all = build.binary(BinaryOp::Add, above, build.cast(Type::I64, at[i]));
    }
    return all;
  }

  /// Puts the indices of an iteration in place of the body's LoopIndexes, and its number in place of each Iteration.
  void put_place(const Digits& at) {
    std::vector<InstId> indices;
    for (size_t i = 0; i < at.size(); i++)
      indices.push_back(b_.cast(axes_[i].indices, b_.binary(BinaryOp::Add, axes_[i].begin, at[i])));
    ir::Replacements replacements;
    put_place(task_.body, indices, at, replacements);
    ir::replace(kernel_, task_.body, replacements);
  }
  void put_place(BlockId block, const std::vector<InstId>& indices, const Digits& at, ir::Replacements& replacements) {
    if (block == BlockId::None) return;
    std::vector<InstId> out;
    for (const InstId id : std::exchange(kernel_[block], {})) {
      const ir::Inst inst = kernel_[id];
      for (const BlockId inner : inst.blocks) put_place(inner, indices, at, replacements);
      ir::Builder here(kernel_, out, inst.location);
      if (inst.op == Op::LoopIndex && inst.aux_inst() == task_.loop) replacements.add(id, indices[inst.axis()]);
      if (inst.op == Op::Iteration) replacements.add(id, iteration(here, at));
      out.push_back(id);
    }
    kernel_[block] = std::move(out);
  }

  void put_in_front(const std::vector<InstId>& insts) {
    std::vector<InstId>& body = kernel_[task_.body];
    body.insert(body.begin(), insts.begin(), insts.end());
  }

  ir::Kernel& kernel_;
  const ir::Task& task_;
  const UnknownRange unknown_;
  const bool blocks_;
  ir::Builder b_;
  std::vector<Axis> axes_;
};

}  // namespace

std::vector<ThreadCode> thread_rounds(ir::Kernel& kernel, UnknownRange unknown) {
  std::vector<ThreadCode> all;
  for (ir::Task& task : kernel.tasks) {
    const bool parallel = task.kind == ir::Task::Kind::Parallel;
    all.push_back(parallel ? ThreadRounds(kernel, task, unknown).run() : ThreadCode{.block = task.body});
  }
  return all;
}

}  // namespace qd::passes
