#include "runtime/autodiff/normal_form.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "runtime/autodiff/autodiff.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/calls.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Puts the bodies of routines in the place of their calls.
class Inliner {
 public:
  explicit Inliner(ir::Kernel& kernel) : kernel_(kernel), recursive_(ir::recursive_routines(kernel)) {}

  void run() {
    if (kernel_.routines.empty()) return;
    block(kernel_.body);
    replace(kernel_, kernel_.body, replacements_);
    const std::vector<bool> reached = ir::reached_routines(kernel_, std::array{kernel_.body});
    if (std::ranges::none_of(reached, std::identity())) kernel_.routines.clear();
  }

 private:
  void block(BlockId id) {
    if (id == BlockId::None) return;
    for (InstId inst : std::exchange(kernel_[id], {})) {
      for (BlockId inner : std::array(kernel_[inst].blocks)) block(inner);
      const Op op = kernel_[inst].op;
      if (op == Op::Call && !recursive_[kernel_[inst].aux]) {
        inline_call(id, inst);
      } else if (op == Op::CallResult && !recursive_[kernel_[kernel_[inst].aux_inst()].aux]) {
        replacements_.add(inst, results_.at({kernel_[inst].aux_inst(), kernel_[inst].result()}));
      } else {
        kernel_[id].push_back(inst);
      }
    }
  }

  void inline_call(BlockId into, InstId call) {
    const uint32_t routine = kernel_[call].aux;
    ir::Cloner cloner(kernel_, kernel_);
    std::map<uint32_t, uint32_t> locations;
    const uint32_t caller = kernel_[call].location;
    cloner.change = [&](ir::Inst& inst) {
      const auto [found, fresh] = locations.try_emplace(inst.location, static_cast<uint32_t>(kernel_.locations.size()));
      if (fresh) {
        ir::Location location = kernel_.locations[inst.location];
        if (location.caller == UINT32_MAX) location.caller = caller;
        kernel_.locations.push_back(location);
      }
      inst.location = found->second;
    };
    const BlockId body = cloner.block(kernel_.routines[routine].body);
    const auto args = kernel_.operands_of(call);
    const std::vector<InstId> given(args.begin(), args.end());
    walk(kernel_, body, [&](InstId id) {
      if (kernel_[id].op == Op::CallArg) replacements_.add(id, given[kernel_[id].aux]);
    });
    block(body);  // its own calls
    for (InstId id : kernel_[body]) {
      if (kernel_[id].op != Op::Return) {
        kernel_[into].push_back(id);
        continue;
      }
      const auto values = kernel_.operands_of(id);
      for (uint32_t n = 0; n < values.size(); ++n) results_[{call, n}] = values[n];
    }
  }

  ir::Kernel& kernel_;
  const std::vector<bool> recursive_;
  std::map<std::pair<InstId, uint32_t>, InstId> results_;
  ir::Replacements replacements_;
};

/// Takes out what a reverse sweep does not repeat.
void remove_output(ir::Kernel& kernel, BlockId block) {
  if (block == BlockId::None) return;
  std::erase_if(kernel[block], [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    return ir::only_observes(inst.op) || inst.op == Op::Print || inst.op == Op::Warn || inst.op == Op::Return ||
           (inst.op == Op::Assert && kernel.formats[inst.aux].kind == ir::Format::Kind::Claim);
  });
  for (InstId id : kernel[block]) {
    if (kernel[id].op == Op::For) kernel[id].blocks[1] = BlockId::None;
    for (BlockId inner : kernel[id].blocks) remove_output(kernel, inner);
  }
}

/// Moves Breaks to the ends of loops, and makes Continues the ends of blocks.
class LoopExits {
 public:
  explicit LoopExits(ir::Kernel& kernel) : kernel_(kernel), build_(kernel) {}

  std::vector<CountedLoop> run() {
    block(kernel_.body);
    return std::move(counted_);
  }

 private:
  enum class Exits : uint8_t { Never, Sometimes, Always };

