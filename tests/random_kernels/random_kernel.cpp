// Random kernels without data races.
#include "tests/random_kernels/random_kernel.h"

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <utility>

#include "runtime/device/reference/scalar.h"
#include "runtime/ir/builder.h"

namespace qd::testing {
namespace {

using device::reference::from_double;
using ir::AtomicOp;
using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

constexpr Type kTypes[] = {Type::I32, Type::I64, Type::F32, Type::U1};

/// How the code of a parallel loop may touch an array or a shared variable, so that no two iterations race.
enum class Access { Read, Atomic, Own, OwnAtomic };

/// The array of routines.
constexpr uint32_t kCalled = 4;

class Generator {
 public:
  Generator(uint32_t seed, KernelOptions options)
      : random_(seed), whole_(seed % 2), draws_(options.draws), asserts_(options.asserts), regions_(options.regions) {}

  ir::Kernel run() {
    k_.name = std::string("k");
    k_.functions.push_back({"/k.py", "k", 1});
    for (int i = 0; i < 40; i++) k_.locations.push_back({0, i + 2, 4});
    k_.params = {{"n", Type::I32}, {"m", Type::I64}, {"a", Type::F32}};
    using Kind = ir::Array::Kind;
    k_.arrays = {{Kind::Parameter, "x", Type::I32, 1, {}, 0},
                 {Kind::Parameter, "y", Type::I32, 2, {}, 0},
                 {Kind::Field, "z", Type::F32, 1, {4}, 9},
                 {Kind::Field, "s", Type::I64, 0, {}, 10},
                 {Kind::Parameter, "r", Type::I32, 1, {}, 0}};
    k_.formats.push_back({{"", " ", ""}, {"", ".3f"}, {Type::I32, Type::F32}});
    k_.formats.push_back({{"no"}, {}, {}});
    for (int i = below(3); i > 0; i--) routine();
    if (chance(3)) k_.results = {Type::I32, Type::F32};
    k_.body = k_.add_block();
    block_ = top_ = k_.body;
    top_statements(2 + below(8), 2);
    probe();
    if (!k_.results.empty()) inst(Op::Return, Type::Void, 0, {value(Type::I32, 2), value(Type::F32, 2)});
    return std::move(k_);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool chance(int n) { return below(n) == 0; }

  InstId inst(Op op, Type type, uint32_t aux, const std::vector<InstId>& args, uint64_t imm = 0) {
    const auto location = static_cast<uint32_t>(below(static_cast<int>(k_.locations.size())));
    return ir::Builder(k_, block_, location).inst(op, type, args, aux, imm);
  }
  InstId constant(Type type, int value) { return inst(Op::Const, type, 0, {}, from_double(type, value)); }
  void probe() {
    if (draws_ ? chance(5) : !chance(3)) return;
    inst(Op::Probe, Type::Void, static_cast<uint32_t>(k_.probes.size()), {});
    k_.probes.push_back({0, -1, static_cast<int32_t>(k_.probes.size()) + 2});
  }

  // --- expressions ---

  InstId value(Type type, int depth) {
    std::vector<InstId> known;
    for (InstId id : scope_) {
      if (k_[id].type == type && ir::result_kind(k_[id].op) == ir::ResultKind::Value) known.push_back(id);
    }
    if (!known.empty() && chance(2)) return known[static_cast<size_t>(below(static_cast<int>(known.size())))];
    InstId id = new_value(type, depth);
    scope_.push_back(id);
    return id;
  }

  InstId new_value(Type type, int depth) {
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

  InstId leaf(Type type) {
    if (type == Type::I32 && loop_ != InstId::None && chance(3)) {
      return inst(Op::LoopIndex, Type::I32, static_cast<uint32_t>(loop_), {},
                  static_cast<uint64_t>(below(static_cast<int>(loop_rank_))));
    }
    if (type == Type::I32 && chance(4)) return inst(Op::Shape, Type::I32, 0, {}, 0);
    if (type != Type::U1 && chance(2))
      return inst(Op::Arg, type, type == Type::I32 ? 0 : type == Type::I64 ? 1 : 2, {});
    return constant(type, below(7) - 2);
  }

  /// An index that is in range, whatever it is.
  InstId index(uint32_t array, uint32_t axis, int depth) {
    const InstId length = inst(Op::Shape, Type::I32, array, {}, axis);
    return inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Mod), {value(Type::I32, depth), length});
  }

