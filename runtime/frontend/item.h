// What an expression or a name of a kernel is while the kernel is lowered.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "runtime/frontend/decided.h"
#include "runtime/frontend/frontend.h"

namespace qd::frontend {

/// Something went wrong before, and was reported: uses of it report nothing more.
struct Poison {};
/// A number at run time.
struct Number {
  ir::InstId id = ir::InstId::None;
  ir::Type type = ir::Type::Void;
};
/// An array by its index into Kernel::arrays. Fields stay Values until an element is reached.
struct ArrayRef {
  uint32_t index = 0;
  std::vector<int32_t> element_shape = {};  // empty: numbers
  std::optional<uint32_t> grad = {};        // the array of its gradient
  bool clamp = false;                       // indices are moved into the array
};
struct Item;
/// A tuple, a list, or a dict whose values are computed at run time.
struct Items {
  std::vector<Item> list;
  std::vector<Value> keys = {};  // of a dict, one an item
  bool is_list = false;          // print shows it with brackets
};
/// A vector or matrix at run time, its numbers row by row.
struct Tensor {
  ir::Type type = ir::Type::Void;
  std::vector<int32_t> shape;  // (n) or (n, m)
  std::vector<ir::InstId> numbers;
};
/// The place of a number: a variable, an element, a component or a member of them.
struct NumberPlace {
  ir::InstId pointer = ir::InstId::None;
  ir::Type type = ir::Type::Void;
  bool shared = false;  // other iterations reach it too
};
/// Where a component stands among those of a variable or an element.
struct Component {
  int32_t known = 0;
  ir::InstId index = ir::InstId::None;  // I32; not None: `known` says nothing
};
/// The place of a vector or matrix, or of some of its components: nothing of it is read before it is known what is
/// asked for.
struct TensorPlace {
  ir::Type type = ir::Type::Void;
  std::vector<int32_t> shape;
  std::vector<Component> components;
  bool shared = false;
  bool clamp = false;  // of an array with boundary="clamp": indices of components are moved into it, too
  ir::InstId local = ir::InstId::None;  // a local array (or, of one number, a variable); None: an element
  int32_t local_size = 0;
  uint32_t array = 0;               // of the element, into Kernel::arrays
  std::vector<ir::InstId> indices;  // of the element
};
/// A struct: of values, of places, or of arrays.
struct Record {
  std::shared_ptr<const StructType> type;
  std::vector<Item> members;
  bool is_array = false;  // the members are arrays: an index gives a struct
};
/// A part of an array of one axis: a BufferView.
struct View {
  ArrayRef array;
  ir::InstId offset = ir::InstId::None;  // I32
  ir::InstId size = ir::InstId::None;    // I32
};
/// A method, and the object that it is called on.
struct BoundMethod {
  Func func;
  std::shared_ptr<const Item> self;
};
/// The meaning of an expression: what is computed at run time, places, arrays, tuples, or what is known at compile
/// time.
struct Item : std::variant<Poison, Number, ArrayRef, Items, Value, Tensor, Record, NumberPlace, TensorPlace, View,
                           BoundMethod> {
  using variant::variant;
};

/// A local variable.
struct Variable {
  ir::InstId place = ir::InstId::None;
  ir::Type type = ir::Type::Void;
  bool shared = false;  // declared outside of every parallel loop: iterations see the same one
};
/// A local variable that is a vector, a matrix or a struct of such and of numbers.
struct CompoundVariable {
  std::shared_ptr<const Item> place;  // a TensorPlace, or a Record of places
  bool shared = false;
};
/// A scalar parameter of the kernel, by its index into Kernel::params.
struct ParamRef {
  uint32_t index = 0;
};
/// The index of a For, all its axes (grouped) or one.
struct LoopIndexRef {
  ir::InstId loop = ir::InstId::None;
  uint32_t axis = 0;
  uint32_t axes = 1;  // how many from `axis` on; a tuple if `grouped`
  bool grouped = false;
  bool vector = false;  // grouped: a vector, as qd.grouped gives it; else a tuple
};

struct Binding {
  std::variant<Variable, ParamRef, LoopIndexRef, Item, CompoundVariable> what;
  ir::BlockId block = ir::BlockId::None;  // where the name was bound
  bool immutable = false;                 // a kernel's parameter
};

using Scope = std::unordered_map<std::string_view, Binding>;

/// A loop of the source around the current statement.
struct LoopContext {
  bool unrolled = false;
  bool outermost_parallel = false;
  int runtime_depth = 0;  // of the loop's body
  int32_t line = 0;       // of the header
  int32_t next = 0;       // where control goes after the loop
  bool broken = false;    // a `break` of it can be reached
  bool returns = false;   // a `return` in it leaves the function
};

/// Where a function that may return from anywhere leaves its results. Its body is a loop that runs once; a return
/// stores and breaks.
struct EarlyReturns {
  struct Result {
    Item place;
    Value type;  // of the annotation
  };
  std::vector<Result> results;
  bool tuple = false;                  // several results, or one in a tuple
  ir::InstId done = ir::InstId::None;  // u1: a return inside of a loop has been reached
};

/// One function being lowered: the kernel, or a func at one of its calls.
struct Frame {
  const FunctionSource* source = nullptr;
  Environment* environment = nullptr;
  uint32_t function = 0;         // into Kernel::functions
  uint32_t caller = UINT32_MAX;  // location of the call
  syntax::Range call;            // the call, in the caller's source
  int32_t first_line = 0;
  int runtime_depth = 0;  // runtime ifs and loops around the current statement, in this function
  std::vector<Scope> scopes;
  std::vector<LoopContext> loops;
  std::unordered_set<std::string_view> assigned;  // names that are local to the function
  std::unordered_map<std::string_view, int32_t>
      gone;                          // names of blocks that ended, and the line of their first assignment
  const Decided* decided = nullptr;  // null: conditions are not recorded
  bool returned = false;
  bool endless = false;                  // the statement before left by a loop that never ends: what follows it is dead
  ir::BlockId dead = ir::BlockId::None;  // where that goes, when the loop is left by returns alone
  Item result;
  std::optional<EarlyReturns> early;  // of a qd.real_func
  bool routine = false;               // begins a routine: what leads to it is known at run time only
};

/// How control leaves a list of statements.
enum class Flow : uint8_t {
  Next,
  Left,            // by a Break, Continue or Return: what follows is dead
  StaticBreak,     // leaves the unrolled loop
  StaticContinue,  // next copy of the unrolled loop
};

}  // namespace qd::frontend
