// A small loader for the ELF objects that code generation writes, some hundred times as fast as LLVM's general one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/cpu/loader.h"

namespace qd::device {

/// Links an x86-64 object into this process, as load() does. Returns null when the object has a feature or symbol that
/// this loader does not know; then LLVM's loader loads the object, or reports the error. Thread-safe.
std::unique_ptr<LoadedObject> load_elf(const std::string& object, const std::vector<std::string>& symbols,
                                       OwnFunctions own = {});

}  // namespace qd::device
