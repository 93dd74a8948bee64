// Cuts the body of a kernel into tasks: each parallel loop at its top level is one, and so is the code between two.
//
//   n = x.shape[0]               # a segment that is serial
//   total = 0.0
//   for i in range(n): ...       # a parallel task, which uses n and changes total
//   return total                 # another serial task
//
// A value may be made in one task and used in another. There are three ways to bring it there, the cheapest first:
//
//   made again   a value that depends on the launch's arguments alone (here n) is cloned into each task that uses it
//   a bound      of a parallel loop in a form that the launcher can read: a constant, a parameter, a shape
//   a slot       anything else is stored in a temporary of the launch (Kernel::global_temps) and loaded where it is
//                used; a variable that several tasks use, as total, lives there altogether
//
// A Region becomes a step of the schedule: a loop whose body is steps, an if, or the sections of a fork. The schedule
// reads the condition of a loop or an if from a slot.
//
// Instructions without uses and effects (dead code) are left out. A probe at the top level is no reason for a task
// of its own: it fires when the next task starts (Task::start_probes), or when all tasks have run (Kernel::end_probes).
// Behind code that may fail or may never end, a probe stays where it stands.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/iterations.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/condition_temps.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

constexpr uint32_t kNowhere = UINT32_MAX;

/// Whether an instruction must run even if its result has no use. A probe of the top level is no reason for a task:
/// see Task::start_probes.
bool must_run(Op op) {
  return op != Op::Probe &&
         ir::has_effect(op, ir::kWrites | ir::kFaults | ir::kTells | ir::kControl | ir::kObserves | ir::kCounts);
}

/// A run of instructions that becomes one task, or none when it is not needed.
struct Segment {
  bool parallel = false;
  std::vector<InstId> insts;  // Parallel: the For
};

/// A piece of the body that becomes one step of the schedule, or several.
struct Node {
  ir::Step::Kind kind = ir::Step::Kind::Run;
  uint32_t segment = 0;               // Run: its number
  uint32_t condition = 0;             // DoWhile, If: the slot
  uint64_t group = 0;                 // Fork
  std::vector<uint32_t> behind = {};  // Fork: probes between its sections and behind them
  std::vector<std::vector<Node>> sections;
};

class Splitter {
 public:
  Splitter(ir::Kernel& kernel, bool chunks)
      : kernel_(kernel),
        chunks_(chunks),
        conditions_(condition_temps(kernel)),
        operands_before_(kernel.operands),
        home_(kernel.insts.size(), kNowhere),
        live_(kernel.insts.size()),
        slot_(kernel.insts.size(), kNowhere),
        can_clone_(kernel.insts.size()) {}

  void run() {
    const std::vector<Node> nodes = cut(kernel_.body);
    find_live();
    place_variables();
    kernel_.schedule = emit(nodes);
    kernel_.end_probes = std::move(waiting_probes_);
    kernel_[kernel_.body].clear();
    kernel_.body = BlockId::None;
  }

 private:
  uint32_t& home(InstId id) { return home_[static_cast<uint32_t>(id)]; }
  uint32_t& slot(InstId id) { return slot_[static_cast<uint32_t>(id)]; }
  bool is_live(InstId id) const { return live_[static_cast<uint32_t>(id)]; }

  std::vector<Node> cut(BlockId block) {
    std::vector<Node> nodes;
    bool open = false;  // the last node is a serial segment, to which more can be added
    for (InstId id : kernel_[block]) {
      const Inst& inst = kernel_[id];
      if (inst.op == Op::Probe && !nodes.empty() && nodes.back().kind == ir::Step::Kind::Fork) {
        nodes.back().behind.push_back(inst.aux);
        continue;
      }
      if (inst.op == Op::Region) {
        open = false;
        cut_region(id, nodes);
        continue;
      }
      const bool parallel = inst.op == Op::For && kernel_.loops[inst.aux].parallel;
      if (parallel || !open) {
        nodes.push_back({ir::Step::Kind::Run, static_cast<uint32_t>(segments_.size()), 0, 0, {}, {}});
        segments_.push_back({parallel, {}});
      }
      open = !parallel;
      segments_.back().insts.push_back(id);
      home(id) = static_cast<uint32_t>(segments_.size() - 1);
      can_clone_[static_cast<uint32_t>(id)] =
          ir::is_pure(inst.op) && std::ranges::all_of(kernel_.operands_of(inst), [&](InstId arg) {
            return can_clone_[static_cast<uint32_t>(arg)];
          });
    }
    return nodes;
  }

