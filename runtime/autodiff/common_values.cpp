#include "runtime/autodiff/common_values.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "runtime/autodiff/normal_form.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

class CommonValues {
 public:
  explicit CommonValues(ir::Kernel& kernel) : kernel_(kernel) {}

  void run() {
    outside(kernel_.body, Level::Top);
    replace(kernel_, kernel_.body, replacements_);
  }

 private:
  using Key = std::vector<uint64_t>;  // operation, type, aux, imm, operands

  /// Blocks around the loops of the top level. Their values are not shared: tasks would have to hand them on.
  void outside(BlockId id, Level level) {
    if (id == BlockId::None) return;
    for (InstId inst : kernel_[id]) {
      for (BlockId inner : std::array(kernel_[inst].blocks)) {
        const Level below = level_in(kernel_, inst, level);
        if (is_loop(kernel_[inst])) {
          block(inner);
        } else {
          outside(inner, below);
        }
      }
    }
  }

  /// A block, whose values are known until its end.
  void block(BlockId id) {
    if (id == BlockId::None) return;
    const size_t before = added_.size();
    for (InstId inst : kernel_[id]) visit(inst);
    while (added_.size() > before) {
      known_.erase(added_.back());
      added_.pop_back();
    }
  }

  void visit(InstId id) {
    const Inst& inst = kernel_[id];
    const bool writes_in_it = inst.blocks[0] != BlockId::None && writes(id);
    if (is_loop(inst) && writes_in_it) ++writes_;
    for (BlockId inner : std::array(kernel_[id].blocks)) block(inner);
    if (writes_in_it || is_write(id)) ++writes_;
    if (!shareable(inst)) return;
    Key key = key_of(inst);
    const auto [found, fresh] = known_.try_emplace(key, id);
    if (fresh) {
      added_.push_back(std::move(key));
    } else {
      replacements_.add(id, found->second);
    }
  }

  bool is_element(InstId place) const { return kernel_[place].op == Op::ElementPtr; }

  /// Whether an operation writes to an array. The variables of an iteration are its own.
  bool is_write(InstId id) const {
    const Inst& inst = kernel_[id];
    return ir::has_effect(inst.op, ir::kWrites) &&
           (!ir::accesses_memory(inst.op) || is_element(kernel_.operands_of(id)[0]));
  }
  bool writes(InstId around) const {
    bool found = false;
    walk(kernel_, around, [&](InstId id) { found |= id != around && is_write(id); });
    return found;
  }

  bool shareable(const Inst& inst) const {
    if (inst.op == Op::Load) return is_element(replacements_.follow(kernel_.operands_of(inst)[0]));
    return ir::is_pure(inst.op) || inst.op == Op::LoopIndex || inst.op == Op::ElementPtr;
  }

  Key key_of(const Inst& inst) const {
    Key key{static_cast<uint64_t>(inst.op), static_cast<uint64_t>(inst.type), inst.aux, inst.imm};
    if (inst.op == Op::Load) key.push_back(writes_);
    for (InstId operand : kernel_.operands_of(inst))
      key.push_back(static_cast<uint64_t>(replacements_.follow(operand)));
    return key;
  }

  ir::Kernel& kernel_;
  std::map<Key, InstId> known_;  // the first value of each kind, in the blocks around the present place
  std::vector<Key> added_;       // their keys, the latest last
  uint64_t writes_ = 0;          // places so far behind which an element may have another value
  ir::Replacements replacements_;
};

}  // namespace

void share_common_values(ir::Kernel& kernel) { CommonValues(kernel).run(); }

bool same(const ir::Kernel& kernel, InstId a, InstId b) {
  if (a == b) return true;
  const Inst &x = kernel[a], &y = kernel[b];
  if (x.op != y.op || x.type != y.type || x.aux != y.aux || x.imm != y.imm) return false;
  if (!ir::is_pure(x.op) && x.op != Op::LoopIndex && x.op != Op::ElementPtr) return false;
  return std::ranges::equal(kernel.operands_of(a), kernel.operands_of(b),
                            [&](InstId m, InstId n) { return same(kernel, m, n); });
}

bool differ(const ir::Kernel& kernel, InstId a, InstId b) {
  const auto m = kernel.operands_of(a), n = kernel.operands_of(b);
  for (size_t i = 0; i < m.size(); ++i) {
    const Offset x = offset_of(kernel, m[i]), y = offset_of(kernel, n[i]);
    const bool based = x.base != InstId::None && y.base != InstId::None;
    if (x.constant != y.constant && (based ? same(kernel, x.base, y.base) : x.base == y.base)) return true;
  }
  return false;
}

Offset offset_of(const ir::Kernel& kernel, InstId id) {
  const Inst& inst = kernel[id];
  if (inst.op == Op::Const) return {InstId::None, inst.integer()};
  if (inst.op != Op::Binary) return {id, 0};
  const InstId a = kernel.operands_of(id)[0], b = kernel.operands_of(id)[1];
  const bool adds = inst.binary_op() == ir::BinaryOp::Add;
  if (adds && kernel[a].op == Op::Const) return {b, kernel[a].integer()};
  if ((adds || inst.binary_op() == ir::BinaryOp::Sub) && kernel[b].op == Op::Const)
    return {a, adds ? kernel[b].integer() : -kernel[b].integer()};
  return {id, 0};
}

}  // namespace qd::autodiff