  InstId element(uint32_t array, int depth) {
    std::vector<InstId> indices;
    const int rank = k_.arrays[array].rank;
    if (in_parallel() && (access_[array] == Access::Own || (access_[array] == Access::OwnAtomic && !chance(4)))) {
      for (int axis = 0; axis < rank; axis++) {
        InstId index =
            inst(Op::LoopIndex, Type::I32, static_cast<uint32_t>(parallel_), {}, static_cast<uint64_t>(axis));
        if (chance(4)) index = inst(Op::Cast, Type::I64, 0, {index});
        indices.push_back(index);
      }
    } else {
      for (int axis = 0; axis < rank; axis++) indices.push_back(index(array, static_cast<uint32_t>(axis), depth - 1));
    }
    return inst(Op::ElementPtr, k_.arrays[array].type, array, indices);
  }

  /// A place of this type that may be touched in this way, or None.
  InstId place(Type type, bool plain, bool write, int depth) {
    std::vector<InstId> variables;
    for (InstId id : scope_) {
      if (k_[id].op != Op::Alloca || k_[id].type != type) continue;
      if (in_parallel() && std::ranges::count(shared_, id)) {
        const bool atomic = atomic_variables_.contains(id);
        if (atomic ? plain : write) continue;
      }
      variables.push_back(id);
    }
    if (!variables.empty() && chance(2))
      return variables[static_cast<size_t>(below(static_cast<int>(variables.size())))];
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

  InstId load(Type type, int depth) {
    InstId pointer = place(type, true, false, depth);
    return pointer == InstId::None ? pointer : inst(Op::Load, type, 0, {pointer});
  }

  // --- routines ---

  /// What parallel loops may call as well: of arrays it touches the last one alone, by atomics.
  void routine() {
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

  /// Adds the results of a call to what is known.
  void call() {
    if (n_routines_ == 0) return;
    const auto routine = static_cast<uint32_t>(below(static_cast<int>(n_routines_)));
    const InstId number = value(Type::I32, 2);
    const auto id = static_cast<uint32_t>(inst(Op::Call, Type::Void, routine, {number, value(Type::F32, 2)}, calls_++));
    scope_.push_back(inst(Op::CallResult, Type::I32, id, {}, 0));
    scope_.push_back(inst(Op::CallResult, Type::F32, id, {}, 1));
  }

  // --- statements ---

  bool in_parallel() const { return parallel_ != InstId::None; }

  void statements(BlockId block, int count, int depth) {
    const BlockId outer = std::exchange(block_, block);
    const size_t mark = scope_.size();
    for (int i = 0; i < count; i++) {
      statement(depth);
      if (ended_) break;
    }
    if (!ended_) probe();
    ended_ = false;
    scope_.resize(mark);
    block_ = outer;
  }

  void statement(int depth) {
    probe();
    if (chance(5)) call();
    if (draws_ && depth > 0 && chance(2)) return drawn_statement(depth);
    switch (below(depth > 0 ? 12 : 8)) {
      case 0:
      case 1: variable(); return;
      case 2:
      case 3: store(); return;
      case 4:
      case 5:
      case 6: atomic(); return;
      case 7: output(); return;
      case 8:
      case 9: branch(depth); return;
      case 10: counted_loop(depth); return;
      default: serial_for(depth); return;
    }
  }

  void drawn_statement(int depth) {
    switch (below(7)) {
      case 0:
      case 1:
      case 2: branch(depth); return;
      case 3:
      case 4: drawn_for(depth); return;
      case 5: while_loop(depth); return;
      default: endless_loop(depth); return;
    }
  }

  void variable() {
    const Type type = kTypes[below(3)];
    const InstId first = value(type, 2);
    const InstId id = inst(Op::Alloca, type, 0, {});
    inst(Op::Store, Type::Void, 0, {id, first});
    scope_.push_back(id);
    if (!in_parallel() && block_ == top_) shared_.push_back(id);
  }

  void store() {
    const Type type = kTypes[below(3)];
    const InstId what = value(type, 2);
    const InstId pointer = place(type, true, true, 2);
    if (pointer != InstId::None) inst(Op::Store, Type::Void, 0, {pointer, what});
  }

  void atomic() {
    const Type type = kTypes[below(whole_ ? 2 : 3)];
    const InstId what = value(type, 2);
    const InstId pointer = place(type, false, true, 2);
    if (pointer == InstId::None) return;
    InstId old;
    if (type != Type::F32 && chance(4)) {
      old = inst(Op::AtomicCas, type, 0, {pointer, value(type, 1), what});
    } else {
      constexpr AtomicOp kFloats[] = {AtomicOp::Add, AtomicOp::Sub, AtomicOp::Mul,
                                      AtomicOp::Min, AtomicOp::Max, AtomicOp::Exchange};
      const AtomicOp op = type == Type::F32 ? kFloats[below(6)] : static_cast<AtomicOp>(below(9));
      old = inst(Op::AtomicRmw, type, static_cast<uint32_t>(op), {pointer, what});
    }
    // Mostly nobody wants the old value.
    if (chance(4)) scope_.push_back(old);
  }

  void output() {
    if (!asserts_ || chance(2)) {
      inst(Op::Print, Type::Void, 0, {value(Type::I32, 1), value(Type::F32, 1)});
    } else {
      // Most hold.
      const InstId condition = draws_ ? drawn(31) : chance(2) ? value(Type::U1, 2) : constant(Type::U1, 1);
      inst(Op::Assert, Type::Void, 1, {condition});
    }
  }

  void branch(int depth) {
    const InstId id = inst(Op::If, Type::Void, 0, {draws_ && !chance(3) ? drawn(below(33)) : value(Type::U1, 2)});
    const BlockId yes = k_.add_block();
    const BlockId no = k_.add_block();
    k_[id].blocks = {yes, no};
    statements(yes, below(3), depth - 1);
    if (may_leave_ && chance(draws_ ? 4 : 2)) {
      ir::Builder(k_, yes).inst(may_break_ && chance(2) ? Op::Break : Op::Continue, Type::Void);
    }
    if (chance(2)) statements(no, below(3), depth - 1);
  }

  template <class Body>
  void in_loop(bool may_break, Body&& body) {
    const bool leave = std::exchange(may_leave_, true);
    const bool was = std::exchange(may_break_, may_break);
    body();
    may_leave_ = leave;
    may_break_ = was;
  }

  /// A Loop that ends after a few turns: its counter goes up before anything can continue.
  void counted_loop(int depth) {
    const InstId counter = inst(Op::Alloca, Type::I32, 0, {});
    inst(Op::Store, Type::Void, 0, {counter, constant(Type::I32, 0)});
    const InstId limit = constant(Type::I32, below(4));
    const InstId loop = inst(Op::Loop, Type::Void, 0, {});
    const BlockId body = k_.add_block();
    k_[loop].blocks[0] = body;
    const BlockId outer = std::exchange(block_, body);
    const InstId turn = inst(Op::Load, Type::I32, 0, {counter});
    const InstId done = inst(Op::If, Type::Void, 0,
                             {inst(Op::Compare, Type::U1, static_cast<uint32_t>(ir::CompareOp::Ge), {turn, limit})});
    const BlockId leave = k_.add_block();
    const BlockId stay = k_.add_block();
    k_[done].blocks = {leave, stay};
    ir::Builder(k_, leave).inst(Op::Break, Type::Void);
    const InstId one = constant(Type::I32, 1);
    inst(Op::Store, Type::Void, 0,
         {counter, inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Add), {turn, one})});
    block_ = outer;
    in_loop(true, [&] { statements(body, 1 + below(3), depth - 1); });
  }

