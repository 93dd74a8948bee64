// Vectors, matrices and structs of known numbers, zeros, and conversions to a compound type.
#pragma once

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

Item constant_tensor(Compilation& c, const ConstantTensor& tensor);
Item constant_struct(Compilation& c, const ConstantStruct& known);
Item zero_of(Compilation& c, const Value& type, const Range& range);
/// An item as a value of a type, converted; Poison after an error.
Item convert_item(Compilation& c, const Item& item, const Value& type, const Range& range);

}  // namespace qd::frontend
