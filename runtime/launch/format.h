// Texts of asserts and prints, in the form of Python's format().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd {

/// Formats a value as Python's format(value, spec). `word` holds it in 8 bytes (abi/launch_context.h). An integer with
/// the specification of a float becomes a float; a float with that of an integer is truncated, as "%d" does. A
/// specification that Python knows and we do not gives str(value).
std::string format_value(ir::Type type, uint64_t word, std::string_view spec);

/// The text of a format with its values filled in.
std::string format_text(const ir::Format& format, const uint64_t* words);

}  // namespace qd
