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
    const Signature& signature = row(i.op).signature;
    if (signature.rest == Signature::Rest::None && args.size() != signature.fixed) return error(id, "{} operands instead of {}", args.size(), signature.fixed);
    for (InstId arg : args) {
      if (static_cast<uint32_t>(arg) >= kernel_.insts.size()) return error(id, "an operand does not exist");
      if (!visible_[static_cast<uint32_t>(arg)]) return error(id, "%{} is not defined here", static_cast<uint32_t>(arg));
      if (result_kind(kernel_[arg].op) == ResultKind::None) return error(id, "%{} has no value", static_cast<uint32_t>(arg));
    }
    for (size_t n = 0; n < args.size(); n++) {
      const bool pointer = result_kind(kernel_[args[n]].op) == ResultKind::Pointer;
      if (pointer != signature.operand(n).pointer) return error(id, "operand {} is {} pointer", n, pointer ? "a" : "no");
    }
    if (has_value(i.op) != (i.type != Type::Void)) return error(id, "has {} type", has_value(i.op) ? "no" : "a");
    const int blocks = row(i.op).blocks;
    const bool second = i.blocks[1] != BlockId::None;
    if ((i.blocks[0] != BlockId::None) != (blocks > 0) || (second != (blocks > 1) && (second || i.op != Op::For))) return error(id, "has the wrong number of blocks");
    if (aux(id, i) && operand_types(id, i, args)) more_of(id, i, args);
    control(id, i, place, last);
  }

  Type type(InstId id) const { return kernel_[id].type; }

  bool is(TypeRule rule, const Inst& i, std::span<const InstId> args, Type type) const {
    switch (rule) {
      case TypeRule::None: case TypeRule::Row: case TypeRule::Any: return true;
      case TypeRule::Own: return type == i.type;
      case TypeRule::Same: return type == this->type(args[0]);
      case TypeRule::U1: return type == Type::U1;
      case TypeRule::I32: return type == Type::I32;
      case TypeRule::I64: return type == Type::I64;
      case TypeRule::Index: return type == Type::I32 || type == Type::I64;
      case TypeRule::Amount: return type == Type::U1 || type == Type::I64;
      case TypeRule::Width: return bit_width(type) == bit_width(i.type);
      case TypeRule::Integer: return is_integer(type);
    }
    return false;
  }
  std::string wanted(TypeRule rule, const Inst& i, std::span<const InstId> args) const {
    switch (rule) {
      case TypeRule::Own: return std::string(ir::name(i.type));
      case TypeRule::Same: return std::string(ir::name(type(args[0])));
      case TypeRule::U1: return "u1";
      case TypeRule::I32: case TypeRule::Index: return "i32";
      case TypeRule::I64: case TypeRule::Amount: return "i64";
      case TypeRule::Width: return fmt::format("of {} bits", bit_width(i.type));
      case TypeRule::Integer: return "an integer";
      case TypeRule::None: case TypeRule::Row: case TypeRule::Any: break;
    }
    return {};
  }

  struct Table {
    std::string_view name;
    size_t rows;
  };
  /// What an aux of this kind is an index of; without a name when it is none.
  Table table(Aux aux) const {
    switch (aux) {
      case Aux::Param: return {"param", kernel_.params.size()};
      case Aux::Array: return {"array", kernel_.arrays.size()};
      case Aux::Loop: return {"loop", kernel_.loops.size()};
      case Aux::Format: return {"format", kernel_.formats.size()};
      case Aux::Routine: return {"routine", kernel_.routines.size()};
      case Aux::Probe: return {"probe", kernel_.probes.size()};
      case Aux::Decision: return {"decision", kernel_.decisions.size()};
      case Aux::RoutineParam: return {"parameter", routine_ ? routine_->params.size() : 0};
      case Aux::Counter: return {"counter", kernel_.counters};
      case Aux::UnaryOp: case Aux::BinaryOp: case Aux::CompareOp: case Aux::AtomicOp: return {"operator", operators(aux).size()};
      case Aux::None: case Aux::Temp: case Aux::For: case Aux::Call: break;
    }
    return {};
  }

  bool aux(InstId id, const Inst& i) {
    const Aux kind = row(i.op).aux;
    if (kind == Aux::RoutineParam && !routine_) return error(id, "is in no routine"), false;
    if (kind == Aux::Temp && routine_) return error(id, "is in a routine"), false;
    const Table table = this->table(kind);
    if (table.name.empty() || i.aux < table.rows) return true;
    error(id, "{} {} does not exist", table.name, i.aux);
    return false;
  }

  /// The type that the row of aux gives the result; Void: none.
  Type row_type(const Inst& i) const {
    switch (row(i.op).aux) {
      case Aux::Param: return kernel_.params[i.aux].type;
      case Aux::Array: return kernel_.arrays[i.aux].type;
      case Aux::RoutineParam: return routine_->params[i.aux];
      default: return Type::Void;
    }
  }

  bool operand_types(InstId id, const Inst& i, std::span<const InstId> args) {
    const size_t before = errors_.size();
    const Signature& signature = row(i.op).signature;
    if (args.size() < signature.fixed) return error(id, "has no condition"), false;  // of Assert and Warn: the others' number was looked at
    if (signature.rest == Signature::Rest::Optional && args.size() > signature.fixed + 1u) error(id, "{} operands", args.size());
    const size_t ruled = signature.rest == Signature::Rest::Row ? signature.fixed : args.size();
    for (size_t n = 0; n < ruled; n++) {
      const TypeRule rule = signature.operand(n).type;
      if (is(rule, i, args, type(args[n]))) continue;
      if (rule == TypeRule::Width) {
        error(id, "changes the width");
      } else {
        error(id, "operand {} is {}, not {}", n, ir::name(type(args[n])), wanted(rule, i, args));
      }
    }
    if (signature.rest == Signature::Rest::Row) listed(id, i, args.subspan(signature.fixed));
    if (signature.type == TypeRule::Row) {
      if (row_type(i) != i.type) error(id, "the {} is {}", table(row(i.op).aux).name, ir::name(row_type(i)));
    } else if (!is(signature.type, i, args, i.type)) {
      const bool one = signature.type == TypeRule::U1 || signature.type == TypeRule::I32;
      error(id, "is {} {}", one ? "not" : "no", signature.type == TypeRule::Integer ? "integer" : wanted(signature.type, i, args));
    }
    return errors_.size() == before;
  }

  /// Operands that a list of types asks for: a format's, a routine's parameters, results.
  void listed(InstId id, const Inst& i, std::span<const InstId> values) {
    const Aux kind = row(i.op).aux;
    const std::vector<Type>& types = kind == Aux::Format ? kernel_.formats[i.aux].types : kind == Aux::Routine ? kernel_.routines[i.aux].params : results();
    if (values.size() != types.size()) {
      if (kind == Aux::Format) return error(id, "{} values for a format of {}", values.size(), types.size());
      return error(id, "{} values for {} {}", values.size(), types.size(), kind == Aux::Routine ? "parameters" : "results");
    }
    for (size_t n = 0; n < types.size(); n++) {
      if (type(values[n]) == types[n]) continue;
      if (kind == Aux::Format) {
        error(id, "value {} is {}, the format says {}", n, ir::name(type(values[n])), ir::name(types[n]));
      } else {
        error(id, "operand {} is {}, not {}", n, ir::name(type(values[n])), ir::name(types[n]));
      }
    }
  }

  /// What the table does not say of an operation.
  void more_of(InstId id, const Inst& i, std::span<const InstId> args) {
    switch (i.op) {
      case Op::Const: return constant(id, i);
      case Op::Shape:
        if (i.imm >= static_cast<uint64_t>(kernel_.arrays[i.aux].rank)) error(id, "axis {} does not exist", i.imm);
        return;
      case Op::LoopIndex: return loop_index(id, i);
      case Op::Unary: return numbers(id, i, row(i.unary_op()), type(args[0]));
      case Op::Binary: return numbers(id, i, row(i.binary_op()), i.type);
      case Op::AtomicRmw: return numbers(id, i, row(i.atomic_op()), i.type);
      case Op::Alloca:
        if (i.imm > kMaxLocalArray) error(id, "an array of {} numbers", i.imm);
        return;
      case Op::GlobalTemp:
        if (i.imm > kMaxLocalArray || i.aux + std::max<uint64_t>(i.imm, 1) > kernel_.global_temps) return error(id, "temp {} does not exist", i.aux);
        for (uint64_t slot = 0; slot < std::max<uint64_t>(i.imm, 1); slot++) {
          temp_type(i.aux + static_cast<uint32_t>(slot), i.type, fmt::format("%{}", static_cast<uint32_t>(id)));
        }
        return;
      case Op::LocalPtr: {
        const Inst& array = kernel_[args[0]];
        if (row(array.op).imm != Imm::Length || array.imm == 0) return error(id, "operand 0 is no local array");
        const Inst& at = kernel_[args[1]];
        if (at.op == Op::Const && at.imm >= array.imm) error(id, "index {} of {}", at.imm, array.imm);
        return;
      }
      case Op::ElementPtr: {
        const Array& array = kernel_.arrays[i.aux];
        if (args.size() != array.indices()) error(id, "{} indices for rank {}{}", args.size(), array.rank, array.layout.components != 1 ? " and a component" : "");
        return;
      }
      case Op::For:
        if (args.empty() || args.size() % 2) error(id, "{} bounds", args.size());
        return;
      case Op::CallResult: return call_result(id, i);
      case Op::Condition:
        if (i.imm / 2 >= kernel_.decisions[i.aux].conditions.size()) error(id, "condition {} does not exist", i.imm / 2);
        return;
      case Op::Decide:
        if (args.size() > 64) error(id, "{} operands", args.size());
        return;
      default: return;
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

  /// Whether the operator is for such numbers, and gives what it should.
  void numbers(InstId id, const Inst& i, const OperatorRow& op, Type operand) {
    switch (op.numbers) {
      case Numbers::All: break;
      case Numbers::Floats:
        if (!is_float(i.type)) error(id, "is no float");
        break;
      case Numbers::Integers:
        if (!is_integer(i.type)) error(id, "bits of a float");
        break;
      case Numbers::Test:
        if (i.type != Type::U1 || !is_float(operand)) error(id, "{} takes a float and gives u1", op.name);
        return;
      case Numbers::Bits:
        if (!is_integer(operand) || (i.type != Type::I32 && i.type != operand)) error(id, "counts the bits of an integer");
        return;
      case Numbers::Truth:
        if (i.type != Type::U1) error(id, "is not u1");
        return;
    }
    if (operand != i.type) error(id, "operand 0 is {}, not {}", ir::name(operand), ir::name(i.type));
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
