// Probe lowering: turns the probes of a kernel into as few counters as its control flow allows.
//
// The front end leaves a Probe wherever control takes an arc of the source. A counter at each would be exact, and slow.
// But control that enters a block also leaves it, so most counts follow from others. In the parallel loop
//
//   for i in x:              # line 2
//       if x[i] > 0.0:       # line 3
//           n[None] += 1     # line 4
//       y[i] = x[i]          # line 5
//
// the launcher knows the number of iterations before the task starts: t, the task's trip counter. Only the code can
// count how often the condition was true: c. It adds the condition itself to a sum, as a number and without a branch,
// so that the loop still vectorises. All arcs are sums of these two:
//
//   2 -> 3: t      3 -> 4: c      3 -> 5: t - c      4 -> 5: c      5 -> 2: t
//
// `walk` visits the structured control flow once. It takes the execution count of a block as such a sum (CounterSum),
// records that sum for each Probe in it, and returns the number of times that control left the block at its end:
//
//   If        the condition is counted; the other arm ran as often as the If did, less that count
//   For       its iterations are the product of its extents, added once before it
//   Loop      its body has a counter; it is left as often as it is entered, less its other Breaks
//   Assert    the code behind it ran as often as it held: the condition is counted, because a failed one does not come
//             back. The same holds behind a call of a func that asserts
//
// At the end, copies of the same source share counters (share_counters.cpp), and those that no arc needs are dropped.
#include "instrument/lower_probes.h"

#include <algorithm>
#include <array>
#include <optional>

#include "runtime/ir/builder.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/derivative_probe.h"

namespace qd::instrument {

namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Kernel;
using ir::Op;
using ir::Type;

/// Contents of a block, and of blocks nested in it, that matter to the code around it.
struct Contents {
  bool probes = false;
  bool asserts = false;     // has asserts, or calls of funcs that assert
  bool escapes = false;     // has a Break or Continue of the loop around it
  bool own_breaks = false;  // has a Break of the loop around it
};

class ProbeLowering {
 public:
  ProbeLowering(Kernel& kernel, passes::LaunchCounts counts)
      : kernel_(kernel), on_device_(counts == passes::LaunchCounts::Device), failing_(ir::failing_routines(kernel)) {}

  CoverageMap run() {
    map_.functions = kernel_.functions;
    map_.variants = kernel_.variants;
    if (on_device_) {
      varying_ = ir::varying_tasks(kernel_.schedule, kernel_.tasks.size());
      starts_ = count_varying_starts(kernel_);
    }
    for (size_t i = 0; i < kernel_.tasks.size(); ++i) lower_task(i);
    for (const ir::Routine& routine : kernel_.routines) {
      if (contents(routine.body).probes) walk(routine.body, count_each(routine.body), nullptr);
    }
    if (!kernel_.end_probes.empty()) {
      kernel_.end_counter = new_counter();
      for (uint32_t probe : kernel_.end_probes) record(probe, CounterSum::of(kernel_.end_counter));
      kernel_.end_probes.clear();
    }
    share_counters(kernel_, map_);
    drop_unused_counters();
    map_.counters = kernel_.counters;
    add_other_derivatives();
    return std::move(map_);
  }

 private:
  /// State of the loop around the block being walked.
  struct LoopState {
    CounterSum breaks;  // sum of the execution counts of its Breaks
  };

  void add_other_derivatives() {
    for (const ir::Probe& p : kernel_.probes) {
      const auto here = [&](const MappedArc& arc) {
        return arc.function == p.function && arc.from == p.from && arc.to == p.to;
      };
      if (p.from == ir::kDerivative && std::ranges::none_of(map_.arcs, here))
        map_.arcs.push_back({p.function, p.from, p.to, {}, p.variant});
    }
  }

  bool may_not_come_back(const Inst& inst) const { return inst.op == Op::Call && failing_[inst.aux]; }

  uint32_t new_counter() { return kernel_.counters++; }

  void record(uint32_t probe, const CounterSum& count) {
    const ir::Probe& p = kernel_.probes[probe];
    map_.arcs.push_back({p.function, p.from, p.to, count, p.variant});
  }

