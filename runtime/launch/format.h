// Text of asserts and prints, as Python's format() gives it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd {

/// format(value, spec) of Python. `word` holds the value in 8 bytes (abi/launch_context.h). Integers under a float's
/// presentation become floats, floats under an integer's are truncated (as "%d" does). A spec that Python knows and we
/// do not gives str(value).
std::string format_value(ir::Type type, uint64_t word, std::string_view spec);

/// The pieces and values of a format in one text.
std::string format_text(const ir::Format& format, const uint64_t* words);

}  // namespace qd
