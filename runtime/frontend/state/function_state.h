// The function that is being lowered, and those that called it.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/options.h"
#include "runtime/frontend/state/decided.h"
#include "runtime/frontend/state/item.h"

namespace qd::frontend {

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
  uint32_t axes = 1;  // number of axes from `axis` on; a tuple if `grouped`
  bool grouped = false;
  bool vector = false;  // grouped: a vector, as qd.grouped gives it; else a tuple
};

/// Meaning of a local name.
struct Binding {
  std::variant<Variable, ParamRef, LoopIndexRef, Item, CompoundVariable> what;
  ir::BlockId block = ir::BlockId::None;  // of the binding
  bool immutable = false;                 // a kernel's parameter
};

using Scope = std::unordered_map<std::string_view, Binding>;

/// A loop variable of a parallel loop, for messages: its name, and the axes of the loop that it stands for, with the
/// types of their indices.
struct LoopVariable {
  std::string_view name;
  ir::InstId loop = ir::InstId::None;
  std::vector<std::pair<uint32_t, ir::Type>> axes;
  bool list = false;  // a vector or a tuple of indices, also of one axis
};

/// A loop of the source around the current statement.
struct LoopContext {
  bool unrolled = false;
  bool outermost_parallel = false;
  int runtime_depth = 0;   // of the loop's body
  int32_t line = 0;        // of the header
  int32_t next = 0;        // line behind the loop
  bool broken = false;     // a `break` of it can be reached
  bool returns = false;    // a `return` in it leaves the function
  bool scheduled = false;  // while qd.graph.do_while(flag)
  int32_t block_dim = 0;   // as LoopInfo::block_dim, of a parallel loop
};

/// Places of the results of a function that may return from anywhere. Its body is a loop that runs once; a return
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

/// Way in which control leaves a list of statements.
enum class Flow : uint8_t {
  Next,
  Left,            // by a Break, Continue or Return: later statements are dead
  StaticBreak,     // leaves the unrolled loop
  StaticContinue,  // next copy of the unrolled loop
};

/// State of one function while it is lowered: the kernel, or a func at one of its calls. It is a value: leaving the
/// function drops it, and a trial (state/trial.h) puts it back whole.
struct FunctionState {
  // The function and its call.
  const FunctionSource* source = nullptr;
  Environment* environment = nullptr;
  uint32_t row = 0;              // into Kernel::functions
  uint32_t caller = UINT32_MAX;  // location of the call
  syntax::Range call;            // the call, in the caller's source
  int32_t first_line = 0;
  /// In a func of the language itself: the location of the program's call. Nothing in there has a location, a row or a
  /// probe of its own.
  std::optional<uint32_t> library_call;
  bool routine = false;  // begins a routine: its callers are known at run time only

  // Names.
  std::vector<Scope> scopes;
  std::optional<std::unordered_set<std::string_view>> assigned;  // see assigns(); nothing before its first call
  std::unordered_map<std::string_view, int32_t> gone;            // names of blocks that ended, by the block's line

  // Place of the current statement.
  int runtime_depth = 0;  // runtime ifs and loops around it, in this function
  std::vector<LoopContext> loops;
  bool in_parallel = false;             // inside a parallel loop of the top level
  std::vector<LoopVariable> iteration;  // of that loop, unless its code is not of this function: see `routine`
  ir::BlockId statement_block = ir::BlockId::None;
  int32_t suite_line = 0;                 // line of the suite in the header's logical line; else 0
  std::optional<ir::LoopInfo> loop_info;  // from qd.loop_config, for the next loop

  // Coverage.
  bool covered = true;                                           // the code that is lowered counts
  uint32_t variant = ir::Probe::kNoVariant;                      // types and templates of the call: its variant
  const Decided* decided = nullptr;                              // null: conditions are not recorded
  std::pair<ir::BlockId, int32_t> probed{ir::BlockId::None, 0};  // last statement probe: block and line

  // Returns.
  bool returned = false;
  bool endless = false;                  // the statement before left by a loop that never ends: later ones are dead
  ir::BlockId dead = ir::BlockId::None;  // block of such statements, when the loop is left by returns alone
  Item result;
  std::optional<EarlyReturns> early;  // of a qd.real_func

  /// The innermost local of a name; null when there is none.
  Binding* find_local(std::string_view name) {
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) {
      if (auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
  }
  /// Whether a name is local to the function because its body assigns it.
  bool assigns(std::string_view name) {
    if (!assigned) assigned = assigned_names(source->function().body);
    return assigned->contains(name);
  }
  void push_scope() { scopes.emplace_back(); }
  int32_t line_of(const syntax::Range& range) const { return range.line + source->line_offset; }
};

/// The functions from the kernel, which is first, to the one that is being lowered.
class FunctionStack {
 public:
  /// Enters a func that the present one calls. Part of a routine's own code: nothing of the caller holds in it.
  FunctionState& enter(uint32_t caller, const syntax::Range& call) {
    FunctionState callee;
    callee.caller = caller;
    callee.call = call;
    const FunctionState& outer = list_.back();
    callee.in_parallel = outer.in_parallel;
    callee.iteration = outer.iteration;
    callee.statement_block = outer.statement_block;
    callee.loop_info = outer.loop_info;
    callee.covered = outer.covered;
    callee.library_call = outer.library_call;
    return list_.emplace_back(std::move(callee));
  }
  FunctionState& enter_kernel() { return list_.emplace_back(); }
  /// Leaves the function for its caller, whose next statement has a probe of its own. A qd.loop_config that has had no
  /// loop in the func is for the caller's next one.
  void leave() {
    FunctionState callee = std::move(list_.back());
    list_.pop_back();
    if (!callee.routine) list_.back().loop_info = std::move(callee.loop_info);
    list_.back().probed = {ir::BlockId::None, 0};
  }

  size_t size() const { return list_.size(); }
  FunctionState& back() { return list_.back(); }
  const FunctionState& operator[](size_t depth) const { return list_[depth]; }
  /// Whether every statement around the present one, in this function and in those that called it, is decided at
  /// compile time.
  bool unconditional() const {
    return std::ranges::all_of(list_,
                               [](const FunctionState& f) { return f.runtime_depth == 0 && !f.routine && !f.early; });
  }
  /// Whether one of them is this function.
  bool inside(const syntax::Stmt* def) const {
    return std::ranges::any_of(list_, [&](const FunctionState& f) { return f.source->def == def; });
  }

 private:
  std::deque<FunctionState> list_;  // references to the others hold when one is added
};

}  // namespace qd::frontend
