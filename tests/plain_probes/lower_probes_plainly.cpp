// The usual form of a probe, to compare ours with: a store wherever control has taken an arc.
#include "tests/plain_probes/lower_probes_plainly.h"

#include "runtime/ir/builder.h"

namespace qd::instrument {

namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Kernel;
using ir::Op;
using ir::Type;

class PlainLowering {
 public:
  explicit PlainLowering(Kernel& kernel) : kernel_(kernel) {}

  CoverageMap run() {
    map_.functions = kernel_.functions;
    map_.variants = kernel_.variants;
    for (ir::Task& task : kernel_.tasks) {
      launcher_counts(task.start_probes, task.start_counter);
      rewrite(task.body);
    }
    for (const ir::Routine& routine : kernel_.routines) rewrite(routine.body);
    launcher_counts(kernel_.end_probes, kernel_.end_counter);
    map_.counters = kernel_.counters;
    return std::move(map_);
  }

 private:
  void launcher_counts(std::vector<uint32_t>& probes, uint32_t& counter) {
    if (probes.empty()) return;
    counter = kernel_.counters++;
    for (uint32_t probe : probes) record(probe, counter);
    probes.clear();
  }

  void record(uint32_t probe, uint32_t counter) {
    const ir::Probe& p = kernel_.probes[probe];
    map_.arcs.push_back({p.function, p.from, p.to, CounterSum::of(counter), p.variant});
  }

  void store(std::vector<InstId>& out, InstId variable, bool value) {
    ir::Builder build(kernel_, out, 0);
    build.store(variable, build.constant(Type::U1, value));
  }

  /// `broken`: a variable that Breaks of the loop around the block set; None when it is not needed.
  void rewrite(BlockId block, InstId broken = InstId::None) {
    if (block == BlockId::None) return;
    const std::vector<InstId> in = std::move(kernel_[block]);
    std::vector<InstId> out;
    for (InstId id : in) {
      const Inst inst = kernel_[id];
      switch (inst.op) {
        case Op::Probe:
          ir::Builder(kernel_, out, 0).inst(Op::Hit, Type::Void, {}, kernel_.counters);
          record(inst.aux, kernel_.counters++);
          continue;
        case Op::Break:
          if (broken != InstId::None) store(out, broken, true);
          break;
        case Op::If:
          for (BlockId nested : inst.blocks) rewrite(nested, broken);
          break;
        case Op::Loop: rewrite(inst.blocks[0]); break;
        case Op::For: rewrite_for(id, inst, out); continue;
        default: break;
      }
      out.push_back(id);
    }
    kernel_[block] = std::move(out);
  }

  void rewrite_for(InstId id, const Inst& inst, std::vector<InstId>& out) {
    const BlockId exhausted = inst.blocks[1];
    if (exhausted == BlockId::None) {
      rewrite(inst.blocks[0]);
      out.push_back(id);
      return;
    }
    ir::Builder build(kernel_, out, 0);
    const InstId broken = build.variable(Type::U1);
    store(out, broken, false);
    rewrite(inst.blocks[0], broken);
    rewrite(exhausted);
    kernel_[id].blocks[1] = BlockId::None;
    out.push_back(id);
    const InstId branch = build.inst(Op::If, Type::Void, {build.load(broken)});
    kernel_[branch].blocks = {kernel_.add_block(), exhausted};
  }

  Kernel& kernel_;
  CoverageMap map_;
};

}  // namespace

CoverageMap lower_probes_plainly(ir::Kernel& kernel) { return PlainLowering(kernel).run(); }

}  // namespace qd::instrument
