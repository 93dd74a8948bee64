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
  std::error_code gone;  // a folder that was deleted: then writing says so
  return (dir && *dir ? std::filesystem::absolute(dir, gone) : std::filesystem::current_path(gone)).string();
}

bool branch_mode() {
  const char* branch = std::getenv("QD_KERNEL_COVERAGE_BRANCH");
  return !branch || std::string_view(branch) != "0";
}

bool asked_for(const char* name) {
  const char* value = std::getenv(name);
  return value && *value && std::string_view(value) != "0";
}

struct EnvironmentSession {
  JournalOptions options{.folder = folder(), .branch = branch_mode(), .relative_to = ""};
  Session session{options, "", {.max_probes = max_probes_of_environment(), .conditions = asked_for("QD_KERNEL_COVERAGE_CONDITIONS")}};

  void write() {
    try {
      session.save({.branch = options.branch, .relative_to = ""}, [&](const report::CoverageData& data) {
        if (options.folder.empty()) throw std::runtime_error("the folder where the process started does not exist any more");
        report::write_data(report::unused_name(options.folder + "/_qd_kcov." + std::to_string(getpid())), data);
      });
    } catch (const std::exception& error) {
      std::fprintf(stderr, "qd: kernel coverage could not be written: %s\n", error.what());  // the journal still has it
    }
  }
};

EnvironmentSession* instance = nullptr;

}  // namespace

Session* environment_session() {
  static const bool asked = asked_for("QD_KERNEL_COVERAGE");
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
