// Checks the invariants of the kernel IR.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "runtime/ir/blocks.h"
#include "runtime/ir/derivative_probe.h"
#include "runtime/ir/iterations.h"
#include "runtime/ir/kernel.h"
#include "runtime/ir/names.h"
#include "runtime/ir/verify_types.h"

namespace qd::ir {
namespace {

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel)
      : kernel_(kernel),
        visible_(kernel.insts.size()),
        placed_(kernel.insts.size()),
        used_(kernel.blocks.size()),
        types_(kernel, errors_) {}

  std::vector<std::string> run() {
    tables();
    // Blocks are walked only when all ids in them are valid.
    if (!ids()) return std::move(errors_);
    if (kernel_.body != BlockId::None) {
      if (!kernel_.tasks.empty()) error("a kernel has a body or tasks, not both");
      block(kernel_.body, BlockContext{.top = true, .scheduled = true});
    }
    for (const Task& task : kernel_.tasks) this->task(task);
    for (const Routine& routine : kernel_.routines) this->routine(routine);
    schedule();
    return std::move(errors_);
  }

 private:
  /// Context of a block, for the rules of control flow.
  struct BlockContext {
    bool top = false;        // the body of the kernel, of a routine or of a serial task: Return may end it
    bool in_loop = false;    // Break and Continue have a target
    bool may_break = false;  // and Break may leave it
    bool scheduled = false;  // the top level, or a region of it: its parallel loops are tasks
    bool region = false;     // the block of a Region that is no section
    bool blocks = false;     // in the iterations of a parallel task, which blocks of threads may run
  };

