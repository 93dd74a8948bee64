// Exchange of values where threads meet (shuffle, ballot, barrier), and the conditions that they tell behind it.
#include <algorithm>

#include "runtime/passes/block_cutter.h"

namespace qd::passes {

using ir::BinaryOp;
using ir::Builder;
using ir::CompareOp;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

void BlockCutter::together(InstId id) {
  close();
  if (!masked_) {
    become(kernel_, id, Inst{.op = Op::Const, .type = Type::U1, .imm = 1}, {});
  } else {
    const InstId missing = flag();
    clear_flag(missing);
    loops_.each([&](Builder& build, InstId thread) {
      const InstId until = build.load(element(build, loops_.off(), thread));
      const InstId waits = build.compare(CompareOp::Gt, until, build.constant(Type::I32, bits(kEnded)));
      raise(build, missing, waits);
    });
    const InstId value = loops_.at_level().load(missing);
    become(kernel_, id, Inst{.op = Op::Unary, .type = Type::U1, .aux = static_cast<uint32_t>(ir::UnaryOp::LogicalNot)},
           {value});
  }
  loops_.level().push_back(id);
}

InstId BlockCutter::slots(Op op, Type type, uint64_t length) {
  auto& [turn, arrays] = slots_[{op, type}];
  if (arrays.size() < 2) arrays.push_back(loops_.at_head().variable(type, length));
  return arrays[turn++ % arrays.size()];
}

void BlockCutter::shuffle(InstId id) {
  const InstId slot = slots(Op::Shuffle, type(id), bits(block_dim_));
  open();
  {
    const InstId value = resolve(kernel_.operands_of(id)[0]);
    Builder build = loops_.in_piece();
    build.store(element(build, slot, loops_.thread()), value);
  }
  close();
  InstId here = InstId::None;
  if (masked_) {
    if (here_ == InstId::None) here_ = loops_.array(Type::U1);
    here = here_;
    loops_.each([&](Builder& build, InstId thread) {
      const InstId until = build.load(element(build, loops_.off(), thread));
      build.store(element(build, here, thread), build.compare(CompareOp::Eq, until, build.constant(Type::I32, 0)));
    });
  }
  open();
  const InstId lane = resolve(kernel_.operands_of(id)[1]);
  Builder build = loops_.in_piece();
  const InstId thread = loops_.thread();
  InstId is = build.compare(CompareOp::Lt, build.cast(Type::U32, lane), build.constant(Type::U32, bits(subgroup_)));
  const InstId begin = build.binary(BinaryOp::BitAnd, thread, build.constant(Type::I32, bits(-subgroup_)));
  const InstId from = build.binary(BinaryOp::Add, begin, lane);
  if (block_dim_ % subgroup_ != 0)
    is = build.binary(BinaryOp::BitAnd, is,
                      build.compare(CompareOp::Lt, from, build.constant(Type::I32, bits(block_dim_))));
  InstId other = build.select(is, from, thread);
  if (here != InstId::None) other = build.select(build.load(element(build, here, other)), other, thread);
  become(kernel_, id, Inst{.op = Op::Load, .type = type(id)}, {element(build, slot, other)});
  loops_.insts().push_back(id);
  keep(id, loops_.insts());
}

void BlockCutter::ballot(InstId id) {
  const auto groups = bits((block_dim_ + subgroup_ - 1) / subgroup_);
  const InstId words = slots(Op::Ballot, Type::I64, groups);
  {
    Builder build = loops_.at_level();
    for (uint64_t group = 0; group < groups; group++)
      build.store(element(build, words, build.constant(Type::I32, group)), build.constant(Type::I64, 0));
  }
  auto word = [&](Builder& build) {
    const InstId group = build.binary(BinaryOp::Shr, loops_.thread(),
                                      build.constant(Type::I32, bits(__builtin_ctz(static_cast<unsigned>(subgroup_)))));
    return element(build, words, group);
  };
  open();
  {
    const InstId vote = resolve(kernel_.operands_of(id)[0]);
    Builder build = loops_.in_piece();
    const InstId place = word(build);
    const InstId lane = build.binary(BinaryOp::BitAnd, loops_.thread(), build.constant(Type::I32, bits(subgroup_ - 1)));
    const InstId bit = build.binary(BinaryOp::Shl, build.cast(Type::I64, vote), build.cast(Type::I64, lane));
    build.store(place, build.binary(BinaryOp::BitOr, build.load(place), bit));
  }
  close();
  open();
  Builder build = loops_.in_piece();
  const InstId place = word(build);
  become(kernel_, id, Inst{.op = Op::Load, .type = Type::I64}, {place});
  loops_.insts().push_back(id);
  keep(id, loops_.insts());
}

// --- decisions of which threads meet in a part ---

const std::vector<InstId>* BlockCutter::split_of(InstId condition) const {
  for (const auto& [decide, conditions] : pieces_.split_decisions()) {
    if (std::ranges::find(conditions, condition) != conditions.end()) return &conditions;
  }
  return nullptr;
}

bool BlockCutter::tell_later(InstId id, std::vector<InstId>& out) {
  if (!split_of(id)) return false;
  if (kernel_[id].operand_count == 0) return true;  // its value is known
  const InstId array = told_[id] = loops_.array(Type::U1);
  Builder build(kernel_, out, loops_.location);
  const InstId value = build.cast(Type::U1, resolve(kernel_.operands_of(id)[0]));
  build.store(element(build, array, loops_.thread()), value);
  return true;
}

void BlockCutter::tell(InstId decide, std::vector<InstId>& out) {
  auto found = pieces_.split_decisions().find(decide);
  if (found == pieces_.split_decisions().end()) return;
  Builder build(kernel_, out, loops_.location);
  for (InstId condition : found->second) {
    if (auto told = told_.find(condition); told != told_.end()) {
      const InstId place = element(build, told->second, loops_.thread());
      const InstId value = build.load(place);
      build.store(place, build.constant(Type::U1, 0));
      become(kernel_, condition, kernel_[condition], {value});
    }
    out.push_back(condition);
  }
}

}  // namespace qd::passes