  void cut_region(InstId region, std::vector<Node>& nodes) {
    const Inst& inst = kernel_[region];
    if (const uint64_t group = inst.group()) {
      const bool next_to_it =
          !nodes.empty() && nodes.back().kind == ir::Step::Kind::Fork && nodes.back().group == group;
      if (!next_to_it) nodes.push_back({ir::Step::Kind::Fork, 0, 0, group, {}, {}});
      std::vector<Node> section = cut(inst.blocks[0]);
      nodes.back().sections.push_back(std::move(section));
      return;
    }
    const Inst& inner = kernel_[kernel_[inst.blocks[0]][0]];
    Node node{
        inner.op == Op::Loop ? ir::Step::Kind::DoWhile : ir::Step::Kind::If, 0, conditions_.at(region), 0, {}, {}};
    for (BlockId block : inner.blocks) {
      if (block != BlockId::None) node.sections.push_back(cut(block));
    }
    nodes.push_back(std::move(node));
  }

  // --- instructions that have to run, and values that cross from segment to segment ---

  void find_live() {
    for (const Segment& segment : segments_) {
      for (InstId id : segment.insts) {
        if (must_run(kernel_[id].op)) mark(id);
      }
    }
  }

  void mark(InstId id) {
    if (is_live(id)) return;
    live_[static_cast<uint32_t>(id)] = true;
    const uint32_t segment = home(id);
    if (segments_[segment].parallel) {
      for (InstId bound : kernel_.operands_of(id)) {
        if (!direct_bound(bound)) spill(bound);
      }
      walk(kernel_, kernel_[id].blocks[0], [&](InstId inner) { use_operands(inner, segment); });
    } else {
      walk(kernel_, id, [&](InstId inner) { use_operands(inner, segment); });
    }
  }

  void use_operands(InstId user, uint32_t segment) {
    for (InstId id : kernel_.operands_of(user)) use(id, segment);
  }

  void use(InstId id, uint32_t segment) {
    if (home(id) == kNowhere) return;  // it is in an inner block
    const Op op = kernel_[id].op;
    if (op == Op::Alloca) users_[id].insert(segment);
    if (home(id) == segment) {
      mark(id);
    } else if (op == Op::ElementPtr || op == Op::LocalPtr) {
      use_operands(id, segment);
    } else if (op != Op::Alloca && !can_clone_[static_cast<uint32_t>(id)]) {
      spill(id);
    }
  }

  void spill(InstId id) {
    if (slot(id) == kNowhere) slot(id) = kernel_.global_temps++;
    mark(id);
  }

  /// The bound, when the launcher can read it.
  std::optional<ir::Bound> direct_bound(InstId id) const {
    const Inst& inst = kernel_[id];
    switch (inst.op) {
      case Op::Const: return ir::Bound{ir::Bound::Kind::Const, inst.integer(), 0, inst.type};
      case Op::Arg: return ir::Bound{ir::Bound::Kind::Param, inst.aux, 0, inst.type};
      case Op::Shape: return ir::Bound{ir::Bound::Kind::Shape, inst.aux, static_cast<int32_t>(inst.axis())};
      case Op::Cast: {
        const InstId from = kernel_.operands_of(inst)[0];
        std::optional<ir::Bound> bound =
            ir::keeps_values(kernel_[from].type, inst.type) ? direct_bound(from) : std::nullopt;
        if (bound) bound->type = inst.type;
        return bound;
      }
      default: return std::nullopt;
    }
  }

