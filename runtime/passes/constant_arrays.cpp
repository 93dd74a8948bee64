// Tables: a local array that only ever holds constants becomes a choice among them wherever it is read.
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Largest number of choices of a Pick; an instruction has 65,535 operands at most.
constexpr size_t kMostChoices = 1 << 15;

/// A local array (an Alloca), and its uses so far.
struct LocalArray {
  BlockId block = BlockId::None;         // of its declaration
  std::map<uint64_t, InstId> values;     // that have been stored, by element; of the others, zeros
  std::vector<InstId> stores, pointers;  // in the order of the program
  bool is_read = false;
  bool is_indexed = false;   // by numbers that are known at run time only
  bool is_variable = false;  // does not hold constants alone, or not wherever it is read
};

class ConstantArrays {
 public:
  explicit ConstantArrays(ir::Kernel& kernel) : kernel_(kernel) {}

  void run() {
    const std::vector<BlockId> bodies = ir::bodies(kernel_);
    for (BlockId body : bodies) scan(body);
    std::erase_if(arrays_, [](const auto& entry) { return entry.second.is_variable || !entry.second.is_indexed; });
    if (arrays_.empty()) return;
    for (BlockId body : bodies) change(body);
    for (BlockId body : bodies) replace(kernel_, body, replacements_);
  }

 private:
  void scan(BlockId block) {
    if (block == BlockId::None) return;
    for (InstId id : kernel_[block]) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op == Op::Alloca && inst.length() > 0) {
        arrays_[id].block = block;
      } else {
        use(block, id, inst);
      }
      for (BlockId inner : inst.blocks) scan(inner);
    }
  }

  void use(BlockId block, InstId id, const ir::Inst& inst) {
    const auto operands = kernel_.operands_of(inst);
    if (inst.op == Op::LocalPtr) {
      const auto array = arrays_.find(operands[0]);
      if (array == arrays_.end()) return;
      array->second.pointers.push_back(id);
      array_of_[id] = operands[0];
      array->second.is_indexed |= kernel_[operands[1]].op != Op::Const;
    } else if (inst.op == Op::Load) {
      if (LocalArray* array = pointed_at(operands[0])) array->is_read = true;
    } else if (inst.op == Op::Store) {
      if (LocalArray* array = pointed_at(operands[0])) store(*array, block, id);
    } else {
      for (InstId operand : operands) {
        if (const auto array = arrays_.find(operand); array != arrays_.end()) array->second.is_variable = true;
        if (LocalArray* array = pointed_at(operand)) array->is_variable = true;
      }
    }
  }

  /// Elements get their constants where the array is declared, before anything is read.
  void store(LocalArray& array, BlockId block, InstId id) {
    const auto operands = kernel_.operands_of(id);
    const ir::Inst& index = kernel_[kernel_.operands_of(operands[0])[1]];
    const uint32_t length = kernel_[array_of_[operands[0]]].length();
    array.is_variable |= array.is_read || block != array.block || kernel_[operands[1]].op != Op::Const ||
                         index.op != Op::Const || index.imm >= length;
    if (array.is_variable) return;
    array.values[index.imm] = operands[1];
    array.stores.push_back(id);
  }

  LocalArray* pointed_at(InstId pointer) {
    const auto found = array_of_.find(pointer);
    return found == array_of_.end() ? nullptr : &arrays_.at(found->second);
  }

  void change(BlockId block) {
    if (block == BlockId::None) return;
    std::vector<InstId> out;
    for (InstId id : std::vector(kernel_[block])) {
      for (BlockId inner : std::array(kernel_[id].blocks)) change(inner);
      const ir::Inst inst = kernel_[id];
      ir::Builder build(kernel_, out, inst.location);
      if (const auto array = arrays_.find(id); array != arrays_.end()) {
        declare(build, id, inst, array->second);
      } else if (const auto pointer = array_of_.find(inst.op == Op::Load ? kernel_.operands_of(id)[0] : InstId::None);
                 pointer != array_of_.end() && arrays_.contains(pointer->second)) {
        read(build, id, inst.type, kernel_.operands_of(pointer->first)[1], choices_.at(pointer->second));
      } else {
        out.push_back(id);
      }
    }
    kernel_[block] = std::move(out);
  }

  /// The elements, in place of the array.
  void declare(ir::Builder& build, InstId id, const ir::Inst& inst, const LocalArray& array) {
    std::vector<InstId>& choices = choices_[id];
    InstId zero = InstId::None;
    for (uint32_t i = 0; i < inst.length(); ++i) {
      const auto value = array.values.find(i);
      if (value == array.values.end() && zero == InstId::None) zero = build.constant(inst.type, 0);
      choices.push_back(value == array.values.end() ? zero : value->second);
    }
    replacements_.add(id, InstId::None);
    for (InstId store : array.stores) replacements_.add(store, InstId::None);
    for (InstId pointer : array.pointers) replacements_.add(pointer, InstId::None);
  }

  void read(ir::Builder& build, InstId load, Type type, InstId index, const std::vector<InstId>& choices) {
    if (kernel_[index].op == Op::Const) {
      const uint64_t last = choices.size() - 1;
      return replacements_.add(load, choices[std::min<uint64_t>(kernel_[index].imm, last)]);
    }
    replacements_.add(load, chosen(build, type, index, choices));
  }

  /// Of a table that is too long for one Pick, by its parts.
  InstId chosen(ir::Builder& build, Type type, InstId index, std::span<const InstId> choices) {
    std::vector<InstId> operands{index};
    const std::span<const InstId> first = choices.first(std::min(choices.size(), kMostChoices));
    operands.insert(operands.end(), first.begin(), first.end());
    const InstId choice = build.inst(Op::Pick, type, operands);
    if (first.size() == choices.size()) return choice;
    const InstId begin = build.constant(kernel_[index].type, kMostChoices);
    const InstId is_here = build.compare(ir::CompareOp::Lt, index, begin);
    const InstId beyond = build.binary(ir::BinaryOp::Sub, index, begin);
    return build.select(is_here, choice, chosen(build, type, beyond, choices.subspan(kMostChoices)));
  }

  ir::Kernel& kernel_;
  std::map<InstId, LocalArray> arrays_;
  std::map<InstId, InstId> array_of_;  // by pointer
  std::map<InstId, std::vector<InstId>> choices_;
  ir::Replacements replacements_;
};

}  // namespace

void constant_arrays(ir::Kernel& kernel) { ConstantArrays(kernel).run(); }

}  // namespace qd::passes
