// Checkpoints. A launch that resumes at checkpoint 3 skips those before it, and one that has yielded those behind:
//
//   with qd.checkpoint(7, yield_on=full):      if yielded == 0 and resume_from <= 3:
//       for i in x:                                for i in x:
//           total += x[i]               ->             total += x[i]
//                                                  kept_total = total
//                                                  if full[()] != 0: yielded = 3; value = full[()]
//                                              elif yielded == 0 and has_run: total = kept_total
//
// The numbers 1, 2, ... count the checkpoints of the kernel in the order of the source. `yielded`, `resume_from`,
// `value` and the copies of variables are temps that the host keeps from one launch to the next
// (ir::Kernel::kept_temps).
#include "runtime/frontend/statements/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/statements/region_rules.h"
#include "runtime/ir/walk.h"

namespace qd::frontend {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

InstId number(Compilation& c, int64_t value) { return c.build.constant(Type::I32, Value(value)); }
InstId kept(Compilation& c, uint32_t slot) { return c.build.global_temp(Type::I32, slot); }

uint32_t keep_more(Compilation& c, uint32_t slots) {
  const uint32_t first = c.kernel.kept_temps;
  c.kernel.kept_temps += slots;
  c.kernel.global_temps = c.kernel.kept_temps;
  return first;
}

/// The number of a new checkpoint.
int64_t add_checkpoint(Compilation& c, std::optional<int64_t> label) {
  if (c.kernel.kept_temps == 0) keep_more(c, ir::kFixedKeptTemps);
  c.kernel.checkpoints.push_back({label.has_value(), label.value_or(0)});
  return static_cast<int64_t>(c.kernel.checkpoints.size());
}

/// A variable that a body assigns and that lives longer, with the slot of its kept value.
struct KeptVariable {
  InstId variable;
  uint32_t slot;
};

std::vector<KeptVariable> keep_variables(Compilation& c, BlockId body) {
  std::set<InstId> inside, assigned;
  ir::walk(c.kernel, body, [&](InstId id) {
    const ir::Inst& inst = c.kernel[id];
    if (inst.op == Op::Alloca) inside.insert(id);
    if (!ir::has_effect(inst.op, ir::kWrites) || !ir::accesses_memory(inst.op)) return;
    InstId place = c.kernel.operands_of(inst)[0];
    if (c.kernel[place].op == Op::LocalPtr) place = c.kernel.operands_of(place)[0];
    if (c.kernel[place].op == Op::Alloca) assigned.insert(place);
  });
  std::vector<KeptVariable> variables;
  for (InstId variable : assigned) {
    if (!inside.contains(variable))
      variables.push_back({variable, keep_more(c, std::max<uint32_t>(1, c.kernel[variable].length()))});
  }
  return variables;
}

/// Copies each variable to its slot, or back.
void copy(Compilation& c, const std::vector<KeptVariable>& variables, bool back) {
  for (const auto& [variable, slot] : variables) {
    const Type type = c.kernel[variable].type;
    const uint32_t length = c.kernel[variable].length();
    const InstId place = c.build.global_temp(type, slot, length);
    const InstId from = back ? place : variable, to = back ? variable : place;
    if (length == 0) {
      c.build.store(to, c.build.load(from));
      continue;
    }
    for (uint32_t i = 0; i < length; ++i) {
      auto element = [&](InstId array) { return c.build.inst(Op::LocalPtr, type, {array, number(c, i)}); };
      c.build.store(element(to), c.build.load(element(from)));
    }
  }
}

/// Emits `if condition: then()`.
void when(Compilation& c, InstId condition, const std::function<void()>& then) {
  const InstId branch = c.build.inst(Op::If, Type::Void, {condition});
  BlockId yes;
  c.build.in_new_block(yes, then);
  c.kernel[branch].blocks = {yes, c.kernel.add_block()};
}

/// Emits a checkpoint. `labelled`: something runs at the end of the body, so that notes for coverage there have a task.
void gate(Compilation& c, int64_t id, const std::function<void()>& body, const Item* flag, bool labelled) {
  const InstId runs = c.build.compare(ir::CompareOp::Eq, c.build.load(kept(c, ir::kYielded)), number(c, 0));
  const InstId begun = c.build.compare(ir::CompareOp::Le, c.build.load(kept(c, ir::kResumeFrom)), number(c, id));
  const InstId open = c.build.binary(ir::BinaryOp::BitAnd, runs, begun);
  const InstId region = c.build.inst(Op::Region, Type::Void);
  BlockId inside, yes, no;
  c.build.in_new_block(inside, [&] {
    const InstId branch = c.build.inst(Op::If, Type::Void, {open});
    std::vector<KeptVariable> variables;
    uint32_t has_run = 0;  // the temp that says whether the body has run in this launch or in one before
    c.build.in_new_scheduled_block(yes, [&] {
      body();
      variables = keep_variables(c, yes);
      if (!variables.empty()) has_run = keep_more(c, 1);
      copy(c, variables, false);
      if (!variables.empty()) c.build.store(kept(c, has_run), number(c, 1));
      if (labelled) c.build.store(kept(c, ir::kFlagValue), number(c, 0));
      if (!flag) return;
      const InstId value = c.build.load(std::get<NumberPlace>(element_at(c, *flag, {})).pointer);
      when(c, c.build.compare(ir::CompareOp::Ne, value, number(c, 0)), [&] {
        c.build.store(kept(c, ir::kYielded), number(c, id));
        c.build.store(kept(c, ir::kFlagValue), value);
      });
    });
    c.build.in_new_scheduled_block(no, [&] {
      if (variables.empty()) return;
      const InstId ran = c.build.compare(ir::CompareOp::Ne, c.build.load(kept(c, has_run)), number(c, 0));
      when(c, c.build.binary(ir::BinaryOp::BitAnd, runs, ran), [&] { copy(c, variables, true); });
    });
    c.kernel[branch].blocks = {yes, no};
  });
  c.kernel[region].blocks[0] = inside;
}

struct Arguments {
  const Expr* label = nullptr;
  const Expr* flag = nullptr;  // null: none
};

/// The arguments of qd.checkpoint(cp_id, yield_on=None); nothing after an error.
std::optional<Arguments> arguments_of(Compilation& c, const syntax::Call& call) {
  Arguments arguments;
  const Expr** places[] = {&arguments.label, &arguments.flag};
  bool good = call.args.size() <= std::size(places);
  for (size_t i = 0; good && i < call.args.size(); ++i) {
    *places[i] = call.args[i];
    good = !std::holds_alternative<syntax::Starred>(call.args[i]->node);
  }
  for (const auto& keyword : call.keywords) {
    const Expr** place = keyword.arg == "cp_id" ? places[0] : keyword.arg == "yield_on" ? places[1] : nullptr;
    good &= place && !*place;
    if (place) *place = keyword.value;
  }
  if (!good || !arguments.label) {
    c.report.error(ErrorKind::Syntax, call.func->range,
                   "qd.checkpoint takes a label and the flag to yield on: `qd.checkpoint(cp_id, yield_on=flag)`");
    return std::nullopt;
  }
  auto* constant = arguments.flag ? std::get_if<syntax::Constant>(&arguments.flag->node) : nullptr;
  if (constant && constant->kind == syntax::ConstantKind::None) arguments.flag = nullptr;
  return arguments;
}

std::optional<int64_t> label_of(Compilation& c, const Expr& expr) {
  const Item item = evaluate(c, expr);
  if (poisoned(item)) return std::nullopt;
  const Value* value = known_number(item);
  const auto label = value && !std::holds_alternative<bool>(*value) && !std::holds_alternative<double>(*value)
                         ? as_integer(*value)
                         : std::nullopt;
  if (!label) {
    c.report.error(
        ErrorKind::Syntax, expr.range,
        fmt::format("the label of qd.checkpoint is an integer that is known: a number, a member of an IntEnum, "
                    "or an integer of the module, not `{}`",
                    source_text(c, expr.range)));
    return std::nullopt;
  }
  for (const ir::Checkpoint& other : c.kernel.checkpoints) {
    if (other.labelled && other.label == *label) {
      c.report.error(
          ErrorKind::Syntax, expr.range,
          fmt::format("the label {} of qd.checkpoint is there twice: each checkpoint of a kernel has its own",
                      source_text(c, expr.range)));
      return std::nullopt;
    }
  }
  return label;
}

}  // namespace