  /// Places variables: a variable that only one serial task uses is a variable of that task; all others are shared.
  void place_variables() {
    for (const auto& [variable, users] : users_) {
      const uint32_t user = *users.begin();
      if (users.size() == 1 && !segments_[user].parallel &&
          (conditions_.empty() || home_[static_cast<uint32_t>(variable)] == user))
        continue;
      slot(variable) = kernel_.global_temps;
      kernel_.global_temps += std::max<uint32_t>(1, kernel_[variable].length());
    }
  }

  // --- tasks ---

  ir::Schedule emit(const std::vector<Node>& nodes) {
    ir::Schedule steps;
    for (const Node& node : nodes) {
      std::vector<ir::Schedule> sections;
      std::vector<uint32_t> behind = node.behind;  // probes that fire when all sections of a fork have ended
      for (const std::vector<Node>& section : node.sections) {
        sections.push_back(emit(section));
        if (node.kind == ir::Step::Kind::If) emit_waiting_probes(sections.back());
        if (node.kind == ir::Step::Kind::Fork) {
          behind.insert(behind.end(), waiting_probes_.begin(), waiting_probes_.end());
          waiting_probes_.clear();
        }
      }
      switch (node.kind) {
        case ir::Step::Kind::Run:
          if (emit(node.segment)) steps.push_back(ir::Step::run(static_cast<uint32_t>(kernel_.tasks.size() - 1)));
          break;
        case ir::Step::Kind::DoWhile:
          steps.push_back(ir::Step::do_while(node.condition, std::move(sections[0])));
          break;
        case ir::Step::Kind::If:
          if (sections[0].empty() && sections[1].empty()) break;
          steps.push_back(ir::Step::choose(node.condition, std::move(sections[0]), std::move(sections[1])));
          break;
        case ir::Step::Kind::Fork:
          waiting_probes_ = std::move(behind);
          steps.push_back(ir::Step::fork(std::move(sections)));
          break;
      }
    }
    return steps;
  }

  /// Probes that fire only where a section ran get a task of their own at its end.
  void emit_waiting_probes(ir::Schedule& section) {
    if (waiting_probes_.empty()) return;
    ir::Task task;
    task.name = fmt::format("{}_{}_serial", kernel_.name, kernel_.tasks.size());
    task.start_probes = std::exchange(waiting_probes_, {});
    task.body = kernel_.add_block();
    section.push_back(ir::Step::run(static_cast<uint32_t>(kernel_.tasks.size())));
    kernel_.tasks.push_back(std::move(task));
  }

  /// Makes a task of a segment, if it needs to run.
  bool emit(uint32_t index) {
    const Segment& segment = segments_[index];
    const bool runs = std::ranges::any_of(segment.insts, [&](InstId id) { return is_live(id); });
    if (!runs) {
      for (InstId id : segment.insts) {
        if (kernel_[id].op == Op::Probe) waiting_probes_.push_back(kernel_[id].aux);
      }
      return false;
    }
    here_ = index;
    copies_.clear();
    entry_.clear();
    ir::Task task;
    task.start_probes = std::exchange(waiting_probes_, {});
    segment.parallel ? emit_parallel(segment.insts[0], task) : emit_serial(segment, task);
    kernel_.tasks.push_back(std::move(task));
    return true;
  }

