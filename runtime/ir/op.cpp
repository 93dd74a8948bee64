// The names of operations and operators, in both directions.
#include "runtime/ir/op.h"

#include <algorithm>

#include "runtime/ir/names.h"

namespace qd::ir {
namespace {

/// Names in the order of Format::Kind.
constexpr std::string_view kFormatKinds[] = {"plain", "overflow", "shift", "bounds", "view", "claim", "overwrite"};

/// Names in the order of Scope.
constexpr std::string_view kScopes[] = {"subgroup", "block", "device"};

/// Names in the order of Dispatch.
constexpr std::string_view kDispatches[] = {"group", "thread", "group_stride", "step", "rounds"};

template <class Enum, class Row, size_t n>
std::optional<Enum> find(const Row (&table)[n], std::string_view name) {
  for (size_t i = 0; i < n; i++) {
    if (table[i].name == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

template <class Enum, size_t n>
std::optional<Enum> find(const std::string_view (&names)[n], std::string_view name) {
  const auto* found = std::ranges::find(names, name);
  return found == std::end(names) ? std::nullopt : std::optional(static_cast<Enum>(found - std::begin(names)));
}

}  // namespace

std::string_view name(Op op) { return row(op).name; }
std::string_view name(Format::Kind kind) { return kFormatKinds[static_cast<size_t>(kind)]; }
std::string_view name(Scope scope) { return kScopes[static_cast<size_t>(scope)]; }
std::string_view name(Dispatch number) { return kDispatches[static_cast<size_t>(number)]; }

std::optional<Op> op_from_name(std::string_view name) { return find<Op>(kOps, name); }
std::optional<UnaryOp> unary_from_name(std::string_view name) { return find<UnaryOp>(kUnaryOps, name); }
std::optional<BinaryOp> binary_from_name(std::string_view name) { return find<BinaryOp>(kBinaryOps, name); }
std::optional<CompareOp> compare_from_name(std::string_view name) { return find<CompareOp>(kCompareOps, name); }
std::optional<AtomicOp> atomic_from_name(std::string_view name) { return find<AtomicOp>(kAtomicOps, name); }
std::optional<Format::Kind> format_kind_from_name(std::string_view name) {
  return find<Format::Kind>(kFormatKinds, name);
}
std::optional<Scope> scope_from_name(std::string_view name) { return find<Scope>(kScopes, name); }
std::optional<Dispatch> dispatch_from_name(std::string_view name) { return find<Dispatch>(kDispatches, name); }

}  // namespace qd::ir
