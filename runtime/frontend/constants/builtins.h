// The names of the kernel language: callees of kernels, and the meaning of `qd.<path>` to the compiler.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/frontend/constants/value.h"
#include "runtime/ir/kernel.h"

namespace qd::frontend {

/// Rule by which a call of a builtin is lowered. One kind has one rule for its arguments and its result type.
enum class BuiltinKind : uint8_t {
  FloatFunction,   // one number, integers become default_fp
  Rounding,        // float to float of the same type, or to the type given as second argument
  NumberFunction,  // one number of any type
  Predicate,       // one number to u1
  BitCount,        // one integer to i32
  FindSetBit,      // a mask, a position and a count to i32
  BitNot,
  LogicalNot,
  BinaryFunction,  // two numbers, as the operator
  FloatBinary,     // two numbers, integers become default_fp
  Fold,            // two or more numbers, left to right
  Radians,
  Degrees,
  Log2,
  Exp2,
  Frexp,
  Zero,
  One,
  Randn,
  StopGrad,
  Same,  // its first argument; the promise of the others is of no use yet
  Atomic,
  AtomicCas,
  VolatileLoad,
  ThreadIndex,  // the number of the parallel loop's iteration
  BlockIndex,   // that of its block
  // Calls in loops over blocks of threads (expressions/block_calls.cpp):
  BlockOperation,
  BlockArray,  // simt.block.SharedArray(shape, dtype)
  GroupSize,   // number of threads of a subgroup, or its logarithm: known at compile time
  TileRow,     // primitives of qd/simt/_tiles.py (expressions/tiles.cpp)
  Outer,       // operand of `tile -=`
  IntType,
  FloatType,
  BoolType,
  Cast,
  BitCast,
  Select,
  Random,
  Clock,
  Len,
  Print,
  Range,
  NdRange,
  Grouped,
  Zip,
  Enumerate,
  Container,  // Python's functions of tuples and lists, by their name
  Static,
  StaticAssert,
  StaticPrint,
  LoopConfig,
  View,          // BufferView(arr, offset, size)
  TensorValue,   // Vector(...), Matrix(...)
  TensorMaker,   // Matrix.identity(...) and its like
  StructValue,   // Struct(a=..., b=...)
  GetAttribute,  // x.name, with a name that is a string
  Super,         // super(), super(C, self)
  GraphDoWhile,  // the test of a `while` that the schedule runs
  // Contexts of a `with` in a kernel (statements/sections.cpp, checkpoints.cpp):
  ParallelContext,
  ParallelSection,
  StreamParallel,
  Checkpoint,
  Library,            // a func of the language that is written in it (functions/library_calls.cpp)
  CompoundTypeMaker,  // types.vector(...), types.matrix(...), types.struct(...)
  KernelDecorator,
  FuncDecorator,
  RealFuncDecorator,
  Template,
  ArrayAnnotation,
  Namespace,
};

/// File of a func of the language that is written in it.
enum class LibraryFile : uint8_t {
#define QD_LIBRARY_FILE(name) name,
#include "runtime/frontend/constants/library_files.def"
#undef QD_LIBRARY_FILE
};

struct BuiltinInfo {
  std::string_view name;
  BuiltinKind kind;
  uint8_t operation;  // ir::UnaryOp, ir::BinaryOp, ir::AtomicOp or LibraryFile, by the kind
};

/// The row of a builtin; "math.sin" finds "sin". Null when the language has no such name.
const BuiltinInfo* find_builtin(std::string_view name);

/// A call of a builtin with the arguments in their places that it gives by the names of parameters: qd.cast(obj=x,
/// dtype=qd.i32). Keyword arguments stay where one before them is missing, and of builtins with rules of their own.
class PlacedCall {
 public:
  PlacedCall(const BuiltinInfo& info, const syntax::Call& e);
  PlacedCall(const PlacedCall&) = delete;
  PlacedCall& operator=(const PlacedCall&) = delete;

  const syntax::Call& call() const { return placed_ ? *placed_ : written_; }

 private:
  const syntax::Call& written_;
  std::vector<syntax::ExprPtr> args_;
  std::vector<syntax::Keyword> keywords_;
  std::optional<syntax::Call> placed_;  // nothing where the call has no keyword arguments
};

/// The compile-time value of `qd.<path>`: a dtype, a number (qd.math.pi), a Builtin. Nothing for host-side names.
std::optional<Value> language_value(std::string_view path);
/// The compile-time value of one of Python's own builtins ("range", "abs", "int"). Nothing for the others.
std::optional<Value> python_builtin(std::string_view name);
/// The compile-time value of `math.<name>` of Python's math module. Nothing for the others.
std::optional<Value> python_math(std::string_view name);

}  // namespace qd::frontend
