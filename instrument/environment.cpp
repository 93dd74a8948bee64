// Kernel coverage of a process that asks for it through its environment.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "instrument/session.h"

namespace qd::instrument {

namespace {

struct EnvironmentSession {
  Session session;
  DataOptions options;
  std::filesystem::path folder;
  pid_t pid = getpid();

  EnvironmentSession() {
    const char* branch = std::getenv("QD_KERNEL_COVERAGE_BRANCH");
    options.branch = !branch || std::string_view(branch) != "0";
    const char* dir = std::getenv("QD_KERNEL_COVERAGE_DIR");
    folder = dir && *dir ? std::filesystem::absolute(dir) : std::filesystem::current_path();
  }

  void write() {
    // A fork's child that runs this handler reports nothing of its parent's.
    if (getpid() != pid) return;
    auto arcs = session.arcs();
    if (arcs.empty()) return;
    std::string path = (folder / ("_qd_kcov." + std::to_string(pid))).string();
    try {
      report::write_data(path, to_coverage_data(arcs, options));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "qd: kernel coverage could not be written: %s\n", error.what());
    }
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