  /// Records the same count for several probes, such as those that fire when a task starts.
  void record_all(std::vector<uint32_t>& probes, const CounterSum& count) {
    for (uint32_t probe : probes) record(probe, count);
    probes.clear();
  }

  static bool has_temp_bounds(const ir::Task& task) {
    return std::ranges::any_of(task.bounds, [](const ir::Bound& bound) { return bound.kind == ir::Bound::Kind::Temp; });
  }

  Contents contents(BlockId block) const {
    Contents result;
    if (block == BlockId::None) return result;
    for (InstId id : kernel_[block]) {
      const Inst& inst = kernel_[id];
      result.probes |= inst.op == Op::Probe;
      result.asserts |= inst.op == Op::Assert || may_not_come_back(inst);
      result.own_breaks |= inst.op == Op::Break;
      result.escapes |= inst.op == Op::Break || inst.op == Op::Continue;
      bool is_loop = inst.op == Op::Loop || inst.op == Op::For;
      for (BlockId nested : inst.blocks) {
        Contents inner = contents(nested);
        result.probes |= inner.probes;
        result.asserts |= inner.asserts;
        result.own_breaks |= inner.own_breaks && !is_loop;
        result.escapes |= inner.escapes && !is_loop;
      }
    }
    return result;
  }

  void lower_task(size_t index) {
    ir::Task& task = kernel_.tasks[index];
    const bool varying = index < varying_.size() && varying_[index];
    const bool serial = task.kind == ir::Task::Kind::Serial;
    Contents body = contents(task.body);
    if (varying && serial) {
      if (!body.probes && task.start_probes.empty()) return;
      const CounterSum count = count_each(task.body);
      record_all(task.start_probes, count);
      LoopState loop;
      walk(task.body, count, &loop);
      return;
    }
    if (!task.start_probes.empty()) {
      if (!varying) task.start_counter = new_counter();
      record_all(task.start_probes, varying ? starts_[index] : CounterSum::of(task.start_counter));
    }
    if (!body.probes) return;
    CounterSum count;
    if (serial) {
      if (task.start_counter == ir::kNoCounter) task.start_counter = new_counter();
      count = CounterSum::of(task.start_counter);
    } else if (body.asserts || (on_device_ && (varying || has_temp_bounds(task)))) {
      // A failed assert leaves iterations undone, so iterations are counted as they begin. The same is done where the
      // launcher does not know their number beforehand.
      count = count_each(task.body);
    } else {
      task.trip_counter = new_counter();
      count = CounterSum::of(task.trip_counter);
    }
    LoopState loop;
    walk(task.body, count, &loop);
  }

  /// Adds a counter that counts each time the block begins.
  CounterSum count_each(BlockId block) {
    std::vector<InstId>& insts = kernel_[block];
    std::vector<InstId> head;
    CounterSum count = count_value(head, one(head, insts.empty() ? 0 : kernel_[insts.front()].location), 0);
    insts.insert(insts.begin(), head.begin(), head.end());
    return count;
  }

  /// Adds "counter += value" to the block being rewritten.
  CounterSum count_value(std::vector<InstId>& out, InstId value, uint32_t location) {
    uint32_t counter = new_counter();
    ir::Builder(kernel_, out, location).inst(Op::Count, Type::Void, {value}, counter);
    return CounterSum::of(counter);
  }

  /// Rewrites a block that ran `count` times. Returns the number of times that control left it at its end.
  CounterSum walk(BlockId block, CounterSum count, LoopState* loop) {
    if (block == BlockId::None) return count;
    std::vector<InstId> in = std::move(kernel_[block]);
    std::vector<InstId> out;
    out.reserve(in.size() + 4);
    for (InstId id : in) {
      const Inst inst = kernel_[id];
      switch (inst.op) {
        case Op::Probe: record(inst.aux, count); continue;
        case Op::If: count = walk_if(inst, count, loop, out); break;
        case Op::Loop: count = walk_loop(inst, count); break;
        case Op::For: count = walk_for(id, inst, count, out); continue;
        case Op::Assert: count = count_value(out, kernel_.operands_of(inst)[0], inst.location); break;
        case Op::Call:
          if (!may_not_come_back(inst)) break;
          out.push_back(id);
          count = count_value(out, one(out, inst.location), inst.location);
          continue;
        case Op::Break:
          if (loop) loop->breaks = loop->breaks + count;
          count = CounterSum();
          break;
        case Op::Continue: count = CounterSum(); break;
        default: break;
      }
      out.push_back(id);
    }
    kernel_[block] = std::move(out);
    return count;
  }

