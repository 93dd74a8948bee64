// For what a func is called, in words: reports tell the variants of its code apart by that.
#pragma once

#include <string>
#include <vector>

#include "runtime/frontend/functions/func_arguments.h"

namespace qd::frontend {

/// "n=3, x=f32": the values of templates, and the types that annotations leave open. Empty where all calls are alike.
/// Values that read alike, such as two objects of one class, give the same text.
std::string func_variant_text(Compilation& c, const Func& func, const std::vector<const syntax::Arg*>& parameters,
                              const std::vector<BoundArgument>& bound);

}  // namespace qd::frontend
