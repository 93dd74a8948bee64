#include "runtime/autodiff/reverse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/dead_code.h"
#include "runtime/autodiff/derivative_probes.h"
#include "runtime/autodiff/gather.h"
#include "runtime/autodiff/kept_values.h"
#include "runtime/autodiff/loop_order.h"
#include "runtime/autodiff/record.h"
#include "runtime/autodiff/stack.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;
using mathematics::Notation;
using mathematics::Value;

/// Builder of the gradient: puts the forward sweep, a copy of the primal, and the reverse sweep together.
class Gradient {
 public:
  Gradient(ir::Kernel& kernel, bool counts, Options options, bool recorded)
      : kernel_(kernel),
        primal_(kernel, options.probes),
        record_(primal_, recorded),
        notation_(kernel, BlockId::None),
        sweep_(primal_, notation_),
        kept_(primal_, sweep_),
        stacks_(kernel, kept_, counts),
        counts_(counts),
        recorded_(recorded),
        probes_(options.probes),
        tiles_(options.tiles),
        copies_(primal_.insts(), InstId::None),
        values_(primal_.insts(), InstId::None) {}

  std::vector<RecordedRead> run() {
    for (size_t n = 0; n < primal_.insts(); ++n) {  // while the blocks of the sweep are whole
      const InstId id = static_cast<InstId>(n);
      if (sweep_.has_loop(id) && !primal_.is_parallel(id) && is_any_order(primal_, sweep_, kept_, id))
        any_order_.insert(id);
    }
    kernel_.probes.clear();  // the primal's, which have no instructions any more
    const BlockId body = kernel_.add_block();
    ir::Builder::Scope scope(build(), body);
    if (counts_) stacks_.begin_counts(build());
    root(kernel_.body, body, InstId::None);
    build().set_block(body);
    if (counts_) stacks_.return_counts(build());
    kernel_.body = body;
    remove_dead_code(kernel_, dropped_);
    walk(kernel_, kernel_.body, [&](InstId id) { refuse(id); });
    std::vector<RecordedRead> recorded = record_.finish();
    compact();
    if (!counts_) gather_sums(kernel_, tiles_);
    return recorded;
  }

 private:
  ir::Builder& build() { return notation_.build(); }
  Value value(InstId id) { return Value(notation_, id); }
  InstId& copy(InstId id) { return copies_[static_cast<size_t>(id)]; }
  /// The value of the primal where the reverse sweep has come to.
  InstId& now(InstId id) { return values_[static_cast<size_t>(id)]; }
  Value value_now(InstId id) { return value(now(id)); }

  /// The sweeps of a root. `row`: of the launch's stacks; None: the last one.
  void root(BlockId block, BlockId target, InstId row) {
    build().set_block(target);
    if (kept_.stack(block)) stacks_.begin(block, build(), row);
    for (InstId id : kept_.variables(block)) slots_[id] = build().variable(kernel_[id].type);
    forward(block, target, block);
    build().set_block(target);
    if (counts_) {
      if (kept_.stack(block)) stacks_.count(block, build(), block == kernel_.body);
      return;
    }
    for (InstId id : kernel_[block]) now(id) = copy(id);
    if (sweep_.of(block) == BlockId::None) return;
    const std::vector<InstId> list = kernel_[sweep_.of(block)];
    reverse(block, list, target);
  }

  // --- the forward sweep ---

  /// Copies a block of the primal, without writes to arrays. `root`: the one whose values are kept for the reverse
  /// sweep; None: no values are.
  void forward(BlockId block, BlockId target, BlockId root) {
    const InstId around = primal_[block].around;
    const CountedLoop* counted = around == InstId::None ? nullptr : primal_.counted(around);
    const InstId end = counted ? counted->last_break : InstId::None;
    const bool keeps = root != BlockId::None && !kept_.frame(block).empty();
    for (InstId id : std::vector(kernel_[block])) {  // the lists move when blocks are added
      build().set_block(target);
      build().set_location(kernel_[id].location);
      if (id == end && keeps) push(block, root);
      forward_inst(id, target, root);
    }
    build().set_block(target);
    if (end == InstId::None && keeps) push(block, root);
  }

