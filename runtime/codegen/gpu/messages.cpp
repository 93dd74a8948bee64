// Prints, warnings and asserts: messages in the memory that abi/device_launch.h describes.
#include <stdexcept>

#include "runtime/codegen/gpu/emitter.h"

namespace qd::codegen::gpu {

using llvm::Value;

namespace {

uint64_t first_word(DeviceMessageKind kind, uint32_t format, size_t values) {
  return static_cast<uint64_t>(kind) | uint64_t{format} << 8 | uint64_t{values} << 40;
}

/// A function of the module, for code that is not worth a place in each caller.
llvm::Function* own_function(llvm::Module& llvm_module, const char* name, llvm::FunctionType* type) {
  auto* function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, llvm_module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->setDoesNotThrow();
  return function;
}

}  // namespace

void Emitter::emit_wrong(const ir::Inst& inst, llvm::BasicBlock* held) {
  if (inst.op == ir::Op::Warn) {
    tell(DeviceMessageKind::Warn, inst, 1);
    b_.CreateBr(held);
    return;
  }
  Value* failure = tell_failure(inst);
  if (failure_) b_.CreateStore(failure, failure_);
  b_.CreateBr(failed());
}

/// Writes the values of a format as words.
void Emitter::write_values(Value* address, const ir::Inst& inst, size_t first) {
  uint64_t offset = 0;
  for (ir::InstId operand : kernel_.operands_of(inst).subspan(first)) {
    Value* word = arithmetic_.to_word(kernel_[operand].type, value(operand));
    b_.CreateAlignedStore(word, beyond(b_, address, offset), llvm::Align(8));
    offset += 8;
  }
}

void Emitter::tell(DeviceMessageKind kind, const ir::Inst& inst, size_t first) {
  const size_t values = inst.operand_count - first;
  Value* words = b_.getInt32(static_cast<uint32_t>(values + 1));
  Value* room = b_.CreateCall(room_for_message(), {messages(), words});
  when(b_.CreateIsNotNull(room), [&] {
    b_.CreateAlignedStore(b_.getInt64(first_word(kind, inst.aux, values)), room, llvm::Align(8));
    write_values(beyond(b_, room, 8), inst, first);
  });
}

/// A function that takes the address of the messages and a number of words. It gives the address of room for as many;
/// or null, and counts a lost message. Once there is no room, nothing is taken any more, so that `next` cannot wrap.
llvm::Function* Emitter::room_for_message() {
  const char* name = "qd.room";
  if (llvm::Function* known = shared_.llvm_module.getFunction(name)) return known;
  llvm::Type* pointer = global_pointer();
  auto* type = llvm::FunctionType::get(pointer, {pointer, b_.getInt32Ty()}, false);
  llvm::Function* function = own_function(shared_.llvm_module, name, type);
  llvm::LLVMContext& llvm_context = b_.getContext();
  auto block = [&](const char* block_name) { return llvm::BasicBlock::Create(llvm_context, block_name, function); };
  llvm::BasicBlock *take = block("take"), *taken = block("taken"), *end = block("end"), *none = block("none");
  llvm::IRBuilder<> b(block("entry"));
  b.GetInsertBlock()->moveBefore(take);
  Value *messages = function->getArg(0), *words = function->getArg(1);
  const llvm::SyncScope::ID scope = hardware_.atomic_scope(llvm_context);
  constexpr auto kRelaxed = llvm::AtomicOrdering::Monotonic;
  Value* next = beyond(b, messages, offsetof(DeviceMessages, next));
  Value* capacity = b.CreateAlignedLoad(b.getInt32Ty(), beyond(b, messages, offsetof(DeviceMessages, capacity)),
                                        llvm::Align(4), "capacity");
  llvm::LoadInst* now = b.CreateAlignedLoad(b.getInt32Ty(), next, llvm::Align(4));
  now->setAtomic(kRelaxed, scope);
  b.CreateCondBr(b.CreateICmpULT(now, capacity), take, none);

  b.SetInsertPoint(take);
  auto add = [&](Value* address, Value* amount) {
    return b.CreateAtomicRMW(llvm::AtomicRMWInst::Add, address, amount, llvm::MaybeAlign(4), kRelaxed, scope);
  };
  Value* start = add(next, words);
  Value* place = word_at(b, beyond(b, messages, sizeof(DeviceMessages)), b.CreateZExt(start, b.getInt64Ty()));
  b.CreateCondBr(b.CreateICmpULE(b.CreateAdd(start, words), capacity), taken, end);
  b.SetInsertPoint(taken);
  b.CreateRet(place);
  b.SetInsertPoint(end);
  llvm::BasicBlock* mark = block("mark");
  b.CreateCondBr(b.CreateICmpULT(start, capacity), mark, none);
  b.SetInsertPoint(mark);
  b.CreateAlignedStore(b.getInt64(kNoMessage), place, llvm::Align(8));
  b.CreateBr(none);
  b.SetInsertPoint(none);
  add(beyond(b, messages, offsetof(DeviceMessages, lost)), b.getInt32(1));
  b.CreateRet(llvm::Constant::getNullValue(pointer));
  return function;
}

/// Writes the message of the first assert that fails in a launch. Gives a Failure.
Value* Emitter::tell_failure(const ir::Inst& inst) {
  const size_t values = inst.operand_count - 1;
  if (2 + values > kFailWords) throw std::runtime_error("an assert has more values than a GPU can tell of");
  Value* flags = beyond(b_, messages(), offsetof(DeviceMessages, failed));
  Value* before = b_.CreateAtomicRMW(llvm::AtomicRMWInst::Or, flags, b_.getInt32(kAssertFailed), llvm::MaybeAlign(4),
                                     llvm::AtomicOrdering::Monotonic, hardware_.atomic_scope(b_.getContext()));
  Value* first = b_.CreateICmpEQ(b_.CreateAnd(before, b_.getInt32(kAssertFailed)), b_.getInt32(0));
  when(first, [&] {
    Value* capacity = b_.CreateAlignedLoad(b_.getInt32Ty(), beyond(b_, messages(), offsetof(DeviceMessages, capacity)),
                                           llvm::Align(4));
    Value* words = beyond(b_, messages(), sizeof(DeviceMessages));
    Value* place = word_at(b_, words, b_.CreateZExt(capacity, b_.getInt64Ty()));
    b_.CreateAlignedStore(b_.getInt64(first_word(DeviceMessageKind::Fail, inst.aux, values)), place, llvm::Align(8));
    b_.CreateAlignedStore(b_.getInt64(0), beyond(b_, place, 8), llvm::Align(8));
    write_values(beyond(b_, place, 16), inst, 1);
  });
  return b_.CreateSelect(first, b_.getInt32(kTold), b_.getInt32(kFailed));
}

/// A function that takes the address of the messages and the place of a call. It adds the place to the message of the
/// assert that failed, if there is room.
llvm::Function* Emitter::add_caller() {
  const char* name = "qd.add_caller";
  if (llvm::Function* known = shared_.llvm_module.getFunction(name)) return known;
  llvm::Type* word = b_.getInt64Ty();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {global_pointer(), word}, false);
  llvm::Function* function = own_function(shared_.llvm_module, name, type);
  llvm::LLVMContext& llvm_context = b_.getContext();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(llvm_context, "entry", function));
  llvm::BasicBlock* add = llvm::BasicBlock::Create(llvm_context, "add", function);
  llvm::BasicBlock* done = llvm::BasicBlock::Create(llvm_context, "done", function);
  Value *messages = function->getArg(0), *caller = function->getArg(1);
  Value* capacity = b.CreateAlignedLoad(b.getInt32Ty(), beyond(b, messages, offsetof(DeviceMessages, capacity)),
                                        llvm::Align(4), "capacity");
  Value* message = word_at(b, beyond(b, messages, sizeof(DeviceMessages)), b.CreateZExt(capacity, word));
  Value* values = b.CreateLShr(b.CreateAlignedLoad(word, message, llvm::Align(8)), 40);
  Value* calls = b.CreateAlignedLoad(word, beyond(b, message, 8), llvm::Align(8), "calls");
  Value* position = b.CreateAdd(b.CreateAdd(values, calls), b.getInt64(2));
  b.CreateCondBr(b.CreateICmpULT(position, b.getInt64(kFailWords)), add, done);
  b.SetInsertPoint(add);
  b.CreateAlignedStore(caller, word_at(b, message, position), llvm::Align(8));
  b.CreateAlignedStore(b.CreateAdd(calls, b.getInt64(1)), beyond(b, message, 8), llvm::Align(8));
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return function;
}

}  // namespace qd::codegen::gpu