  CounterSum walk_if(const Inst& inst, const CounterSum& count, LoopState* loop, std::vector<InstId>& out) {
    Contents yes = contents(inst.blocks[0]);
    Contents no = contents(inst.blocks[1]);
    bool matters = yes.probes || no.probes || yes.escapes || no.escapes || yes.asserts || no.asserts;
    if (!matters) return count;
    CounterSum taken = count_value(out, kernel_.operands_of(inst)[0], inst.location);
    CounterSum after_yes = walk(inst.blocks[0], taken, loop);
    CounterSum after_no = walk(inst.blocks[1], count - taken, loop);
    return after_yes + after_no;
  }

  /// A while loop has the form Loop { condition; If (left) { probes; Break } body }. Its body needs a counter, its exit
  /// needs none.
  CounterSum walk_loop(const Inst& inst, const CounterSum& count) {
    BlockId body = inst.blocks[0];
    Contents inside = contents(body);
    if (!inside.probes) return inside.asserts ? walk_unknown_loop(body) : count;
    if (inside.asserts) return walk_unknown_loop(body);
    std::optional<size_t> exit = while_exit(body);
    if (!exit) {
      walk_unknown_loop(body);
      return count;  // without an assert inside, control leaves as often as it enters
    }
    InstId exit_if = kernel_[body][*exit];
    BlockId leaving = kernel_[exit_if].blocks[0];
    BlockId rest = kernel_.add_block();
    std::vector<InstId>& insts = kernel_[body];
    kernel_[rest].assign(insts.begin() + static_cast<ptrdiff_t>(*exit) + 1, insts.end());
    insts.resize(*exit + 1);
    CounterSum iterations = count_each(rest);
    LoopState loop;
    walk(rest, iterations, &loop);
    CounterSum by_condition = count - loop.breaks;
    LoopState ignored;
    walk(leaving, by_condition, &ignored);
    kernel_[body].insert(kernel_[body].end(), kernel_[rest].begin(), kernel_[rest].end());
    kernel_[rest].clear();
    return count;
  }

  /// Any other loop: its iterations are counted, and it is left as often as its Breaks are taken.
  CounterSum walk_unknown_loop(BlockId body) {
    LoopState loop;
    CounterSum iterations = count_each(body);
    // The instructions that count come first; they are no control flow.
    walk(body, iterations, &loop);
    return loop.breaks;
  }

  /// The position of the If of a while condition in a loop's body. No probe and no loop comes before it.
  std::optional<size_t> while_exit(BlockId body) const {
    const std::vector<InstId>& insts = kernel_[body];
    for (size_t i = 0; i < insts.size(); ++i) {
      const Inst& inst = kernel_[insts[i]];
      if (inst.op == Op::Probe || inst.op == Op::Loop || inst.op == Op::For || inst.op == Op::Break ||
          inst.op == Op::Continue)
        return {};
      if (inst.op != Op::If) continue;
      Contents no = contents(inst.blocks[1]);
      Contents yes = contents(inst.blocks[0]);
      if (yes.own_breaks) {
        bool plain = !no.probes && !no.escapes && kernel_[kernel_[inst.blocks[0]].back()].op == Op::Break &&
                     only_probes_and_break(inst.blocks[0]);
        return plain ? std::optional(i) : std::nullopt;
      }
      if (yes.probes || no.probes || yes.escapes || no.escapes) return {};
    }
    return {};
  }

