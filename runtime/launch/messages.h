// The messages of a kernel as text for people.
#pragma once

#include <string>

#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"

namespace qd {

/// The text of a failed assert or a warning: the message, the kernel and its frames (ir::Format::Kind), then the calls
/// around, innermost first.
std::string text_of(const ir::Kernel& kernel, const device::Message& message);

/// The line and the kind of a warning, as a key. A program tells each warning once.
std::string place_of(const ir::Kernel& kernel, const device::Message& warning);

}  // namespace qd
