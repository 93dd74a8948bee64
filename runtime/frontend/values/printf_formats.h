// Formats of C's printf for the numbers that kernels print: the option printf_formats.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ir/type.h"

namespace qd::frontend {

/// A format of C's printf as one of Python: "" of an f32 is ".6f", of an f64 ".12f", "-5d" is "<5d". Nothing for a
/// format that printf has not for this type; others are Python's, such as ">8", and stay as they are.
std::optional<std::string> from_printf(std::string_view spec, ir::Type type);

}  // namespace qd::frontend
