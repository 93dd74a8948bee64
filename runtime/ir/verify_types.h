// The part of the verifier that checks an instruction by itself.
#pragma once

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// An error of an instruction, as a line: "%3 (add): text".
std::string instruction_error(const Kernel& kernel, InstId id, std::string_view text);

/// Compares instructions with their rows of op.def and operators.def: that aux names something that exists, that
/// operands and results have the right types, and that imm is valid. Another part must have checked before that an
/// instruction may stand at its place, and that its operands are visible there.
class TypeVerifier {
 public:
  /// `errors` gets a line for each thing that is wrong.
  TypeVerifier(const Kernel& kernel, std::vector<std::string>& errors) : kernel_(kernel), errors_(errors) {
    enter(nullptr);
  }

  /// Sets the routine of the instructions that come next; null: they are of the kernel.
  void enter(const Routine* routine);
  const Routine* routine() const { return routine_; }

  /// Checks an instruction. True when its operands and the thing that aux names are right.
  bool check(InstId id);
  /// Checks that every user of a slot of the launch's temporaries uses it as the same type. `what` names the user in
  /// the message.
  void temp(uint32_t slot, Type type, std::string_view what);

 private:
  struct Table {
    std::string_view name;
    size_t rows = 0;
  };
  template <class... Args>
  [[gnu::cold, gnu::noinline]] void error(InstId id, fmt::format_string<Args...> text, Args&&... args);
  Type type(InstId id) const { return kernel_[id].type; }
  const std::vector<Type>& results() const { return routine_ ? routine_->results : kernel_.results; }
  inline bool is(TypeRule rule, const Inst& inst, std::span<const InstId> args, Type type) const;
  std::string wanted(TypeRule rule, const Inst& inst, std::span<const InstId> args) const;
  Table table(Aux aux) const;
  void names_nothing(InstId id, const Inst& inst);
  Type row_type(const Inst& inst) const;
  bool operand_types(InstId id, const Inst& inst, std::span<const InstId> args);
  void listed(InstId id, const Inst& inst, std::span<const InstId> values);
  void more_of(InstId id, const Inst& inst, std::span<const InstId> args);
  void constant(InstId id, const Inst& inst);
  void numbers(InstId id, const Inst& inst, const OperatorRow& op, Type operand);

  const Kernel& kernel_;
  std::vector<std::string>& errors_;
  const Routine* routine_ = nullptr;
  std::array<size_t, kAuxKinds> rows_;  // number of rows of the table for an aux of each kind; a valid aux is below it
  std::vector<Type> temp_types_;
};

}  // namespace qd::ir
