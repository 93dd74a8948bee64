#include "runtime/codegen/cpu/lane_costs.h"

#include <algorithm>
#include <utility>

#include "runtime/codegen/cpu/host_processor.h"
#include "runtime/codegen/cpu/inner_loops.h"
#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

// Measured on processors with AVX-512, in additions of two numbers; only their ratios matter.
constexpr double kVector = 1.0 / 8;    // of an operation on a lane of 32 bits
constexpr double kUniform = 1.0 / 16;  // of one that is done once for all lanes
constexpr double kSlow = 6;            // a root, a quotient
constexpr double kLibrary = 20;
constexpr double kRandom = 10;  // integers of 64 bits
constexpr double kCall = 40;    // of a routine
constexpr double kExtract = 3;  // of a lane, and its way back
constexpr double kScatter = 6;
constexpr double kPick = 2 * kVector;  // a number of a record of a few
constexpr double kPut = 4 * kVector;
constexpr double kMaskedStore = 4;  // without mask registers
constexpr double kLatency = 2;      // of a float, for which the next one waits where an iteration runs alone
constexpr double kAtomic = 4;       // alone
constexpr double kLaneAtomic = 7;   // of a lane that takes its turn
constexpr double kTrips = 16;       // of a loop
constexpr double kShortTrips = 4;   // of one of several side by side, such as those over the cells around a particle
constexpr int kSeveral = 4;
constexpr double kDivergent = 1.7;  // of its trips, until the last lane leaves
constexpr double kTurn = 24;        // of a trip: masks that the next trip waits for

/// Costs that differ most between processors.
struct ProcessorCosts {
  double gather;  // a lane of it
  double branch;  // that cannot be predicted
  double exit;    // of a short loop, which comes unexpectedly
};
const ProcessorCosts& processor() {
  // The gathers of AMD's processors, and those of AVX2, take as long as the loads one by one.
  static const bool has_gathers = has_mask_registers() && !host_name().starts_with("znver");
  static constexpr ProcessorCosts kWithGathers{1, 12, 40}, kWithout{2, 4, 0};
  return has_gathers ? kWithGathers : kWithout;
}

class Estimate {
 public:
  Estimate(const ir::Kernel& kernel, const passes::Divergence& divergence, unsigned lanes)
      : kernel_(kernel), divergence_(divergence), lanes_(lanes) {}

  LaneCosts task(const ir::Task& task) {
    ir::walk(kernel_, task.body, [&](InstId id) { loops_ += kernel_[id].op == Op::For && has_unknown_trips(id); });
    return block(task.body);
  }

 private:
  LaneCosts block(BlockId block) {
    LaneCosts sum;
    if (block == BlockId::None) return sum;
    for (InstId id : kernel_[block]) {
      const LaneCosts one = cost(id);
      sum.single += one.single;
      sum.lanes += one.lanes;
    }
    return sum;
  }

  LaneCosts cost(InstId id) {
    const Inst& inst = kernel_[id];
    switch (inst.op) {
      case Op::Unary: return operation(id, of(ir::row(inst.unary_op()).cost));
      case Op::Binary: return binary(id, inst);
      case Op::Compare:
      case Op::Cast:
      case Op::Select:
      case Op::Pick:
      case Op::Fma: return operation(id, 1);
      case Op::Random: return {kRandom, kRandom * 2 * kVector};
      case Op::Call:
        return {kCall, kCall + kExtract * (inst.operand_count + kernel_.routines[inst.aux].results.size())};
      case Op::Load:
      case Op::Store: return access(inst);
      case Op::AtomicRmw: return atomic(inst);
      case Op::If: {
        const bool around = std::exchange(partly_, partly_ || divergence_.diverges(id));
        const LaneCosts yes = block(inst.blocks[0]), no = block(inst.blocks[1]);
        partly_ = around;
        if (!divergence_.diverges(id)) return {(yes.single + no.single) / 2 + 1, (yes.lanes + no.lanes) / 2 + kUniform};
        return {(yes.single + no.single) / 2 + (is_guessed(inst) ? processor().branch : 1),
                yes.lanes + no.lanes + 2 * kVector};
      }
      case Op::Loop:
      case Op::For: {
        const bool around = std::exchange(partly_, partly_ || divergence_.diverges(id));
        const LaneCosts body = this->body(id);
        partly_ = around;
        const double trips = trips_of(inst);
        if (!divergence_.diverges(id)) return {body.single * trips, body.lanes * trips};
        const double exit = inst.op == Op::For && trips == kShortTrips ? processor().exit : 0;
        return {body.single * trips + exit, (body.lanes + kTurn / lanes_) * trips * kDivergent};
      }
      default: return {};
    }
  }