  // What is drawn decides these:

  /// True `often` times out of 32.
  InstId drawn(int often) {
    const InstId number = inst(Op::Random, Type::U32, 0, {});
    const InstId part =
        inst(Op::Binary, Type::U32, static_cast<uint32_t>(BinaryOp::BitAnd), {number, constant(Type::U32, 31)});
    return inst(Op::Compare, Type::U1, static_cast<uint32_t>(ir::CompareOp::Lt), {part, constant(Type::U32, often)});
  }

  /// 0 to 4.
  InstId drawn_number() {
    const InstId number = inst(Op::Random, Type::U32, 0, {});
    return inst(Op::Cast, Type::I32, 0,
                {inst(Op::Binary, Type::U32, static_cast<uint32_t>(BinaryOp::Mod), {number, constant(Type::U32, 5)})});
  }

  bool breaks(BlockId block) const {
    return std::ranges::any_of(k_[block], [&](InstId id) {
      const ir::Inst& inst = k_[id];
      return inst.op == Op::Break || (inst.op == Op::If && (breaks(inst.blocks[0]) || breaks(inst.blocks[1])));
    });
  }

  /// One axis or two; what can be left has a block for when it is not.
  void drawn_for(int depth) {
    std::vector<InstId> bounds;
    const size_t rank = 1 + static_cast<size_t>(below(2));
    for (size_t i = 0; i < 2 * rank; i++) bounds.push_back(drawn_number());
    const InstId id = inst(Op::For, Type::Void, loop_info(false), bounds);
    k_[id].blocks[0] = k_.add_block();
    const InstId loop = std::exchange(loop_, id);
    const size_t outer_rank = std::exchange(loop_rank_, rank);
    in_loop(chance(2), [&] { statements(k_[id].blocks[0], 1 + below(3), depth - 1); });
    loop_ = loop;
    loop_rank_ = outer_rank;
    if (!breaks(k_[id].blocks[0])) return;
    const BlockId exhausted = k_.add_block();
    k_[id].blocks[1] = exhausted;
    const BlockId outer = std::exchange(block_, exhausted);
    probe();
    block_ = outer;
  }