  bool only_probes_and_break(BlockId block) const {
    for (InstId id : kernel_[block])
      if (kernel_[id].op != Op::Probe && kernel_[id].op != Op::Break) return false;
    return true;
  }

  CounterSum walk_for(InstId id, const Inst& inst, const CounterSum& count, std::vector<InstId>& out) {
    BlockId body = inst.blocks[0];
    BlockId exhausted = inst.blocks[1];
    kernel_[id].blocks[1] = BlockId::None;
    Contents inside = contents(body);
    CounterSum after = count;
    LoopState loop;
    if (!inside.probes && !inside.asserts && !contents(exhausted).probes) {
      out.push_back(id);
      return after;
    }
    // The number of iterations is known beforehand only if nothing ends the loop early.
    if (inside.own_breaks || inside.asserts) {
      walk(body, count_each(body), &loop);
    } else {
      walk(body, count_value(out, trips(inst, out), inst.location), &loop);
    }
    out.push_back(id);
    if (inside.asserts)
      // Counted behind the loop, which a failed assert does not reach.
      after = count_value(out, one(out, inst.location), inst.location);
    walk(exhausted, after - loop.breaks, nullptr);
    return after;
  }

  /// The number of iterations of a For: the product of max(end - begin, 0), as an I64.
  InstId trips(const Inst& inst, std::vector<InstId>& out) {
    ir::Builder build(kernel_, out, inst.location);
    std::vector<InstId> bounds(kernel_.operands_of(inst).begin(), kernel_.operands_of(inst).end());
    InstId zero = build.constant(Type::I64, 0);
    InstId product = InstId::None;
    for (size_t axis = 0; axis + 1 < bounds.size(); axis += 2) {
      InstId begin = build.cast(Type::I64, bounds[axis]);
      InstId end = build.cast(Type::I64, bounds[axis + 1]);
      InstId extent = build.binary(ir::BinaryOp::Max, build.binary(ir::BinaryOp::Sub, end, begin), zero);
      product = product == InstId::None ? extent : build.binary(ir::BinaryOp::Mul, product, extent);
    }
    return product;
  }

  InstId one(std::vector<InstId>& out, uint32_t location) {
    return ir::Builder(kernel_, out, location).constant(Type::I64, 1);
  }

  /// Removes counters that no arc needs, and renumbers the others.
  void drop_unused_counters() {
    std::vector<uint32_t> renumbered(kernel_.counters, ir::kNoCounter);
    for (const MappedArc& arc : map_.arcs)
      for (const CounterSum::Term& term : arc.count.terms()) renumbered[term.counter] = 0;
    uint32_t next = 0;
    for (uint32_t& counter : renumbered)
      if (counter == 0) counter = next++;
    kernel_.counters = next;
    for (MappedArc& arc : map_.arcs) arc.count = arc.count.renumbered(renumbered);
    auto renumber = [&](uint32_t& counter) {
      if (counter != ir::kNoCounter) counter = renumbered[counter];
    };
    renumber(kernel_.begin_counter);
    renumber(kernel_.end_counter);
    for (ir::Task& task : kernel_.tasks) {
      renumber(task.start_counter);
      renumber(task.trip_counter);
    }
    for (std::vector<InstId>& block : kernel_.blocks) {
      std::erase_if(block, [&](InstId id) {
        Inst& inst = kernel_[id];
        if (inst.op != Op::Count) return false;
        inst.aux = renumbered[inst.aux];
        return inst.aux == ir::kNoCounter;
      });
    }
  }

  Kernel& kernel_;
  const bool on_device_;
  const std::vector<bool> failing_;  // by routine: whether an assert in it may fail
  std::vector<bool> varying_;        // on_device_: ir::varying_tasks
  std::vector<CounterSum> starts_;   // on_device_: count_varying_starts
  CoverageMap map_;
};

}  // namespace

CoverageMap lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts) {
  return ProbeLowering(kernel, counts).run();
}
CoverageMap lower_probes(ir::Kernel& kernel) { return lower_probes(kernel, passes::LaunchCounts::Host); }

}  // namespace qd::instrument