  void emit_serial(const Segment& segment, ir::Task& task) {
    task.kind = ir::Task::Kind::Serial;
    task.name = fmt::format("{}_{}_serial", kernel_.name, kernel_.tasks.size());
    std::vector<InstId> body;
    bool may_not_get_here = false;
    for (InstId id : segment.insts) {
      const Op op = kernel_[id].op;
      if (op == Op::Probe) {
        // Behind code that may fail, or may never end, a probe is right only where it stands.
        if (may_not_get_here) {
          body.push_back(id);
        } else {
          task.start_probes.push_back(kernel_[id].aux);
        }
        continue;
      }
      if (!is_live(id)) continue;
      import_operands(id);
      walk(kernel_, id, [&](InstId inner) {
        may_not_get_here |=
            kernel_[inner].op == Op::Assert || kernel_[inner].op == Op::Loop || kernel_[inner].op == Op::Call;
      });
      if (op == Op::Alloca && slot(id) != kNowhere) {
        kernel_[id].op = Op::GlobalTemp;
        kernel_[id].aux = slot(id);
        slot(id) = kNowhere;
      }
      body.push_back(id);
      if (slot(id) != kNowhere) {
        ir::Builder build(kernel_, body, kernel_[id].location);
        build.store(temp(build, id), id);
      }
    }
    task.body = kernel_.add_block();
    entry_.insert(entry_.end(), body.begin(), body.end());
    kernel_[task.body] = std::move(entry_);
  }

  void emit_parallel(InstId loop, ir::Task& task) {
    const ir::LoopInfo& info = kernel_.loops[kernel_[loop].aux];
    task.kind = ir::Task::Kind::Parallel;
    task.name = info.name.empty() ? fmt::format("{}_{}_range_for", kernel_.name, kernel_.tasks.size()) : info.name;
    task.block_dim = info.block_dim;
    task.vectorize = info.vectorize;
    task.loop = loop;
    task.body = kernel_[loop].blocks[0];
    for (InstId id : kernel_.operands_of(loop)) {
      std::optional<ir::Bound> bound = direct_bound(id);
      task.bounds.push_back(bound ? *bound : ir::Bound{ir::Bound::Kind::Temp, slot(id), 0, kernel_[id].type});
    }
    kernel_[loop].operand_count = 0;
    kernel_[loop].aux = 0;
    kernel_[loop].blocks = {BlockId::None, BlockId::None};
    drop_single_axes(task);
    import_block(task.body);
    load_once(task.body);
    if (chunks_) {
      task.prologue = kernel_.add_block();
      kernel_[task.prologue] = std::move(entry_);
    } else {
      std::vector<InstId>& body = kernel_[task.body];
      body.insert(body.begin(), entry_.begin(), entry_.end());
    }
  }

  /// Drops the axes with one index, such as the environments of ndrange(64, 64, 1), as far as another axis is left. A
  /// device counts rows of the last axis.
  void drop_single_axes(ir::Task& task) {
    const std::vector<ir::Bound> all = std::exchange(task.bounds, {});
    std::vector<uint32_t> left(all.size() / 2, kNowhere);  // of axes: their numbers among those that are left
    for (size_t axis = 0; axis < left.size(); ++axis) {
      const ir::Bound &begin = all[2 * axis], &end = all[2 * axis + 1];
      const bool single = begin.kind == ir::Bound::Kind::Const && end.kind == ir::Bound::Kind::Const &&
                          static_cast<uint64_t>(end.value) - static_cast<uint64_t>(begin.value) == 1;
      if (single && (axis + 1 < left.size() || !task.bounds.empty())) continue;
      left[axis] = static_cast<uint32_t>(task.bounds.size() / 2);
      task.bounds.insert(task.bounds.end(), {begin, end});
    }
    if (task.bounds.size() == all.size()) return;
    walk(kernel_, task.body, [&](InstId id) {
      Inst& inst = kernel_[id];
      if (inst.op != Op::LoopIndex || inst.aux_inst() != task.loop) return;
      const size_t axis = inst.axis();
      if (left[axis] != kNowhere) {
        inst.imm = left[axis];
      } else {
        inst.op = Op::Const;
        inst.aux = 0;
        inst.imm = static_cast<uint64_t>(all[2 * axis].value);
      }
    });
  }

  /// The slot of a value or variable, as a place in memory.
  InstId temp(ir::Builder& build, InstId value) {
    const Inst& inst = kernel_[value];
    const uint32_t slot = inst.op == Op::GlobalTemp ? inst.aux : this->slot(value);
    const uint32_t length = ir::row(inst.op).imm == ir::Imm::Length ? inst.length() : 0;
    return build.global_temp(inst.type, slot, length);
  }

