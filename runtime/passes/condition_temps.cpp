// Conditions of regions, from instructions to temps.
//
//   region {                      becomes   region {
//     loop {                                  loop {
//       ...                                     ...
//       if %done {                              store (global_temp 4), cast (logical_not %done)
//         probe 3                               if %done {
//         break                                   probe 3
//       } else {                                } else {
//         probe 4                                 probe 4
//       }                                       }
//     }                                       }
//   }                                       }
#include "runtime/passes/condition_temps.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

class ConditionTemps {
 public:
  explicit ConditionTemps(ir::Kernel& kernel) : kernel_(kernel) {}

  std::map<InstId, uint32_t> run() {
    block(kernel_.body);
    return std::move(temps_);
  }

 private:
  void block(BlockId id) {
    if (id == BlockId::None) return;
    const std::vector<InstId> before = kernel_[id];
    std::vector<InstId> after;
    for (InstId inst : before) {
      if (kernel_[inst].op == Op::Region) region(inst, after);
      after.push_back(inst);
    }
    kernel_[id] = std::move(after);
  }

  void region(InstId region, std::vector<InstId>& before) {
    const BlockId inside = kernel_[region].blocks[0];
    if (kernel_[region].group() != 0) return block(inside);
    const InstId inner = kernel_[inside][0];
    for (BlockId nested : std::array(kernel_[inner].blocks)) block(nested);
    const uint32_t temp = kernel_.global_temps++;
    temps_[region] = temp;
    if (kernel_[inner].op == Op::If) {
      keep(before, kernel_[region].location, temp, kernel_.operands_of(inner)[0]);
      return;
    }
    std::vector<InstId> body = std::move(kernel_[kernel_[inner].blocks[0]]);
    const InstId last = body.empty() ? InstId::None : body.back();
    if (last == InstId::None || kernel_[last].op != Op::If || !ends_with_break(kernel_[last].blocks[0]))
      throw std::logic_error(
          fmt::format("kernel {}: a loop of its schedule does not end with its condition", kernel_.name));
    kernel_[kernel_[last].blocks[0]].pop_back();
    body.pop_back();
    ir::Builder build(kernel_, body, kernel_[last].location);
    keep(body, kernel_[last].location, temp, build.unary(ir::UnaryOp::LogicalNot, kernel_.operands_of(last)[0]));
    body.push_back(last);
    kernel_[kernel_[inner].blocks[0]] = std::move(body);
  }

  bool ends_with_break(BlockId block) const {
    return !kernel_[block].empty() && kernel_[kernel_[block].back()].op == Op::Break;
  }

  void keep(std::vector<InstId>& list, uint32_t location, uint32_t temp, InstId condition) {
    ir::Builder build(kernel_, list, location);
    build.store(build.global_temp(Type::I32, temp), build.cast(Type::I32, condition));
  }

  ir::Kernel& kernel_;
  std::map<InstId, uint32_t> temps_;
};

}  // namespace

std::map<InstId, uint32_t> condition_temps(ir::Kernel& kernel) { return ConditionTemps(kernel).run(); }

}  // namespace qd::passes