  /// Whether a processor will often take the wrong arm of an If first. It need not choose where arms are selections,
  /// and the end of a loop comes once.
  bool is_guessed(const Inst& inst) const {
    const auto is_jump = [&](BlockId arm) {
      if (arm == BlockId::None || kernel_[arm].empty()) return false;
      const Op last = kernel_[kernel_[arm].back()].op;
      return last == Op::Break || last == Op::Continue;
    };
    if (is_jump(inst.blocks[0]) || is_jump(inst.blocks[1])) return false;
    const auto in_memory = [&](InstId id) {
      return kernel_[id].op == Op::Load && !divergence_.is_variable(kernel_.operands_of(id)[0]);
    };
    return std::ranges::any_of(kernel_.operands_of(kernel_.operands_of(inst)[0]), in_memory) ||
           !is_selection(inst.blocks[0]) || !is_selection(inst.blocks[1]);
  }

  bool is_selection(BlockId arm) const {
    if (arm == BlockId::None) return true;
    return kernel_[arm].size() <= kSelection && std::ranges::all_of(kernel_[arm], [&](InstId id) {
             if (kernel_[id].blocks[0] != BlockId::None) return false;
             return !ir::accesses_memory(kernel_[id].op) || divergence_.is_variable(kernel_.operands_of(id)[0]);
           });
  }

  LaneCosts binary(InstId id, const Inst& inst) const {
    const ir::BinaryOp op = inst.binary_op();
    if (op == ir::BinaryOp::Div) return operation(id, kSlow);
    const double cost = of(ir::row(op).cost);
    if (cost == 1 || ir::is_float(inst.type) || divergence_.step(id)) return operation(id, cost);
    // Processors divide no vectors of integers. Constants divide by products.
    if (kernel_[kernel_.operands_of(id)[1]].op == Op::Const) return operation(id, kSlow / 2);
    return {cost, cost + kExtract};
  }

  double of(ir::Cost cost) const { return cost == ir::Cost::Cheap ? 1 : cost == ir::Cost::Slow ? kSlow : kLibrary; }

  LaneCosts operation(InstId id, double cost) const {
    const ir::Type type = kernel_[id].type;
    const double width = ir::bit_width(type) == 64 ? 2 : 1;
    const double alone = in_vectors_ ? cost * kVector * width : ir::is_float(type) ? cost * kLatency : cost;
    return {alone, cost * (divergence_.step(id) ? kUniform : kVector * width)};
  }

  LaneCosts access(const Inst& inst) const {
    const InstId place = kernel_.operands_of(inst)[0];
    const Op kind = kernel_[place].op;
    if (kind == Op::Alloca) return {};
    if (kind == Op::LocalPtr) {
      if (divergence_.is_uniform(kernel_.operands_of(place)[1])) return {1, kVector};
      return {1, inst.op == Op::Load ? processor().gather : kScatter};
    }
    if (in_vectors_ && inst.op == Op::Load && !follows(place, 0)) return {};  // it moves in front of the loop
    const double alone = !in_vectors_ ? 1 : is_in_order(place) ? kVector : processor().gather;
    if (divergence_.is_uniform(place)) return {alone, kUniform};
    const int64_t distance = kind == Op::ElementPtr ? divergence_.distance(place).value_or(0) : 0;
    const int64_t size = ir::size_in_bytes(kernel_[place].type);
    const double masked = inst.op == Op::Store && partly_ && !has_mask_registers() ? kMaskedStore : 0;
    if (distance == size) return {alone, kVector + masked};
    if (distance % size == 0 && distance > size && distance <= kLongestRecord * size)
      return {alone, inst.op == Op::Load ? kPick : kPut + masked};
    return {alone, inst.op == Op::Load ? processor().gather : kScatter};
  }

