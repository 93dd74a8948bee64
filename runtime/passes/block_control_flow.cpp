// Branches and loops in which threads meet: they stand once for the block, and threads for which they do not run are
// off meanwhile.
#include "runtime/passes/block_cutter.h"

namespace qd::passes {

using ir::BinaryOp;
using ir::BlockId;
using ir::Builder;
using ir::CompareOp;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

void BlockCutter::jump(const Inst& inst, std::vector<InstId>& out) {
  const Target& target = targets_.back();
  Builder build(kernel_, out, inst.location);
  const int32_t until = inst.op == Op::Break ? target.broken : target.next;
  build.store(element(build, loops_.off(), loops_.thread()), build.constant(Type::I32, bits(until)));
  build.inst(Op::Continue, Type::Void, {});
  masked_ = true;
}

void BlockCutter::wake(int32_t place) {
  loops_.each([&](Builder& build, InstId thread) {
    const InstId off = element(build, loops_.off(), thread);
    const InstId until = build.load(off);
    const InstId here = build.compare(CompareOp::Eq, until, build.constant(Type::I32, bits(place)));
    build.store(off, build.select(here, build.constant(Type::I32, 0), until));
  });
}

void BlockCutter::clear_flag(InstId flag) {
  Builder build = loops_.at_level();
  build.store(flag, build.constant(Type::U1, 0));
}

void BlockCutter::raise(Builder& build, InstId flag, InstId when) {
  build.store(flag, build.binary(BinaryOp::BitOr, build.load(flag), when));
}

void BlockCutter::branch(InstId id) {
  const Inst inst = kernel_[id];
  const InstId condition = kernel_.operands_of(id)[0];
  const bool was_masked = masked_;
  bool jumped = pieces_.jumps(inst.blocks[0]) || pieces_.jumps(inst.blocks[1]);
  auto arm = [&](BlockId block) {
    return loops_.nested([&] {
      sequence(block);
      loops_.close();
    });
  };
  if (pieces_.visible(condition)) {
    for (size_t i = 0; i < 2; i++) {
      close();
      masked_ = was_masked;
      if (i == 0) loops_.level().push_back(id);
      const BlockId made = arm(inst.blocks[i]);
      kernel_[id].blocks[i] = made;
    }
    piece_++;
    masked_ = was_masked || jumped;
    return;
  }
  const InstId yes = flag(), no = flag();
  const int32_t waits = ++last_place_;
  clear_flag(yes);
  clear_flag(no);
  open();
  {
    const InstId test = resolve(condition);
    Builder build = loops_.in_piece();
    raise(build, yes, test);
    raise(build, no, build.unary(ir::UnaryOp::LogicalNot, test));
    build.store(element(build, loops_.off(), loops_.thread()),
                build.select(test, build.constant(Type::I32, 0), build.constant(Type::I32, bits(waits))));
  }
  close();
  masked_ = true;
  choose(yes, id, [&] { return arm(inst.blocks[0]); });
  piece_++;
  if (!kernel_[inst.blocks[1]].empty()) {
    loops_.each([&](Builder& build, InstId thread) {
      const InstId off = element(build, loops_.off(), thread);
      const InstId until = build.load(off);
      const InstId zero = build.constant(Type::I32, 0), wait = build.constant(Type::I32, bits(waits));
      const InstId ran = build.select(build.compare(CompareOp::Eq, until, zero), wait, until);
      build.store(off, build.select(build.compare(CompareOp::Eq, until, wait), zero, ran));
    });
    masked_ = true;
    choose(no, InstId::None, [&] { return arm(inst.blocks[1]); });
  }
  wake(waits);
  piece_++;
  masked_ = was_masked || jumped;
}

void BlockCutter::choose(InstId flag, InstId id, const std::function<BlockId()>& arm) {
  const InstId condition = loops_.at_level().load(flag);
  if (id == InstId::None) {
    id = loops_.at_level().inst(Op::If, Type::Void, {condition});
  } else {
    become(kernel_, id, Inst{.op = Op::If}, {condition});
    loops_.level().push_back(id);
  }
  const BlockId yes = arm();
  const BlockId no = kernel_.add_block();
  kernel_[id].blocks = {yes, no};
}

void BlockCutter::next_or_leave(const Target& target) {
  const InstId any = flag();
  clear_flag(any);
  loops_.each([&](Builder& build, InstId thread) {
    const InstId off = element(build, loops_.off(), thread);
    const InstId until = build.load(off);
    const InstId zero = build.constant(Type::I32, 0);
    const InstId next = build.compare(CompareOp::Eq, until, build.constant(Type::I32, bits(target.next)));
    const InstId now = build.select(next, zero, until);
    build.store(off, now);
    raise(build, any, build.compare(CompareOp::Eq, now, zero));
  });
  Builder build = loops_.at_level();
  const InstId left = build.unary(ir::UnaryOp::LogicalNot, build.load(any));
  build.when(left, [&] { build.inst(Op::Break, Type::Void); });
}

BlockCutter::Target BlockCutter::new_target() {
  last_place_ += 2;
  return {last_place_ - 1, last_place_};
}

void BlockCutter::loop(InstId id) {
  const bool was_masked = masked_;
  const Target target = new_target();
  close();
  const BlockId inside = kernel_[id].blocks[0];
  targets_.push_back(target);
  masked_ = true;
  const BlockId body = loops_.nested([&] {
    sequence(inside);
    close();
    next_or_leave(target);
  });
  targets_.pop_back();
  kernel_[id].blocks[0] = body;
  loops_.level().push_back(id);
  wake(target.broken);
  piece_++;
  masked_ = was_masked;
}

void BlockCutter::loop_of_block(InstId id) {
  const Inst inst = kernel_[id];
  const bool was_masked = masked_;
  const bool jumped = pieces_.jumps(inst.blocks[0]);
  const Target target = new_target();
  close();
  targets_.push_back(target);
  masked_ = was_masked || jumped;
  const BlockId body = loops_.nested([&] {
    sequence(inst.blocks[0]);
    close();
    if (jumped) next_or_leave(target);
  });
  targets_.pop_back();
  kernel_[id].blocks = {body, BlockId::None};
  loops_.level().push_back(id);
  exhausted(inst.blocks[1]);
  if (jumped) wake(target.broken);
  masked_ = was_masked;
}

void BlockCutter::exhausted(BlockId block) {
  if (block != BlockId::None) {
    sequence(block);
    loops_.close();
  }
  piece_++;
}

void BlockCutter::loop_of_threads(InstId id) {
  const Inst inst = kernel_[id];
  const bool was_masked = masked_;
  const Target target = new_target();
  const int32_t ended = ++last_place_;
  OwnIndex own;
  const size_t axes = inst.operand_count / 2;
  open();
  InstId empty = InstId::None;
  for (size_t axis = 0; axis < axes; axis++) {
    InstId bounds[2];
    for (size_t i = 0; i < 2; i++) bounds[i] = resolve(kernel_.operands[inst.operand_begin + 2 * axis + i]);
    Builder build = loops_.in_piece();
    for (auto [list, value] : {std::pair{&own.begin, bounds[0]}, {&own.index, bounds[0]}, {&own.end, bounds[1]}}) {
      list->push_back(loops_.array(kernel_[value].type));
      build.store(element(build, list->back(), loops_.thread()), value);
    }
    const InstId none = build.compare(CompareOp::Ge, bounds[0], bounds[1]);
    empty = empty == InstId::None ? none : build.binary(BinaryOp::BitOr, empty, none);
  }
  Builder build = loops_.in_piece();
  build.store(element(build, loops_.off(), loops_.thread()),
              build.select(empty, build.constant(Type::I32, bits(ended)), build.constant(Type::I32, 0)));
  close();
  own_[id] = own;
  targets_.push_back(target);
  masked_ = true;
  const BlockId body = loops_.nested([&] {
    next_or_leave({0, 0});  // a thread whose bounds are empty does not begin
    sequence(inst.blocks[0]);
    close();
    loops_.each([&](Builder& inside, InstId thread) { advance(inside, thread, own, target, ended); });
  });
  targets_.pop_back();
  become(kernel_, id, Inst{.op = Op::Loop}, {});
  kernel_[id].blocks = {body, BlockId::None};
  loops_.level().push_back(id);
  wake(ended);
  masked_ = true;
  exhausted(inst.blocks[1]);
  wake(target.broken);
  masked_ = was_masked;
}

void BlockCutter::advance(Builder& build, InstId thread, const OwnIndex& own, const Target& target, int32_t ended) {
  const InstId off = element(build, loops_.off(), thread);
  const InstId until = build.load(off);
  const InstId zero = build.constant(Type::I32, 0);
  const InstId runs = build.binary(BinaryOp::BitOr, build.compare(CompareOp::Eq, until, zero),
                                   build.compare(CompareOp::Eq, until, build.constant(Type::I32, bits(target.next))));
  InstId moves = runs;
  for (size_t axis = own.index.size(); axis-- > 0;) {
    const InstId place = element(build, own.index[axis], thread);
    const InstId index = build.load(place);
    const InstId next = build.binary(BinaryOp::Add, index, build.constant(kernel_[index].type, 1));
    const InstId over = build.compare(CompareOp::Ge, next, build.load(element(build, own.end[axis], thread)));
    const InstId turned = build.select(over, build.load(element(build, own.begin[axis], thread)), next);
    build.store(place, build.select(moves, turned, index));
    moves = build.binary(BinaryOp::BitAnd, moves, over);
  }
  const InstId now = build.select(runs, zero, until);
  build.store(off, build.select(moves, build.constant(Type::I32, bits(ended)), now));
}

}  // namespace qd::passes
