#include "runtime/codegen/llvm/formula.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/llvm/arithmetic.h"

namespace qd::codegen {
namespace {

using ir::InstId;
using ir::Op;
using llvm::Value;

/// The bits of a register that holds floats.
constexpr unsigned kRegister = 128;

class FormulaEmitter {
 public:
  FormulaEmitter(const ir::Kernel& kernel, llvm::Function& function, Integers integers)
      : kernel_(kernel),
        function_(function),
        b_(function.getContext()),
        arithmetic_(b_, /*fast_math=*/false),
        integers_(integers) {
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(function.getReturnType()))
      lanes_ = vector->getNumElements();
  }

  void run() {
    b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "entry", &function_));
    emit_block(kernel_.routines[0].body);
  }

 private:
  /// Number of lanes of a value of the type; 0: a number. An integer beside floats is the first one of a vector.
  unsigned lanes(ir::Type type) const {
    if (lanes_ || integers_ == Integers::Apart || ir::is_float(type) || type == ir::Type::U1) return lanes_;
    return kRegister / ir::bit_width(type);
  }
  llvm::Type* type(ir::Type type) {
    llvm::Type* one = arithmetic_.type(type);
    return lanes(type) ? llvm::FixedVectorType::get(one, lanes(type)) : one;
  }
  Value* constant(const ir::Inst& inst) {
    llvm::Constant* one = arithmetic_.constant(inst.type, inst.imm);
    const unsigned count = lanes(inst.type);
    return count ? llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(count), one) : one;
  }
  Value* first(Value* vector) { return b_.CreateExtractElement(vector, uint64_t{0}); }
  /// A value of the type, for instructions that take no integers beside floats.
  Value* outside(ir::Type type, Value* value) { return lanes(type) == lanes_ ? value : first(value); }
  /// The first lanes of a vector; with more of them, the others hold anything.
  Value* resized(Value* vector, unsigned count) {
    const unsigned given = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
    if (given == count) return vector;
    std::vector<int> order(count, llvm::PoisonMaskElem);
    std::iota(order.begin(), order.begin() + std::min(given, count), 0);
    return b_.CreateShuffleVector(vector, order);
  }

  void emit_block(ir::BlockId block) {
    for (InstId id : kernel_[block]) emit_inst(id);
  }

  void emit_inst(InstId id) {
    const ir::Inst& inst = kernel_[id];
    auto operands = kernel_.operands_of(inst);
    auto operand = [&](size_t i) { return values_.at(operands[i]); };
    auto operand_type = [&](size_t i) { return kernel_[operands[i]].type; };
    switch (inst.op) {
      case Op::Const: values_[id] = constant(inst); return;
      case Op::CallArg: values_[id] = function_.getArg(inst.aux); return;
      case Op::Unary: values_[id] = arithmetic_.unary(inst.unary_op(), operand_type(0), inst.type, operand(0)); return;
      case Op::Binary: values_[id] = arithmetic_.binary(inst.binary_op(), inst.type, operand(0), operand(1)); return;
      case Op::Compare:
        values_[id] = arithmetic_.compare(inst.compare_op(), operand_type(0), outside(operand_type(0), operand(0)),
                                          outside(operand_type(0), operand(1)));
        return;
      case Op::Cast: values_[id] = cast(operand_type(0), inst.type, operand(0)); return;
      case Op::BitCast: values_[id] = bit_cast(operand_type(0), inst.type, operand(0)); return;
      case Op::Select: values_[id] = b_.CreateSelect(operand(0), operand(1), operand(2)); return;
      case Op::Pick: {
        std::vector<Value*> choices;
        for (size_t i = 1; i < operands.size(); ++i) choices.push_back(operand(i));
        values_[id] = arithmetic_.pick(outside(operand_type(0), operand(0)), choices);
        return;
      }
      case Op::Fma: values_[id] = arithmetic_.fma(operand(0), operand(1), operand(2)); return;
      case Op::Alloca: variables_[id] = llvm::Constant::getNullValue(type(inst.type)); return;
      case Op::Store: variables_[operands[0]] = operand(1); return;
      case Op::Load: values_[id] = variables_.at(operands[0]); return;
      case Op::If: emit_if(inst); return;
      case Op::Return: b_.CreateRet(operand(0)); return;
      default: throw std::logic_error("a formula with an operation that none should have");
    }
  }

  Value* cast(ir::Type from, ir::Type to, Value* x) {
    if (ir::is_float(from) != ir::is_float(to)) throw std::logic_error("a formula that converts between kinds");
    if (ir::is_float(to)) return b_.CreateFPCast(x, type(to));
    const unsigned given = lanes(from), wanted = lanes(to);
    if (given == wanted) return b_.CreateIntCast(x, type(to), ir::is_signed(from));
    x = b_.CreateIntCast(resized(x, std::min(given, wanted)),
                         llvm::FixedVectorType::get(arithmetic_.type(to), std::min(given, wanted)),
                         ir::is_signed(from));
    return resized(x, wanted);
  }

  Value* bit_cast(ir::Type from, ir::Type to, Value* x) {
    if (lanes(from) == lanes(to)) return b_.CreateBitCast(x, type(to));
    if (ir::is_float(to)) return first(b_.CreateBitCast(x, llvm::FixedVectorType::get(type(to), lanes(from))));
    auto* register_type = llvm::FixedVectorType::get(type(from), lanes(to));
    Value* whole = b_.CreateInsertElement(llvm::PoisonValue::get(register_type), x, uint64_t{0});
    return b_.CreateBitCast(whole, type(to));
  }

  /// Values of variables at the end of an arm of an If, and the last block of the arm.
  struct Arm {
    llvm::BasicBlock* end;
    std::map<InstId, Value*> variables;
  };

  /// The block of an arm, which goes on at `merge`. Lanes with a false test keep their values.
  Arm emit_arm(llvm::BasicBlock* begin, llvm::BasicBlock* merge, ir::BlockId block, Value* test) {
    const std::map<InstId, Value*> old = variables_;
    b_.SetInsertPoint(begin);
    emit_block(block);
    for (const auto& [variable, value] : old) {
      Value*& now = variables_.at(variable);
      if (lanes_ && now != value) now = b_.CreateSelect(test, now, value);
    }
    const Arm arm{b_.GetInsertBlock(), variables_};
    b_.CreateBr(merge);
    variables_ = old;
    return arm;
  }

  /// Emits an If. With a second block, which formulas for numbers alone have, the first one is usual; else it is rare.
  void emit_if(const ir::Inst& inst) {
    Value* test = values_.at(kernel_.operands_of(inst)[0]);
    Value* any = lanes_ ? b_.CreateOrReduce(test) : test;
    const bool both = !kernel_[inst.blocks[1]].empty();
    llvm::BasicBlock* before = b_.GetInsertBlock();
    auto block = [&](const char* name) { return llvm::BasicBlock::Create(b_.getContext(), name, &function_); };
    llvm::BasicBlock *then = block("then"), *otherwise = both ? block("otherwise") : nullptr, *merge = block("merge");
    b_.CreateCondBr(any, then, both ? otherwise : merge,
                    llvm::MDBuilder(b_.getContext()).createBranchWeights(both ? 1000 : 1, both ? 1 : 1000));
    const Arm one = emit_arm(then, merge, inst.blocks[0], test);
    const Arm other = both ? emit_arm(otherwise, merge, inst.blocks[1], test) : Arm{before, variables_};
    b_.SetInsertPoint(merge);
    for (auto& [variable, value] : variables_) {
      Value *here = one.variables.at(variable), *there = other.variables.at(variable);
      if (here == there) continue;
      llvm::PHINode* phi = b_.CreatePHI(here->getType(), 2);
      phi->addIncoming(here, one.end);
      phi->addIncoming(there, other.end);
      value = phi;
    }
  }

  const ir::Kernel& kernel_;
  llvm::Function& function_;
  llvm::IRBuilder<> b_;
  Arithmetic arithmetic_;
  const Integers integers_;
  unsigned lanes_ = 0;  // 0: numbers
  std::unordered_map<InstId, Value*> values_;
  std::map<InstId, Value*> variables_;  // the present value of each
};

}  // namespace

void emit_formula(const ir::Kernel& formula, llvm::Function& function, Integers integers) {
  FormulaEmitter(formula, function, integers).run();
}

}  // namespace qd::codegen
