// A function of a SPIR-V module during its construction, with its control flow.
#pragma once

#include "runtime/codegen/spirv/module.h"

namespace qd::codegen::spirv {

/// Appends instructions to the current block. Its branch ends it; a new block must begin before the next instruction.
class Code {
 public:
  Code(Module& module, Id result, std::span<const Id> parameters);
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  Module& module() { return module_; }
  Id id() const { return id_; }
  Id result_type() const { return result_; }
  Id parameter(size_t i) const { return parameters_[i]; }

  /// An instruction with a result.
  Id op(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    return this->op(op, type, std::span(operands.begin(), operands.size()));
  }
  Id op(spv::Op op, Id type, std::span<const uint32_t> operands) {
    const Id id = module_.fresh();
    op_as(id, op, type, operands);
    return id;
  }
  /// An instruction whose result has an id that is in use already, such as the operand of a phi.
  void op_as(Id id, spv::Op op, Id type, std::span<const uint32_t> operands);
  /// A function of GLSL.std.450.
  Id glsl(GLSLstd450 function, Id type, std::initializer_list<Id> operands);
  /// An instruction without a result that does not end the block.
  void act(spv::Op op, std::initializer_list<uint32_t> operands) { put(*out_, op, operands); }

  /// A variable of the function; a pointer to it.
  Id variable(Id type);
  /// `access`: bits of MemoryAccessMask.
  Id load(Id type, Id pointer, uint32_t access = 0) {
    return access == 0 ? op(spv::OpLoad, type, {pointer}) : op(spv::OpLoad, type, {pointer, access});
  }
  void store(Id pointer, Id value) { act(spv::OpStore, {pointer, value}); }

  // Blocks.
  Id label() { return module_.fresh(); }
  Id block() const { return block_; }
  bool ended() const { return block_ == 0; }
  void begin(Id label);
  void branch(Id target);
  /// Ends the block with a choice. Both ways lead to `merge`, or out of the construct.
  void choose(Id condition, Id yes, Id no, Id merge);
  /// Ends the header of a loop, with a condition or without one.
  void loop(Id merge, Id next, Id body) { loop_if(0, body, 0, merge, next); }
  void loop_if(Id condition, Id body, Id otherwise, Id merge, Id next);
  /// Ends a block of a loop: goes out of the loop, or to its continue block.
  void leave_if(Id condition, Id broken, Id next);
  void give_back(Id value = 0);
  void unreachable();

  /// if (condition) then();
  template <class Then>
  void when(Id condition, Then&& then) {
    const Id inside = label(), merge = label();
    choose(condition, inside, merge, merge);
    begin(inside);
    then();
    if (!ended()) branch(merge);
    begin(merge);
  }

  /// Scope in which instructions go to the end of the function's first block. No branch may be among them.
  class AtEntry {
   public:
    explicit AtEntry(Code& code) : code_(code), out_(code.out_) { code.out_ = &code.entry_; }
    ~AtEntry() { code_.out_ = out_; }
    AtEntry(const AtEntry&) = delete;
    AtEntry& operator=(const AtEntry&) = delete;

   private:
    Code& code_;
    Words* out_;
  };

  /// Adds the function to the module.
  void finish();

 private:
  Module& module_;
  Id id_, result_, type_;
  std::vector<Id> parameter_types_, parameters_;
  Words variables_, entry_, body_;
  Words* out_ = &body_;
  Id first_, block_ = 0;
};

}  // namespace qd::codegen::spirv
