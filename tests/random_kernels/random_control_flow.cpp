// Random structured kernels that draw their decisions.
#include "tests/random_kernels/random_control_flow.h"

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>

#include "runtime/device/reference/interpreter.h"
#include "runtime/ir/builder.h"

namespace qd::testing {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Kernel;
using ir::Op;
using ir::Type;

namespace {

class Generator {
 public:
  Generator(uint32_t seed, bool asserts) : random_(seed), asserts_(asserts) {}

  Kernel kernel() {
    kernel_.name = "random";
    kernel_.functions.push_back({"/random.py", "random", 1});
    kernel_.locations.push_back({0, 1, 0, UINT32_MAX});
    kernel_.loops.push_back({});
    int tasks = 1 + pick(3);
    for (int i = 0; i < tasks; ++i) kernel_.tasks.push_back(task());
    kernel_.schedule = ir::in_order(kernel_.tasks.size());
    kernel_.formats.push_back({{"no"}, {}, {}});
    if (chance(2)) kernel_.end_probes.push_back(new_probe());
    return std::move(kernel_);
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool chance(int one_in) { return pick(one_in) == 0; }

  uint32_t new_probe() {
    auto line = static_cast<int32_t>(kernel_.probes.size() + 2);
    kernel_.probes.push_back({0, -1, line});
    return static_cast<uint32_t>(line - 2);
  }

  InstId add(BlockId block, Op op, Type type = Type::Void, std::span<const InstId> operands = {}) {
    return ir::Builder(kernel_, block).inst(op, type, operands);
  }

  ir::Task task() {
    ir::Task task;
    if (chance(2)) task.start_probes.push_back(new_probe());
    task.body = kernel_.add_block();
    if (chance(2)) {
      task.kind = ir::Task::Kind::Parallel;
      task.prologue = kernel_.add_block();
      task.loop = ir::Builder(kernel_).inst(Op::For, Type::Void);
      task.bounds = {{ir::Bound::Kind::Const, 0, 0}, {ir::Bound::Kind::Const, pick(6) - 1, 0}};
    }
    // The body of a parallel task is a loop whose Continue is its own; it has no Break.
    fill(task.body, 3, task.kind == ir::Task::Kind::Parallel, false);
    return task;
  }

  /// True `often` times out of 32.
  InstId drawn(BlockId block, uint64_t often) {
    ir::Builder build(kernel_, block);
    const InstId number = build.inst(Op::Random, Type::U32);
    const InstId part = build.binary(ir::BinaryOp::BitAnd, number, build.constant(Type::U32, 31));
    return build.compare(ir::CompareOp::Lt, part, build.constant(Type::U32, often));
  }
  /// 0 to 4.
  InstId drawn_number(BlockId block) {
    ir::Builder build(kernel_, block);
    const InstId number = build.inst(Op::Random, Type::U32);
    return build.cast(Type::I32, build.binary(ir::BinaryOp::Mod, number, build.constant(Type::U32, 5)));
  }

  void probe(BlockId block) {
    if (!chance(5)) kernel_[add(block, Op::Probe)].aux = new_probe();
  }

  void fill(BlockId block, int depth, bool can_continue, bool can_break) {
    int statements = 1 + pick(4);
    for (int i = 0; i < statements; ++i) {
      probe(block);
      int kind = pick(10);
      if (kind < 4 && depth > 0) {
        conditional(block, depth, can_continue, can_break);
      } else if (kind == 4 && depth > 0) {
        for_loop(block, depth);
      } else if (kind == 5 && depth > 0) {
        while_loop(block, depth);
      } else if (kind == 6 && depth > 0) {
        endless_loop(block, depth);
      } else if (kind == 7 && asserts_) {
        add(block, Op::Assert, Type::Void, std::array{drawn(block, 30)});
      }
    }
    probe(block);
    if (can_continue && chance(6)) {
      add(block, Op::Continue);
    } else if (can_break && chance(4)) {
      add(block, Op::Break);
    }
  }

  void conditional(BlockId block, int depth, bool can_continue, bool can_break) {
    InstId condition = drawn(block, static_cast<uint64_t>(pick(33)));
    BlockId yes = kernel_.add_block();
    BlockId no = kernel_.add_block();
    fill(yes, depth - 1, can_continue, can_break);
    if (!chance(3)) fill(no, depth - 1, can_continue, can_break);
    kernel_[add(block, Op::If, Type::Void, std::array{condition})].blocks = {yes, no};
  }

  bool has_own_break(BlockId block) const {
    for (InstId id : kernel_[block]) {
      const Inst& inst = kernel_[id];
      if (inst.op == Op::Break) return true;
      if (inst.op == Op::If && (has_own_break(inst.blocks[0]) || has_own_break(inst.blocks[1]))) return true;
    }
    return false;
  }

  void for_loop(BlockId block, int depth) {
    std::vector<InstId> bounds;
    for (int axis = 1 + pick(2); axis > 0; --axis) {
      for (int end = 0; end < 2; ++end) bounds.push_back(drawn_number(block));
    }
    BlockId body = kernel_.add_block();
    fill(body, depth - 1, true, chance(2));
    BlockId exhausted = BlockId::None;
    if (has_own_break(body)) {
      exhausted = kernel_.add_block();
      probe(exhausted);
    }
    kernel_[add(block, Op::For, Type::Void, bounds)].blocks = {body, exhausted};
  }

  /// As the front end writes `while`: leave by an If on the inverted condition.
  void while_loop(BlockId block, int depth) {
    BlockId body = kernel_.add_block();
    InstId left = drawn(body, 12);
    BlockId leave = kernel_.add_block();
    probe(leave);
    add(leave, Op::Break);
    kernel_[add(body, Op::If, Type::Void, std::array{left})].blocks = {leave, kernel_.add_block()};
    fill(body, depth - 1, true, true);
    kernel_[add(block, Op::Loop)].blocks[0] = body;
  }

  void endless_loop(BlockId block, int depth) {
    BlockId body = kernel_.add_block();
    fill(body, depth - 1, true, true);
    add(body, Op::Const, Type::I32);
    BlockId way_out = kernel_.add_block();
    add(way_out, Op::Break);
    InstId leave = drawn(body, 16);
    kernel_[add(body, Op::If, Type::Void, std::array{leave})].blocks = {way_out, kernel_.add_block()};
    kernel_[add(block, Op::Loop)].blocks[0] = body;
  }

  std::mt19937 random_;
  bool asserts_;
  Kernel kernel_;
};

}  // namespace

Kernel random_control_flow(uint32_t seed, bool asserts) { return Generator(seed, asserts).kernel(); }

ControlRun run(const Kernel& kernel, uint32_t seed) {
  ControlRun run;
  run.counters.resize(kernel.counters);
  std::vector<uint64_t> probes(kernel.probes.size());
  device::reference::Bindings bindings;
  bindings.counters = run.counters.data();
  bindings.probes = probes.data();
  device::reference::Options options;
  options.seed = seed;
  options.step_limit = 1'000'000;
  device::reference::Interpreter interpreter(kernel, bindings, std::move(options));
  try {
    run.failed = interpreter.run() == device::reference::Interpreter::State::Failed;
  } catch (const std::runtime_error&) {
    run.stopped = true;
  }
  for (uint32_t i = 0; i < probes.size(); ++i) {
    if (probes[i] > 0) run.probes.insert(i);
  }
  return run;
}

}  // namespace qd::testing
