// What always holds for a kernel, checked.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/kernel.h"
#include "runtime/ir/names.h"

namespace qd::ir {
namespace {

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel)
      : kernel_(kernel), visible_(kernel.insts.size()), placed_(kernel.insts.size()), used_(kernel.blocks.size()) {}

  std::vector<std::string> run() {
    tables();
    // Blocks are only walked when the ids in them can be followed.
    if (!ids()) return std::move(errors_);
    if (kernel_.body != BlockId::None) {
      if (!kernel_.tasks.empty()) error("a kernel has a body or tasks, not both");
      block(kernel_.body, Place{.top = true});
    }
    for (const Task& task : kernel_.tasks) this->task(task);
    for (const Routine& routine : kernel_.routines) this->routine(routine);
    return std::move(errors_);
  }

 private:
  /// Where a block stands.
  struct Place {
    bool top = false;         // the body of the kernel, of a routine or of a serial task: Return may end it
    bool in_loop = false;     // Break and Continue have a target
    bool may_break = false;   // and Break may leave it
  };

  template <class... Args>
  void error(fmt::format_string<Args...> text, Args&&... args) {
    errors_.push_back(fmt::format(text, std::forward<Args>(args)...));
  }
  template <class... Args>
  void error(InstId id, fmt::format_string<Args...> text, Args&&... args) {
    errors_.push_back(fmt::format("%{} ({}): {}", static_cast<uint32_t>(id), ir::name(kernel_[id].op),
                                  fmt::format(text, std::forward<Args>(args)...)));
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
      if (a.rank < 0 || a.shape.size() != lengths) error("array {} of rank {} has a shape of {} axes", i, a.rank, a.shape.size());
      layout(i, a);
    }
    for (size_t i = 0; i < k.locations.size(); i++) {
      const Location& l = k.locations[i];
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
      if (k.probes[i].function >= k.functions.size()) error("probe {} names function {}, which does not exist", i, k.probes[i].function);
    }
    for (size_t i = 0; i < k.decisions.size(); i++) decision(i, k.decisions[i]);
    probe_list("end_probes", k.end_probes);
    counter("end_counter", k.end_counter);
  }

  void decision(size_t index, const Decision& d) {
    if (d.function >= kernel_.functions.size()) error("decision {} names function {}, which does not exist", index, d.function);
    if (d.conditions.empty()) error("decision {} has no conditions", index);
    for (size_t i = 0; i < d.conditions.size(); i++) {
      for (uint32_t next : {d.conditions[i].if_true, d.conditions[i].if_false}) {
        const bool outcome = next == Decision::kTrue || next == Decision::kFalse;
        if (!outcome && (next <= i || next >= d.conditions.size())) error("decision {}: condition {} is followed by {}", index, i, next);
      }
    }
  }

  void probe_list(std::string_view what, const std::vector<uint32_t>& list) {
    for (uint32_t probe : list) {
      if (probe >= kernel_.probes.size()) error("{} names probe {}, which does not exist", what, probe);
    }
  }
  void counter(std::string_view what, uint32_t counter) {
    if (counter != kNoCounter && counter >= kernel_.counters) error("{} is {}, but there are {} counters", what, counter, kernel_.counters);
  }

  bool ids() {
    const size_t before = errors_.size();
    auto block_ok = [&](BlockId id) { return id == BlockId::None || static_cast<uint32_t>(id) < kernel_.blocks.size(); };
    for (size_t i = 0; i < kernel_.insts.size(); i++) {
      const Inst& inst = kernel_.insts[i];
      const InstId id = static_cast<InstId>(i);
      if (!block_ok(inst.blocks[0]) || !block_ok(inst.blocks[1])) error(id, "block that does not exist");
      if (inst.operand_begin + size_t{inst.operand_count} > kernel_.operands.size()) error(id, "operands that do not exist");
    }
    for (const auto& block : kernel_.blocks) {
      for (InstId id : block) {
        if (static_cast<uint32_t>(id) >= kernel_.insts.size()) error("a block holds %{}, which does not exist", static_cast<uint32_t>(id));
      }
    }
    if (!block_ok(kernel_.body)) error("the body does not exist");
    for (const Routine& routine : kernel_.routines) {
      if (routine.body == BlockId::None || !block_ok(routine.body)) error("routine {}: its body does not exist", routine.name);
    }
    for (const Task& task : kernel_.tasks) {
      if (!block_ok(task.prologue) || !block_ok(task.body) || !block_ok(task.epilogue)) error("task {}: block that does not exist", task.name);
      if (task.loop != InstId::None && static_cast<uint32_t>(task.loop) >= kernel_.insts.size()) error("task {}: loop that does not exist", task.name);
    }
    return errors_.size() == before;
  }

  void task(const Task& task) {
    const std::string what = "task " + task.name;
    probe_list(what, task.start_probes);
    counter(what + ": start_counter", task.start_counter);
    counter(what + ": trip_counter", task.trip_counter);
    if (task.kind == Task::Kind::Serial && task.trip_counter != kNoCounter) error("{} is serial, but has a trip counter", what);
    if (task.body == BlockId::None) return error("{} has no body", what);
    if (task.kind == Task::Kind::Serial) {
      if (task.prologue != BlockId::None || task.epilogue != BlockId::None || task.loop != InstId::None || !task.bounds.empty()) {
        error("{} is serial, but has a prologue, an epilogue, a loop or bounds", what);
      }
      block(task.body, Place{.top = true});
      return;
    }
    if (task.prologue == BlockId::None || task.loop == InstId::None) return error("{} is parallel, but has no prologue or no loop", what);
    if (kernel_[task.loop].op != Op::For) error("{}: its loop is not a For", what);
    if (task.bounds.empty() || task.bounds.size() % 2) error("{} has {} bounds", what, task.bounds.size());
    for (const Bound& bound : task.bounds) this->bound(what, bound);
    const size_t mark = order_.size();
    block(task.prologue, Place{}, /*keep=*/true);
    loops_.push_back({task.loop, task.bounds.size() / 2});
    block(task.body, Place{.in_loop = true});
    loops_.pop_back();
    if (task.epilogue != BlockId::None) block(task.epilogue, Place{});
    hide(mark);
  }

  void routine(const Routine& routine) {
    for (const std::vector<Type>* types : {&routine.params, &routine.results}) {
      if (std::ranges::find(*types, Type::Void) != types->end()) error("routine {} passes something without a type", routine.name);
    }
    routine_ = &routine;
    block(routine.body, Place{.top = true});
    const std::vector<InstId>& insts = kernel_[routine.body];
    if (!routine.results.empty() && (insts.empty() || kernel_[insts.back()].op != Op::Return)) error("routine {} does not end with a return", routine.name);
    routine_ = nullptr;
  }

  const std::vector<Type>& results() const { return routine_ ? routine_->results : kernel_.results; }

  void call(InstId id, const Inst& i, std::span<const InstId> args) {
    const std::vector<Type>& params = kernel_.routines[i.aux].params;
    if (args.size() != params.size()) return error(id, "{} values for {} parameters", args.size(), params.size());
    for (size_t n = 0; n < params.size(); n++) {
      if (type(args[n]) != params[n]) error(id, "operand {} is {}, not {}", n, ir::name(type(args[n])), ir::name(params[n]));
    }
  }

  void call_result(InstId id, const Inst& i) {
    if (i.aux >= kernel_.insts.size() || !visible_[i.aux] || kernel_.insts[i.aux].op != Op::Call) return error(id, "%{} is no call before it", i.aux);
    const Inst& call = kernel_.insts[i.aux];
    if (call.aux >= kernel_.routines.size()) return;  // said there
    const std::vector<Type>& types = kernel_.routines[call.aux].results;
    if (i.imm >= types.size()) return error(id, "result {} of {}", i.imm, types.size());
    if (types[i.imm] != i.type) error(id, "the result is {}", ir::name(types[i.imm]));
  }

  void bound(std::string_view what, const Bound& bound) {
    auto index = static_cast<uint32_t>(bound.value);
    switch (bound.kind) {
      case Bound::Kind::Const: return;
      case Bound::Kind::Temp:
        if (index >= kernel_.global_temps) return error("{}: bound in temp {}, which does not exist", what, bound.value);
        return temp_type(index, Type::I32, what);
      case Bound::Kind::Shape:
        if (index >= kernel_.arrays.size() || bound.axis < 0 || bound.axis >= kernel_.arrays[index].rank) {
          error("{}: bound is axis {} of array {}, which does not exist", what, bound.axis, bound.value);
        }
        return;
      case Bound::Kind::Param:
        if (index >= kernel_.params.size() || kernel_.params[index].type != Type::I32) error("{}: bound is param {}, which is no i32", what, bound.value);
        return;
    }
  }

  void layout(size_t i, const Array& a) {
    if (a.layout.components < 1 || a.layout.stride < 0 || a.layout.component_stride < 0) error("array {} has a layout that is none", i);
    std::vector<int32_t> axes = a.layout.order;
    std::sort(axes.begin(), axes.end());
    for (size_t axis = 0; axis < axes.size(); axis++) {
      if (axes[axis] != static_cast<int32_t>(axis)) return error("array {}: its order is none of its axes", i);
    }
    if (!axes.empty() && axes.size() != static_cast<size_t>(a.rank)) error("array {} of rank {} has an order of {} axes", i, a.rank, axes.size());
  }

  void temp_type(uint32_t slot, Type type, std::string_view what) {
    if (temp_types_.size() <= slot) temp_types_.resize(slot + 1, Type::Void);
    if (temp_types_[slot] == Type::Void) temp_types_[slot] = type;
    if (temp_types_[slot] != type) error("{}: temp {} is {} here and {} elsewhere", what, slot, ir::name(type), ir::name(temp_types_[slot]));
  }

  void hide(size_t mark) {
    for (size_t i = mark; i < order_.size(); i++) visible_[static_cast<uint32_t>(order_[i])] = false;
    order_.resize(mark);
  }

  void block(BlockId id, Place place, bool keep = false) {
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
      this->inst(inst, place, i + 1 == insts.size());
      visible_[static_cast<uint32_t>(inst)] = true;
      order_.push_back(inst);
    }
    if (!keep) hide(mark);
  }

  void inst(InstId id, Place place, bool last) {
    const Inst& i = kernel_[id];
    std::span<const InstId> args = kernel_.operands_of(i);
    if (!kernel_.locations.empty() && i.location >= kernel_.locations.size()) error(id, "location {} does not exist", i.location);
    const int wanted = operand_count(i.op);
    if (wanted >= 0 && args.size() != static_cast<size_t>(wanted)) return error(id, "{} operands instead of {}", args.size(), wanted);
    for (InstId arg : args) {
      if (static_cast<uint32_t>(arg) >= kernel_.insts.size()) return error(id, "an operand does not exist");
      if (!visible_[static_cast<uint32_t>(arg)]) return error(id, "%{} is not defined here", static_cast<uint32_t>(arg));
      if (result_kind(kernel_[arg].op) == ResultKind::None) return error(id, "%{} has no value", static_cast<uint32_t>(arg));
    }
    const bool has_pointer = i.op == Op::LocalPtr || i.op == Op::Load || i.op == Op::Store || i.op == Op::AtomicRmw || i.op == Op::AtomicCas;
    for (size_t n = 0; n < args.size(); n++) {
      const bool pointer = result_kind(kernel_[args[n]].op) == ResultKind::Pointer;
      if (pointer != (has_pointer && n == 0)) return error(id, "operand {} is {} pointer", n, pointer ? "a" : "no");
    }
    const bool has_result = result_kind(i.op) != ResultKind::None;
    if (has_result != (i.type != Type::Void)) return error(id, "has {} type", has_result ? "no" : "a");
    const bool has_blocks = i.op == Op::If || i.op == Op::Loop || i.op == Op::For;
    if ((i.blocks[0] != BlockId::None) != has_blocks || (i.op != Op::For && (i.blocks[1] != BlockId::None) != (i.op == Op::If))) {
      return error(id, "has the wrong number of blocks");
    }
    types(id, i, args);
    control(id, i, place, last);
  }

  Type type(InstId id) const { return kernel_[id].type; }

  /// Types of operands, and indices into tables.
  void types(InstId id, const Inst& i, std::span<const InstId> args) {
    auto want = [&](size_t n, Type type) {
      if (this->type(args[n]) != type) error(id, "operand {} is {}, not {}", n, ir::name(this->type(args[n])), ir::name(type));
    };
    auto index = [&](size_t size, std::string_view table) {
      if (i.aux < size) return true;
      error(id, "{} {} does not exist", table, i.aux);
      return false;
    };
    switch (i.op) {
      case Op::Const: return constant(id, i);
      case Op::Arg:
        if (index(kernel_.params.size(), "param") && kernel_.params[i.aux].type != i.type) error(id, "the param is {}", ir::name(kernel_.params[i.aux].type));
        return;
      case Op::Shape:
        if (i.type != Type::I32) error(id, "is not i32");
        if (index(kernel_.arrays.size(), "array") && i.imm >= static_cast<uint64_t>(kernel_.arrays[i.aux].rank)) error(id, "axis {} does not exist", i.imm);
        return;
      case Op::LoopIndex: return loop_index(id, i);
      case Op::Iteration:
        if (i.type != Type::I64) error(id, "is no i64");
        return;
      case Op::Unary:
        if (!index(static_cast<size_t>(UnaryOp::Ffs) + 1, "operator")) return;
        return unary(id, i, type(args[0]));
      case Op::Binary:
        if (!index(static_cast<size_t>(BinaryOp::Atan2) + 1, "operator")) return;
        want(0, i.type);
        want(1, i.type);
        return binary(id, i);
      case Op::Compare:
        if (!index(static_cast<size_t>(CompareOp::MulOverflows) + 1, "operator")) return;
        if (i.type != Type::U1) error(id, "is not u1");
        return want(1, type(args[0]));
      case Op::Cast: return;
      case Op::BitCast:
        if (bit_width(i.type) != bit_width(type(args[0]))) error(id, "changes the width");
        return;
      case Op::Select:
        want(0, Type::U1);
        want(1, i.type);
        return want(2, i.type);
      case Op::Random: return;
      case Op::Alloca:
        if (i.imm > kMaxLocalArray) error(id, "an array of {} numbers", i.imm);
        return;
      case Op::GlobalTemp:
        if (routine_) return error(id, "is in a routine");
        if (i.imm > kMaxLocalArray || i.aux + std::max<uint64_t>(i.imm, 1) > kernel_.global_temps) return error(id, "temp {} does not exist", i.aux);
        for (uint64_t slot = 0; slot < std::max<uint64_t>(i.imm, 1); slot++) {
          temp_type(i.aux + static_cast<uint32_t>(slot), i.type, fmt::format("%{}", static_cast<uint32_t>(id)));
        }
        return;
      case Op::LocalPtr: {
        const Inst& array = kernel_[args[0]];
        if ((array.op != Op::Alloca && array.op != Op::GlobalTemp) || array.imm == 0) return error(id, "operand 0 is no local array");
        want(0, i.type);
        want(1, Type::I32);
        const Inst& at = kernel_[args[1]];
        if (at.op == Op::Const && at.imm >= array.imm) error(id, "index {} of {}", at.imm, array.imm);
        return;
      }
      case Op::ElementPtr:
        if (!index(kernel_.arrays.size(), "array")) return;
        if (kernel_.arrays[i.aux].type != i.type) error(id, "the array is {}", ir::name(kernel_.arrays[i.aux].type));
        if (args.size() != kernel_.arrays[i.aux].indices()) error(id, "{} indices for rank {}{}", args.size(), kernel_.arrays[i.aux].rank, kernel_.arrays[i.aux].layout.components != 1 ? " and a component" : "");
        for (size_t n = 0; n < args.size(); n++) {
          if (type(args[n]) != Type::I64) want(n, Type::I32);
        }
        return;
      case Op::Load:
        return want(0, i.type);
      case Op::Store:
        return want(1, type(args[0]));
      case Op::AtomicRmw:
        if (!index(static_cast<size_t>(AtomicOp::Exchange) + 1, "operator")) return;
        want(0, i.type);
        want(1, i.type);
        if (is_float(i.type) && i.aux >= static_cast<uint32_t>(AtomicOp::And) && i.aux <= static_cast<uint32_t>(AtomicOp::Xor)) error(id, "bits of a float");
        return;
      case Op::AtomicCas:
        if (!is_integer(i.type)) error(id, "is no integer");
        for (size_t n = 0; n < 3; n++) want(n, i.type);
        return;
      case Op::If: return want(0, Type::U1);
      case Op::Loop: case Op::Break: case Op::Continue: return;
      case Op::For:
        index(kernel_.loops.size(), "loop");
        if (args.empty() || args.size() % 2) error(id, "{} bounds", args.size());
        for (size_t n = 0; n < args.size(); n++) want(n, Type::I32);
        return;
      case Op::Return:
        if (args.size() != results().size()) return error(id, "{} values for {} results", args.size(), results().size());
        for (size_t n = 0; n < args.size(); n++) want(n, results()[n]);
        return;
      case Op::Call:
        if (index(kernel_.routines.size(), "routine")) call(id, i, args);
        return;
      case Op::CallResult: return call_result(id, i);
      case Op::CallArg:
        if (!routine_) return error(id, "is in no routine");
        if (index(routine_->params.size(), "parameter") && routine_->params[i.aux] != i.type) error(id, "the parameter is {}", ir::name(routine_->params[i.aux]));
        return;
      case Op::StackLeft:
        if (i.type != Type::I64) error(id, "is no i64");
        return;
      case Op::Assert: case Op::Warn:
        if (args.empty()) return error(id, "has no condition");
        want(0, Type::U1);
        return format(id, i, args.subspan(1));
      case Op::Print: return format(id, i, args);
      case Op::Probe:
        index(kernel_.probes.size(), "probe");
        return;
      case Op::Condition:
        if (!index(kernel_.decisions.size(), "decision")) return;
        if (i.imm / 2 >= kernel_.decisions[i.aux].conditions.size()) error(id, "condition {} does not exist", i.imm / 2);
        if (args.size() > 1) error(id, "{} operands", args.size());
        return;
      case Op::Decide:
        index(kernel_.decisions.size(), "decision");
        if (args.size() > 64) error(id, "{} operands", args.size());
        for (size_t n = 0; n < args.size(); n++) want(n, Type::U1);
        return;
      case Op::Record:
        index(kernel_.counters, "counter");
        if (type(args[0]) != Type::I32) want(0, Type::I64);
        return;
      case Op::Count:
        index(kernel_.counters, "counter");
        if (type(args[0]) != Type::U1) want(0, Type::I64);
        return;
      case Op::Mark:
        index(kernel_.counters, "counter");
        return;
    }
  }

  void format(InstId id, const Inst& i, std::span<const InstId> values) {
    if (i.aux >= kernel_.formats.size()) return error(id, "format {} does not exist", i.aux);
    const std::vector<Type>& types = kernel_.formats[i.aux].types;
    if (values.size() != types.size()) return error(id, "{} values for a format of {}", values.size(), types.size());
    for (size_t n = 0; n < types.size(); n++) {
      if (type(values[n]) != types[n]) error(id, "value {} is {}, the format says {}", n, ir::name(type(values[n])), ir::name(types[n]));
    }
  }

  void constant(InstId id, const Inst& i) {
    const int width = bit_width(i.type);
    if (width == 64) return;
    const uint64_t low = i.imm & ((uint64_t{1} << width) - 1);
    const bool negative = is_signed(i.type) && (low >> (width - 1));
    if (i.imm != (negative ? low | ~((uint64_t{1} << width) - 1) : low)) error(id, "bits {:#x} are not those of a {}", i.imm, ir::name(i.type));
  }

  void loop_index(InstId id, const Inst& i) {
    if (i.type != Type::I32) error(id, "is not i32");
    for (const auto& [loop, rank] : loops_) {
      if (static_cast<uint32_t>(loop) != i.aux) continue;
      if (i.imm >= rank) error(id, "axis {} does not exist", i.imm);
      return;
    }
    error(id, "is not inside of loop %{}", i.aux);
  }

  void unary(InstId id, const Inst& i, Type operand) {
    switch (static_cast<UnaryOp>(i.aux)) {
      case UnaryOp::IsNan: case UnaryOp::IsInf:
        if (i.type != Type::U1 || !is_float(operand)) error(id, "{} takes a float and gives u1", ir::name(static_cast<UnaryOp>(i.aux)));
        return;
      case UnaryOp::Popcnt: case UnaryOp::Clz: case UnaryOp::Ffs:
        // These count bits: the count is an i32, or has the operand's type.
        if (!is_integer(operand) || (i.type != Type::I32 && i.type != operand)) error(id, "counts the bits of an integer");
        return;
      case UnaryOp::BitNot:
        if (!is_integer(i.type)) error(id, "bits of a float");
        break;
      case UnaryOp::LogicalNot:
        if (i.type != Type::U1) error(id, "is not u1");
        return;
      default: break;
    }
    if (operand != i.type) error(id, "operand 0 is {}, not {}", ir::name(operand), ir::name(i.type));
  }

  void binary(InstId id, const Inst& i) {
    switch (static_cast<BinaryOp>(i.aux)) {
      case BinaryOp::Div: case BinaryOp::Atan2:
        if (!is_float(i.type)) error(id, "is no float");
        return;
      case BinaryOp::Shl: case BinaryOp::Shr: case BinaryOp::LogicalShr: case BinaryOp::BitAnd: case BinaryOp::BitOr: case BinaryOp::BitXor:
        if (!is_integer(i.type)) error(id, "bits of a float");
        return;
      default: return;
    }
  }

  void exhausted(InstId id, const Inst& i) {
    for (InstId probe : kernel_[i.blocks[1]]) {
      if (kernel_[probe].op != Op::Probe) error(id, "its block of exhaustion probes holds %{}", static_cast<uint32_t>(probe));
    }
    block(i.blocks[1], Place{});
  }

  /// Nested blocks, and where control may leave them.
  void control(InstId id, const Inst& i, Place place, bool last) {
    switch (i.op) {
      case Op::If:
        place.top = false;
        block(i.blocks[0], place);
        block(i.blocks[1], place);
        return;
      case Op::Loop: block(i.blocks[0], Place{.in_loop = true, .may_break = true}); return;
      case Op::For: {
        const bool parallel = place.top && !routine_ && kernel_.body != BlockId::None && i.aux < kernel_.loops.size() && kernel_.loops[i.aux].parallel;
        loops_.push_back({id, i.operand_count / 2u});
        block(i.blocks[0], Place{.in_loop = true, .may_break = !parallel});
        loops_.pop_back();
        if (i.blocks[1] != BlockId::None) exhausted(id, i);
        return;
      }
      case Op::Break:
        if (!place.may_break) error(id, "{}", place.in_loop ? "would leave a parallel loop" : "is not in a loop");
        break;
      case Op::Continue:
        if (!place.in_loop) error(id, "is not in a loop");
        break;
      case Op::Return:
        if (!place.top) error(id, "is not at the end of the {}", routine_ ? "routine" : "kernel");
        break;
      default: return;
    }
    if (!last) error(id, "is not the last of its block");
  }

  const Kernel& kernel_;
  std::vector<std::string> errors_;
  std::vector<bool> visible_, placed_, used_;
  std::vector<InstId> order_;  // the visible values, in the order in which they became so
  std::vector<std::pair<InstId, size_t>> loops_;  // the loops around, with their ranks
  std::vector<Type> temp_types_;
  const Routine* routine_ = nullptr;  // around; null: the kernel
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel) { return Verifier(kernel).run(); }

}  // namespace qd::ir
