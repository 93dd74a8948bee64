// Functions of newer versions of glibc than the oldest one that wheels run with: Debian's static libraries call them.
// Only what a link asks for gets into a binary, and nobody else sees it. link.py reports a function that is missing
// here.
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/random.h>
#include <time.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

extern "C" {

/// Of glibc 2.32. libstdc++ counts the owners of a shared_ptr without atomics where this is not zero.
char __libc_single_threaded = 0;

/// Of glibc 2.36, called by expat for the seed of its hashes.
void arc4random_buf(void* to, size_t size) {
  for (size_t filled = 0; filled < size;) {
    const ssize_t more = getrandom(static_cast<char*>(to) + filled, size - filled, 0);
    if (more < 0 && errno != EINTR) std::abort();  // as glibc's own: there is no other source
    if (more > 0) filled += static_cast<size_t>(more);
  }
}

/// Of glibc 2.36, called by std::random_device.
uint32_t arc4random() {
  uint32_t number = 0;
  arc4random_buf(&number, sizeof number);
  return number;
}

/// Of glibc 2.33, called by LLVM for statistics of memory. mallinfo's numbers are those of the first 2 GiB.
struct mallinfo2 mallinfo2() {
  struct mallinfo small = ::mallinfo();
  auto wide = [](int number) { return static_cast<size_t>(static_cast<unsigned>(number)); };
  struct mallinfo2 out = {};
  out.arena = wide(small.arena);
  out.ordblks = wide(small.ordblks);
  out.smblks = wide(small.smblks);
  out.hblks = wide(small.hblks);
  out.hblkhd = wide(small.hblkhd);
  out.usmblks = wide(small.usmblks);
  out.fsmblks = wide(small.fsmblks);
  out.uordblks = wide(small.uordblks);
  out.fordblks = wide(small.fordblks);
  out.keepcost = wide(small.keepcost);
  return out;
}

/// Of glibc 2.30, called by std::condition_variable to wait for a time of the steady clock. An older glibc waits for
/// the time of the day that is as far away: a clock that is set meanwhile ends the wait early or late.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
  static const auto wait = reinterpret_cast<Wait>(dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  if (wait) return wait(condition, mutex, clock, until);
  constexpr int64_t kSecond = 1'000'000'000;
  struct timespec now = {}, today = {};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &today);
  int64_t seconds = int64_t{until->tv_sec} - now.tv_sec + today.tv_sec;
  int64_t nanoseconds = int64_t{until->tv_nsec} - now.tv_nsec + today.tv_nsec;
  seconds += nanoseconds / kSecond;
  nanoseconds %= kSecond;
  if (nanoseconds < 0) {
    nanoseconds += kSecond;
    --seconds;
  }
  const struct timespec later = {seconds, nanoseconds};
  return pthread_cond_timedwait(condition, mutex, &later);
}

}  // extern "C"
