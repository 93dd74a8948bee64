// Vectors and matrices of known numbers: their operations in qd.static(...).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

/// Evaluates tensor[index]: of a vector the number; of a matrix the number at a tuple of two indices, or a row.
Outcome tensor_item(const ConstantTensor& tensor, const Value& index);

/// Evaluates vector.x, .y, .z, .w, .r, ... of one letter. Nothing when the name is none, or the vector too short.
std::optional<Value> tensor_component(const ConstantTensor& vector, std::string_view name);

/// Evaluates a op b, a number each; one of them may be a number. Integers stay integers of the tensor's type: `/` of
/// them is for the run of the kernel.
Outcome tensor_binary(syntax::Operator op, const Value& a, const Value& b);

/// Evaluates vector.sum(), .max(), .min(), .dot(other), .norm_sqr(). Fails for other names.
Outcome tensor_method(const ConstantTensor& tensor, std::string_view name, const std::vector<Value>& arguments);

}  // namespace qd::frontend
