// The code of random kernels: expressions, routines and statements.
#pragma once

#include <random>
#include <set>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"
#include "tests/random_kernels/random_kernel.h"

namespace qd::testing {

constexpr ir::Type kTypes[] = {ir::Type::I32, ir::Type::I64, ir::Type::F32, ir::Type::U1};

/// The array of routines.
constexpr uint32_t kCalled = 4;

/// Adds random code to a kernel. Values and variables that it makes are in the scope of what follows.
class RandomCode {
 protected:
  using BlockId = ir::BlockId;
  using InstId = ir::InstId;
  using Op = ir::Op;
  using Type = ir::Type;

  /// Permitted use of an array or a shared variable in a parallel loop, so that no two iterations race.
  enum class Access { Read, Atomic, Own, OwnAtomic };

  RandomCode(uint32_t seed, KernelOptions options)
      : random_(seed), whole_(seed % 2), draws_(options.draws), asserts_(options.asserts), regions_(options.regions) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  bool chance(int n) { return below(n) == 0; }
  InstId inst(Op op, Type type, uint32_t aux, const std::vector<InstId>& args, uint64_t imm = 0);
  InstId constant(Type type, int64_t value);
  void probe();

  // expressions (random_expressions.cpp)
  InstId value(Type type, int depth);
  InstId new_value(Type type, int depth);
  InstId leaf(Type type);
  /// An index that is in range, whatever it is.
  InstId index(uint32_t array, uint32_t axis, int depth);
  InstId element(uint32_t array, int depth);
  /// A place of this type that may be touched in this way, or None.
  InstId place(Type type, bool plain, bool write, int depth);
  InstId load(Type type, int depth);

  // routines (random_expressions.cpp)
  /// A routine that parallel loops may call as well: of arrays it touches the last one alone, by atomics.
  void routine();
  /// Adds the results of a call to the known values.
  void call();

  // statements (random_statements.cpp)
  bool in_parallel() const { return parallel_ != InstId::None; }
  void statements(BlockId block, int count, int depth);
  void statement(int depth);
  void drawn_statement(int depth);
  void variable();
  void store();
  void atomic();
  void output();
  void branch(int depth);
  template <class Body>
  void in_loop(bool may_break, Body&& body) {
    const bool leave = std::exchange(may_leave_, true);
    const bool was = std::exchange(may_break_, may_break);
    body();
    may_leave_ = leave;
    may_break_ = was;
  }
  /// A Loop that ends after a few turns: its counter goes up before anything can continue.
  void counted_loop(int depth);

  // conditions that are drawn
  /// True `often` times out of 32.
  InstId drawn(int often);
  /// 0 to 4.
  InstId drawn_number();
  bool breaks(BlockId block) const;
  /// One axis or two; a loop that can be left has a block for when it is not.
  void drawn_for(int depth);
  /// As the front end writes `while`: an If on the inverted condition leaves.
  void while_loop(int depth);
  /// The exit stands at the end, unless something in the loop breaks.
  void endless_loop(int depth);
  void leave(InstId branch);
  /// s += i, and the like, for some of the shared variables that the loop may change.
  void reductions(BlockId block);
  uint32_t loop_info(bool parallel);
  /// The type of a loop's counter.
  Type count_type();
  InstId converted(InstId number, Type type);
  /// The index of a loop, of the type of its bounds.
  InstId loop_index(InstId loop, uint64_t axis);
  void serial_for(int depth);

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
};

}  // namespace qd::testing
