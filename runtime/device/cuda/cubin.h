// Cache of the driver's compilations of PTX, kept from one run to the next.
#pragma once

#include <string>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {

/// The cubin of a PTX text, for the GPU whose context is current. Throws CallFailed with the assembler's messages.
std::string cubin(const Driver& driver, const Properties& properties, const KeptBytes& kept, const std::string& ptx);

}  // namespace qd::device::gpu