  void block(BlockId id) {
    if (id == BlockId::None) return;
    for (InstId inst : std::exchange(kernel_[id], {})) {
      for (BlockId inner : std::array(kernel_[inst].blocks)) block(inner);
      if (is_loop(kernel_[inst])) {
        loop(id, inst);
      } else {
        kernel_[id].push_back(inst);
      }
    }
  }

  void loop(BlockId around, InstId loop) {
    const BlockId body = kernel_[loop].blocks[0];
    const bool counts = kernel_[loop].op == Op::Loop || has_break(body);
    if (!counts && exits(body) == Exits::Never) {
      kernel_[around].push_back(loop);
      return;
    }
    build_.set_location(kernel_[loop].location);
    std::vector<InstId> rest = std::exchange(kernel_[body], {});
    build_.set_block(body);
    const bool breaks = has_break(rest);
    left_ = build_.variable(Type::U1);
    broken_ = build_.variable(Type::U1);
    InstId counter = InstId::None;
    if (counts) {
      build_.set_block(around);
      counter = build_.variable(Type::I64);
      build_.store(counter, build_.constant(Type::I64, 0));
      build_.set_block(body);
      build_.store(counter, build_.binary(ir::BinaryOp::Add, build_.load(counter), build_.constant(Type::I64, 1)));
    }
    std::ranges::move(rest, std::back_inserter(kernel_[body]));
    remove_exits(body);
    InstId last_break = InstId::None;
    if (breaks) {
      build_.set_block(body);
      last_break = build_.inst(Op::If, Type::Void, {build_.load(broken_)});
      const BlockId inside = add_branches(last_break);
      ir::Builder::Scope scope(build_, inside);
      build_.inst(Op::Break, Type::Void);
    }
    kernel_[around].push_back(loop);
    if (!counts) return;
    build_.set_block(around);
    counted_.push_back({loop, build_.load(counter), last_break});
  }

  /// Whether there is a Break of the loop whose body, or a part of it, this is.
  bool has_break(const std::vector<InstId>& list) const {
    return std::ranges::any_of(list, [&](InstId id) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op == Op::Break) return true;
      return !is_loop(inst) && std::ranges::any_of(inst.blocks, [&](BlockId inner) { return has_break(inner); });
    });
  }
  bool has_break(BlockId id) const { return id != BlockId::None && has_break(kernel_[id]); }

  Exits exits(BlockId id) const {
    Exits found = Exits::Never;
    if (id == BlockId::None) return found;
    for (InstId inst : kernel_[id]) {
      const Exits here = exits_of(inst);
      if (here == Exits::Always) return here;
      found = std::max(found, here);
    }
    return found;
  }
  Exits exits_of(InstId id) const {
    const ir::Inst& inst = kernel_[id];
    if (inst.op == Op::Break || inst.op == Op::Continue) return Exits::Always;
    if (inst.op != Op::If) return Exits::Never;
    const Exits yes = exits(inst.blocks[0]), no = exits(inst.blocks[1]);
    return yes == no ? yes : Exits::Sometimes;
  }

  void remove_exits(BlockId id) {
    if (id == BlockId::None) return;
    const std::vector<InstId> list = std::exchange(kernel_[id], {});
    for (size_t i = 0; i < list.size(); ++i) {
      const InstId inst = list[i];
      const Op op = kernel_[inst].op;
      if (op == Op::Break || op == Op::Continue) return leave(id, inst);
      kernel_[id].push_back(inst);
      if (exits_of(inst) != Exits::Never) return remove_exits(id, inst, std::span(list).subspan(i + 1));
    }
  }

  /// The same for an If that may leave the loop, and the code behind it. `if c: break` gets that code as its else.
  void remove_exits(BlockId around, InstId branch, std::span<const InstId> rest) {
    const Exits yes = exits(kernel_[branch].blocks[0]), no = exits(kernel_[branch].blocks[1]);
    const bool whole = yes == Exits::Always || no == Exits::Always;
    if (whole && !(yes == no)) {
      const BlockId other = kernel_[branch].blocks[yes == Exits::Always ? 1 : 0];
      kernel_[other].insert(kernel_[other].end(), rest.begin(), rest.end());
    }
    for (BlockId inner : std::array(kernel_[branch].blocks)) remove_exits(inner);
    if (whole || rest.empty()) return;
    build_.set_location(kernel_[branch].location);
    ir::Builder::Scope scope(build_, around);
    const InstId stays = build_.unary(ir::UnaryOp::LogicalNot, build_.load(left_));
    const InstId guard = build_.inst(Op::If, Type::Void, {stays});
    const BlockId inside = add_branches(guard);
    kernel_[inside].assign(rest.begin(), rest.end());
    remove_exits(inside);
  }

  /// Gives an If its two blocks; returns the first.
  BlockId add_branches(InstId branch) {
    const BlockId yes = kernel_.add_block(), no = kernel_.add_block();
    kernel_[branch].blocks = {yes, no};
    return yes;
  }

  void leave(BlockId block, InstId exit) {
    ir::Builder::Scope scope(build_, block);
    build_.set_location(kernel_[exit].location);
    const InstId yes = build_.constant(Type::U1, 1);
    build_.store(left_, yes);
    if (kernel_[exit].op == Op::Break) build_.store(broken_, yes);
  }

  ir::Kernel& kernel_;
  ir::Builder build_;
  InstId left_ = InstId::None;    // of the loop that is being rewritten: whether the iteration is over
  InstId broken_ = InstId::None;  // the same, whether the loop is
  std::vector<CountedLoop> counted_;
};

