// Constants, locations, blocks that may run speculatively, and going back to an earlier state.
#include "runtime/frontend/state/kernel_builder.h"

#include <bit>

#include "runtime/frontend/constants/number_arithmetic.h"
#include "runtime/ir/half.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

// Number of instructions above which a branch is cheaper than evaluating both sides.
constexpr size_t kMaxSpeculated = 12;

}  // namespace

InstId KernelBuilder::constant(Type type, const Value& number) {
  Value v = convert(number, type);
  uint64_t bits = 0;
  if (type == Type::F16) {
    bits = ir::half_from_double(as_double(v));
  } else if (type == Type::F32) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(as_double(v)));
  } else if (type == Type::F64) {
    bits = std::bit_cast<uint64_t>(as_double(v));
  } else {
    bits = as_big_integer(v)->low_bits();
  }
  return constant(type, bits);
}

uint32_t KernelBuilder::location_of(const syntax::Range& range) {
  const FunctionState& function = functions_.back();
  if (function.library_call) return *function.library_call;
  auto key = std::make_tuple(function.row, function.line_of(range), range.col, function.caller);
  auto [it, fresh] = locations_.try_emplace(key, static_cast<uint32_t>(kernel.locations.size()));
  if (fresh) kernel.locations.push_back({function.row, function.line_of(range), range.col, function.caller});
  return it->second;
}

bool KernelBuilder::speculatable(ir::BlockId block) const {
  size_t size = 0;
  for (InstId id : kernel[block]) {
    const ir::Inst& inst = kernel[id];
    if (ir::only_observes(inst.op) && inst.op != Op::Probe) continue;  // a probe fires if control came by
    if (++size > kMaxSpeculated) return false;
    if (inst.op == Op::Load && kernel[kernel.operands_of(inst)[0]].op == Op::Alloca) continue;
    if (!ir::has_value(inst.op) || ir::result_kind(inst.op) == ir::ResultKind::Pointer ||
        ir::has_effect(inst.op, ~unsigned{ir::kHere}))
      return false;
    if (inst.op == Op::Unary && ir::row(inst.unary_op()).cost != ir::Cost::Cheap) return false;
    if (inst.op == Op::Binary && ir::row(inst.binary_op()).cost != ir::Cost::Cheap) return false;
  }
  return true;
}

void KernelBuilder::splice(ir::BlockId from, InstId test, bool when) {
  std::vector<InstId> insts = std::move(kernel[from]);
  kernel[from].clear();
  for (InstId id : insts) {
    if (kernel[id].op != Op::Decide) continue;
    std::vector<InstId> tests(kernel.operands_of(id).begin(), kernel.operands_of(id).end());
    kernel[id].imm |= uint64_t{when} << tests.size();
    tests.push_back(test);
    kernel[id].operand_begin = static_cast<uint32_t>(kernel.operands.size());
    kernel[id].operand_count = static_cast<uint16_t>(tests.size());
    kernel.operands.insert(kernel.operands.end(), tests.begin(), tests.end());
  }
  std::vector<InstId>& here = kernel[block()];
  here.insert(here.end(), insts.begin(), insts.end());
}

KernelBuilder::Mark KernelBuilder::mark() const {
  // A new table does not compile before it is listed here. Of the last eleven, the front end fills only those
  // of checkpoints, which are not lowered on trial.
  const auto& [name, params, arrays, results, functions, locations, loops, formats, variants, probes, decisions,
               routines, insts, operands, blocks, body, tasks, schedule, global_temps, kept_temps, checkpoints,
               end_probes, begin_counter, end_counter, counters] = kernel;
  return {params.size(),  arrays.size(),   functions.size(), locations.size(), loops.size(),
          formats.size(), variants.size(), probes.size(),    decisions.size(), routines.size(),
          insts.size(),   operands.size(), blocks.size()};
}

void KernelBuilder::rewind(const Mark& mark) {
  auto cut = [](auto& table, size_t size) { table.erase(table.begin() + static_cast<ptrdiff_t>(size), table.end()); };
  cut(kernel.params, mark.params), cut(kernel.arrays, mark.arrays), cut(kernel.functions, mark.functions);
  cut(kernel.locations, mark.locations), cut(kernel.loops, mark.loops), cut(kernel.formats, mark.formats);
  cut(kernel.variants, mark.variants);
  cut(kernel.probes, mark.probes), cut(kernel.decisions, mark.decisions), cut(kernel.routines, mark.routines);
  cut(kernel.insts, mark.insts), cut(kernel.operands, mark.operands), cut(kernel.blocks, mark.blocks);
  for (ir::Array& array : kernel.arrays) {
    if (array.gradient != ir::Array::kNone && array.gradient >= mark.arrays) array.gradient = ir::Array::kNone;
  }
  forget_rows(locations_, mark.locations);
}

}  // namespace qd::frontend
