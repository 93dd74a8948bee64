#include "tests/simulated_driver/threads/checked_code.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "tests/simulated_driver/threads/access_kind.h"

namespace qd::simulated {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

void tell(Builder& b, const char* name, const std::vector<Value*>& arguments) {
  std::vector<llvm::Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      b.GetInsertBlock()->getModule()->getOrInsertFunction(name, llvm::FunctionType::get(b.getVoidTy(), types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  b.CreateCall(callee, arguments);
}

bool is_own(const Value* pointer) { return llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0)); }

/// Addresses are numbers for the checker, in every address space. `value`: the stored value; null: it is
/// not a store, or of too many bytes.
void tell_access(Builder& b, Value* pointer, Value* bytes, AccessKind kind, Value* value) {
  if (is_own(pointer)) return;
  llvm::Type* word = b.getInt64Ty();
  tell(b, "qd_simulated_access",
       {b.CreatePtrToInt(pointer, word), b.CreateZExtOrTrunc(bytes, word), b.getInt32(static_cast<uint32_t>(kind)),
        b.getInt32(value != nullptr), value ? value : b.getInt64(0)});
}

/// The value as a number of 64 bits; null: it has more.
Value* as_word(Builder& b, Value* value, uint64_t bits) {
  if (bits > 64) return nullptr;
  if (value->getType()->isPointerTy()) return b.CreatePtrToInt(value, b.getInt64Ty());
  if (value->getType()->isIntegerTy()) return b.CreateZExt(value, b.getInt64Ty());
  return b.CreateZExt(b.CreateBitCast(value, b.getIntNTy(static_cast<unsigned>(bits))), b.getInt64Ty());
}

void check(llvm::Instruction& inst) {
  Builder b(&inst);
  const llvm::DataLayout& layout = inst.getModule()->getDataLayout();
  auto size = [&](llvm::Type* type) { return b.getInt64(layout.getTypeStoreSize(type)); };
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst)) {
    tell_access(b, load->getPointerOperand(), size(load->getType()),
                load->isAtomic() || load->isVolatile() ? AccessKind::AtomicLoad : AccessKind::Load, nullptr);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst)) {
    if (is_own(store->getPointerOperand())) return;
    Value* value = store->getValueOperand();
    tell_access(b, store->getPointerOperand(), size(value->getType()),
                store->isAtomic() ? AccessKind::Atomic : AccessKind::Store,
                as_word(b, value, layout.getTypeSizeInBits(value->getType())));
  } else if (auto* rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst)) {
    tell_access(b, rmw->getPointerOperand(), size(rmw->getType()), AccessKind::Atomic, nullptr);
  } else if (auto* cas = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&inst)) {
    tell_access(b, cas->getPointerOperand(), size(cas->getNewValOperand()->getType()), AccessKind::Atomic, nullptr);
  } else if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&inst)) {
    tell_access(b, transfer->getRawSource(), transfer->getLength(), AccessKind::Load, nullptr);
    tell_access(b, transfer->getRawDest(), transfer->getLength(), AccessKind::Store, nullptr);
  } else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&inst)) {
    tell_access(b, fill->getRawDest(), fill->getLength(), AccessKind::Store, nullptr);
  }
}

}  // namespace

void check_accesses(llvm::Function& function) {
  std::vector<llvm::Instruction*> all;
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    if (inst.mayReadOrWriteMemory()) all.push_back(&inst);
  }
  for (llvm::Instruction* inst : all) check(*inst);
  // They said which memory the function leaves alone.
  function.removeFnAttr(llvm::Attribute::Memory);
}

void tell_line(Builder& b, const ir::Kernel& kernel, const ir::Inst* inst) {
  if (!inst) return tell(b, "qd_simulated_line", {llvm::ConstantPointerNull::get(b.getPtrTy())});
  if (!ir::has_effect(inst->op, ir::kReads | ir::kWrites) || inst->location >= kernel.locations.size()) return;
  const ir::Location& location = kernel.locations[inst->location];
  const std::string text = fmt::format("{}:{}", kernel.functions[location.function].file, location.line);
  llvm::Module& llvm_module = *b.GetInsertBlock()->getModule();
  llvm::GlobalVariable* known = llvm_module.getNamedGlobal("line " + text);
  if (!known) {
    llvm::Constant* data = llvm::ConstantDataArray::getString(b.getContext(), text);
    known = new llvm::GlobalVariable(llvm_module, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data,
                                     "line " + text);
  }
  tell(b, "qd_simulated_line", {known});
}

void tell_fence(Builder& b, ir::Scope scope) {
  tell(b, "qd_simulated_fence", {b.getInt32(static_cast<uint32_t>(scope))});
}

}  // namespace qd::simulated
