// Build id of the program or library that is running: for the keys of caches.
#pragma once

#include <string>

namespace qd {

/// The linker's build id of the program or library that holds the address `code` (of a function or an object). Without
/// one: size and time of the file. Empty when there is no such file.
std::string build_id_of(const void* code);

}  // namespace qd
