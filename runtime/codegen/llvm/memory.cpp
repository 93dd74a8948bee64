// Addresses of elements, temporaries and locals, with their aliasing for the optimiser.
#include <llvm/IR/MDBuilder.h>

#include "runtime/codegen/llvm/function_emitter.h"

namespace qd::codegen {

using ir::Op;
using ir::Type;
using llvm::Value;

namespace {

/// Largest depth of an index expression that is computed again in 64 bits.
constexpr int kMaxIndexDepth = 6;

}  // namespace

/// An index in 64 bits. Sums and products of i32 are computed again in 64 bits, where they cannot wrap. So the
/// vectoriser sees that x[i + 1] is the neighbour of x[i]. An index that does wrap in 32 bits is outside of any array
/// anyway.
Value* FunctionEmitter::wide_index(ir::InstId id, int depth) {
  const ir::Inst& inst = kernel_[id];
  llvm::Type* word = b_.getInt64Ty();
  if (inst.op == Op::LoopIndex) return indices_.at(inst.aux_inst())[inst.axis()];
  if (inst.op == Op::Cast && inst.type == Type::I64) {
    const ir::InstId from = kernel_.operands_of(inst)[0];
    if (kernel_[from].op == Op::LoopIndex && kernel_[from].type == Type::U32) return wide_index(from, depth);
  }
  if (inst.type == Type::I32 && depth < kMaxIndexDepth) {
    auto operands = kernel_.operands_of(inst);
    if (inst.op == Op::Load) {
      auto single = single_stores_.find(operands[0]);
      if (single != single_stores_.end()) return wide_index(single->second, depth);
    }
    if (inst.op == Op::Binary) {
      auto wide = [&](size_t i) { return wide_index(operands[i], depth + 1); };
      switch (inst.binary_op()) {
        case ir::BinaryOp::Add: return b_.CreateAdd(wide(0), wide(1));
        case ir::BinaryOp::Sub: return b_.CreateSub(wide(0), wide(1));
        case ir::BinaryOp::Mul: return b_.CreateMul(wide(0), wide(1));
        default: break;
      }
    }
  }
  return b_.CreateIntCast(value(id), word, ir::is_signed(inst.type));
}

Value* FunctionEmitter::element_address(const ir::Inst& inst, bool first_component) {
  Value* offset = nullptr;
  auto operands = kernel_.operands_of(inst);
  const ir::Array& info = kernel_.arrays[inst.aux];
  for (uint32_t i = 0; i < static_cast<uint32_t>(info.rank); ++i) {
    const uint32_t axis = info.layout.order.empty() ? i : static_cast<uint32_t>(info.layout.order[i]);
    Value* index = wide_index(operands[axis], 0);
    if (offset) {
      Value* extent = b_.CreateZExt(array_shape(inst.aux, axis), b_.getInt64Ty());
      offset = b_.CreateNSWAdd(b_.CreateNSWMul(offset, extent), index);
    } else {
      offset = index;
    }
  }
  Value* data = array_data(inst.aux);
  llvm::Type* number = arithmetic_.memory_type(inst.type);
  const int64_t size = ir::size_in_bytes(inst.type);
  const int64_t stride = info.layout.stride ? info.layout.stride : size * info.layout.components;
  const int64_t component_stride = info.layout.component_stride ? info.layout.component_stride : size;
  // The address is computed in units of numbers, instead of bytes, where that is possible, and an element with several
  // components is an array of them: so the vectoriser computes one address for all components.
  const bool whole = stride % size == 0 && component_stride % size == 0;
  const int64_t unit = whole ? size : 1;
  llvm::Type* step = whole ? number : b_.getInt8Ty();
  auto steps = [&](Value* count, int64_t bytes) {
    return bytes == unit ? count : b_.CreateNSWMul(count, b_.getInt64(static_cast<uint64_t>(bytes / unit)));
  };
  if (info.layout.components == 1 || first_component)
    return offset ? b_.CreateInBoundsGEP(step, data, steps(offset, stride)) : data;
  Value* component = steps(wide_index(operands.back(), 0), component_stride);
  if (!offset) return b_.CreateInBoundsGEP(step, data, component);
  llvm::Type* element = llvm::ArrayType::get(step, static_cast<uint64_t>(stride / unit));
  return b_.CreateInBoundsGEP(element, data, {offset, component});
}

/// The place of an element of a local array. Each element has a word in the temps.
FunctionEmitter::MemoryOperand FunctionEmitter::local_element(const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  MemoryOperand place = operands_.at(operands[0]);
  llvm::Type* element = place.kind == Op::GlobalTemp ? b_.getInt64Ty() : arithmetic_.memory_type(inst.type);
  place.address = b_.CreateInBoundsGEP(element, place.address, wide_index(operands[1], 0));
  return place;
}

/// The address of a GlobalTemp or an ElementPtr.
Value* FunctionEmitter::place_address(const ir::Inst& inst) {
  if (inst.op == Op::ElementPtr) return element_address(inst);
  return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), temps(), inst.aux);
}

