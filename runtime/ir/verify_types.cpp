// Checks the types of operands and results, and indices into tables.
#include "runtime/ir/verify_types.h"

#include <algorithm>

#include "runtime/ir/iterations.h"
#include "runtime/ir/names.h"

namespace qd::ir {

template <class... Args>
void TypeVerifier::error(InstId id, fmt::format_string<Args...> text, Args&&... args) {
  errors_.push_back(instruction_error(kernel_, id, fmt::format(text, std::forward<Args>(args)...)));
}

void TypeVerifier::enter(const Routine* routine) {
  routine_ = routine;
  for (size_t i = 0; i < kAuxKinds; i++) {
    const Table table = this->table(static_cast<Aux>(i));
    rows_[i] = table.name.empty() ? SIZE_MAX : table.rows;
  }
  if (routine) rows_[static_cast<size_t>(Aux::Temp)] = 0;
}

bool TypeVerifier::check(InstId id) {
  const Inst& inst = kernel_[id];
  const std::span<const InstId> args = kernel_.operands_of(inst);
  if (inst.aux >= rows_[static_cast<size_t>(row(inst.op).aux)]) return names_nothing(id, inst), false;
  if (!operand_types(id, inst, args)) return false;
  more_of(id, inst, args);
  return true;
}

void TypeVerifier::temp(uint32_t slot, Type type, std::string_view what) {
  if (temp_types_.size() <= slot) temp_types_.resize(slot + 1, Type::Void);
  if (temp_types_[slot] == Type::Void) temp_types_[slot] = type;
  if (temp_types_[slot] != type)
    errors_.push_back(fmt::format("{}: temp {} is {} here and {} elsewhere", what, slot, ir::name(type),
                                  ir::name(temp_types_[slot])));
}

inline bool TypeVerifier::is(TypeRule rule, const Inst& i, std::span<const InstId> args, Type type) const {
  switch (rule) {
    case TypeRule::None:
    case TypeRule::Row:
    case TypeRule::Any: return true;
    case TypeRule::Own: return type == i.type;
    case TypeRule::Same: return type == this->type(args[0]);
    case TypeRule::U1: return type == Type::U1;
    case TypeRule::I32: return type == Type::I32;
    case TypeRule::I64: return type == Type::I64;
    case TypeRule::Index: return type == Type::I32 || type == Type::I64;
    case TypeRule::Amount: return type == Type::U1 || type == Type::I64;
    case TypeRule::Count: return can_count(type);
    case TypeRule::Width: return bit_width(type) == bit_width(i.type);
    case TypeRule::Integer: return is_integer(type);
  }
  return false;
}

/// The type that a rule asks for, in words for a message.
std::string TypeVerifier::wanted(TypeRule rule, const Inst& i, std::span<const InstId> args) const {
  switch (rule) {
    case TypeRule::Own: return std::string(ir::name(i.type));
    case TypeRule::Same: return std::string(ir::name(type(args[0])));
    case TypeRule::U1: return "u1";
    case TypeRule::I32:
    case TypeRule::Index:
    case TypeRule::Count: return "i32";
    case TypeRule::I64:
    case TypeRule::Amount: return "i64";
    case TypeRule::Width: return fmt::format("of {} bits", bit_width(i.type));
    case TypeRule::Integer: return "an integer";
    case TypeRule::None:
    case TypeRule::Row:
    case TypeRule::Any: break;
  }
  return {};
}

/// The table into which an aux of this kind is an index; without a name when it is not an index.
TypeVerifier::Table TypeVerifier::table(Aux aux) const {
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
    case Aux::UnaryOp:
    case Aux::BinaryOp:
    case Aux::CompareOp:
    case Aux::AtomicOp: return {"operator", operators(aux).size()};
    case Aux::None:
    case Aux::Temp:
    case Aux::For:
    case Aux::Call: break;
  }
  return {};
}

void TypeVerifier::names_nothing(InstId id, const Inst& i) {
  const Aux kind = row(i.op).aux;
  if (kind == Aux::RoutineParam && !routine_) return error(id, "is in no routine");
  if (kind == Aux::Temp) return error(id, "is in a routine");
  error(id, "{} {} does not exist", table(kind).name, i.aux);
}

/// The type that the row named by aux gives to the result; Void when it gives none.
Type TypeVerifier::row_type(const Inst& i) const {
  switch (row(i.op).aux) {
    case Aux::Param: return kernel_.params[i.aux].type;
    case Aux::Array: return kernel_.arrays[i.aux].type;
    case Aux::RoutineParam: return routine_->params[i.aux];
    default: return Type::Void;
  }
}

bool TypeVerifier::operand_types(InstId id, const Inst& i, std::span<const InstId> args) {
  const size_t before = errors_.size();
  const OpSignature& signature = row(i.op).signature;
  if (args.size() < signature.fixed)
    return error(id, "has no condition"), false;  // Assert, Warn: of others the number of operands was checked before
  if (signature.rest == OpSignature::Rest::Optional && args.size() > signature.fixed + 1u)
    error(id, "{} operands", args.size());
  const size_t ruled = signature.rest == OpSignature::Rest::Row ? signature.fixed : args.size();
  for (size_t n = 0; n < ruled; n++) {
    const TypeRule rule = signature.operand(n).type;
    if (is(rule, i, args, type(args[n]))) continue;
    if (rule == TypeRule::Width) {
      error(id, "changes the width");
    } else {
      error(id, "operand {} is {}, not {}", n, ir::name(type(args[n])), wanted(rule, i, args));
    }
  }
  if (signature.rest == OpSignature::Rest::Row) listed(id, i, args.subspan(signature.fixed));
  if (signature.type == TypeRule::Row) {
    if (row_type(i) != i.type) error(id, "the {} is {}", table(row(i.op).aux).name, ir::name(row_type(i)));
  } else if (!is(signature.type, i, args, i.type)) {
    const bool one = signature.type == TypeRule::U1 || signature.type == TypeRule::I32;
    error(id, "is {} {}", one ? "not" : "no",
          signature.type == TypeRule::Integer ? "integer" : wanted(signature.type, i, args));
  }
  return errors_.size() == before;
}

