// Vectors, matrices and structs of known numbers, zeros, and conversions to a compound type.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// A vector or matrix of known numbers, as constants of the kernel.
Item constant_tensor(Compilation& c, const ConstantTensor& tensor);
/// A struct of known members; of fields, an array of structs.
Item constant_struct(Compilation& c, const ConstantStruct& known);
/// The value of a type whose numbers are all 0.
Item zero_of(Compilation& c, const Value& type, const Range& range);
/// An item as a value of a type, converted; Poison after an error.
Item convert_item(Compilation& c, const Item& item, const Value& type, const Range& range);

}  // namespace qd::frontend
