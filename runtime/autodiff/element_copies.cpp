#include "runtime/autodiff/element_copies.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "runtime/autodiff/common_values.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

class ElementCopies {
 public:
  ElementCopies(const Primal& primal, std::map<InstId, FirstRead>& first_reads)
      : primal_(primal), kernel_(primal.kernel()), build_(kernel_), first_reads_(first_reads) {}

  bool run() {
    find_elements();
    walk(kernel_, kernel_.body, [&](InstId id) {
      for (InstId operand : kernel_.operands_of(id)) used_.insert(operand);
    });
    if (elements_.empty()) return false;
    Known known;
    block(kernel_.body, known);  // only finds the reads that a copy can serve
    std::erase_if(elements_, [](const Element& element) { return !element.is_read; });
    if (elements_.empty()) return false;
    changes_ = true;
    known.clear();
    block(kernel_.body, known);
    replace(kernel_, kernel_.body, replacements_);
    for (const Element& element : elements_) kernel_[element.root].insert(kernel_[element.root].begin(), element.copy);
    return true;
  }

 private:
  /// An element in all iterations of a root.
  struct Element {
    BlockId root;
    InstId place;                // one of its ElementPtrs
    std::set<InstId> reads;      // behind which it is overwritten
    InstId copy = InstId::None;  // the variable
    bool is_read = false;        // whether a copy can serve a read
  };
  /// The elements whose copies have the numbers of the array, by their number in elements_.
  using Known = std::set<size_t>;

  InstId place_of(InstId access) const { return kernel_.operands_of(access)[0]; }
  uint32_t array_of(InstId access) const { return kernel_[place_of(access)].aux; }

  /// Finds the reads of elements that are overwritten behind them.
  void find_elements() {
    std::map<uint32_t, std::vector<InstId>> writes;
    for (InstId write : primal_.writes()) writes[array_of(write)].push_back(write);
    if (writes.empty()) return;
    walk(kernel_, kernel_.body, [&](InstId load) {
      if (kernel_[load].op != Op::Load || kernel_[place_of(load)].op != Op::ElementPtr) return;
      const auto found = writes.find(array_of(load));
      if (found == writes.end()) return;
      if (std::ranges::any_of(found->second, [&](InstId write) { return primal_.overwrites(write, load); }) &&
          !primal_.may_be_shared(load))
        element(load).reads.insert(load);
    });
  }

  Element& element(InstId load) {
    const BlockId root = primal_.home(load).root;
    for (Element& each : elements_) {
      if (each.root == root && same(kernel_, each.place, place_of(load))) return each;
    }
    return elements_.emplace_back(Element{root, place_of(load), {}});
  }

  // --- the walk ---

  void block(BlockId id, Known& known) {
    if (id == BlockId::None) return;
    const std::vector<InstId> list = changes_ ? std::exchange(kernel_[id], {}) : kernel_[id];
    for (InstId inst : list) {
      build_.set_block(id);
      build_.set_location(kernel_[inst].location);
      visit(id, inst, known);
    }
  }

  void visit(BlockId id, InstId inst, Known& known) {
    const Op op = kernel_[inst].op;
    const bool accesses = ir::accesses_memory(op) && kernel_[place_of(inst)].op == Op::ElementPtr;
    if (accesses && op == Op::Load) return load(id, inst, known);
    if (accesses && op == Op::AtomicRmw) return atomic(id, inst, known);
    if (is_loop(kernel_[inst])) return loop(id, inst, known);
    if (changes_) kernel_[id].push_back(inst);
    if (accesses) {
      forget(inst, known);
      if (op == Op::Store) set(inst, [&] { return kernel_.operands_of(inst)[1]; }, known);
      return;
    }
    branches(inst, known);
  }

  void branches(InstId inst, Known& known) {
    const auto blocks = kernel_[inst].blocks;
    if (blocks[0] == BlockId::None && blocks[1] == BlockId::None) return;
    Known yes = known, no = known;
    block(blocks[0], yes);
    if (kernel_[inst].op == Op::If) {
      block(blocks[1], no);
    } else {
      no = yes;
    }
    known.clear();
    std::ranges::set_intersection(yes, no, std::inserter(known, known.end()));
  }

  void load(BlockId id, InstId load, Known& known) {
    for (size_t n = 0; n < elements_.size(); ++n) {
      Element& element = elements_[n];
      if (!element.reads.contains(load)) continue;
      if (known.contains(n)) {
        element.is_read = true;
        if (changes_) replacements_.add(load, build_.load(element.copy));
        return;
      }
      if (changes_) kernel_[id].push_back(load);
      return set(load, [&] { return load; }, known);
    }
    if (changes_) kernel_[id].push_back(load);
  }

  /// An atomic operation changes the copy, too. Where its old value is used, other iterations may be meant to change
  /// the element as well.
  void atomic(BlockId id, InstId atomic, Known& known) {
    if (changes_) kernel_[id].push_back(atomic);
    const std::optional<size_t> number = number_of(atomic);
    const bool there = number && known.contains(*number);
    forget(atomic, known);
    if (!number) return;
    if (used_.contains(atomic)) {
      known.erase(*number);
      return;
    }
    known.insert(*number);
    if (!changes_) return;
    const auto binary = ir::binary_op(kernel_[atomic].atomic_op());
    const InstId place = variable(elements_[*number], kernel_[atomic].type);
    const InstId operand = kernel_.operands_of(atomic)[1];
    const InstId old = there ? build_.load(place) : atomic;
    if (!there) first_reads_[atomic] = {atomic, InstId::None};
    build_.store(place, binary ? build_.binary(*binary, old, operand) : operand);
  }

