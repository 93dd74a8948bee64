// The operations of the kernel IR and their properties: the rows of op.def and operators.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/ir/op_signature.h"

namespace qd::ir {

enum class Op : uint8_t {
#define QD_OP(name, ...) name,
#include "runtime/ir/op.def"
#undef QD_OP
};
enum class UnaryOp : uint8_t {
#define QD_UNARY(name, ...) name,
#include "runtime/ir/operators.def"
};
enum class BinaryOp : uint8_t {
#define QD_BINARY(name, ...) name,
#include "runtime/ir/operators.def"
};
enum class CompareOp : uint8_t {
#define QD_COMPARE(name, ...) name,
#include "runtime/ir/operators.def"
};
enum class AtomicOp : uint8_t {
#define QD_ATOMIC(name, ...) name,
#include "runtime/ir/operators.def"
};

/// Side effects of an operation, and the inputs that its value has besides its operands and the arguments of the
/// launch, such as the present iteration.
enum Effect : uint16_t {
  kHere = 1 << 0,      // its value depends on its place: on the iteration, the call, the variable that is declared
  kReads = 1 << 1,     // reads memory that a Store may have changed
  kWrites = 1 << 2,    // writes memory
  kDraws = 1 << 3,     // draws from the thread's random numbers, or reads its clock
  kFaults = 1 << 4,    // may end the launch; then control does not come back
  kTells = 1 << 5,     // sends a message to the host, in order
  kControl = 1 << 6,   // decides the next instruction
  kObserves = 1 << 7,  // the front end adds it for coverage; a kernel without these is the kernel that a program
                       // without coverage has
  kCounts = 1 << 8,    // changes a counter; instruments turn the operations that observe into these
  kConvergent =
      1 << 9,  // the threads of a block or subgroup meet here: must run as often as written, by the same threads
};

/// Meaning of Inst::aux.
enum class Aux : uint8_t {
  None,
  // These are indices into a table of the kernel:
  Param,
  Array,
  Loop,
  Format,
  Routine,
  Probe,
  Decision,
  RoutineParam,  // an index into Routine::params of the routine around
  Temp,          // the first slot of Kernel::global_temps
  Counter,       // below Kernel::counters
  UnaryOp,
  BinaryOp,
  CompareOp,
  AtomicOp,
  // These are the InstId of another instruction:
  For,
  Call,
};
inline constexpr size_t kAuxKinds = static_cast<size_t>(Aux::Call) + 1;

/// Meaning of Inst::imm.
enum class Imm : uint8_t {
  None,
  Bits,       // of a number: integers sign- or zero-extended to 64, floats as their own bits
  Axis,       // of an array or a loop
  Length,     // 0, or the length of a local array, which LocalPtr looks into
  CallPlace,  // the number of this place among those that call, for messages
  Result,     // number of one of a call's results
  Condition,  // 2 * number of the condition; without an operand, odd when it is true
  Outcomes,   // bit k: outcome of operand k
  Group,      // 0, or the number of the group of sections
  Access,     // of a Claim: an Access
  Scope,      // of a Barrier or Fence: a Scope
  Dispatch,   // a Dispatch
};

/// Kind of a section's access to an element. Sections side by side may all read it, or all change it atomically.
enum class Access : uint8_t { Read, Write, Atomic };

/// The threads that a Barrier or a Fence is for.
enum class Scope : uint8_t { Subgroup, Block, Device };

/// Numbers by which a thread of a GPU's task finds its iterations: that of its group, its own in the group, and those
/// of TaskArguments (abi/task_arguments.h).
enum class Dispatch : uint8_t { Group, Thread, GroupStride, Step, Rounds };

/// Feature of a device that an operation needs, beside the types of its values.
enum class Needs : uint8_t {
  None,
  Atomics,    // atomics of the operand's type: not all devices have those of floats, and of 64 bits
  Calls,      // functions that are called at run time, not inlined
  Recursion,  // functions that call themselves, too
  Blocks,     // blocks of threads with memory of their own
  Subgroups,  // threads that read each other's registers
};

/// Rule for the derivative of an operation. See runtime/autodiff.
enum class Derivative : uint8_t {
  None,      // there is none: a value that depends on the variables must not get here
  Zero,      // the result does not depend on the operands, or only by steps
  Operator,  // in the row of operators.def
  Select,    // of the chosen operand
  Pick,      // the same
  Fma,
  Cast,
  Place,    // a pointer: the derivatives of numbers there have a place of their own
  Memory,   // reads or writes a number at such a place
  Linear,   // of an AtomicRmw: the same operation on the derivatives
  Control,  // no result, and none of the operands is differentiated
};

/// Operand types of an operator. operators.def explains the words.
enum class Numbers : uint8_t { All, Floats, Integers, Test, Bits, Truth };
enum class Cost : uint8_t { Cheap, Slow, Library };

struct OpRow {
  std::string_view name;
  OpSignature signature;
  uint8_t blocks;
  uint16_t effects;
  Aux aux;
  Imm imm;
  Needs needs;
  Derivative derivative;
};

struct OperatorRow {
  std::string_view name;
  Numbers numbers;
  Cost cost;
};

inline constexpr OpRow kOps[] = {
#define QD_OP(name, text, types, blocks, effects, aux, imm, needs, derivative) \
  {text, signature(types), blocks, effects, Aux::aux, Imm::imm, Needs::needs, Derivative::derivative},
#include "runtime/ir/op.def"
#undef QD_OP
};
inline constexpr OperatorRow kUnaryOps[] = {
#define QD_UNARY(name, text, numbers, cost, derivative) {text, Numbers::numbers, Cost::cost},
#include "runtime/ir/operators.def"
};
inline constexpr OperatorRow kBinaryOps[] = {
#define QD_BINARY(name, text, numbers, cost, derivative_by_x, derivative_by_y) {text, Numbers::numbers, Cost::cost},
#include "runtime/ir/operators.def"
};
inline constexpr OperatorRow kCompareOps[] = {
#define QD_COMPARE(name, text) {text, Numbers::All, Cost::Cheap},
#include "runtime/ir/operators.def"
};
inline constexpr OperatorRow kAtomicOps[] = {
#define QD_ATOMIC(name, text, numbers, derivative) {text, Numbers::numbers, Cost::Slow},
#include "runtime/ir/operators.def"
};

constexpr const OpRow& row(Op op) { return kOps[static_cast<size_t>(op)]; }
constexpr const OperatorRow& row(UnaryOp op) { return kUnaryOps[static_cast<size_t>(op)]; }
constexpr const OperatorRow& row(BinaryOp op) { return kBinaryOps[static_cast<size_t>(op)]; }
constexpr const OperatorRow& row(CompareOp op) { return kCompareOps[static_cast<size_t>(op)]; }
constexpr const OperatorRow& row(AtomicOp op) { return kAtomicOps[static_cast<size_t>(op)]; }

/// The operator by which an atomic operation combines its operand with the old value; nothing for Exchange, which puts
/// its operand there.
constexpr std::optional<BinaryOp> binary_op(AtomicOp op) {
  switch (op) {
    case AtomicOp::Add: return BinaryOp::Add;
    case AtomicOp::Sub: return BinaryOp::Sub;
    case AtomicOp::Mul: return BinaryOp::Mul;
    case AtomicOp::Min: return BinaryOp::Min;
    case AtomicOp::Max: return BinaryOp::Max;
    case AtomicOp::And: return BinaryOp::BitAnd;
    case AtomicOp::Or: return BinaryOp::BitOr;
    case AtomicOp::Xor: return BinaryOp::BitXor;
    case AtomicOp::Exchange: return std::nullopt;
  }
  return std::nullopt;
}

/// The rule for the derivative of an atomic operation.
constexpr Derivative derivative(AtomicOp op) {
  switch (op) {
#define QD_ATOMIC(name, text, numbers, derivative) \
  case AtomicOp::name: return Derivative::derivative;
#include "runtime/ir/operators.def"
  }
  return Derivative::None;
}

/// The combine rule of an operation on a counter; nothing for other operations, and for Hit, which writes at once.
constexpr std::optional<AtomicOp> combine_rule(Op op) {
  switch (op) {
#define QD_OP(...)
#define QD_COUNTER(name, text, types, rule, needs) \
  case Op::name: return AtomicOp::rule;
#include "runtime/ir/op.def"
#undef QD_OP
    default: return std::nullopt;
  }
}

/// Whether a number is that of an operation.
constexpr bool is_operation(Op op) { return static_cast<size_t>(op) < std::size(kOps); }
/// The table of the operators that an aux of this kind names; empty when it names none.
constexpr std::span<const OperatorRow> operators(Aux kind) {
  switch (kind) {
    case Aux::UnaryOp: return kUnaryOps;
    case Aux::BinaryOp: return kBinaryOps;
    case Aux::CompareOp: return kCompareOps;
    case Aux::AtomicOp: return kAtomicOps;
    default: return {};
  }
}

constexpr bool has_effect(Op op, unsigned effects) { return row(op).effects & effects; }
/// Whether the value depends on nothing but the operands and the launch's arguments.
constexpr bool is_pure(Op op) { return row(op).effects == 0 && row(op).signature.result == ResultKind::Value; }
constexpr bool only_observes(Op op) { return has_effect(op, kObserves); }
/// Whether operand 0 is a place in memory that holds a number: the loads, Store, the atomics, and Claim.
constexpr bool accesses_memory(Op op) {
  return row(op).signature.operands[0].pointer && row(op).signature.result != ResultKind::Pointer;
}
constexpr ResultKind result_kind(Op op) { return row(op).signature.result; }
constexpr bool has_value(Op op) { return result_kind(op) != ResultKind::None; }
/// Whether aux names another instruction. Renumbering must change such an aux.
constexpr bool aux_is_inst(Op op) { return row(op).aux == Aux::For || row(op).aux == Aux::Call; }
/// Whether another instruction may name this one: it has a value, or its InstId may be in an aux.
constexpr bool can_be_named(Op op) { return has_value(op) || op == Op::For || op == Op::Call; }

std::string_view name(Op op);
}  // namespace qd::ir
