// The names of operations and operators, in both directions.
#include "runtime/ir/op.h"

#include <algorithm>

#include "runtime/ir/names.h"

namespace qd::ir {
namespace {

/// In the order of Format::Kind.
constexpr std::string_view kFormatKinds[] = {"plain", "overflow", "shift", "bounds", "view"};

template <class Enum, class Row, size_t n>
std::optional<Enum> find(const Row (&table)[n], std::string_view name) {
  for (size_t i = 0; i < n; i++) {
    if (table[i].name == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Op op) { return row(op).name; }
std::string_view name(UnaryOp op) { return row(op).name; }
std::string_view name(BinaryOp op) { return row(op).name; }
std::string_view name(CompareOp op) { return row(op).name; }
std::string_view name(AtomicOp op) { return row(op).name; }
std::string_view name(Format::Kind kind) { return kFormatKinds[static_cast<size_t>(kind)]; }

std::optional<Op> op_from_name(std::string_view name) { return find<Op>(kOps, name); }
std::optional<UnaryOp> unary_from_name(std::string_view name) { return find<UnaryOp>(kUnaryOps, name); }
std::optional<BinaryOp> binary_from_name(std::string_view name) { return find<BinaryOp>(kBinaryOps, name); }
std::optional<CompareOp> compare_from_name(std::string_view name) { return find<CompareOp>(kCompareOps, name); }
std::optional<AtomicOp> atomic_from_name(std::string_view name) { return find<AtomicOp>(kAtomicOps, name); }
std::optional<Format::Kind> format_kind_from_name(std::string_view name) {
  const auto* found = std::ranges::find(kFormatKinds, name);
  return found == std::end(kFormatKinds) ? std::nullopt
                                         : std::optional(static_cast<Format::Kind>(found - std::begin(kFormatKinds)));
}

}  // namespace qd::ir
