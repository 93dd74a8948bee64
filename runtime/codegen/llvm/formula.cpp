#include "runtime/codegen/llvm/formula.h"

#include <map>
#include <stdexcept>
#include <unordered_map>

#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/llvm/arithmetic.h"

namespace qd::codegen {
namespace {

using ir::InstId;
using ir::Op;
using llvm::Value;

class FormulaEmitter {
 public:
  FormulaEmitter(const ir::Kernel& kernel, llvm::Function& function)
      : kernel_(kernel), function_(function), b_(function.getContext()), arithmetic_(b_, /*fast_math=*/false) {
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(function.getReturnType()))
      lanes_ = vector->getNumElements();
  }

  void run() {
    b_.SetInsertPoint(llvm::BasicBlock::Create(b_.getContext(), "entry", &function_));
    emit_block(kernel_.routines[0].body);
  }

 private:
  llvm::Type* type(ir::Type type) {
    llvm::Type* one = arithmetic_.type(type);
    return lanes_ ? llvm::FixedVectorType::get(one, lanes_) : one;
  }
  Value* constant(const ir::Inst& inst) {
    llvm::Constant* one = arithmetic_.constant(inst.type, inst.imm);
    return lanes_ ? llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(lanes_), one) : one;
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
        values_[id] = arithmetic_.compare(inst.compare_op(), operand_type(0), operand(0), operand(1));
        return;
      case Op::Cast: values_[id] = cast(operand_type(0), inst.type, operand(0)); return;
      case Op::BitCast: values_[id] = b_.CreateBitCast(operand(0), type(inst.type)); return;
      case Op::Select: values_[id] = b_.CreateSelect(operand(0), operand(1), operand(2)); return;
      case Op::Pick: {
        std::vector<Value*> choices;
        for (size_t i = 1; i < operands.size(); ++i) choices.push_back(operand(i));
        values_[id] = arithmetic_.pick(operand(0), choices);
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
    return ir::is_float(to) ? b_.CreateFPCast(x, type(to)) : b_.CreateIntCast(x, type(to), ir::is_signed(from));
  }

  void emit_if(const ir::Inst& inst) {
    Value* test = values_.at(kernel_.operands_of(inst)[0]);
    Value* any = lanes_ ? b_.CreateOrReduce(test) : test;
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* then = llvm::BasicBlock::Create(b_.getContext(), "rare", &function_);
    llvm::BasicBlock* merge = llvm::BasicBlock::Create(b_.getContext(), "usual", &function_);
    b_.CreateCondBr(any, then, merge, llvm::MDBuilder(b_.getContext()).createBranchWeights(1, 1000));
    const std::map<InstId, Value*> old = variables_;
    b_.SetInsertPoint(then);
    emit_block(inst.blocks[0]);
    std::map<InstId, Value*> changed;
    for (const auto& [variable, value] : old) {
      Value* now = variables_.at(variable);
      if (now != value) changed[variable] = lanes_ ? b_.CreateSelect(test, now, value) : now;
    }
    llvm::BasicBlock* end = b_.GetInsertBlock();
    b_.CreateBr(merge);
    b_.SetInsertPoint(merge);
    variables_ = old;
    for (const auto& [variable, value] : changed) {
      llvm::PHINode* phi = b_.CreatePHI(value->getType(), 2);
      phi->addIncoming(old.at(variable), before);
      phi->addIncoming(value, end);
      variables_[variable] = phi;
    }
  }

  const ir::Kernel& kernel_;
  llvm::Function& function_;
  llvm::IRBuilder<> b_;
  Arithmetic arithmetic_;
  unsigned lanes_ = 0;  // 0: numbers
  std::unordered_map<InstId, Value*> values_;
  std::map<InstId, Value*> variables_;  // what each holds now
};

}  // namespace

void emit_formula(const ir::Kernel& formula, llvm::Function& function) { FormulaEmitter(formula, function).run(); }

}  // namespace qd::codegen
