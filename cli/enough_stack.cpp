// Stack size: runs the program on a stack that is large enough for deeply nested sources, under any limit of the user.
#include "cli/enough_stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

namespace qd::cli {

namespace {

// Stack sizes in bytes. The parser's own depth limits fit into 8 MiB, the usual limit. Untouched memory costs nothing.
constexpr size_t kEnough = size_t{8} << 20, kStack = size_t{16} << 20;

struct Call {
  const std::function<int()>& body;
  int result = 0;
};

void* run_call(void* call) {
  auto* asked = static_cast<Call*>(call);
  asked->result = asked->body();
  return nullptr;
}

}  // namespace

int with_enough_stack(const std::function<int()>& body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_setattr_default_np(&attributes);  // with an unlimited stack, threads would get 2 MiB
  rlimit limit = {};
  Call call{body};
  pthread_t thread;
  const bool small =
      getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < kEnough;
  if (!small || pthread_create(&thread, &attributes, run_call, &call) != 0) return body();
  // The worker thread handles signals, and defers them when it has to.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  pthread_join(thread, nullptr);
  return call.result;
}

}  // namespace qd::cli
