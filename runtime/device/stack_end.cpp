// Stack limit of a thread. It is kept for each, because for the main thread the C library reads a file.
#include "runtime/device/stack_end.h"

#include <algorithm>
#include <cstddef>

#include <pthread.h>

namespace qd::device {
namespace {

/// Room for the frame of the function that checks the stack, and for functions that it calls without a check: libm, and
/// the launcher's formatting of messages.
constexpr size_t kReserve = 512 << 10;

uint64_t find_stack_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<uint64_t>(lowest);
  const auto here = reinterpret_cast<uint64_t>(&attributes);
  const bool own = here >= begin && here < begin + size;  // false when the program has switched to a stack of its own
  return known && own ? begin + std::min(kReserve, size / 2) : 0;
}

}  // namespace

uint64_t stack_end() {
  thread_local const uint64_t end = find_stack_end();
  return end;
}

}  // namespace qd::device