  void forward_inst(InstId id, BlockId target, BlockId root) {
    Inst inst = kernel_[id];
    if (inst.op == Op::Region && inst.group()) return forward(inst.blocks[0], target, root);
    const bool element = ir::has_effect(inst.op, ir::kWrites) && inst.operand_count > 0 &&
                         primal_.is_element(kernel_.operands_of(id)[0]);
    if (inst.op == Op::Store && element) return;
    if (inst.op == Op::LoopIndex || inst.op == Op::Iteration) {
      copy(id) = index(inst);
    } else if (record_.has(id)) {
      copy(id) = record_.load(id, copy(kernel_.operands_of(id)[0]), build());
    } else {
      std::vector<InstId> operands;
      for (InstId operand : kernel_.operands_of(id)) operands.push_back(copy(operand));
      const auto blocks = std::exchange(inst.blocks, {BlockId::None, BlockId::None});
      ir::renumber_aux(inst, [&](InstId of) { return copy(of); });
      const InstId made = build().like(inst, operands);
      copy(id) = made;
      note(made, id);
      if (element) dropped_.push_back(made);
      if (primal_.is_parallel(id)) indices_.erase(id);
      for (size_t n = 0; n < blocks.size(); ++n) {
        if (blocks[n] == BlockId::None) continue;
        const BlockId inner = kernel_.add_block();
        kernel_[made].blocks[n] = inner;
        if (!primal_.is_parallel(id)) {
          forward(blocks[n], inner, root);
        } else if (counts_ && kept_.stack(blocks[n])) {
          this->root(blocks[n], inner, InstId::None);
        } else {
          forward(blocks[n], inner, BlockId::None);
        }
      }
      build().set_block(target);
    }
    if (root != BlockId::None && kept_.of(id) == Keeping::Variable && primal_.home(id).root == root)
      build().store(slots_.at(id), copy(id));
  }

  /// Index of a parallel loop or of a copied one, or number of an iteration.
  InstId index(Inst inst) {
    if (inst.op == Op::Iteration) return iteration_ == InstId::None ? build().like(inst, {}) : iteration_;
    if (const auto found = indices_.find(inst.aux_inst()); found != indices_.end()) return found->second[inst.axis()];
    inst.aux = static_cast<uint32_t>(copy(inst.aux_inst()));
    return build().like(inst, {});
  }

  void push(BlockId block, BlockId root) {
    std::vector<InstId> values;
    for (InstId id : kept_.frame(block)) values.push_back(copy(id));
    stacks_.push(root, build(), values);
  }

  // --- the reverse sweep ---

  /// Puts the instructions of a block's reverse block where they belong, with values of the primal as operands.
  void reverse(BlockId block, const std::vector<InstId>& list, BlockId target) {
    kernel_[target].insert(kernel_[target].end(), sweep_.adjoints(block).begin(), sweep_.adjoints(block).end());
    // The probes are in the midst of the block's own instructions. At the top level they then need no task of their
    // own.
    bool probed = !probes_;
    for (InstId id : list) {
      const Inst inst = kernel_[id];
      for (uint32_t n = 0; n < inst.operand_count; ++n) {
        InstId& operand = kernel_.operands[inst.operand_begin + n];
        if (primal_.has(operand)) operand = now(operand);
      }
      const InstId origin = sweep_.origin(id);
      if (origin != InstId::None && primal_.is_parallel(origin)) {
        reverse_parallel(origin, id, target);
        continue;
      }
      if (!std::exchange(probed, true)) add_probes(block, target);
      kernel_[target].push_back(id);
      if (origin == InstId::None) continue;
      const auto blocks = kernel_[origin].blocks;
      for (BlockId inner : blocks) {
        if (inner != BlockId::None && sweep_.of(inner) != BlockId::None) nested(inner);
      }
    }
    if (!probed) add_probes(block, target);
  }

  void add_probes(BlockId block, BlockId target) {
    ir::Builder::Scope scope(build(), target);
    for (uint32_t location : sweep_.lines(block)) derivatives_.add(build(), location);
  }

  /// Completes the reverse block of a block that is no root.
  void nested(BlockId block) {
    const BlockId target = sweep_.of(block);
    const std::vector<InstId> list = std::exchange(kernel_[target], {});
    ir::Builder::Scope scope(build(), target);
    restore(block);
    reverse(block, list, target);
  }

  /// Gives a reverse block the values of its primal block.
  void restore(BlockId block) {
    const std::vector<InstId>& frame = kept_.frame(block);
    if (!frame.empty()) {
      const std::vector<InstId> values = stacks_.pop(primal_[block].root, build(), frame);
      for (size_t n = 0; n < frame.size(); ++n) now(frame[n]) = values[n];
    }
    for (InstId id : std::vector(kernel_[block])) {  // the lists move when blocks are added
      build().set_location(kernel_[id].location);
      if (kept_.of(id) == Keeping::Variable) now(id) = build().load(slots_.at(id));
      if (kept_.of(id) == Keeping::Repeated) now(id) = repeated(id);
    }
  }

