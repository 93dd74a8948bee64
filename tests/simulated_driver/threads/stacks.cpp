#include "tests/simulated_driver/threads/stacks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "tests/simulated_driver/threads/fibres.h"

namespace qd::simulated {
namespace {

/// Stacks do not begin at the same place of a page: else the threads' variables would share one line of the cache.
constexpr uint32_t kColours = 31;
constexpr size_t kColour = 320;
constexpr size_t kBytes = kWholeStack + (size_t{12} << 10);
static_assert(kBytes >= kWholeStack + (kColours - 1) * kColour && kWholeStack >= 2 * kStackBytes);

struct Stacks {
  char* memory = nullptr;
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uint32_t ready = 0;

  Stacks() {
    void* reserved =
        mmap(nullptr, kMostThreads * (kBytes + page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) throw std::bad_alloc();
    memory = static_cast<char*>(reserved);
  }
  char* begin(uint32_t thread) const { return memory + thread * (kBytes + page) + page; }
};

}  // namespace

char* top_of_stack(uint32_t thread) {
  static Stacks stacks;
  for (; stacks.ready <= thread; ++stacks.ready) {
    if (mprotect(stacks.begin(stacks.ready), kBytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
  return stacks.begin(thread) + kBytes - thread % kColours * kColour;
}

}  // namespace qd::simulated
