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

/// The largest line number. The difference of two lines fits an int32_t.
constexpr int32_t kMaxLine = 1 << 28;
/// Largest length of a local array, in numbers.
constexpr uint64_t kMaxLocalArray = 4096;
/// Largest length of an array of a block, in numbers: a shared one, or a variable of which each thread has an element.
constexpr uint64_t kMaxBlockArray = 1 << 22;
/// Largest number of threads of a block.
constexpr int32_t kMaxBlockDim = 1024;

struct Inst {
  Op op = Op::Const;
  Type type = Type::Void;
  uint16_t operand_count = 0;
  uint32_t operand_begin = 0;  // into Kernel::operands
  uint32_t aux = 0;            // meaning: see row(op).aux
  uint32_t location = 0;       // into Kernel::locations
  uint64_t imm = 0;            // meaning: see row(op).imm
  std::array<BlockId, 2> blocks{BlockId::None, BlockId::None};

  // Typed views of aux and imm, for the operations that have such a thing. (An index into a table is aux itself.)
  UnaryOp unary_op() const { return has(Aux::UnaryOp), static_cast<UnaryOp>(aux); }
  BinaryOp binary_op() const { return has(Aux::BinaryOp), static_cast<BinaryOp>(aux); }
  CompareOp compare_op() const { return has(Aux::CompareOp), static_cast<CompareOp>(aux); }
  AtomicOp atomic_op() const { return has(Aux::AtomicOp), static_cast<AtomicOp>(aux); }
  /// The instruction that aux names: the For of a LoopIndex, the Call of a CallResult.
  InstId aux_inst() const { return assert(aux_is_inst(op)), static_cast<InstId>(aux); }
  /// The value of a Const that is an integer.
  int64_t integer() const { return has(Imm::Bits), static_cast<int64_t>(imm); }
  uint32_t axis() const { return has(Imm::Axis), static_cast<uint32_t>(imm); }
  /// The length of a variable that is an array; 0 for other variables.
  uint32_t length() const { return has(Imm::Length), static_cast<uint32_t>(imm); }
  /// The group of a Region that is a section; 0 where it is none.
  uint64_t group() const { return has(Imm::Group), imm; }
  Access access() const { return has(Imm::Access), static_cast<Access>(imm); }
  Scope scope() const { return has(Imm::Scope), static_cast<Scope>(imm); }
  Dispatch dispatch() const { return has(Imm::Dispatch), static_cast<Dispatch>(imm); }
  uint32_t result() const { return has(Imm::Result), static_cast<uint32_t>(imm); }
  /// The number of a Condition within its decision. known_value() may be asked only without an operand.
  uint32_t condition() const { return has(Imm::Condition), static_cast<uint32_t>(imm / 2); }
  bool known_value() const { return has(Imm::Condition), imm & 1; }
  /// Outcome of the condition of operand k of a Decide.
  bool outcome(size_t k) const { return has(Imm::Outcomes), imm >> k & 1; }

 private:
  void has([[maybe_unused]] Aux kind) const { assert(row(op).aux == kind); }
  void has([[maybe_unused]] Imm kind) const { assert(row(op).imm == kind); }
};

/// Renumbers the instruction that aux names, if the operation has such an aux. `number` maps the old InstId to the new
/// one.
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

/// The place in the source that an instruction comes from. `caller` is the location of the call for inlined funcs.
struct Location {
  uint32_t function = 0;  // into Kernel::functions
  int32_t line = 0;
  int32_t col = 0;
  uint32_t caller = UINT32_MAX;  // into Kernel::locations
};

/// A function that is called at run time, not inlined: a qd.real_func, once for each combination of argument types. Its
/// parameters and results are numbers. It can use the arrays, parameters and fields of the kernel.
struct Routine {
  std::string name;
  std::vector<Type> params;
  std::vector<Type> results;
  BlockId body = BlockId::None;  // it uses no value from outside; ends with a Return when there are results
};

/// A parameter of the kernel that is a number at run time.
struct Param {
  std::string name;
  Type type = Type::Void;
};

/// An array that a kernel uses: a parameter (ndarray, numpy array) or a field (captured, or passed as a template).
struct Array {
  enum class Kind : uint8_t {
    Parameter,
    Field,
    Stack
  };  // Stack: of a gradient (autodiff/stack.h), made for the launch
  static constexpr uint32_t kNone = UINT32_MAX;
  Kind kind = Kind::Parameter;
  std::string name;
  Type type = Type::Void;
  int32_t rank = 0;
  std::vector<int32_t> shape;  // known at compile time (fields); empty for parameters
  uint64_t field = 0;          // the front end's identity of a field; the launcher finds its memory by it
  Layout layout = {};
  uint32_t gradient = kNone;  // the array of its gradient, where the kernel has that; into Kernel::arrays
  uint32_t dual = kNone;      // the same, of its dual

  /// Number of operands of an ElementPtr into this array.
  size_t indices() const { return static_cast<size_t>(rank) + (layout.components != 1); }
};

/// Whether iterations of a parallel loop run together, as lanes of vectors, where the device has these.
enum class Vectorize : uint8_t { Chosen, Yes, No };

/// Schedule of the iterations of a For at the top level of a kernel; meaningless on inner ones.
struct LoopInfo {
  bool parallel = true;   // false: serialize=True
  int32_t block_dim = 0;  // 0: chosen by the device
  Vectorize vectorize = Vectorize::Chosen;
  std::string name;
};

