#include "runtime/codegen/cpu/inner_loops.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace qd::codegen {
namespace {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;

/// The operation of sums and the like that vectors can gather, one in each of their numbers; a difference is a sum.
std::optional<BinaryOp> gathered(BinaryOp op) {
  switch (op) {
    case BinaryOp::Sub: return BinaryOp::Add;
    case BinaryOp::Add:
    case BinaryOp::Mul:
    case BinaryOp::Min:
    case BinaryOp::Max:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor: return op;
    default: return {};
  }
}

/// A variable from outside of a loop, in the straight body of the loop.
class VariableInLoop {
 public:
  VariableInLoop(const ir::Kernel& kernel, const std::vector<InstId>& body, InstId variable)
      : kernel_(kernel), body_(body.begin(), body.end()) {
    for (InstId id : body) {
      const Op op = kernel[id].op;
      if (ir::combine_rule(op)) continue;  // counts are there with coverage alone
      const auto operands = kernel.operands_of(id);
      if (!ir::accesses_memory(op) || operands[0] != variable) {
        for (InstId operand : operands) ++uses_[operand];
        if (std::ranges::any_of(operands, [&](InstId operand) { return carried_.contains(operand); }))
          carried_.insert(id);
      } else if (op == Op::Load) {
        loaded_[id] = last_;
        first_loads_ += last_ == InstId::None;
        if (last_ == InstId::None || carried_.contains(last_)) carried_.insert(id);
      } else if (op == Op::Store) {
        last_ = operands[1];
      } else {
        ++atomics_;
      }
    }
  }

  bool has_independent_iterations() const {
    if (atomics_ > 0) return loaded_.empty() && last_ == InstId::None;
    if (!carried_.contains(last_)) return true;
    // The way of the number, from the end of an iteration back to its begin.
    bool is_gathered = first_loads_ == 1, has_step = true;
    std::optional<BinaryOp> kind;
    InstId value = last_;
    int uses = 0;  // on the way
    for (;;) {
      const auto found = uses_.find(value);
      is_gathered &= found == uses_.end() || found->second == uses;
      if (const auto load = loaded_.find(value); load != loaded_.end()) {
        if (load->second == InstId::None) return is_gathered || has_step;
        value = load->second;
        uses = 0;
        continue;
      }
      if (kernel_[value].op != Op::Binary) return false;
      const BinaryOp op = kernel_[value].binary_op();
      const InstId left = kernel_.operands_of(value)[0], right = kernel_.operands_of(value)[1];
      if (carried_.contains(left) == carried_.contains(right)) return false;
      const bool is_left = carried_.contains(left);
      const InstId other = is_left ? right : left;
      if (!kind) kind = gathered(op);
      is_gathered &= kind && kind == gathered(op) && (is_left || op != BinaryOp::Sub);
      has_step &= (op == BinaryOp::Add || (op == BinaryOp::Sub && is_left)) &&
                  (!body_.contains(other) || kernel_[other].op == Op::Const);
      value = is_left ? left : right;
      uses = 1;
    }
  }

 private:
  const ir::Kernel& kernel_;
  const std::unordered_set<InstId> body_;
  std::unordered_set<InstId> carried_;         // values made of that with which the iteration begins
  std::unordered_map<InstId, InstId> loaded_;  // loads, and what the iteration had stored before; None: nothing
  std::unordered_map<InstId, int> uses_;       // of a value, in the body
  InstId last_ = InstId::None;                 // the value that is stored last
  int first_loads_ = 0, atomics_ = 0;
};

}  // namespace

bool has_independent_iterations(const ir::Kernel& kernel, const ir::Inst& loop) {
  if (loop.op != Op::For) return false;
  const std::vector<InstId>& body = kernel[loop.blocks[0]];
  std::unordered_set<InstId> variables, own;
  for (InstId id : body) {
    const ir::Inst& inst = kernel[id];
    if (inst.blocks[0] != ir::BlockId::None || inst.op == Op::Call || inst.op == Op::Random) return false;
    if (inst.op == Op::Alloca) own.insert(id);
    if (!ir::accesses_memory(inst.op)) continue;
    const InstId place = kernel.operands_of(id)[0];
    if (kernel[place].op == Op::Alloca && !own.contains(place)) variables.insert(place);
  }
  return std::ranges::all_of(
      variables, [&](InstId variable) { return VariableInLoop(kernel, body, variable).has_independent_iterations(); });
}

}  // namespace qd::codegen
