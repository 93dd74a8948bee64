// Calls of a qd.real_func. Numbers are passed at run time, also those in compound values; arrays, objects and known
// values of templates make another routine of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/frontend/functions/func_arguments.h"
#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Calls the func of the present frame, whose parameters are not bound yet. Nothing when it has to be inlined.
std::optional<Item> call_routine(Compilation& c, const Func& func, std::span<const syntax::Arg* const> parameters,
                                 const std::vector<BoundArgument>& bound, const Range& call, uint32_t location);
/// Emits the check of recursion: if it uses up the stack, it fails like an assert.
void guard_recursion(Compilation& c);

}  // namespace qd::frontend
