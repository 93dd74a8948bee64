// A SPIR-V module during its construction: declarations without repetitions, and functions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp>

namespace qd::codegen::spirv {

/// Id of a result of an instruction, a type, a label. 0 is none.
using Id = uint32_t;
using Words = std::vector<uint32_t>;

/// Adds an instruction to a list of words.
void put(Words& out, spv::Op op, std::span<const uint32_t> operands);
inline void put(Words& out, spv::Op op, std::initializer_list<uint32_t> operands) {
  put(out, op, std::span(operands.begin(), operands.size()));
}
/// A text as operands: its bytes and a zero, in words.
void append_text(Words& operands, std::string_view text);

class Module {
 public:
  Id fresh() { return next_++; }
  void capability(spv::Capability capability) { capabilities_.insert(capability); }
  bool has(spv::Capability capability) const { return capabilities_.contains(capability); }
  void extension(std::string_view name) { extensions_.emplace(name); }
  /// Whether a function has a loop.
  bool has_loops() const { return has_loops_; }
  void note_loop() { has_loops_ = true; }
  /// The instruction set GLSL.std.450, which has the functions that SPIR-V itself has not.
  Id glsl();

  // Types. Integers have no sign: operations have one.
  Id void_type() { return declared(spv::OpTypeVoid, {}); }
  Id bool_type() { return declared(spv::OpTypeBool, {}); }
  Id int_type(uint32_t width) { return declared(spv::OpTypeInt, {width, 0}); }
  Id float_type(uint32_t width);
  Id pointer_type(spv::StorageClass storage, Id pointee) {
    return declared(spv::OpTypePointer, {static_cast<uint32_t>(storage), pointee});
  }
  Id vector_type(Id element, uint32_t length) { return declared(spv::OpTypeVector, {element, length}); }
  Id array_type(Id element, uint32_t length) { return declared(spv::OpTypeArray, {element, number(length)}); }
  Id struct_type(std::span<const Id> members) {
    return declared(spv::OpTypeStruct, Words(members.begin(), members.end()));
  }
  Id function_type(Id result, std::span<const Id> parameters);

  // Constants.
  Id truth(bool value) { return constant_of(value ? spv::OpConstantTrue : spv::OpConstantFalse, bool_type(), {}); }
  /// A number of 32 bits or 64.
  Id number(uint32_t value) { return constant_of(spv::OpConstant, int_type(32), {value}); }
  Id wide_number(uint64_t value) { return constant_of(spv::OpConstant, int_type(64), halves(value)); }
  Id single(uint32_t bits) { return constant_of(spv::OpConstant, float_type(32), {bits}); }
  Id real(uint64_t bits) { return constant_of(spv::OpConstant, float_type(64), halves(bits)); }
  /// Zero, of any type.
  Id null(Id type) { return constant_of(spv::OpConstantNull, type, {}); }
  /// The bits of a constant that is a number. False when the id is none.
  bool known(Id id, uint64_t& bits) const;

  /// A variable that each invocation has for itself. It begins as zero.
  Id private_variable(Id type);
  /// A variable that all invocations of a group have in common; its first value is undefined.
  Id group_variable(Id type) { return global(spv::StorageClassWorkgroup, type, 0); }
  Id input(spv::BuiltIn built_in, Id type);
  /// A storage buffer: an array of numbers of a type, which may lie in the same memory as others.
  Id storage_buffer(Id type, uint32_t size, uint32_t binding);
  /// The push constants: words of 64 bits, `count` of them.
  Id push_constants(uint32_t count);

  void decorate(Id target, spv::Decoration decoration, std::initializer_list<uint32_t> operands = {});

  void add_function(const Words& words) { functions_.insert(functions_.end(), words.begin(), words.end()); }
  /// The whole module. Its entry point is `main`, without parameters.
  Words finish(Id main, uint32_t local_size, std::span<const std::pair<spv::ExecutionMode, uint32_t>> modes) const;

 private:
  static std::vector<uint32_t> halves(uint64_t value) {
    return {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
  }
  Id declared(spv::Op op, const Words& operands);
  Id constant_of(spv::Op op, Id type, const Words& operands);
  Id global(spv::StorageClass storage, Id type, Id initial);

  Id next_ = 1;
  bool has_loops_ = false;
  std::set<spv::Capability> capabilities_;
  std::set<std::string> extensions_;
  Id glsl_ = 0;
  std::map<std::pair<spv::Op, Words>, Id> known_;
  std::map<Id, uint64_t> numbers_;
  std::map<spv::BuiltIn, Id> inputs_;
  std::map<Id, Id> buffer_types_;  // by the type of their numbers
  std::vector<Id> globals_;
  Words decorations_, declarations_, functions_;
};

}  // namespace qd::codegen::spirv