/// Follows the values of local variables through the code.
class KnownValues {
 public:
  explicit KnownValues(ir::Kernel& kernel) : kernel_(kernel), build_(kernel) {}

  void run() {
    Known known;
    block(kernel_.body, known, Level::Top);
    replace(kernel_, kernel_.body, replacements_);
  }

 private:
  using Known = std::unordered_map<InstId, InstId>;  // variable -> value

  void block(BlockId id, Known& known, Level level) {
    if (id == BlockId::None) return;
    for (InstId inst : std::exchange(kernel_[id], {})) {
      build_.set_block(id);
      build_.set_location(kernel_[inst].location);
      visit(id, inst, known, level);
    }
  }

  void visit(BlockId id, InstId inst, Known& known, Level level) {
    const Op op = kernel_[inst].op;
    if (op == Op::Alloca) home_[inst] = parallel_;
    if (op == Op::AtomicRmw && is_own(place_of(inst))) return split(inst, known);
    if (op == Op::Load && is_variable(place_of(inst))) {
      const auto [found, fresh] = known.try_emplace(place_of(inst), inst);
      if (fresh) {
        kernel_[id].push_back(inst);
      } else {
        replacements_.add(inst, found->second);
      }
      return;
    }
    if (op == Op::Store && is_variable(place_of(inst))) known[place_of(inst)] = kernel_.operands_of(inst)[1];
    if (is_loop(kernel_[inst])) return loop(id, inst, known, level);
    kernel_[id].push_back(inst);
    for (BlockId inner : std::array(kernel_[inst].blocks)) {
      Known inside = known;
      block(inner, inside, level_in(kernel_, inst, level));
    }
    if (op != Op::Store) forget_stored(inst, known);
  }

  void loop(BlockId id, InstId loop, Known& known, Level level) {
    const bool parallel = is_parallel(kernel_, loop, level);
    forget_stored(loop, known);
    if (parallel) load_before(loop, known);
    kernel_[id].push_back(loop);
    const InstId before = parallel_;
    if (parallel) parallel_ = loop;
    Known inside = known;
    block(kernel_[loop].blocks[0], inside, level_in(kernel_, loop, level));
    parallel_ = before;
  }

