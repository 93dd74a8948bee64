// The printed names of the operators of Unary, Binary, Compare and AtomicRmw, of the kinds of formats, of
// scopes, and of the numbers of a dispatch.
#pragma once

#include <optional>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd::ir {

std::string_view name(Format::Kind kind);
std::string_view name(Scope scope);
std::string_view name(Dispatch number);

std::optional<Op> op_from_name(std::string_view name);
std::optional<UnaryOp> unary_from_name(std::string_view name);
std::optional<BinaryOp> binary_from_name(std::string_view name);
std::optional<CompareOp> compare_from_name(std::string_view name);
std::optional<AtomicOp> atomic_from_name(std::string_view name);
std::optional<Format::Kind> format_kind_from_name(std::string_view name);
std::optional<Scope> scope_from_name(std::string_view name);
std::optional<Dispatch> dispatch_from_name(std::string_view name);

}  // namespace qd::ir