/// Checks operands whose types are in a list: of a format, of a routine's parameters, or of results.
void TypeVerifier::listed(InstId id, const Inst& i, std::span<const InstId> values) {
  const Aux kind = row(i.op).aux;
  const std::vector<Type>& types = kind == Aux::Format    ? kernel_.formats[i.aux].types
                                   : kind == Aux::Routine ? kernel_.routines[i.aux].params
                                                          : results();
  if (values.size() != types.size()) {
    if (kind == Aux::Format) return error(id, "{} values for a format of {}", values.size(), types.size());
    return error(id, "{} values for {} {}", values.size(), types.size(),
                 kind == Aux::Routine ? "parameters" : "results");
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

/// Checks the rules of an operation that the table does not have.
void TypeVerifier::more_of(InstId id, const Inst& i, std::span<const InstId> args) {
  switch (i.op) {
    case Op::Const: return constant(id, i);
    case Op::Shape:
      if (i.imm >= static_cast<uint64_t>(kernel_.arrays[i.aux].rank)) error(id, "axis {} does not exist", i.imm);
      return;
    case Op::Unary: return numbers(id, i, row(i.unary_op()), type(args[0]));
    case Op::Binary: return numbers(id, i, row(i.binary_op()), i.type);
    case Op::AtomicRmw: return numbers(id, i, row(i.atomic_op()), i.type);
    case Op::Pick:
      if (args.size() < 2) error(id, "nothing to pick from");
      return;
    case Op::Fma:
      if (i.type != Type::F32 && i.type != Type::F64) error(id, "is neither f32 nor f64");
      return;
    case Op::Alloca:
    case Op::Shared:
      if (i.imm > kMaxBlockArray) error(id, "an array of {} numbers", i.imm);
      return;
    case Op::Barrier:
    case Op::Fence:
      if (i.imm > static_cast<uint64_t>(Scope::Device)) return error(id, "scope {} does not exist", i.imm);
      if (i.op == Op::Barrier && i.scope() == Scope::Device) error(id, "the threads of a device cannot meet");
      return;
    case Op::Dispatch:
      if (i.imm > static_cast<uint64_t>(Dispatch::Rounds))
        return error(id, "number {} of a dispatch does not exist", i.imm);
      if (i.type != Type::U32) error(id, "is no u32");
      return;
    case Op::GlobalTemp:
      if (i.imm > kMaxLocalArray || i.aux + std::max<uint64_t>(i.imm, 1) > kernel_.global_temps)
        return error(id, "temp {} does not exist", i.aux);
      for (uint64_t slot = 0; slot < std::max<uint64_t>(i.imm, 1); slot++) {
        temp(i.aux + static_cast<uint32_t>(slot), i.type, fmt::format("%{}", static_cast<uint32_t>(id)));
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
      if (args.size() != array.indices())
        error(id, "{} indices for rank {}{}", args.size(), array.rank,
              array.layout.components != 1 ? " and a component" : "");
      return;
    }
    case Op::For:
      if (args.empty() || args.size() % 2) return error(id, "{} bounds", args.size());
      for (size_t n = 1; n < args.size(); n += 2) {
        if (type(args[n]) != type(args[n - 1]))
          error(id, "the bounds of axis {} are {} and {}", n / 2, ir::name(type(args[n - 1])), ir::name(type(args[n])));
      }
      return;
    case Op::Condition:
      if (i.imm / 2 >= kernel_.decisions[i.aux].conditions.size()) error(id, "condition {} does not exist", i.imm / 2);
      return;
    case Op::Decide:
      if (args.size() > 64) error(id, "{} operands", args.size());
      return;
    default: return;
  }
}

void TypeVerifier::constant(InstId id, const Inst& i) {
  const int width = bit_width(i.type);
  if (width == 64) return;
  const uint64_t low = i.imm & ((uint64_t{1} << width) - 1);
  const bool negative = is_signed(i.type) && (low >> (width - 1));
  if (i.imm != (negative ? low | ~((uint64_t{1} << width) - 1) : low))
    error(id, "bits {:#x} are not those of a {}", i.imm, ir::name(i.type));
}

/// Checks that the operator takes such numbers, and that its result has the right type.
void TypeVerifier::numbers(InstId id, const Inst& i, const OperatorRow& op, Type operand) {
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
      if (!is_integer(operand) || (i.type != Type::I32 && i.type != operand))
        error(id, "counts the bits of an integer");
      return;
    case Numbers::Truth:
      if (i.type != Type::U1) error(id, "is not u1");
      return;
  }
  if (operand != i.type) error(id, "operand 0 is {}, not {}", ir::name(operand), ir::name(i.type));
}

}  // namespace qd::ir
