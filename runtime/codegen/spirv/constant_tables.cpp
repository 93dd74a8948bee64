#include "runtime/codegen/spirv/constant_tables.h"

#include <algorithm>
#include <bit>

#include "runtime/ir/half.h"
#include "runtime/ir/walk.h"

namespace qd::codegen::spirv {
namespace {

using ir::InstId;
using ir::Op;
using ir::Type;

/// Number of constants up to which one is chosen by comparisons.
constexpr size_t kFewChoices = 8;

/// The words of the constants; empty where some are none.
std::vector<uint32_t> words_of(const ir::Kernel& kernel, Type type, std::span<const InstId> choices) {
  std::vector<uint32_t> words;
  for (InstId choice : choices) {
    const ir::Inst& constant = kernel[choice];
    if (constant.op != Op::Const) return {};
    uint64_t bits = constant.imm;
    if (type == Type::F16)
      bits = std::bit_cast<uint32_t>(static_cast<float>(ir::double_from_half(static_cast<uint16_t>(bits))));
    words.push_back(static_cast<uint32_t>(bits));
    if (ir::bit_width(type) == 64) words.push_back(static_cast<uint32_t>(bits >> 32));
  }
  return words;
}

}  // namespace

ConstantTables::ConstantTables(const ir::Kernel& kernel) : kernel_(&kernel) {
  std::map<std::vector<uint32_t>, uint32_t> known;
  ir::walk(kernel, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (inst.op != Op::Pick || inst.operand_count <= kFewChoices + 1) return;
    const std::vector<uint32_t> table = words_of(kernel, inst.type, kernel.operands_of(inst).subspan(1));
    if (table.empty()) return;
    const auto [found, is_new] = known.try_emplace(table, static_cast<uint32_t>(words_.size() * sizeof(uint32_t)));
    offsets_[id] = found->second;
    if (!is_new) return;
    words_.insert(words_.end(), table.begin(), table.end());
    if (words_.size() % 2 != 0) words_.push_back(0);  // words of 64 bits are aligned
  });
}

std::optional<uint32_t> ConstantTables::offset(const ir::Kernel& kernel, InstId pick) const {
  const auto found = &kernel == kernel_ ? offsets_.find(pick) : offsets_.end();
  return found == offsets_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace qd::codegen::spirv