  InstId repeated(InstId id) {
    const Inst inst = kernel_[id];
    if (inst.op == Op::LoopIndex && !primal_.is_parallel(inst.aux_inst()))
      return reversed_index(inst.aux_inst(), inst.axis()).id();
    if (inst.op == Op::LoopIndex || inst.op == Op::Iteration) return index(inst);
    if (record_.has(id)) return record_.load(id, now(kernel_.operands_of(id)[0]), build());
    std::vector<InstId> operands;
    for (InstId operand : kernel_.operands_of(id)) operands.push_back(now(operand));
    const InstId made = build().like(inst, operands);
    note(made, id);
    return made;
  }

  /// The index of a serial loop of the primal in the reverse loop.
  Value reversed_index(InstId loop, uint32_t axis) {
    const std::vector<InstId> bounds = primal_.operands(loop);
    auto begin = [&](size_t n) { return value_now(bounds[2 * n]); };
    auto end = [&](size_t n) { return value_now(bounds[2 * n + 1]); };
    const CountedLoop* counted = primal_.counted(loop);
    const Type type = counted ? Type::I64 : kernel_[bounds[0]].type;
    const auto reversed = static_cast<uint32_t>(sweep_.loop(loop));
    const Value here = value(build().inst(Op::LoopIndex, type, {}, reversed, counted ? 0 : axis));
    if (any_order_.contains(loop)) return here;
    if (!counted) return end(axis) - here.whole(1) - (here - begin(axis));
    Value rest = value_now(counted->count) - here.whole(1) - here;
    for (size_t n = bounds.size() / 2; n-- > 1;) {
      const auto [index, around] = divide(rest, convert(Type::I64, end(n)) - convert(Type::I64, begin(n)));
      if (n == axis) return begin(axis) + convert(kernel_[bounds[0]].type, index);
      rest = around;
    }
    return begin(0) + convert(kernel_[bounds[0]].type, rest);
  }

  /// The remainder and the quotient of integers that are not negative.
  std::pair<Value, Value> divide(Value a, Value b) {
    return {value(build().binary(BinaryOp::RawMod, a.id(), b.id())),
            value(build().binary(BinaryOp::RawDiv, a.id(), b.id()))};
  }

  // --- parallel loops ---

  void reverse_parallel(InstId loop, InstId made, BlockId target) {
    const BlockId body = kernel_[loop].blocks[0];
    const BlockId inside = kernel_.add_block();
    kernel_[made].blocks[0] = inside;
    const StackPlan* stack = kept_.stack(body);
    ir::Builder::Scope scope(build(), target);
    if (stack && !stack->bounded) return workers(loop, made, target);
    kernel_[target].push_back(made);
    copy(loop) = made;
    indices_.erase(loop);
    root(body, inside, InstId::None);
  }

  /// A parallel loop over the rows of the stacks, and in it a serial one over the iterations that are the row's.
  void workers(InstId loop, InstId made, BlockId target) {
    const std::vector<InstId> bounds = primal_.operands(loop);
    build().set_location(kernel_[loop].location);
    std::vector<Value> extents;
    Value total = notation_.whole(Type::I64, 1);
    for (size_t axis = 0; axis < bounds.size() / 2; ++axis) {
      const Value extent =
          convert(Type::I64, value_now(bounds[2 * axis + 1])) - convert(Type::I64, value_now(bounds[2 * axis]));
      extents.push_back(value(build().binary(BinaryOp::Max, extent.id(), extent.whole(0).id())));
      total = total * extents.back();
    }
    const Value workers = stacks_.workers(notation_);
    const InstId outer = build().inst(Op::For, Type::Void, {workers.whole(0).id(), workers.id()}, kernel_[made].aux);
    const BlockId worker = kernel_.add_block();
    kernel_[outer].blocks[0] = worker;
    ir::Builder::Scope scope(build(), worker);
    const Value row = value(build().inst(Op::LoopIndex, Type::I64, {}, static_cast<uint32_t>(outer)));
    const Value begin = divide(total * row, workers).second;
    const Value end = divide(total * (row + row.whole(1)), workers).second;
    const auto info = static_cast<uint32_t>(kernel_.loops.size());
    kernel_.loops.push_back({.parallel = false, .name = {}});
    const InstId inner = build().inst(Op::For, Type::Void, {begin.id(), end.id()}, info);
    const BlockId iteration = kernel_.add_block();
    kernel_[inner].blocks[0] = iteration;
    build().set_block(iteration);
    const Value number = value(build().inst(Op::LoopIndex, Type::I64, {}, static_cast<uint32_t>(inner)));
    Value rest = number;
    std::vector<InstId> indices(extents.size());
    for (size_t axis = extents.size(); axis-- > 0;) {
      const auto [index, around] = axis == 0 ? std::pair(rest, rest) : divide(rest, extents[axis]);
      rest = around;
      const InstId low = bounds[2 * axis];
      indices[axis] = (value_now(low) + convert(kernel_[low].type, index)).id();
    }
    indices_[loop] = indices;
    iteration_ = number.id();
    root(kernel_[loop].blocks[0], iteration, row.id());
    iteration_ = InstId::None;
  }