  /// Loads variables that a parallel loop reads and does not write, once before it.
  void load_before(InstId loop, Known& known) {
    std::vector<InstId> read;
    const std::vector<InstId> stored = stored_in(loop);
    walk(kernel_, loop, [&](InstId id) {
      if (kernel_[id].op != Op::Load || !is_variable(place_of(id))) return;
      const InstId variable = place_of(id);
      if (home_.contains(variable) && !known.contains(variable) && std::ranges::find(stored, variable) == stored.end())
        read.push_back(variable);
    });
    for (InstId variable : read) {
      if (!known.contains(variable)) known[variable] = build_.load(variable);
    }
  }

  /// An atomic on a variable of the thread, as a Load, the operation and a Store.
  void split(InstId atomic, Known& known) {
    const ir::Inst inst = kernel_[atomic];
    const InstId place = place_of(atomic);
    const InstId operand = kernel_.operands_of(atomic)[1];
    const bool whole = is_variable(place);
    InstId old;
    if (auto found = known.find(place); whole && found != known.end()) {
      old = found->second;
    } else {
      old = build_.load(place);
    }
    replacements_.add(atomic, old);
    const auto op = ir::binary_op(inst.atomic_op());
    const InstId value = op ? build_.binary(*op, old, operand) : operand;
    build_.store(place, value);
    if (whole) known[place] = value;
  }

  InstId place_of(InstId access) const { return kernel_.operands_of(access)[0]; }
  /// Whether a place is a variable that is a number.
  bool is_variable(InstId place) const { return kernel_[place].op == Op::Alloca && kernel_[place].length() == 0; }
  /// Whether only one thread reaches a place: it is of the present iteration, or the code is no parallel loop's.
  bool is_own(InstId place) const {
    const InstId variable = kernel_[place].op == Op::LocalPtr ? kernel_.operands_of(place)[0] : place;
    if (kernel_[variable].op != Op::Alloca) return false;
    const auto found = home_.find(variable);
    return found == home_.end() ? false : found->second == parallel_;
  }

  std::vector<InstId> stored_in(InstId inst) const {
    std::vector<InstId> stored;
    walk(kernel_, inst, [&](InstId id) {
      const Op op = kernel_[id].op;
      if (op == Op::Store || op == Op::AtomicRmw || op == Op::AtomicCas || op == Op::VolatileLoad)
        stored.push_back(place_of(id));
    });
    return stored;
  }
  void forget_stored(InstId inst, Known& known) const {
    for (InstId place : stored_in(inst)) known.erase(place);
  }

  ir::Kernel& kernel_;
  ir::Builder build_;
  InstId parallel_ = InstId::None;           // the parallel loop around
  std::unordered_map<InstId, InstId> home_;  // of each variable: the parallel loop around
  ir::Replacements replacements_;
};

}  // namespace

Level level_in(const ir::Kernel& kernel, InstId inst, Level level) {
  const ir::Inst& around = kernel[inst];
  if (level == Level::Top && around.op == Op::Region) return around.group() ? Level::Top : Level::Region;
  return level == Level::Region ? Level::Top : Level::Inside;
}

bool is_parallel(const ir::Kernel& kernel, InstId inst, Level level) {
  return level == Level::Top && kernel[inst].op == Op::For && kernel.loops[kernel[inst].aux].parallel;
}

void inline_calls(ir::Kernel& kernel) { Inliner(kernel).run(); }

std::vector<CountedLoop> normalize(ir::Kernel& kernel) {
  inline_calls(kernel);
  walk(kernel, kernel.body, [&](InstId id) {
    if (kernel[id].op == Op::Call)
      throw NoDerivative{id, "has no gradient, because the func calls itself: write it as a loop"};
  });
  remove_output(kernel, kernel.body);
  kernel.results.clear();
  std::vector<CountedLoop> counted = LoopExits(kernel).run();
  follow_variables(kernel);
  return counted;
}

void follow_variables(ir::Kernel& kernel) { KnownValues(kernel).run(); }

}  // namespace qd::autodiff