  /// As the front end writes `while`: an If on the inverted condition leaves.
  void while_loop(int depth) {
    const InstId loop = inst(Op::Loop, Type::Void, 0, {});
    const BlockId body = k_.add_block();
    k_[loop].blocks[0] = body;
    const BlockId outer = std::exchange(block_, body);
    const InstId left = inst(Op::If, Type::Void, 0, {drawn(12)});
    leave(left);
    block_ = outer;
    in_loop(true, [&] { statements(body, 1 + below(3), depth - 1); });
  }

  /// What leaves it stands at the end, unless something in it breaks.
  void endless_loop(int depth) {
    const InstId loop = inst(Op::Loop, Type::Void, 0, {});
    const BlockId body = k_.add_block();
    k_[loop].blocks[0] = body;
    in_loop(true, [&] { statements(body, 1 + below(3), depth - 1); });
    const BlockId outer = std::exchange(block_, body);
    leave(inst(Op::If, Type::Void, 0, {drawn(16)}));
    block_ = outer;
  }

  void leave(InstId branch) {
    const BlockId yes = k_.add_block();
    const BlockId no = k_.add_block();
    k_[branch].blocks = {yes, no};
    const BlockId outer = std::exchange(block_, yes);
    probe();
    inst(Op::Break, Type::Void, 0, {});
    block_ = outer;
  }

