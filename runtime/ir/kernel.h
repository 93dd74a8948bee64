// The kernel IR: typed instructions in flat arrays, control flow as nested blocks.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/layout.h"
#include "runtime/ir/op.h"
#include "runtime/ir/schedule.h"
#include "runtime/ir/type.h"
#include "runtime/source/source_range.h"

namespace qd::ir {

enum class InstId : uint32_t { None = UINT32_MAX };
enum class BlockId : uint32_t { None = UINT32_MAX };

/// No source has more lines; differences of two fit an int32_t.
constexpr int32_t kMaxLine = 1 << 28;
/// Numbers of a local array at most.
constexpr uint64_t kMaxLocalArray = 4096;

struct Inst {
  Op op = Op::Const;
  Type type = Type::Void;
  uint16_t operand_count = 0;
  uint32_t operand_begin = 0;  // into Kernel::operands
  uint32_t aux = 0;            // row(op).aux says of what
  uint32_t location = 0;       // into Kernel::locations
  uint64_t imm = 0;            // row(op).imm says what
  std::array<BlockId, 2> blocks{BlockId::None, BlockId::None};

  // What aux and imm hold, each for the operations whose row says so. An index into a table is aux itself.
  UnaryOp unary_op() const { return has(Aux::UnaryOp), static_cast<UnaryOp>(aux); }
  BinaryOp binary_op() const { return has(Aux::BinaryOp), static_cast<BinaryOp>(aux); }
  CompareOp compare_op() const { return has(Aux::CompareOp), static_cast<CompareOp>(aux); }
  AtomicOp atomic_op() const { return has(Aux::AtomicOp), static_cast<AtomicOp>(aux); }
  /// The For of a LoopIndex, the Call of a CallResult.
  InstId aux_inst() const { return assert(aux_is_inst(op)), static_cast<InstId>(aux); }
  /// The number of a Const that is an integer.
  int64_t integer() const { return has(Imm::Bits), static_cast<int64_t>(imm); }
  uint32_t axis() const { return has(Imm::Axis), static_cast<uint32_t>(imm); }
  /// Of a variable that is an array; 0: it is none.
  uint32_t length() const { return has(Imm::Length), static_cast<uint32_t>(imm); }
  uint32_t result() const { return has(Imm::Result), static_cast<uint32_t>(imm); }
  /// Which one of its decision's; known_value() only without an operand.
  uint32_t condition() const { return has(Imm::Condition), static_cast<uint32_t>(imm / 2); }
  bool known_value() const { return has(Imm::Condition), imm & 1; }
  /// What operand k of a Decide was.
  bool outcome(size_t k) const { return has(Imm::Outcomes), imm >> k & 1; }

 private:
  void has([[maybe_unused]] Aux kind) const { assert(row(op).aux == kind); }
  void has([[maybe_unused]] Imm kind) const { assert(row(op).imm == kind); }
};

/// Gives an instruction the new numbers of those that it names beside its operands. `number`: from the old InstId to
/// the new one.
template <class Number>
void renumber_aux(Inst& inst, Number&& number) {
  if (aux_is_inst(inst.op)) inst.aux = static_cast<uint32_t>(number(inst.aux_inst()));
}

/// A function of the source: the kernel itself or a func that was inlined.
struct Function {
  std::string file;  // absolute, resolved
  std::string name;
  int32_t first_line = 0;  // first decorator, or `def`: coverage.py's co_firstlineno
};

/// Where an instruction comes from. `caller` is the location of the call for inlined funcs.
struct Location {
  uint32_t function = 0;  // into Kernel::functions
  int32_t line = 0;
  int32_t col = 0;
  uint32_t caller = UINT32_MAX;  // into Kernel::locations
};

/// What the kernel really calls: a qd.real_func, once for each kind of arguments. Numbers go in and come out; it sees
/// the arrays, parameters and fields of the kernel.
struct Routine {
  std::string name;
  std::vector<Type> params;
  std::vector<Type> results;
  BlockId body = BlockId::None;  // of its own: it uses no value from outside. Ends with a Return when there are results
};

/// A parameter of the kernel that is a number at run time.
struct Param {
  std::string name;
  Type type = Type::Void;
};

/// Storage that a kernel reaches: a parameter (ndarray, numpy array) or a field (captured, or passed as a template).
struct Array {
  enum class Kind : uint8_t { Parameter, Field };
  Kind kind = Kind::Parameter;
  std::string name;
  Type type = Type::Void;
  int32_t rank = 0;
  std::vector<int32_t> shape;  // known at compile time (fields); empty for parameters
  uint64_t field = 0;          // the frontend's identity of a field: the launcher binds its memory
  Layout layout = {};

