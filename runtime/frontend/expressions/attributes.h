// Attributes: `x.shape`, members of structs, components by name.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// Lowers an attribute, `object.name`.
Item lower_attribute(Compilation& c, const syntax::Attribute& e, const Expr& expr);
/// Lowers getattr(object, name) and getattr(object, name, default), with a name that is known at compile time.
Item lower_getattr(Compilation& c, const syntax::Call& e, const Expr& expr);

}  // namespace qd::frontend
