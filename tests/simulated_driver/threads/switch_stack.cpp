// On x86-64 a switch takes some nanoseconds. Elsewhere it is the C library's, which asks the kernel for the signal mask
// each time.
#include "tests/simulated_driver/threads/switch_stack.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)

namespace qd::simulated {
namespace {

void* new_stack(char* top, size_t, void (*start)()) {
  // Target of the switch, and return address of `start`.
  const uint64_t words[2] = {reinterpret_cast<uint64_t>(start), 0};
  top -= sizeof words;
  std::memcpy(top, words, sizeof words);
  return top;
}

}  // namespace
}  // namespace qd::simulated

#else

#include <ucontext.h>

#include <new>

namespace qd::simulated {

void switch_stack_pointer(void** from, void* to) {
  ucontext_t here;
  *from = &here;
  swapcontext(&here, static_cast<ucontext_t*>(to));
}

namespace {

void* new_stack(char* top, size_t bytes, void (*start)()) {
  constexpr size_t kPlace = (sizeof(ucontext_t) + 15) / 16 * 16;
  auto* context = new (top - kPlace) ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = top - bytes;
  context->uc_stack.ss_size = bytes - kPlace;
  context->uc_link = nullptr;
  makecontext(context, start, 0);
  return context;
}

}  // namespace
}  // namespace qd::simulated

#endif

// ThreadSanitizer follows the calls of each stack, and AddressSanitizer marks what calls have there. Neither knows that
// a fibre has ended.
#if defined(__SANITIZE_THREAD__)

namespace qd::simulated {

void make_stack(SavedStack& place, char* top, size_t bytes, void (*start)()) {
  place.stack = new_stack(top, bytes, start);
  if (!place.fiber) place.fiber = __tsan_create_fiber(0);  // takes a quarter of a millisecond
}

[[gnu::no_sanitize("thread")]] void has_jumped(const SavedStack& to) { __tsan_switch_to_fiber(to.fiber, 0); }

}  // namespace qd::simulated

#else

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(begin, bytes) static_cast<void>(0)
#endif

namespace qd::simulated {

void make_stack(SavedStack& place, char* top, size_t bytes, void (*start)()) {
  ASAN_UNPOISON_MEMORY_REGION(top - bytes, bytes);  // functions that never returned were there
  place = {new_stack(top, bytes, start), nullptr};
}

void has_jumped(const SavedStack&) {}

}  // namespace qd::simulated

#endif
