// Kernel coverage of a process that asks for it through its environment.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "instrument/session.h"

namespace qd::instrument {

namespace {

std::string folder() {
  const char* dir = std::getenv("QD_KERNEL_COVERAGE_DIR");
  return (dir && *dir ? std::filesystem::absolute(dir) : std::filesystem::current_path()).string();
}

bool branch_mode() {
  const char* branch = std::getenv("QD_KERNEL_COVERAGE_BRANCH");
  return !branch || std::string_view(branch) != "0";
}

struct EnvironmentSession {
  JournalOptions options{.folder = folder(), .branch = branch_mode(), .relative_to = ""};
  Session session{options};

  void write() {
    auto hits = session.hits();
    if (!hits.empty()) {
      std::string path = options.folder + "/_qd_kcov." + std::to_string(getpid());
      try {
        report::write_data(path, to_coverage_data(hits, {.branch = options.branch, .relative_to = ""}));
      } catch (const std::exception& error) {
        std::fprintf(stderr, "qd: kernel coverage could not be written: %s\n", error.what());
        return;  // the journal still has it
      }
    }
    session.remove_journal();
  }
};

EnvironmentSession* instance = nullptr;

}  // namespace

Session* environment_session() {
  static const bool asked = [] {
    const char* value = std::getenv("QD_KERNEL_COVERAGE");
    return value && *value && std::string_view(value) != "0";
  }();
  if (!asked) return nullptr;
  // Never destroyed: programs may still launch while the process ends.
  static const bool made = [] {
    instance = new EnvironmentSession();
    std::atexit([] { instance->write(); });
    return true;
  }();
  (void)made;
  return &instance->session;
}

}  // namespace qd::instrument
