// Compound types as values: vectors, matrices, structs; and the numbers by which they are passed.
#pragma once

#include "runtime/frontend/constants/options.h"
#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

/// Number of components of a tensor of this shape.
int32_t count_of(const std::vector<int32_t>& shape);

/// Evaluates `qd.types.vector(n, dtype)`, `qd.types.matrix(n, m, dtype)`, `qd.types.struct(a=..., b=...)` at compile
/// time, by the last part of the name.
Outcome compound_type(std::string_view name, const std::vector<Value>& args,
                      const std::vector<std::pair<std::string, Value>>& keywords, const Options& options);

/// The type of a tensor type's numbers; nothing: that of the values in it.
std::optional<ir::Type> number_type_of(const CompoundType& type, const Options& options);

/// Description for messages: "vector of 3 f32", "2 x 2 matrix of f64", "struct `Particle`".
std::string describe(const CompoundType& type);

}  // namespace qd::frontend