  /// s += i, and the like, for some of the shared variables that the loop may change.
  void reductions(BlockId block) {
    const BlockId outer = std::exchange(block_, block);
    const size_t mark = scope_.size();
    for (InstId variable : shared_) {
      const Type type = k_[variable].type;
      if (!atomic_variables_.contains(variable) || type == Type::F32 || chance(2)) continue;
      const InstId what = value(type, 2);
      inst(Op::AtomicRmw, type, static_cast<uint32_t>(below(9)), {variable, what});
    }
    scope_.resize(mark);
    block_ = outer;
  }

  uint32_t loop_info(bool parallel) {
    k_.loops.push_back({parallel, chance(3) ? 32 : 0, parallel && chance(5) ? "named" : ""});
    return static_cast<uint32_t>(k_.loops.size() - 1);
  }

  void serial_for(int depth) {
    // Inside of other statements the mark `parallel` means nothing.
    const bool top = block_ == top_;
    const InstId begin = constant(Type::I32, below(3) - 1);
    const InstId end = constant(Type::I32, below(4));
    const InstId id = inst(Op::For, Type::Void, loop_info(!top && chance(2)), {begin, end});
    k_[id].blocks[0] = k_.add_block();
    const InstId loop = std::exchange(loop_, id);
    const size_t rank = std::exchange(loop_rank_, 1);
    in_loop(true, [&] { statements(k_[id].blocks[0], 1 + below(3), depth - 1); });
    loop_ = loop;
    loop_rank_ = rank;
  }

  // --- the top level, and the regions in it ---

  void top_statements(int count, int regions) {
    for (int i = 0; i < count; i++) {
      if (regions_ && regions > 0 && chance(4)) {
        chance(2) ? region_if(regions) : region_loop(regions);
      } else {
        chance(2) ? top_loop() : statement(deepest());
      }
    }
  }

  /// The block of a region; `body` fills a block in it, as the top level is filled.
  void region(Op op, const std::vector<InstId>& operands, auto&& fill) {
    const InstId id = inst(Op::Region, Type::Void, 0, {});
    const BlockId inside = k_.add_block();
    k_[id].blocks[0] = inside;
    const BlockId outer = std::exchange(block_, inside);
    fill(inst(op, Type::Void, 0, operands));
    block_ = outer;
  }

  void scheduled(BlockId block, auto&& fill) {
    const BlockId outer = std::exchange(block_, block), top = std::exchange(top_, block);
    const size_t values = scope_.size(), variables = shared_.size();
    fill();
    scope_.resize(values);
    shared_.resize(variables);
    block_ = outer;
    top_ = top;
  }

  void region_if(int depth) {
    region(Op::If, {value(Type::U1, 2)}, [&](InstId branch) {
      const BlockId yes = k_.add_block(), no = k_.add_block();
      k_[branch].blocks = {yes, no};
      scheduled(yes, [&] { top_statements(below(3), depth - 1); });
      scheduled(no, [&] { top_statements(below(2), depth - 1); });
      for (BlockId block : {yes, no}) {
        block_ = block;
        probe();
        // As in kernels of the front end, a serial task ends what a condition decides: the probes there need one.
        constexpr uint32_t kScalar = 3;
        const InstId place = inst(Op::ElementPtr, Type::I64, kScalar, {});
        inst(Op::Store, Type::Void, 0, {place, constant(Type::I64, below(5))});
      }
    });
  }

  /// A loop that ends after a few passes.
  void region_loop(int depth) {
    const InstId counter = inst(Op::Alloca, Type::I32, 0, {});
    inst(Op::Store, Type::Void, 0, {counter, constant(Type::I32, 0)});
    region(Op::Loop, {}, [&](InstId loop) {
      const BlockId body = k_.add_block();
      k_[loop].blocks[0] = body;
      scheduled(body, [&] {
        top_statements(below(4), depth - 1);
        probe();
        const InstId pass = inst(Op::Load, Type::I32, 0, {counter});
        const InstId next =
            inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Add), {pass, constant(Type::I32, 1)});
        inst(Op::Store, Type::Void, 0, {counter, next});
        leave(inst(Op::If, Type::Void, 0,
                   {inst(Op::Compare, Type::U1, static_cast<uint32_t>(ir::CompareOp::Ge),
                         {next, constant(Type::I32, below(4))})}));
      });
    });
  }

