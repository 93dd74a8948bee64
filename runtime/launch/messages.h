// What a kernel said, as text for people.
#pragma once

#include <string>

#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"

namespace qd {

/// "(kernel=NAME) MESSAGE", then where it is, unless the message says so itself; then what called that, a line each, innermost first. Of an assert or a warning.
std::string text_of(const ir::Kernel& kernel, const device::Message& message);

/// The line and the kind of a warning: programs tell each once.
std::string place_of(const ir::Kernel& kernel, const device::Message& warning);

}  // namespace qd
