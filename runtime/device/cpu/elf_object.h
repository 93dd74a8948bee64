// A loader for the ELF objects that code generation writes, some hundred times as fast as a general one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/device/cpu/loader.h"

namespace qd::device {

/// Links an x86-64 object with this process, as load() does. Null when it holds something that this loader does not
/// know or cannot resolve: then a general loader loads it, or says what is wrong. Thread-safe.
std::unique_ptr<LoadedObject> load_elf(const std::string& object, const std::vector<std::string>& symbols);

}  // namespace qd::device