  void top_loop() {
    probe();
    const uint32_t rank = chance(3) ? 2 : 1;
    std::vector<InstId> bounds;
    bool covers = true;  // the loop indices are indices of the arrays of its rank
    for (uint32_t axis = 0; axis < rank; axis++) {
      bounds.push_back(constant(Type::I32, 0));
      if (chance(2)) {
        bounds.push_back(inst(Op::Shape, Type::I32, rank == 1 ? 0 : 1, {}, axis));
      } else {
        covers = false;
        const InstId small = constant(Type::I32, 4);
        bounds.push_back(
            inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Mod), {value(Type::I32, 2), small}));
      }
    }
    const InstId id = inst(Op::For, Type::Void, loop_info(true), bounds);
    k_[id].blocks[0] = k_.add_block();
    access_.clear();
    for (const ir::Array& array : k_.arrays) {
      const bool may_own =
          covers && array.rank == static_cast<int32_t>(rank) && array.kind == ir::Array::Kind::Parameter;
      access_.push_back(may_own && chance(2) ? Access::Own : chance(2) ? Access::Atomic : Access::Read);
    }
    access_[kCalled] = covers && rank == 1 && chance(2) ? Access::OwnAtomic : Access::Atomic;
    atomic_variables_.clear();
    for (InstId variable : shared_) {
      if (chance(2)) atomic_variables_.insert(variable);
    }
    parallel_ = loop_ = id;
    loop_rank_ = rank;
    reductions(k_[id].blocks[0]);
    in_loop(false, [&] { statements(k_[id].blocks[0], 1 + below(5), deepest()); });
    parallel_ = loop_ = InstId::None;
  }

  int deepest() const { return draws_ ? 3 : 2; }

  std::mt19937 random_;
  bool whole_;  // no atomics on floats, whose sums depend on their order
  bool draws_;
  bool asserts_;
  bool regions_;
  ir::Kernel k_;
  BlockId block_ = BlockId::None;
  BlockId top_ = BlockId::None;  // the top level, or the block of a region
  std::vector<InstId> scope_;    // values and variables that the code here may use
  std::vector<InstId> shared_;   // variables of the top level
  std::set<InstId> atomic_variables_;
  std::vector<Access> access_;  // of each array, in the parallel loop at hand
  InstId parallel_ = InstId::None;
  InstId loop_ = InstId::None;  // the innermost For
  size_t loop_rank_ = 0;
  bool may_leave_ = false;
  bool may_break_ = false;
  bool in_routine_ = false;
  size_t n_routines_ = 0;  // that can be called
  uint64_t calls_ = 0;
  bool ended_ = false;
};

}  // namespace

ir::Kernel random_kernel(uint32_t seed, KernelOptions options) { return Generator(seed, options).run(); }

Launch random_launch(const ir::Kernel& kernel, uint32_t seed) {
  std::mt19937 random(seed);
  auto number = [&](Type type) { return from_double(type, static_cast<int>(random() % 11) - 3); };
  Launch launch;
  for (const ir::Param& param : kernel.params) launch.params.push_back(number(param.type));
  for (const ir::Array& array : kernel.arrays) {
    std::vector<int32_t> shape = array.shape;
    if (array.kind == ir::Array::Kind::Parameter) {
      for (int axis = 0; axis < array.rank; axis++) shape.push_back(1 + static_cast<int32_t>(random() % 5));
    }
    if (launch.shapes.size() == kCalled) shape = launch.shapes[0];  // a loop over the one is a loop over the other
    size_t size = 1;
    for (int32_t length : shape) size *= static_cast<size_t>(length);
    std::vector<uint64_t> elements(size);
    for (uint64_t& element : elements) element = number(array.type);
    launch.shapes.push_back(std::move(shape));
    launch.arrays.push_back(std::move(elements));
  }
  return launch;
}

}  // namespace qd::testing
