// Text for a variant of a func, of its templates and types: reports tell the variants of its code apart by that.
#pragma once

#include <string>
#include <vector>

#include "runtime/frontend/functions/func_arguments.h"

namespace qd::frontend {

/// The variant's text, "n=3, x=f32": the values of templates, and the types that annotations leave open. Empty if all
/// calls are alike. Values that read alike, such as two objects of one class, give the same text.
std::string func_variant_text(Compilation& c, const Func& func, const std::vector<const syntax::Arg*>& parameters,
                              const std::vector<BoundArgument>& bound);

}  // namespace qd::frontend
