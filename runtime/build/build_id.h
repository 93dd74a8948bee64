// Which build of a program or library is running: for the keys of caches.
#pragma once

#include <string>

namespace qd {

/// The linker's build id of the program or library that holds `code`, the address of a function or an object in it; its
/// file's size and time where the linker wrote none. Empty when there is no such file.
std::string build_id_of(const void* code);

}  // namespace qd
