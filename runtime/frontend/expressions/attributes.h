// Attributes: `x.shape`, members of structs, components by name.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// `object.name`.
Item lower_attribute(Compilation& c, const syntax::Attribute& e, const Expr& expr);

}  // namespace qd::frontend