  void loop(BlockId id, InstId loop, Known& known) {
    walk(kernel_, loop, [&](InstId inst) {
      if (inst != loop && is_write(inst)) forget(inst, known);
    });
    Known inside;
    if (!primal_.is_parallel(loop)) {
      for (size_t n : known) {
        if (primal_.is_invariant(elements_[n].place, loop)) inside.insert(n);
      }
      for (const auto& [n, read] : read_at_once(loop)) {
        if (inside.insert(n).second) read_before(loop, n, read);
      }
    }
    if (changes_) kernel_[id].push_back(loop);
    block(kernel_[loop].blocks[0], inside);
  }

  /// The elements that each iteration of a serial loop reads before it writes any of the array, all of them the same
  /// one; with the reads.
  std::map<size_t, InstId> read_at_once(InstId loop) const {
    std::map<size_t, InstId> list;
    std::set<uint32_t> written;
    for (InstId inst : kernel_[kernel_[loop].blocks[0]]) {
      walk(kernel_, inst, [&](InstId inner) {
        if (is_write(inner)) written.insert(array_of(inner));
      });
      if (kernel_[inst].op != Op::Load) continue;
      for (size_t n = 0; n < elements_.size(); ++n) {
        if (elements_[n].reads.contains(inst) && !written.contains(array_of(inst)) &&
            primal_.is_invariant(elements_[n].place, loop))
          list.try_emplace(n, inst);
      }
    }
    std::erase_if(list, [&](const auto& each) { return is_forgotten_in(loop, each.first); });
    return list;
  }

  bool is_forgotten_in(InstId loop, size_t number) const {
    bool found = false;
    walk(kernel_, loop,
         [&](InstId inst) { found |= inst != loop && is_write(inst) && forgets(inst, elements_[number]); });
    return found;
  }

  /// Reads an element before a loop that has an iteration, as a Loop always has.
  void read_before(InstId loop, size_t number, InstId read) {
    if (!changes_) return;
    Element& element = elements_[number];
    ir::Builder::Scope scope(build_);
    if (kernel_[loop].op == Op::For) build_.set_block(if_it_runs(loop));
    const InstId first = build_.load(outside(element.place, loop));
    first_reads_[first] = {read, loop};
    build_.store(variable(element, kernel_[first].type), first);
  }

  /// Begins code that runs if a loop has an iteration.
  BlockId if_it_runs(InstId loop) {
    const std::vector<InstId> bounds = primal_.operands(loop);
    InstId runs = InstId::None;
    for (size_t axis = 0; axis < bounds.size() / 2; ++axis) {
      const InstId some = build_.compare(ir::CompareOp::Lt, bounds[2 * axis], bounds[2 * axis + 1]);
      runs = runs == InstId::None ? some : build_.binary(BinaryOp::BitAnd, runs, some);
    }
    const InstId branch = build_.inst(Op::If, Type::Void, {runs});
    const BlockId yes = kernel_.add_block(), no = kernel_.add_block();
    kernel_[branch].blocks = {yes, no};
    return yes;
  }

  /// A value that is the same in all iterations of a loop, before the loop.
  InstId outside(InstId value, InstId loop) {
    if (!primal_.is_in(value, loop)) return value;
    std::vector<InstId> operands;
    for (InstId operand : primal_.operands(value)) operands.push_back(outside(operand, loop));
    return build_.like(Inst(kernel_[value]), operands);
  }

  // --- elements and their copies ---

  bool is_write(InstId inst) const {
    return ir::has_effect(kernel_[inst].op, ir::kWrites) && ir::accesses_memory(kernel_[inst].op) &&
           kernel_[place_of(inst)].op == Op::ElementPtr;
  }

  /// The element that an access is of, in its root.
  std::optional<size_t> number_of(InstId access) const {
    for (size_t n = 0; n < elements_.size(); ++n) {
      if (elements_[n].root == primal_.home(access).root && same(kernel_, elements_[n].place, place_of(access)))
        return n;
    }
    return std::nullopt;
  }

  InstId variable(Element& element, Type type) {
    if (element.copy == InstId::None) {
      ir::Builder::Scope scope(build_, BlockId::None);
      element.copy = build_.variable(type);
    }
    return element.copy;
  }

  /// Gives the element of an access a copy with a number.
  template <class Value>
  void set(InstId access, Value&& value, Known& known) {
    const std::optional<size_t> number = number_of(access);
    if (!number) return;
    known.insert(*number);
    if (!changes_) return;
    const InstId written = value();
    build_.store(variable(elements_[*number], kernel_[place_of(access)].type), written);
  }

  /// Forgets the copies of elements that a write may change.
  void forget(InstId write, Known& known) const {
    std::erase_if(known, [&](size_t n) { return forgets(write, elements_[n]); });
  }
  bool forgets(InstId write, const Element& element) const {
    if (array_of(write) != kernel_[element.place].aux) return false;
    const bool root = primal_.home(write).root == element.root;
    if (root && same(kernel_, element.place, place_of(write)))
      return kernel_[write].op != Op::Store && kernel_[write].op != Op::AtomicRmw;
    return !root || !differ(kernel_, place_of(write), element.place);
  }

  const Primal& primal_;
  ir::Kernel& kernel_;
  ir::Builder build_;
  std::map<InstId, FirstRead>& first_reads_;
  bool changes_ = false;  // false: the walk only finds out what it would do
  std::vector<Element> elements_;
  std::set<InstId> used_;  // values of the primal
  ir::Replacements replacements_;
};

}  // namespace

bool copy_elements(const Primal& primal, std::map<InstId, FirstRead>& first_reads) {
  return ElementCopies(primal, first_reads).run();
}

}  // namespace qd::autodiff
