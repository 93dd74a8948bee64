// Writes instructions and their operands into the flat arrays of a kernel.
#include "runtime/ir/builder.h"

namespace qd::ir {

InstId Builder::inst(Op op, Type type, std::span<const InstId> operands, uint32_t aux, uint64_t imm) {
  return place(kernel_.add({.op = op, .type = type, .aux = aux, .location = location_, .imm = imm}, operands));
}

InstId Builder::like(const Inst& inst, std::span<const InstId> operands) { return place(kernel_.add(inst, operands)); }

InstId Builder::place(InstId id) {
  if (list_) {
    list_->push_back(id);
  } else if (block_ != BlockId::None) {
    kernel_[block_].push_back(id);
  }
  return id;
}

InstId Builder::unary(UnaryOp op, InstId value) {
  const Numbers numbers = row(op).numbers;
  const Type type = numbers == Numbers::Truth || numbers == Numbers::Test ? Type::U1 : kernel_[value].type;
  return inst(Op::Unary, type, {value}, static_cast<uint32_t>(op));
}

}  // namespace qd::ir
