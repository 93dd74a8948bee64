// What the verifier asks of an instruction by itself.
#pragma once

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::ir {

/// "%3 (add): text": a line of what is wrong.
std::string instruction_error(const Kernel& kernel, InstId id, std::string_view text);

/// Holds instructions against their rows of op.def and operators.def: that what aux names exists, that operands and
/// results are of the right types, what imm may be. Where an instruction stands, and whether its operands are visible
/// there, was looked at before.
class TypeVerifier {
 public:
  /// `errors` gets a line for each thing that is wrong.
  TypeVerifier(const Kernel& kernel, std::vector<std::string>& errors) : kernel_(kernel), errors_(errors) {
    enter(nullptr);
  }

  /// What comes now stands in this routine; null: in the kernel.
  void enter(const Routine* routine);
  const Routine* routine() const { return routine_; }

  /// Whether nothing is wrong with its operands and with what it names.
  bool check(InstId id);
  /// All who use a slot of the launch's temporaries use it as one type. `what`: who does, for the message.
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
  std::array<size_t, kAuxKinds> rows_;  // of what an aux of each kind names: it is below
  std::vector<Type> temp_types_;
};

}  // namespace qd::ir