/// The text of an assert, a warning or a print: pieces[0] value[0] pieces[1] value[1] ... pieces[n]. `specs` has a
/// Python format specification for each value.
struct Format {
  /// The kind of text. By it the launcher adds the place in the source, because the text itself holds none; each kind
  /// has a place of its own.
  enum class Kind : uint8_t {
    Plain,     // a print, to which nothing is added; or an assert, to which the kernel is added in front and the frames
               // behind, innermost first
    Overflow,  // a warning, with the same additions as an assert; warnings of one kind are told once for each line
    Shift,     // the same, for shifts
    Bounds,    // an assert that names its kernel itself; the frames are added behind, innermost first
    View,      // an assert that names its kernel itself; the call stack is added behind, outermost first
    Claim,     // an assert on the result of a Claim, its last value, which is not shown; both places are added
    Overwrite,  // an assert on 1 + the location of a read, its last value, which is not shown; both places are added
  };
  std::vector<std::string> pieces;
  std::vector<std::string> specs;
  std::vector<Type> types;  // of the values
  Kind kind = Kind::Plain;
};

/// An arc of the source, as coverage.py writes it: (-first_line, line) says that `line` was executed.
struct Probe {
  static constexpr uint32_t kNoVariant = UINT32_MAX;
  uint32_t function = 0;  // into Kernel::functions
  int32_t from = 0;
  int32_t to = 0;
  uint32_t variant = kNoVariant;  // of a func: into Kernel::variants; none if all of its calls are alike
};

/// A decision of the source, as in syntax::Decision, whose conditions are recorded.
struct Decision {
  static constexpr uint32_t kTrue = UINT32_MAX;
  static constexpr uint32_t kFalse = UINT32_MAX - 1;
  struct Condition {
    SourceRange range;
    uint32_t if_true = kTrue;  // the condition that is evaluated next, a later one; or the outcome: kTrue, kFalse
    uint32_t if_false = kFalse;
  };
  uint32_t function = 0;  // into Kernel::functions
  std::string kind;       // if, while, assert, ternary, value
  SourceRange range;
  std::vector<Condition> conditions;
};

/// A bound of a parallel task that the launcher can read without running code. The words of parameters are extended to
/// 64 bits, so a parameter of a narrower type can be read as one of the loop's.
struct Bound {
  enum class Kind : uint8_t { Const, Temp, Shape, Param };
  Kind kind = Kind::Const;
  int64_t value = 0;      // Const: the bound itself (a u64 as its bits); Temp: the slot; Shape: the array; Param: the
                          // parameter
  int32_t axis = 0;       // Shape
  Type type = Type::I32;  // that the axis counts in
};

constexpr uint32_t kNoCounter = UINT32_MAX;

/// A part of a kernel that a launch may skip, and behind which it may yield. The number of a checkpoint is its index
/// into Kernel::checkpoints, plus 1.
struct Checkpoint {
  bool labelled = false;
  int64_t label = 0;  // in the source; no two checkpoints have the same
};
/// The first temps of a kernel with checkpoints: the number of the checkpoint at which the launch has yielded, or 0;
/// the number of the one at which it is to begin, or 0; and the value of the flag that made it yield.
enum KeptTemp : uint32_t { kYielded, kResumeFrom, kFlagValue, kFixedKeptTemps };

/// A piece of a kernel that the device runs at once. passes::split_tasks makes tasks; Kernel::schedule says when they
/// run.
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
  Vectorize vectorize = Vectorize::Chosen;
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
  std::vector<std::string> variants;  // types and constants for which funcs were called: "n=3, x=f32". Probes name them
  std::vector<Probe> probes;
  std::vector<Decision> decisions;
  std::vector<Routine> routines;

  std::vector<Inst> insts;
  std::vector<InstId> operands;
  std::vector<std::vector<InstId>> blocks;
  BlockId body = BlockId::None;  // before split_tasks; None after it

  std::vector<Task> tasks;  // after split_tasks
  Schedule schedule;        // order of the tasks; each task stands in it once
  uint32_t global_temps = 0;
  uint32_t kept_temps = 0;              // the first temps, which the host gives to a launch and gets back; the others
                                        // begin as zeros
  std::vector<Checkpoint> checkpoints;  // in the order of the source
  std::vector<uint32_t> end_probes;     // probes of the top level that fire when all tasks have run
  uint32_t begin_counter = kNoCounter;  // the launcher adds 1 to it when the launch begins
  uint32_t end_counter = kNoCounter;    // the launcher adds 1 to it when all tasks have run
  uint32_t counters = 0;                // size of the probe buffer; 0: no coverage

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
  /// Adds an instruction to the kernel, but to no block; use Builder, which also puts it into a block.
  InstId add(Inst inst, std::span<const InstId> args);
};

/// Prints the kernel as text, at any stage. parse() reads the text back to the same kernel: print(parse(print(k))) is
/// print(k).
std::string print(const Kernel& kernel);
/// Reads the text of print(). Throws std::runtime_error naming the line that is wrong.
Kernel parse(std::string_view text);
/// Checks a kernel: a line for each thing that is wrong, or none. Checks kinds and types of operands, that a value is
/// defined before its use in the same or an enclosing block, that Break and Continue are in loops, and indices into
/// tables.
std::vector<std::string> verify(const Kernel& kernel);
/// Throws std::logic_error when a kernel does not verify after a stage of compilation. That is a mistake of the stage,
/// never of the user.
void require_valid(const Kernel& kernel, std::string_view stage);

}  // namespace qd::ir