  void import_block(BlockId block) {
    std::vector<InstId> insts;
    walk(kernel_, block, [&](InstId id) { insts.push_back(id); });
    for (InstId id : insts) import_own_operands(id);
  }

  void import_operands(InstId id) {
    import_own_operands(id);
    for (BlockId inner : std::array(kernel_[id].blocks)) import_block(inner);
  }

  void import_own_operands(InstId id) {
    for (uint32_t i = 0; i < kernel_[id].operand_count; i++) {
      const uint32_t at = kernel_[id].operand_begin + i;
      const InstId value = import(kernel_.operands[at]);
      kernel_.operands[at] = value;
    }
  }

  /// The value in this task; code that makes it goes to the beginning of the task.
  InstId import(InstId id) {
    if (static_cast<uint32_t>(id) >= home_.size() || home(id) == kNowhere || home(id) == here_) return id;
    if (auto copy = copies_.find(id); copy != copies_.end()) return copy->second;
    const Inst inst = kernel_[id];
    ir::Builder build(kernel_, entry_, inst.location);
    InstId copy;
    if (inst.op == Op::GlobalTemp || (inst.op == Op::Alloca && slot(id) != kNowhere)) {
      copy = temp(build, id);
    } else if (inst.op == Op::Alloca || inst.op == Op::ElementPtr || inst.op == Op::LocalPtr ||
               can_clone_[static_cast<uint32_t>(id)]) {
      std::vector<InstId> args;
      for (uint32_t i = 0; i < inst.operand_count; i++)
        args.push_back(import(operands_before_[inst.operand_begin + i]));
      copy = build.like(inst, args);
    } else {
      copy = build.load(temp(build, id));
    }
    return copies_[id] = copy;
  }

  /// Loads shared variables that a parallel task only reads once, at the beginning of the task.
  void load_once(BlockId body) {
    std::unordered_map<InstId, std::vector<InstId>> loads;
    std::set<InstId> written;
    walk(kernel_, body, [&](InstId id) {
      const Inst& inst = kernel_[id];
      if (!ir::accesses_memory(inst.op)) return;
      const InstId pointer = kernel_.operands_of(inst)[0];
      if (kernel_[pointer].op != Op::GlobalTemp) return;
      inst.op == Op::Load ? loads[pointer].push_back(id) : void(written.insert(pointer));
    });
    ir::Replacements replacements;
    for (InstId pointer : std::vector(entry_)) {
      auto found = loads.find(pointer);
      if (found == loads.end() || written.contains(pointer)) continue;
      const InstId value = ir::Builder(kernel_, entry_, kernel_[pointer].location).load(pointer);
      for (InstId load : found->second) replacements.add(load, value);
    }
    replace(kernel_, body, replacements);
  }

  ir::Kernel& kernel_;
  const bool chunks_;
  const std::map<InstId, uint32_t> conditions_;  // of the regions that are loops and ifs: the slot
  // The operands as the kernel had them at first; those in the kernel are already of one task.
  std::vector<InstId> operands_before_;
  std::vector<Segment> segments_;
  std::vector<uint32_t> home_;                  // the segment in whose top level an instruction stands
  std::vector<bool> live_;                      // instructions of the top level that are needed
  std::vector<uint32_t> slot_;                  // the global temp of a value or variable that other segments need
  std::vector<bool> can_clone_;                 // computed from constants, arguments and shapes alone
  std::map<InstId, std::set<uint32_t>> users_;  // of variables
  std::vector<uint32_t> waiting_probes_;        // fire when the next task starts

  // Of the segment being emitted:
  uint32_t here_ = 0;
  std::unordered_map<InstId, InstId> copies_;
  std::vector<InstId> entry_;
};

}  // namespace

void split_tasks(ir::Kernel& kernel, const Plan& plan) { Splitter(kernel, plan.chunks).run(); }
void split_tasks(ir::Kernel& kernel) { split_tasks(kernel, kCpuPlan); }

}  // namespace qd::passes
