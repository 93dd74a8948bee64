// The messages of a kernel as text for people: asserts, warnings and prints, the values in the form of Python's
// format().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"

namespace qd {

/// Formats a value as Python's format(value, spec). `word` holds it in 8 bytes (abi/launch_context.h). An integer with
/// the specification of a float becomes a float; a float with that of an integer is truncated, as "%d" does. A text
/// that is no specification gives str(value).
std::string format_value(ir::Type type, uint64_t word, std::string_view spec);

/// The text of a format with its values filled in.
std::string format_text(const ir::Format& format, const uint64_t* words);

/// The text of a failed assert or a warning: the message, the kernel and its frames (ir::Format::Kind), then the calls
/// around, innermost first.
std::string text_of(const ir::Kernel& kernel, const device::Message& message);

/// The line and the kind of a warning, as a key. A program tells each warning once.
std::string place_of(const ir::Kernel& kernel, const device::Message& warning);

}  // namespace qd