void checkpoint(Compilation& c, const syntax::Call& call, const std::function<void()>& body) {
  constexpr std::string_view kName = "qd.checkpoint";
  const Range& range = call.func->range;
  if (!c.options.checkpoints)
    c.report.error(ErrorKind::Syntax, range, "qd.checkpoint needs @qd.kernel(graph=True, checkpoints=True)");
  const auto& loops = c.function().loops;
  if (c.regions.innermost() == Region::Checkpoint) {
    c.report.error(ErrorKind::Syntax, range,
                   "qd.checkpoint cannot stand in another checkpoint: write them one after the other");
  } else if (stands_where_it_may(c, kName, Where::DoWhile, range) && !loops.empty() && loops.back().unrolled) {
    c.report.error(ErrorKind::Syntax, range,
                   "qd.checkpoint cannot stand in a `for` with qd.static: its label would be there more than once");
  }
  const auto arguments = arguments_of(c, call);
  const auto label = arguments ? label_of(c, *arguments->label) : std::nullopt;
  const auto flag = arguments && arguments->flag ? flag_argument(c, *arguments->flag, kName) : std::nullopt;
  gate(c, add_checkpoint(c, label.value_or(0)), body, flag ? &*flag : nullptr, true);
}

bool is_implicit_checkpoint(Compilation& c) {
  return c.options.checkpoints && c.functions.size() == 1 && c.build.at_top_level() &&
         c.regions.innermost() != Region::Checkpoint;
}

void implicit_checkpoint(Compilation& c, const std::function<void()>& loop) {
  gate(c, add_checkpoint(c, std::nullopt), loop, nullptr, false);
}

void resume_no_more(Compilation& c) {
  if (c.kernel.kept_temps == 0) keep_more(c, ir::kFixedKeptTemps);
  c.build.store(kept(c, ir::kResumeFrom), number(c, 0));
}

InstId has_yielded(Compilation& c) {
  if (c.kernel.kept_temps == 0) keep_more(c, ir::kFixedKeptTemps);
  return c.build.compare(ir::CompareOp::Ne, c.build.load(kept(c, ir::kYielded)), number(c, 0));
}

}  // namespace qd::frontend
