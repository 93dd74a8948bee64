// Random structured kernels and the machine that runs them.
#include "random_kernel.h"
#include "runtime/ir/builder.h"

#include <algorithm>
#include <array>

namespace qd::instrument::testing {

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
      task.bounds = {{ir::Bound::Kind::Const, 0, 0}, {ir::Bound::Kind::Const, pick(6) - 1, 0}};
    }
    // The body of a parallel task is a loop whose Continue is its own; it has no Break.
    fill(task.body, 3, task.kind == ir::Task::Kind::Parallel, false);
    return task;
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
        InstId holds = add(block, Op::Random, Type::U1);
        kernel_[holds].imm = 30;  // out of 32
        add(block, Op::Assert, Type::Void, std::array{holds});
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
    InstId condition = add(block, Op::Random, Type::U1);
    kernel_[condition].imm = static_cast<uint64_t>(pick(33));
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
      bounds.push_back(add(block, Op::Random, Type::I32));
      bounds.push_back(add(block, Op::Random, Type::I32));
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
    InstId left = add(body, Op::Random, Type::U1);
    kernel_[left].imm = 12;
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
    InstId leave = add(body, Op::Random, Type::U1);
    kernel_[leave].imm = 16;
    kernel_[add(body, Op::If, Type::Void, std::array{leave})].blocks = {way_out, kernel_.add_block()};
    kernel_[add(block, Op::Loop)].blocks[0] = body;
  }

  std::mt19937 random_;
  bool asserts_;
  Kernel kernel_;
};

enum class Exit { End, Break, Continue, Failed };

class Machine {
 public:
  Machine(const Kernel& kernel, uint32_t seed) : kernel_(kernel), random_(seed) { result_.counters.resize(kernel.counters); }

  Run run() {
    for (const ir::Task& task : kernel_.tasks) {
      for (uint32_t probe : task.start_probes) result_.probes.insert(probe);
      bump(task.start_counter, 1);
      int trips = task.kind == ir::Task::Kind::Serial ? 1 : std::max(0, task.bounds[1].value - task.bounds[0].value);
      bump(task.trip_counter, static_cast<uint64_t>(trips));
      for (int i = 0; i < trips && !result_.failed; ++i)
        if (block(task.body) == Exit::Failed) result_.failed = true;
      if (result_.failed) return result_;
    }
    for (uint32_t probe : kernel_.end_probes) result_.probes.insert(probe);
    bump(kernel_.end_counter, 1);
    return result_;
  }

 private:
  void bump(uint32_t counter, uint64_t by) {
    if (counter != ir::kNoCounter) result_.counters[counter] += by;
  }

  int64_t value(InstId id) { return values_[static_cast<uint32_t>(id)]; }

  Exit block(BlockId id) {
    if (id == BlockId::None) return Exit::End;
    for (InstId inst : kernel_[id]) {
      if (++steps_ > 100000) {
        result_.stopped = true;
        return Exit::Failed;
      }
      Exit exit = execute(inst);
      if (exit != Exit::End) return exit;
    }
    return Exit::End;
  }

  Exit loop(BlockId body, int64_t trips, BlockId exhausted) {
    for (int64_t i = 0; i != trips; ++i) {
      Exit exit = block(body);
      if (exit == Exit::Failed) return exit;
      if (exit == Exit::Break) return Exit::End;
    }
    return block(exhausted);
  }

  Exit execute(InstId id) {
    const Inst& inst = kernel_[id];
    auto operands = kernel_.operands_of(inst);
    int64_t& result = values_[static_cast<uint32_t>(id)];
    switch (inst.op) {
      case Op::Const: result = static_cast<int64_t>(inst.imm); break;
      case Op::Random: {
        auto drawn = static_cast<int64_t>(random_() >> 7);
        result = inst.type == Type::U1 ? drawn % 32 < static_cast<int64_t>(inst.imm) : drawn % 5;
        break;
      }
      case Op::Cast: result = inst.type == Type::U1 ? value(operands[0]) != 0 : value(operands[0]); break;
      case Op::Select: result = value(operands[value(operands[0]) ? 1 : 2]); break;
      case Op::Binary:
        switch (inst.binary_op()) {
          case ir::BinaryOp::Sub: result = value(operands[0]) - value(operands[1]); break;
          case ir::BinaryOp::Mul: result = value(operands[0]) * value(operands[1]); break;
          case ir::BinaryOp::Shl: result = value(operands[0]) << value(operands[1]); break;
          case ir::BinaryOp::BitOr: result = value(operands[0]) | value(operands[1]); break;
          case ir::BinaryOp::Max: result = std::max(value(operands[0]), value(operands[1])); break;
          default: std::abort();
        }
        break;
      case Op::If: return block(value(operands[0]) ? inst.blocks[0] : inst.blocks[1]);
      case Op::Loop: return loop(inst.blocks[0], -1, BlockId::None);
      case Op::For: {
        int64_t trips = 1;
        for (size_t axis = 0; axis + 1 < operands.size(); axis += 2)
          trips *= std::max<int64_t>(0, value(operands[axis + 1]) - value(operands[axis]));
        return loop(inst.blocks[0], trips, inst.blocks[1]);
      }
      case Op::Break: return Exit::Break;
      case Op::Continue: return Exit::Continue;
      case Op::Assert: return value(operands[0]) ? Exit::End : Exit::Failed;
      case Op::Probe: result_.probes.insert(inst.aux); break;
      case Op::Count: bump(inst.aux, static_cast<uint64_t>(value(operands[0]))); break;
      case Op::Record: {
        const int64_t bits = value(operands[0]);
        result_.counters[inst.aux] |= kernel_[operands[0]].type == Type::I32 ? static_cast<uint32_t>(bits) : static_cast<uint64_t>(bits);
        break;
      }
      case Op::Mark: bump(inst.aux, 1); break;
      case Op::Alloca: break;
      case Op::Store: variables_[static_cast<uint32_t>(operands[0])] = value(operands[1]); break;
      case Op::Load: result = variables_.at(static_cast<uint32_t>(operands[0])); break;
      default: std::abort();
    }
    return Exit::End;
  }

  const Kernel& kernel_;
  std::mt19937 random_;
  std::map<uint32_t, int64_t> values_;
  std::map<uint32_t, int64_t> variables_;
  int64_t steps_ = 0;
  Run result_;
};

}  // namespace

Kernel random_kernel(uint32_t seed, bool asserts) { return Generator(seed, asserts).kernel(); }

Run run(const Kernel& kernel, uint32_t seed) { return Machine(kernel, seed).run(); }

}  // namespace qd::instrument::testing