  LaneCosts atomic(const Inst& inst) const {
    const InstId place = kernel_.operands_of(inst)[0];
    if (divergence_.is_variable(place)) return {1, kVector};
    if (divergence_.is_own(place)) return {kAtomic, kPick + kPut};
    if (divergence_.is_uniform(place)) return {1, 4 * kVector};
    return {kAtomic, kLaneAtomic};
  }

  /// The body of a loop. LLVM can make vectors of its iterations where these are straight.
  LaneCosts body(InstId loop) {
    const Inst& inst = kernel_[loop];
    if (!has_independent_iterations(kernel_, inst)) return block(inst.blocks[0]);
    in_vectors_ = true;
    inner_ = loop;
    const LaneCosts costs = block(inst.blocks[0]);
    in_vectors_ = false;
    return costs;
  }

  /// Whether the places of iterations of the inner loop follow each other, or are the same.
  bool is_in_order(InstId place) const {
    if (kernel_[place].op != Op::ElementPtr) return true;
    const ir::Array& array = kernel_.arrays[kernel_[place].aux];
    const auto operands = kernel_.operands_of(place);
    const size_t rank = static_cast<size_t>(array.rank);
    bool any = false;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!follows(operands[i], 0)) continue;
      if (!has_step(operands[i])) return false;
      any = true;
      const size_t last = array.layout.order.empty() ? rank - 1 : static_cast<size_t>(array.layout.order.back());
      if (i != last) return false;
    }
    return !any || array.layout.components == 1;
  }

  /// Whether a value is the index of the inner loop, or a sum of it.
  bool has_step(InstId id) const {
    const Inst& inst = kernel_[id];
    const auto operands = kernel_.operands_of(id);
    switch (inst.op) {
      case Op::LoopIndex: return inst.aux_inst() == inner_;
      case Op::Cast: return has_step(operands[0]);
      case Op::Load: return divergence_.only_value(id) && has_step(*divergence_.only_value(id));
      case Op::Binary: {
        const bool first = follows(operands[0], 0), second = follows(operands[1], 0);
        if (inst.binary_op() == ir::BinaryOp::Sub) return first && !second && has_step(operands[0]);
        return inst.binary_op() == ir::BinaryOp::Add && first != second && has_step(operands[first ? 0 : 1]);
      }
      default: return false;
    }
  }

  /// Whether a value depends on the index of the inner loop.
  bool follows(InstId id, int depth) const {
    const Inst& inst = kernel_[id];
    if (inst.op == Op::LoopIndex) return inst.aux_inst() == inner_;
    if (inst.op == Op::Load) {
      const auto only = divergence_.only_value(id);
      return only && depth < kDeepest && follows(*only, depth + 1);
    }
    if (depth == kDeepest) return true;
    return std::ranges::any_of(kernel_.operands_of(id), [&](InstId operand) { return follows(operand, depth + 1); });
  }

  bool has_unknown_trips(InstId loop) const {
    return std::ranges::any_of(kernel_.operands_of(loop), [&](InstId bound) { return kernel_[bound].op != Op::Const; });
  }

  double trips_of(const Inst& loop) const {
    if (loop.op == Op::Loop) return kTrips;
    const double unknown = loops_ < kSeveral ? kTrips : kShortTrips;
    double trips = 1;
    const auto bounds = kernel_.operands_of(loop);
    for (size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const Inst &begin = kernel_[bounds[i]], &end = kernel_[bounds[i + 1]];
      const bool known = begin.op == Op::Const && end.op == Op::Const;
      trips *= known ? static_cast<double>(std::clamp<int64_t>(end.integer() - begin.integer(), 0, 1 << 20)) : unknown;
    }
    return trips;
  }

  static constexpr int kDeepest = 8;
  static constexpr size_t kSelection = 6;

  const ir::Kernel& kernel_;
  const passes::Divergence& divergence_;
  const double lanes_;
  int loops_ = 0;            // of the task, whose trips are not known
  bool partly_ = false;      // in control flow that not all lanes take
  bool in_vectors_ = false;  // in a loop that LLVM makes vectors of, where iterations of the task run alone
  InstId inner_ = InstId::None;
};

}  // namespace

LaneCosts lane_costs(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence,
                     unsigned lanes) {
  return Estimate(kernel, divergence, lanes).task(task);
}

}  // namespace qd::codegen
