// What a kernel said, as text for people.
#pragma once

#include <string>

#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"

namespace qd {

/// A failed assert or a warning, with its kernel and the frames that lead there (ir::Format::Kind); then what called
/// that, innermost first.
std::string text_of(const ir::Kernel& kernel, const device::Message& message);

/// The line and the kind of a warning, as a key: a program tells each once.
std::string place_of(const ir::Kernel& kernel, const device::Message& warning);

}  // namespace qd