llvm::AllocaInst* FunctionEmitter::local(llvm::Type* type, const char* name) {
  const unsigned space = function_->getParent()->getDataLayout().getAllocaAddrSpace();
  return new llvm::AllocaInst(type, space, name, function_->getEntryBlock().begin());
}

/// Adds alias metadata of LLVM to an access. The language promises that the iterations of a parallel task are
/// independent. Two fields never share memory, and nothing shares memory with temps; two parameters may share it.
void FunctionEmitter::annotate(llvm::Instruction* access, const MemoryOperand& place) {
  llvm::LLVMContext& context = b_.getContext();
  if (place.kind == Op::Alloca || place.kind == Op::Shared || place.kind == Op::Message) return;
  if (access_group_) access->setMetadata(llvm::LLVMContext::MD_access_group, access_group_);
  if (!temp_scope_) {
    llvm::MDBuilder metadata(context);
    llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
    temp_scope_ = metadata.createAnonymousAliasScope(domain);
    for (const ir::Array& array : kernel_.arrays) {
      bool alone = array.kind != ir::Array::Kind::Parameter;
      field_scopes_.push_back(alone ? metadata.createAnonymousAliasScope(domain) : nullptr);
    }
  }
  const bool temp = place.kind == Op::GlobalTemp;
  llvm::MDNode* own = temp ? temp_scope_ : field_scopes_[place.array];
  llvm::SmallVector<llvm::Metadata*> others;
  if (!temp) others.push_back(temp_scope_);
  for (llvm::MDNode* scope : field_scopes_) {
    if (own && scope && scope != own) others.push_back(scope);
  }
  if (own) access->setMetadata(llvm::LLVMContext::MD_alias_scope, llvm::MDNode::get(context, {own}));
  if (!others.empty()) access->setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::get(context, others));
}

/// Finds local variables that are stored exactly once, in the block that declares them: each has that value wherever it
/// is read.
void FunctionEmitter::find_single_stores() {
  std::unordered_map<ir::InstId, size_t> declared;
  for (size_t block = 0; block < kernel_.blocks.size(); ++block) {
    for (ir::InstId id : kernel_.blocks[block]) {
      if (kernel_[id].op == Op::Alloca) declared[id] = block;
    }
  }
  std::unordered_map<ir::InstId, int> writes;
  for (size_t block = 0; block < kernel_.blocks.size(); ++block) {
    for (ir::InstId id : kernel_.blocks[block]) {
      const ir::Inst& inst = kernel_[id];
      if (!ir::accesses_memory(inst.op) || inst.op == Op::Load) continue;
      ir::InstId place = kernel_.operands_of(inst)[0];
      bool first = ++writes[place] == 1;
      auto home = declared.find(place);
      if (first && inst.op == Op::Store && home != declared.end() && home->second == block) {
        single_stores_[place] = kernel_.operands_of(inst)[1];
      } else {
        single_stores_.erase(place);
      }
    }
  }
}

/// Stores the values of a format in an array of words.
Value* FunctionEmitter::format_values(const ir::Inst& inst, size_t first) {
  auto operands = kernel_.operands_of(inst).subspan(first);
  llvm::Type* word = b_.getInt64Ty();
  llvm::AllocaInst* words = local(llvm::ArrayType::get(word, operands.size()), "values");
  for (size_t i = 0; i < operands.size(); ++i) {
    Value* slot = b_.CreateConstInBoundsGEP1_64(word, words, i);
    b_.CreateStore(arithmetic_.to_word(kernel_[operands[i]].type, value(operands[i])), slot);
  }
  return words;
}

}  // namespace qd::codegen