  // --- checks, and the end ---

  /// Notes the instruction of the primal that a copy was made of.
  void note(InstId made, InstId id) { made_of_[made] = id; }

  /// Refuses a value that the gradient needs and cannot have, because it is not what it was in the primal's launch.
  void refuse(InstId id) const {
    const Inst& inst = kernel_[id];
    const auto found = made_of_.find(id);
    if (found == made_of_.end()) return;
    if (ir::has_effect(inst.op, ir::kDraws))
      throw NoDerivative{id,
                         "gives another number in the gradient's launch: keep numbers in a field that another "
                         "kernel fills"};
    if (std::ranges::find(dropped_, id) != dropped_.end() || inst.op == Op::Shuffle || inst.op == Op::Ballot)
      throw NoDerivative{id, "gives a number that the gradient needs and cannot find out again: keep it in a field"};
    if (inst.op == Op::Load) refuse_gradient(found->second), refuse_overwritten(found->second);
  }

  /// Refuses a number that the gradient needs of an array to which it adds itself.
  void refuse_gradient(InstId load) const {
    const Inst& place = kernel_[kernel_.operands_of(load)[0]];
    // An array that is its own gradient stands for one, to find the lines that have a derivative.
    if (place.op != Op::ElementPtr || kernel_.arrays[place.aux].gradient == place.aux) return;
    const auto of = std::ranges::find(kernel_.arrays, place.aux, &ir::Array::gradient);
    if (of == kernel_.arrays.end()) return;
    throw NoDerivative{load, fmt::format("is one of the gradient of {}, which the gradient's launch needs and changes: "
                                         "copy it to another array first",
                                         of->name.empty() ? "an array" : fmt::format("`{}`", of->name))};
  }

  /// Refuses an element whose number the gradient needs, and that the kernel overwrites.
  void refuse_overwritten(InstId load) const {
    const InstId place = kernel_.operands_of(load)[0];
    if (kernel_[place].op != Op::ElementPtr) return;
    for (InstId write : writes_) {
      if (kernel_[kernel_.operands_of(write)[0]].aux != kernel_[place].aux || !primal_.overwrites(write, load))
        continue;
      const ir::Array& array = kernel_.arrays[kernel_[place].aux];
      const int32_t line = kernel_.locations[kernel_[load].location].line;
      throw NoDerivative{write, fmt::format("overwrites an element of {} whose old number the gradient needs (line {} "
                                            "reads it): {}",
                                            array.name.empty() ? "an array" : fmt::format("`{}`", array.name), line,
                                            record_.could_have(load) && !recorded_
                                                ? "launch the kernel in a qd.ad.Tape, which keeps it, or write to "
                                                  "another array"
                                                : "write to another array")};
    }
  }

  /// Takes out all that was left behind, and the primal's tables of coverage.
  void compact() {
    ir::Kernel made = kernel_;
    made.insts.clear();
    made.operands.clear();
    made.blocks.clear();
    made.decisions.clear();
    made.variants.clear();
    ir::Cloner cloner(kernel_, made);
    made.body = cloner.block(kernel_.body);
    kernel_ = std::move(made);
  }

  ir::Kernel& kernel_;
  const Primal primal_;
  Record record_;
  Notation notation_;
  const ReverseSweep sweep_;
  const KeptValues kept_;
  Stacks stacks_;
  const bool counts_;    // only the sizes of stacks are wanted
  const bool recorded_;  // the launch has a record
  const bool probes_;    // derivative probes are wanted
  const bool tiles_;
  DerivativeProbes derivatives_{kernel_};
  std::vector<InstId> copies_, values_;                      // of the primal's instructions
  std::unordered_map<InstId, InstId> slots_;                 // variables of kept values
  std::unordered_map<InstId, std::vector<InstId>> indices_;  // of a parallel loop whose iterations workers run
  InstId iteration_ = InstId::None;                          // the number of its iteration
  std::set<InstId> any_order_;   // serial loops whose reversed iterations run in the order of the primal
  std::vector<InstId> dropped_;  // copies of operations that write to arrays
  std::unordered_map<InstId, InstId> made_of_;
  std::vector<InstId> writes_ = primal_.writes();
};

}  // namespace

std::vector<RecordedRead> reverse(ir::Kernel& kernel, Options options, bool recorded) {
  return Gradient(kernel, false, options, recorded).run();
}

std::vector<RecordedRead> count_stack(ir::Kernel& kernel, bool recorded) {
  return Gradient(kernel, true, {}, recorded).run();
}

}  // namespace qd::autodiff
