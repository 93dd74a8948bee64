// Builder of kernel IR: adds instructions to a kernel.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// Appends instructions to a block, or to a list of which a pass will make a block; each gets the builder's location. A
/// builder with neither adds instructions to the kernel, but to no block.
class Builder {
 public:
  explicit Builder(Kernel& kernel, BlockId block = BlockId::None, uint32_t location = 0)
      : kernel_(kernel), block_(block), location_(location) {}
  Builder(Kernel& kernel, std::vector<InstId>& list, uint32_t location)
      : kernel_(kernel), list_(&list), location_(location) {}

  BlockId block() const { return block_; }
  uint32_t location() const { return location_; }
  void set_block(BlockId block) { block_ = block; }
  void set_location(uint32_t location) { location_ = location; }

  /// Saved state of a builder. At its end, the builder goes back to the place and location that it began with.
  class Scope {
   public:
    explicit Scope(Builder& builder)
        : builder_(builder), list_(builder.list_), block_(builder.block_), location_(builder.location_) {}
    Scope(Builder& builder, BlockId block) : Scope(builder) {
      builder.list_ = nullptr;
      builder.block_ = block;
    }
    Scope(Builder& builder, uint32_t location) : Scope(builder) { builder.location_ = location; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      builder_.list_ = list_;
      builder_.block_ = block_;
      builder_.location_ = location_;
    }

   private:
    Builder& builder_;
    std::vector<InstId>* list_;
    BlockId block_;
    uint32_t location_;
  };

  InstId inst(Op op, Type type, std::span<const InstId> operands, uint32_t aux = 0, uint64_t imm = 0);
  InstId inst(Op op, Type type, std::initializer_list<InstId> operands = {}, uint32_t aux = 0, uint64_t imm = 0) {
    return inst(op, type, std::span(operands.begin(), operands.size()), aux, imm);
  }
  /// Adds an instruction with the operation, type, aux, imm, location and blocks of another one.
  InstId like(const Inst& inst, std::span<const InstId> operands);

  /// `bits`: as Imm::Bits.
  InstId constant(Type type, uint64_t bits) { return inst(Op::Const, type, {}, 0, bits); }
  /// An Alloca; `length` as Imm::Length.
  InstId variable(Type type, uint64_t length = 0) { return inst(Op::Alloca, type, {}, 0, length); }
  InstId global_temp(Type type, uint32_t slot, uint64_t length = 0) {
    return inst(Op::GlobalTemp, type, {}, slot, length);
  }
  InstId load(InstId place) { return inst(Op::Load, kernel_[place].type, {place}); }
  void store(InstId place, InstId value) { inst(Op::Store, Type::Void, {place, value}); }
  InstId atomic(AtomicOp op, InstId place, InstId value) {
    return inst(Op::AtomicRmw, kernel_[place].type, {place, value}, static_cast<uint32_t>(op));
  }
  /// A unary operation. The result has the operand's type, or is U1 where the operator is a test.
  InstId unary(UnaryOp op, InstId value);
  InstId binary(BinaryOp op, InstId a, InstId b) {
    return inst(Op::Binary, kernel_[a].type, {a, b}, static_cast<uint32_t>(op));
  }
  InstId compare(CompareOp op, InstId a, InstId b) {
    return inst(Op::Compare, Type::U1, {a, b}, static_cast<uint32_t>(op));
  }
  /// Casts a value; returns the value itself when it already has the type.
  InstId cast(Type type, InstId value) { return kernel_[value].type == type ? value : inst(Op::Cast, type, {value}); }
  InstId select(InstId test, InstId yes, InstId no) { return inst(Op::Select, kernel_[yes].type, {test, yes, no}); }
  InstId fma(InstId a, InstId b, InstId c) { return inst(Op::Fma, kernel_[a].type, {a, b, c}); }
  /// An If. The two add the instructions of its blocks, with this builder.
  template <class Then, class Otherwise>
  void choose(InstId test, Then&& then, Otherwise&& otherwise) {
    const InstId choice = inst(Op::If, Type::Void, {test});
    const BlockId yes = kernel_.add_block(), no = kernel_.add_block();
    kernel_[choice].blocks = {yes, no};
    const Scope back(*this, yes);
    then();
    block_ = no;
    otherwise();
  }
  template <class Then>
  void when(InstId test, Then&& then) {
    choose(test, then, [] {});
  }

 private:
  InstId place(InstId id);

  Kernel& kernel_;
  std::vector<InstId>* list_ = nullptr;
  BlockId block_ = BlockId::None;
  uint32_t location_;
};

}  // namespace qd::ir
