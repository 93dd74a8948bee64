// Kernels that apply every operator to every type that it is for, on pairs of unusual numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::codegen::testing {

inline constexpr ir::Type kTypes[] = {ir::Type::U1,  ir::Type::I8,  ir::Type::I16, ir::Type::I32,
                                      ir::Type::I64, ir::Type::U8,  ir::Type::U16, ir::Type::U32,
                                      ir::Type::U64, ir::Type::F16, ir::Type::F32, ir::Type::F64};

/// Unusual numbers of a type: words, as in Const.
std::vector<uint64_t> numbers(ir::Type type);

/// An operation, and the type of its result.
struct Operation {
  std::string text;  // with {0} and {1} for its operands
  ir::Type type;
  bool approximate = false;
  bool any_zero = false;  // either zero is right
};

std::vector<Operation> operations(ir::Type type);
std::vector<std::string> atomics(ir::Type type);
/// Arrays 0 and 1 are the operands; then one for each operation's results; then one for each atomic, which starts as
/// the second operand, and one for what it gives.
std::string kernel_text(ir::Type type, const std::vector<Operation>& ops, const std::vector<std::string>& atomics,
                        size_t pairs);
/// Whether two results are as equal as they have to be.
bool alike(ir::Type type, uint64_t a, uint64_t b, bool approximate, bool any_zero);

}  // namespace qd::codegen::testing
