#include "tests/simulated_driver/driver/block_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "tests/simulated_driver/threads/fibres.h"

namespace qd::simulated {

char* new_block_memory(size_t bytes) {
  static char* const end = [] {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* memory = mmap(nullptr, kBlockBytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(static_cast<char*>(memory) + kBlockBytes, page, PROT_NONE);
    return static_cast<char*>(memory) + kBlockBytes;
  }();
  char* begin = end - (bytes + 7) / 8 * 8;
  if (bytes > 0) std::memset(begin, 0xcd, bytes);
  return begin;
}

}  // namespace qd::simulated
