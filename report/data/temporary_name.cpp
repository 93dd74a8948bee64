// Temporary files: their folder, and their removal when a signal ends the program.
#include "report/data/temporary_name.h"

#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace qd::report {

namespace {

/// Slot for a name. A signal handler may only use memory that always exists.
struct Slot {
  enum State { kFree, kChanging, kNamed };
  std::atomic<int> state = kFree;
  char path[PATH_MAX];
};

// Number of slots, more than the files that are written at a time. A file without a slot is not removed.
constexpr size_t kSlots = 16;
Slot slots[kSlots];

void remove_and_die(int signal) {
  for (const Slot& slot : slots)
    if (slot.state == Slot::kNamed) unlink(slot.path);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  raise(signal);
}

}  // namespace

std::string temporary_folder() {
  const char* const named[] = {std::getenv("TMPDIR"), std::getenv("TEMP"), std::getenv("TMP"), "/tmp", "/var/tmp"};
  std::error_code error;
  for (const char* folder : named)
    if (folder && std::filesystem::is_directory(folder, error) && access(folder, W_OK | X_OK) == 0) return folder;
  return ".";
}

TemporaryName::TemporaryName(const std::string& path) : slot_(0) {
  for (; slot_ < kSlots; ++slot_) {
    Slot& slot = slots[slot_];
    int free = Slot::kFree;
    if (path.size() >= sizeof slot.path || !slot.state.compare_exchange_strong(free, Slot::kChanging)) continue;
    std::memcpy(slot.path, path.c_str(), path.size() + 1);
    slot.state = Slot::kNamed;
    return;
  }
}

TemporaryName::~TemporaryName() {
  if (slot_ < kSlots) slots[slot_].state = Slot::kFree;
}

void remove_temporaries_on_signals() {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = remove_and_die;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace qd::report
