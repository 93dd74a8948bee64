// Expressions, places in memory, and routines.
#include <algorithm>

#include "runtime/device/reference/scalar.h"
#include "tests/random_kernels/random_code.h"

namespace qd::testing {

using device::reference::from_double;
using ir::AtomicOp;
using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

InstId RandomCode::inst(Op op, Type type, uint32_t aux, const std::vector<InstId>& args, uint64_t imm) {
  const auto location = static_cast<uint32_t>(below(static_cast<int>(k_.locations.size())));
  return ir::Builder(k_, block_, location).inst(op, type, args, aux, imm);
}

InstId RandomCode::constant(Type type, int64_t value) {
  return inst(Op::Const, type, 0, {}, from_double(type, static_cast<double>(value)));
}

void RandomCode::probe() {
  if (draws_ ? chance(5) : !chance(3)) return;
  inst(Op::Probe, Type::Void, static_cast<uint32_t>(k_.probes.size()), {});
  k_.probes.push_back({0, -1, static_cast<int32_t>(k_.probes.size()) + 2});
}

InstId RandomCode::value(Type type, int depth) {
  std::vector<InstId> known;
  for (InstId id : scope_) {
    if (k_[id].type == type && ir::result_kind(k_[id].op) == ir::ResultKind::Value) known.push_back(id);
  }
  if (!known.empty() && chance(2)) return known[static_cast<size_t>(below(static_cast<int>(known.size())))];
  InstId id = new_value(type, depth);
  scope_.push_back(id);
  return id;
}

InstId RandomCode::new_value(Type type, int depth) {
  if (depth <= 0) return leaf(type);
  switch (below(6)) {
    case 0: return leaf(type);
    case 1: {
      const Type from = kTypes[below(4)];
      return inst(Op::Cast, type, 0, {value(from, depth - 1)});
    }
    case 2:
      return inst(Op::Select, type, 0, {value(Type::U1, depth - 1), value(type, depth - 1), value(type, depth - 1)});
    case 3:
      if (InstId loaded = load(type, depth); loaded != InstId::None) return loaded;
      return leaf(type);
    default: break;
  }
  if (type == Type::U1) {
    const Type of = kTypes[below(3)];
    return inst(Op::Compare, type, static_cast<uint32_t>(below(6)), {value(of, depth - 1), value(of, depth - 1)});
  }
  constexpr BinaryOp kInts[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitXor, BinaryOp::Min};
  constexpr BinaryOp kFloats[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Min, BinaryOp::Max};
  const BinaryOp op = ir::is_float(type) ? kFloats[below(5)] : kInts[below(5)];
  return inst(Op::Binary, type, static_cast<uint32_t>(op), {value(type, depth - 1), value(type, depth - 1)});
}

InstId RandomCode::leaf(Type type) {
  if (type == Type::I32 && loop_ != InstId::None && chance(3)) {
    return converted(loop_index(loop_, static_cast<uint64_t>(below(static_cast<int>(loop_rank_)))), Type::I32);
  }
  if (type == Type::I32 && chance(4)) return inst(Op::Shape, Type::I32, 0, {}, 0);
  if (type != Type::U1 && chance(2)) return inst(Op::Arg, type, type == Type::I32 ? 0 : type == Type::I64 ? 1 : 2, {});
  return constant(type, below(7) - 2);
}

InstId RandomCode::index(uint32_t array, uint32_t axis, int depth) {
  const InstId length = inst(Op::Shape, Type::I32, array, {}, axis);
  return inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Mod), {value(Type::I32, depth), length});
}

InstId RandomCode::element(uint32_t array, int depth) {
  std::vector<InstId> indices;
  const int rank = k_.arrays[array].rank;
  if (in_parallel() && (access_[array] == Access::Own || (access_[array] == Access::OwnAtomic && !chance(4)))) {
    for (int axis = 0; axis < rank; axis++) {
      InstId index = loop_index(parallel_, static_cast<uint64_t>(axis));
      if (k_[index].type != Type::I32 || chance(4)) index = converted(index, Type::I64);
      indices.push_back(index);
    }
  } else {
    for (int axis = 0; axis < rank; axis++) indices.push_back(index(array, static_cast<uint32_t>(axis), depth - 1));
  }
  return inst(Op::ElementPtr, k_.arrays[array].type, array, indices);
}

InstId RandomCode::place(Type type, bool plain, bool write, int depth) {
  std::vector<InstId> variables;
  for (InstId id : scope_) {
    if (k_[id].op != Op::Alloca || k_[id].type != type) continue;
    if (in_parallel() && std::ranges::count(shared_, id)) {
      const bool atomic = atomic_variables_.contains(id);
      if (atomic ? plain : write) continue;
    }
    variables.push_back(id);
  }
  if (!variables.empty() && chance(2)) return variables[static_cast<size_t>(below(static_cast<int>(variables.size())))];
  std::vector<uint32_t> arrays;
  for (uint32_t a = 0; a < k_.arrays.size(); a++) {
    if (k_.arrays[a].type != type) continue;
    if (in_routine_ && (a != kCalled || plain)) continue;
    if (in_parallel() && access_[a] == Access::Read && write) continue;
    if (in_parallel() && access_[a] >= Access::Atomic && access_[a] != Access::Own && plain) continue;
    arrays.push_back(a);
  }
  if (arrays.empty()) return variables.empty() ? InstId::None : variables[0];
  return element(arrays[static_cast<size_t>(below(static_cast<int>(arrays.size())))], depth);
}

InstId RandomCode::load(Type type, int depth) {
  InstId pointer = place(type, true, false, depth);
  if (pointer == InstId::None) return pointer;
  const bool is_volatile = k_[pointer].op == Op::ElementPtr && chance(8);
  return inst(is_volatile ? Op::VolatileLoad : Op::Load, type, 0, {pointer});
}

void RandomCode::routine() {
  const std::vector<Type> params{Type::I32, Type::F32};
  k_.routines.push_back({"r", params, {Type::I32, Type::F32}, k_.add_block()});
  const size_t index = k_.routines.size() - 1;
  block_ = k_.routines[index].body;
  for (uint32_t i = 0; i < params.size(); i++) scope_.push_back(inst(Op::CallArg, params[i], i, {}));
  in_routine_ = true;
  const int statements = 1 + below(5);
  for (int i = 0; i < statements; i++) statement(deepest());
  probe();
  inst(Op::Return, Type::Void, 0, {value(Type::I32, 2), value(Type::F32, 2)});
  in_routine_ = false;
  scope_.clear();
  n_routines_ = k_.routines.size();
}

void RandomCode::call() {
  if (n_routines_ == 0) return;
  const auto routine = static_cast<uint32_t>(below(static_cast<int>(n_routines_)));
  const InstId number = value(Type::I32, 2);
  const auto id = static_cast<uint32_t>(inst(Op::Call, Type::Void, routine, {number, value(Type::F32, 2)}, calls_++));
  scope_.push_back(inst(Op::CallResult, Type::I32, id, {}, 0));
  scope_.push_back(inst(Op::CallResult, Type::F32, id, {}, 1));
}

}  // namespace qd::testing