  template <class... Args>
  [[gnu::cold, gnu::noinline]] void error(fmt::format_string<Args...> text, Args&&... args) {
    errors_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  [[gnu::cold, gnu::noinline]] void error(InstId id, fmt::format_string<Args...> text, Args&&... args) {
    errors_.push_back(instruction_error(kernel_, id, fmt::format(text, std::forward<Args>(args)...)));
  }

  void tables() {
    const Kernel& k = kernel_;
    for (size_t i = 0; i < k.params.size(); i++) {
      if (k.params[i].type == Type::Void) error("param {} has no type", i);
    }
    for (size_t i = 0; i < k.arrays.size(); i++) {
      const Array& a = k.arrays[i];
      if (a.type == Type::Void) error("array {} has no type", i);
      size_t lengths = a.kind == Array::Kind::Field ? static_cast<size_t>(a.rank) : 0;
      if (a.rank < 0 || a.shape.size() != lengths)
        error("array {} of rank {} has a shape of {} axes", i, a.rank, a.shape.size());
      for (int32_t extent : a.shape) {
        if (extent < 0) error("array {} has an extent of {}", i, extent);
      }
      layout(i, a);
      derivative(i, a, "gradient", a.gradient);
      derivative(i, a, "dual", a.dual);
    }
    for (size_t i = 0; i < k.functions.size(); i++) line("function", i, k.functions[i].first_line);
    for (size_t i = 0; i < k.locations.size(); i++) {
      const Location& l = k.locations[i];
      line("location", i, l.line);
      if (l.function >= k.functions.size()) error("location {} names function {}, which does not exist", i, l.function);
      if (l.caller != UINT32_MAX && l.caller >= i) error("location {} has caller {}: callers come first", i, l.caller);
    }
    for (size_t i = 0; i < k.formats.size(); i++) {
      const Format& f = k.formats[i];
      if (f.pieces.size() != f.types.size() + 1 || f.specs.size() != f.types.size()) {
        error("format {} has {} pieces and {} specs for {} values", i, f.pieces.size(), f.specs.size(), f.types.size());
      }
    }
    for (size_t i = 0; i < k.probes.size(); i++) {
      if (k.probes[i].function >= k.functions.size())
        error("probe {} names function {}, which does not exist", i, k.probes[i].function);
      if (k.probes[i].variant != Probe::kNoVariant && k.probes[i].variant >= k.variants.size())
        error("probe {} names variant {}, which does not exist", i, k.probes[i].variant);
      if (k.probes[i].from != kDerivative) line("probe", i, k.probes[i].from);
      line("probe", i, k.probes[i].to);
    }
    for (size_t i = 0; i < k.decisions.size(); i++) decision(i, k.decisions[i]);
    probe_list("end_probes", k.end_probes);
    counter("begin_counter", k.begin_counter);
    counter("end_counter", k.end_counter);
    if (k.kept_temps > k.global_temps) error("{} of {} temps are kept", k.kept_temps, k.global_temps);
    if (!k.checkpoints.empty() && k.kept_temps < kFixedKeptTemps) error("checkpoints without their temps");
  }

  void line(std::string_view what, size_t index, int32_t line) {
    if (line < -kMaxLine || line > kMaxLine) error("{} {} is in line {}, which no source has", what, index, line);
  }
  void range(size_t index, const SourceRange& range) {
    line("decision", index, range.line);
    line("decision", index, range.end_line);
  }

  void decision(size_t index, const Decision& d) {
    if (d.function >= kernel_.functions.size())
      error("decision {} names function {}, which does not exist", index, d.function);
    if (d.conditions.empty()) error("decision {} has no conditions", index);
    range(index, d.range);
    for (const Decision::Condition& condition : d.conditions) range(index, condition.range);
    for (size_t i = 0; i < d.conditions.size(); i++) {
      for (uint32_t next : {d.conditions[i].if_true, d.conditions[i].if_false}) {
        const bool outcome = next == Decision::kTrue || next == Decision::kFalse;
        if (!outcome && (next <= i || next >= d.conditions.size()))
          error("decision {}: condition {} is followed by {}", index, i, next);
      }
    }
  }

  void probe_list(std::string_view what, const std::vector<uint32_t>& list) {
    for (uint32_t probe : list) {
      if (probe >= kernel_.probes.size()) error("{} names probe {}, which does not exist", what, probe);
    }
  }
  void counter(std::string_view what, uint32_t counter) {
    if (counter != kNoCounter && counter >= kernel_.counters)
      error("{} is {}, but there are {} counters", what, counter, kernel_.counters);
  }

  bool ids() {
    const size_t before = errors_.size();
    auto block_ok = [&](BlockId id) {
      return id == BlockId::None || static_cast<uint32_t>(id) < kernel_.blocks.size();
    };
    for (size_t i = 0; i < kernel_.insts.size(); i++) {
      const Inst& inst = kernel_.insts[i];
      const InstId id = static_cast<InstId>(i);
      if (!block_ok(inst.blocks[0]) || !block_ok(inst.blocks[1])) error(id, "block that does not exist");
      if (inst.operand_begin + size_t{inst.operand_count} > kernel_.operands.size())
        error(id, "operands that do not exist");
    }
    for (const auto& block : kernel_.blocks) {
      for (InstId id : block) {
        if (static_cast<uint32_t>(id) >= kernel_.insts.size())
          error("a block holds %{}, which does not exist", static_cast<uint32_t>(id));
      }
    }
    if (!block_ok(kernel_.body)) error("the body does not exist");
    for (const Routine& routine : kernel_.routines) {
      if (routine.body == BlockId::None || !block_ok(routine.body))
        error("routine {}: its body does not exist", routine.name);
    }
    for (const Task& task : kernel_.tasks) {
      if (!block_ok(task.prologue) || !block_ok(task.body) || !block_ok(task.epilogue))
        error("task {}: block that does not exist", task.name);
      if (task.loop != InstId::None && static_cast<uint32_t>(task.loop) >= kernel_.insts.size())
        error("task {}: loop that does not exist", task.name);
    }
    return errors_.size() == before;
  }

  void task(const Task& task) {
    const std::string what = "task " + task.name;
    probe_list(what, task.start_probes);
    counter(what + ": start_counter", task.start_counter);
    counter(what + ": trip_counter", task.trip_counter);
    if (task.kind == Task::Kind::Serial && task.trip_counter != kNoCounter)
      error("{} is serial, but has a trip counter", what);
    if (task.body == BlockId::None) return error("{} has no body", what);
    if (task.kind == Task::Kind::Serial) {
      if (task.prologue != BlockId::None || task.epilogue != BlockId::None || task.loop != InstId::None ||
          !task.bounds.empty()) {
        error("{} is serial, but has a prologue, an epilogue, a loop or bounds", what);
      }
      block(task.body, BlockContext{.top = true});
      return;
    }
    if (task.loop == InstId::None) return error("{} is parallel, but has no loop", what);
    if (kernel_[task.loop].op != Op::For) error("{}: its loop is not a For", what);
    if (task.bounds.empty() || task.bounds.size() % 2) error("{} has {} bounds", what, task.bounds.size());
    for (const Bound& bound : task.bounds) this->bound(what, bound);
    std::vector<Type> axes;
    for (size_t i = 0; i + 1 < task.bounds.size(); i += 2) {
      axes.push_back(task.bounds[i].type);
      if (task.bounds[i].type != task.bounds[i + 1].type) error("{}: bounds of axis {} have two types", what, i / 2);
    }
    const size_t mark = order_.size();
    if (task.prologue != BlockId::None) block(task.prologue, BlockContext{}, /*keep=*/true);
    loops_.push_back({task.loop, std::move(axes)});
    if (is_block_loop(kernel_, task.body) && (task.block_dim < 1 || task.block_dim > kMaxBlockDim))
      error("{} has blocks of {} threads", what, task.block_dim);
    block(task.body, BlockContext{.in_loop = true, .blocks = true});
    loops_.pop_back();
    if (task.epilogue != BlockId::None) block(task.epilogue, BlockContext{});
    hide(mark);
  }

  void schedule() {
    std::vector<uint32_t> runs(kernel_.tasks.size());
    steps(kernel_.schedule, 1, runs);
    for (size_t i = 0; i < runs.size(); i++) {
      if (runs[i] != 1) error("task {} stands in the schedule {} times", kernel_.tasks[i].name, runs[i]);
    }
  }

  void steps(const Schedule& schedule, int depth, std::vector<uint32_t>& runs) {
    if (depth > kMaxStepDepth) return error("the schedule nests too deeply");
    for (const Step& step : schedule) {
      switch (step.kind) {
        case Step::Kind::Run:
          if (step.task < runs.size()) {
            runs[step.task]++;
          } else {
            error("the schedule runs task {}, which does not exist", step.task);
          }
          break;
        case Step::Kind::DoWhile:
        case Step::Kind::If:
          if (step.condition < kernel_.global_temps) {
            types_.temp(step.condition, Type::I32, "the schedule");
          } else {
            error("the schedule looks at temp {}, which does not exist", step.condition);
          }
          break;
        case Step::Kind::Fork: break;
      }
      const size_t sections = step.kind == Step::Kind::DoWhile ? 1 : step.kind == Step::Kind::If ? 2 : 0;
      if (step.kind != Step::Kind::Fork && step.sections.size() != sections)
        error("a step of the schedule has {} sections", step.sections.size());
      for (const Schedule& section : step.sections) steps(section, depth + 1, runs);
    }
  }

  void routine(const Routine& routine) {
    for (const std::vector<Type>* types : {&routine.params, &routine.results}) {
      if (std::ranges::find(*types, Type::Void) != types->end())
        error("routine {} passes something without a type", routine.name);
    }
    types_.enter(&routine);
    block(routine.body, BlockContext{.top = true});
    const std::vector<InstId>& insts = kernel_[routine.body];
    if (!routine.results.empty() && (insts.empty() || kernel_[insts.back()].op != Op::Return))
      error("routine {} does not end with a return", routine.name);
    types_.enter(nullptr);
  }

  void call_result(InstId id, const Inst& i) {
    if (i.aux >= kernel_.insts.size() || !visible_[i.aux] || kernel_.insts[i.aux].op != Op::Call)
      return error(id, "%{} is no call before it", i.aux);
    const Inst& call = kernel_.insts[i.aux];
    if (call.aux >= kernel_.routines.size()) return;  // an error was reported there
    const std::vector<Type>& types = kernel_.routines[call.aux].results;
    if (i.imm >= types.size()) return error(id, "result {} of {}", i.imm, types.size());
    if (types[i.imm] != i.type) error(id, "the result is {}", ir::name(types[i.imm]));
  }

  void bound(std::string_view what, const Bound& bound) {
    auto index = static_cast<uint32_t>(bound.value);
    if (!can_count(bound.type)) error("{}: a bound is {}", what, ir::name(bound.type));
    switch (bound.kind) {
      case Bound::Kind::Const:
        if (bound_in_word(bound, static_cast<uint64_t>(bound.value)) != bound.value)
          error("{}: bound {} is no {}", what, bound.value, ir::name(bound.type));
        return;
      case Bound::Kind::Temp:
        if (index >= kernel_.global_temps)
          return error("{}: bound in temp {}, which does not exist", what, bound.value);
        return types_.temp(index, bound.type, what);
      case Bound::Kind::Shape:
        if (index >= kernel_.arrays.size() || !keeps_values(Type::I32, bound.type) || bound.axis < 0 ||
            bound.axis >= kernel_.arrays[index].rank) {
          error("{}: bound is axis {} of array {}, which does not exist", what, bound.axis, bound.value);
        }
        return;
      case Bound::Kind::Param:
        if (index >= kernel_.params.size() || !keeps_values(kernel_.params[index].type, bound.type))
          error("{}: bound is param {}, which is no {}", what, bound.value, ir::name(bound.type));
        return;
    }
  }

  void layout(size_t i, const Array& a) {
    if (a.layout.components < 1 || a.layout.stride < 0 || a.layout.component_stride < 0)
      error("array {} has a layout that is none", i);
    std::vector<int32_t> axes = a.layout.order;
    std::sort(axes.begin(), axes.end());
    for (size_t axis = 0; axis < axes.size(); axis++) {
      if (axes[axis] != static_cast<int32_t>(axis)) return error("array {}: its order is none of its axes", i);
    }
    if (!axes.empty() && axes.size() != static_cast<size_t>(a.rank))
      error("array {} of rank {} has an order of {} axes", i, a.rank, axes.size());
  }

  void derivative(size_t i, const Array& a, std::string_view what, uint32_t index) {
    if (index == Array::kNone) return;
    if (index >= kernel_.arrays.size()) return error("array {}: its {} is no array", i, what);
    const Array& other = kernel_.arrays[index];
    if (!is_float(a.type) || other.type != a.type || other.rank != a.rank ||
        other.layout.components != a.layout.components)
      error("array {}: its {}, array {}, has other elements", i, what, index);
  }

  void hide(size_t mark) {
    for (size_t i = mark; i < order_.size(); i++) visible_[static_cast<uint32_t>(order_[i])] = false;
    order_.resize(mark);
  }

  void block(BlockId id, BlockContext context, bool keep = false) {
    if (used_[static_cast<uint32_t>(id)]) return error("block {} stands in two places", static_cast<uint32_t>(id));
    used_[static_cast<uint32_t>(id)] = true;
    const size_t mark = order_.size();
    const std::vector<InstId>& insts = kernel_[id];
    for (size_t i = 0; i < insts.size(); i++) {
      InstId inst = insts[i];
      if (placed_[static_cast<uint32_t>(inst)]) {
        error(inst, "stands in two places");
        continue;
      }
      placed_[static_cast<uint32_t>(inst)] = true;
      this->inst(inst, context, i + 1 == insts.size());
      visible_[static_cast<uint32_t>(inst)] = true;
      order_.push_back(inst);
    }
    if (!keep) hide(mark);
  }

  void inst(InstId id, BlockContext context, bool last) {
    const Inst& i = kernel_[id];
    std::span<const InstId> args = kernel_.operands_of(i);
    if (!kernel_.locations.empty() && i.location >= kernel_.locations.size())
      error(id, "location {} does not exist", i.location);
    const OpSignature& signature = row(i.op).signature;
    if (signature.rest == OpSignature::Rest::None && args.size() != signature.fixed)
      return error(id, "{} operands instead of {}", args.size(), signature.fixed);
    for (size_t n = 0; n < args.size(); n++) {
      const auto arg = static_cast<uint32_t>(args[n]);
      if (arg >= kernel_.insts.size()) return error(id, "an operand does not exist");
      if (!visible_[arg]) return error(id, "%{} is not defined here", arg);
      const ResultKind kind = result_kind(kernel_[args[n]].op);
      if (kind == ResultKind::None) return error(id, "%{} has no value", arg);
      const bool pointer = kind == ResultKind::Pointer;
      if (pointer != signature.operand(n).pointer)
        return error(id, "operand {} is {} pointer", n, pointer ? "a" : "no");
    }
    if (has_value(i.op) != (i.type != Type::Void)) return error(id, "has {} type", has_value(i.op) ? "no" : "a");
    const int blocks = row(i.op).blocks;
    const bool second = i.blocks[1] != BlockId::None;
    if ((i.blocks[0] != BlockId::None) != (blocks > 0) || (second != (blocks > 1) && (second || i.op != Op::For)))
      return error(id, "has the wrong number of blocks");
    if (types_.check(id)) {
      if (i.op == Op::LoopIndex) loop_index(id, i);
      if (i.op == Op::CallResult) call_result(id, i);
    }
    control(id, i, context, last);
  }

  Type type(InstId id) const { return kernel_[id].type; }

  void loop_index(InstId id, const Inst& i) {
    for (const auto& [loop, axes] : loops_) {
      if (static_cast<uint32_t>(loop) != i.aux) continue;
      if (i.imm >= axes.size()) return error(id, "axis {} does not exist", i.imm);
      if (axes[i.imm] != i.type) error(id, "is {}, the bounds are {}", ir::name(i.type), ir::name(axes[i.imm]));
      return;
    }
    error(id, "is not inside of loop %{}", i.aux);
  }

  void exhausted(InstId id, const Inst& i) {
    for (InstId probe : kernel_[i.blocks[1]]) {
      if (kernel_[probe].op != Op::Probe)
        error(id, "its block of exhaustion probes holds %{}", static_cast<uint32_t>(probe));
    }
    block(i.blocks[1], BlockContext{});
  }

  void region(InstId id, const Inst& i, BlockContext context) {
    if (!context.scheduled) error(id, "stands where the schedule does not get");
    const std::vector<InstId>& insts = kernel_[i.blocks[0]];
    const bool one = insts.size() == 1 && (kernel_[insts[0]].op == Op::Loop || kernel_[insts[0]].op == Op::If);
    if (i.group() == 0 && !one) error(id, "holds something else than one loop or one if");
    context.top = false;
    context.scheduled = i.group() != 0;
    context.region = i.group() == 0;
    block(i.blocks[0], context);
  }

  /// Checks nested blocks, and jumps out of them.
  void control(InstId id, const Inst& i, BlockContext context, bool last) {
    if (needs_block(i.op) && !context.blocks) error(id, "is not in a parallel loop");
    switch (i.op) {
      case Op::If:
        context.top = false;
        context.scheduled = std::exchange(context.region, false);
        block(i.blocks[0], context);
        block(i.blocks[1], context);
        return;
      case Op::Loop:
        block(i.blocks[0],
              BlockContext{.in_loop = true, .may_break = true, .scheduled = context.region, .blocks = context.blocks});
        return;
      case Op::Region: region(id, i, context); return;
      case Op::For: {
        const bool parallel = context.scheduled && i.aux < kernel_.loops.size() && kernel_.loops[i.aux].parallel;
        std::vector<Type> axes;
        for (size_t n = 0; n + 1 < i.operand_count; n += 2) axes.push_back(type(kernel_.operands_of(i)[n]));
        loops_.push_back({id, std::move(axes)});
        block(i.blocks[0], BlockContext{.in_loop = true, .may_break = !parallel, .blocks = parallel || context.blocks});
        loops_.pop_back();
        if (i.blocks[1] != BlockId::None) exhausted(id, i);
        return;
      }
      case Op::Break:
        if (!context.may_break) error(id, "{}", context.in_loop ? "would leave a parallel loop" : "is not in a loop");
        break;
      case Op::Continue:
        if (!context.in_loop) error(id, "is not in a loop");
        break;
      case Op::Return:
        if (!context.top) error(id, "is not at the end of the {}", types_.routine() ? "routine" : "kernel");
        break;
      default: return;
    }
    if (!last) error(id, "is not the last of its block");
  }

  const Kernel& kernel_;
  std::vector<std::string> errors_;
  std::vector<uint8_t> visible_, placed_, used_;             // flags
  std::vector<InstId> order_;                                // the visible values, in the order in which they became so
  std::vector<std::pair<InstId, std::vector<Type>>> loops_;  // the loops around, with the types of their axes
  TypeVerifier types_;
};

}  // namespace

std::string instruction_error(const Kernel& kernel, InstId id, std::string_view text) {
  return fmt::format("%{} ({}): {}", static_cast<uint32_t>(id), name(kernel[id].op), text);
}

std::vector<std::string> verify(const Kernel& kernel) { return Verifier(kernel).run(); }

void require_valid(const Kernel& kernel, std::string_view stage) {
  const std::vector<std::string> errors = verify(kernel);
  if (!errors.empty())
    throw std::logic_error(
        fmt::format("kernel {} is not valid IR after {}:\n  {}", kernel.name, stage, fmt::join(errors, "\n  ")));
}

}  // namespace qd::ir
