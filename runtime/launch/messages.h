// What a kernel said, as text for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd {

/// A failed assert or a warning, with its kernel and the frames that lead there (ir::Format::Kind); then what called that, innermost first. `calls`: of routines, the
/// numbers of their Calls.
std::string failure(const ir::Kernel& kernel, uint32_t format, const uint64_t* values, const std::vector<uint64_t>& calls = {});

/// The line and the kind of a warning, as a key: a program tells each once.
std::string place_of(const ir::Kernel& kernel, uint32_t warning);

}  // namespace qd