  /// Operands of an ElementPtr.
  size_t indices() const { return static_cast<size_t>(rank) + (layout.components != 1); }
};

/// How a For at the top level of a kernel runs; meaningless on inner ones.
struct LoopInfo {
  bool parallel = true;   // false: serialize=True
  int32_t block_dim = 0;  // 0: chosen by the device
  std::string name;
};

/// Text of an assert, a warning or a print: pieces[0] value[0] pieces[1] value[1] ... pieces[n]. `specs` are Python
/// format specs, one a value.
struct Format {
  /// What is said, and so what the launcher adds to it. No text holds a place: locations do.
  enum class Kind : uint8_t {
    Plain,     // a print, to which nothing is added; an assert, with its kernel before it and the frames behind it,
               // innermost first
    Overflow,  // a warning, as a Plain assert; warnings of a kind are told once for each line
    Shift,     // likewise
    Bounds,    // an assert that names its kernel itself; the frames behind it, innermost first
    View,      // an assert that names its kernel itself; the call stack behind it, outermost first
  };
  std::vector<std::string> pieces;
  std::vector<std::string> specs;
  std::vector<Type> types;  // of the values
  Kind kind = Kind::Plain;
};

/// One arc of the source, as coverage.py writes it: (-first_line, line) says that `line` was executed.
struct Probe {
  uint32_t function = 0;  // into Kernel::functions
  int32_t from = 0;
  int32_t to = 0;
};

/// An expression of the source whose conditions are recorded, as syntax::Decision has it.
struct Decision {
  static constexpr uint32_t kTrue = UINT32_MAX;
  static constexpr uint32_t kFalse = UINT32_MAX - 1;
  struct Condition {
    SourceRange range;
    uint32_t if_true = kTrue;  // the condition that decides next, a later one; kTrue, kFalse: the outcome
    uint32_t if_false = kFalse;
  };
  uint32_t function = 0;  // into Kernel::functions
  std::string kind;       // if, while, assert, ternary, value
  SourceRange range;
  std::vector<Condition> conditions;
};

/// A bound of a parallel task that the launcher can read without running code.
struct Bound {
  enum class Kind : uint8_t { Const, Temp, Shape, Param };
  Kind kind = Kind::Const;
  int32_t value = 0;  // Const: the bound; Temp: slot; Shape: array; Param: parameter
  int32_t axis = 0;   // Shape
};

constexpr uint32_t kNoCounter = UINT32_MAX;

/// What the device runs in one piece. Made by passes::split_tasks; Kernel::schedule says when.
struct Task {
  enum class Kind : uint8_t { Serial, Parallel };
  Kind kind = Kind::Serial;
  std::string name;
  BlockId prologue = BlockId::None;  // Parallel, may be None: runs once for each chunk, before its iterations
  BlockId body = BlockId::None;      // Serial: the whole task; Parallel: one iteration
  BlockId epilogue =
      BlockId::None;  // Parallel, may be None: runs once for each chunk, after its iterations, unless an assert failed
  InstId loop = InstId::None;  // Parallel: the For whose LoopIndex the body uses
  std::vector<Bound> bounds;   // Parallel: begin, end of each axis
  int32_t block_dim = 0;
  std::vector<uint32_t> start_probes;   // probes of the top level that fire when the task starts
  uint32_t start_counter = kNoCounter;  // the launcher adds 1 to it when the task starts
  uint32_t trip_counter =
      kNoCounter;    // Parallel: the launcher adds the number of iterations to it when the task starts
  int64_t cost = 0;  // of an iteration, in tenths of nanoseconds: passes::iteration_cost; 0: not estimated. Not printed
};

struct Kernel {
  std::string name;
  std::vector<Param> params;  // scalars, in the order of the launcher's argument slots
  std::vector<Array> arrays;  // in the order of the launcher's array slots
  std::vector<Type> results;
  std::vector<Function> functions;  // [0]: the kernel
  std::vector<Location> locations;
  std::vector<LoopInfo> loops;
  std::vector<Format> formats;
  std::vector<Probe> probes;
  std::vector<Decision> decisions;
  std::vector<Routine> routines;

  std::vector<Inst> insts;
  std::vector<InstId> operands;
  std::vector<std::vector<InstId>> blocks;
  BlockId body = BlockId::None;  // before split_tasks; None after it

  std::vector<Task> tasks;  // after split_tasks
  Schedule schedule;        // of the tasks: each stands in it once
  uint32_t global_temps = 0;
  std::vector<uint32_t> end_probes;   // probes of the top level that fire when the launch is through
  uint32_t end_counter = kNoCounter;  // the launcher adds 1 when all tasks are through
  uint32_t counters = 0;              // size of the probe buffer; 0: no coverage

  const Inst& operator[](InstId id) const { return insts[static_cast<uint32_t>(id)]; }
  Inst& operator[](InstId id) { return insts[static_cast<uint32_t>(id)]; }
  std::vector<InstId>& operator[](BlockId id) { return blocks[static_cast<uint32_t>(id)]; }
  const std::vector<InstId>& operator[](BlockId id) const { return blocks[static_cast<uint32_t>(id)]; }
  std::span<const InstId> operands_of(const Inst& inst) const {
    return std::span(operands).subspan(inst.operand_begin, inst.operand_count);
  }
  std::span<const InstId> operands_of(InstId id) const { return operands_of((*this)[id]); }
  BlockId add_block() {
    blocks.emplace_back();
    return static_cast<BlockId>(blocks.size() - 1);
  }
  /// Adds an instruction to no block; Builder puts it where it belongs.
  InstId add(Inst inst, std::span<const InstId> args);
};

/// The counters that instructions of a task (Count: add to, Record: set bits of) lie in [first, first + size).
struct CounterRange {
  uint32_t first = 0;
  uint32_t size = 0;
};
CounterRange counters_of(const Kernel& kernel, const Task& task, Op op);

/// The kernel as text, at any stage. parse(print(k)) prints the same.
std::string print(const Kernel& kernel);
/// Throws std::runtime_error naming the line that is wrong.
Kernel parse(std::string_view text);
/// What is wrong with a kernel, empty when nothing: operand kinds and types, values defined before use in an enclosing
/// block, Break and Continue inside loops, table indices.
std::vector<std::string> verify(const Kernel& kernel);
/// Throws std::logic_error for a kernel that does not verify after a stage of compilation: a mistake of that stage,
/// never of the user.
void require_valid(const Kernel& kernel, std::string_view stage);

}  // namespace qd::ir
