// Environment variables of kernel coverage, and the session of a C++ program that they turn on.
#include "instrument/environment.h"

#include <fmt/format.h>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "instrument/message.h"
#include "instrument/session.h"
#include "report/data/process_mark.h"

namespace qd::instrument {

namespace {

constexpr const char* kPrefix = "QD_KERNEL_COVERAGE";
constexpr const char* kRunFolder = "QD_COVERAGE_COMMAND_KNOWN";  // the folder that `qd-cov run` has named
constexpr const char* kMaxProbes = "QD_COVERAGE_MAX_PROBES";

std::optional<bool> flag(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional(value != "0");
}

std::string absolute_folder(const std::string& asked) {
  std::error_code gone;  // ignored: writing reports a deleted folder later
  return (asked.empty() ? std::filesystem::current_path(gone) : std::filesystem::absolute(asked, gone)).string();
}

/// The folder of kernel data that the environment names. Where `qd-cov run` has named it, but it does not exist, nobody
/// would look for data in it: then it is the current folder.
std::string data_folder(const std::string& asked, const std::string& of_run) {
  std::error_code unknown;
  if (asked.empty() || asked != of_run || std::filesystem::exists(asked, unknown)) return asked;
  static const bool told = [&] {
    tell(
        fmt::format("the folder '{}' of 'qd-cov run' does not exist on host '{}': the data of kernels goes to the "
                    "current folder instead. Start 'qd-cov run --parallel-mode' on each host",
                    asked, report::host_name()));
    return true;
  }();
  static_cast<void>(told);
  return "";
}

struct EnvironmentSession {
  explicit EnvironmentSession(const CoverageSettings& settings)
      : options{.folder = absolute_folder(settings.folder),
                .branch = settings.branch.value_or(true),
                .relative_to = ""},
        session(options, "",
                {.max_probes = max_probes_of_environment(),
                 .conditions = settings.conditions.value_or(false),
                 .gradients = settings.gradients.value_or(true)}) {}

  void write() {
    try {
      session.save({.branch = options.branch, .relative_to = ""}, [&](const report::CoverageData& data) {
        if (options.folder.empty())
          throw std::runtime_error("the folder where the process started does not exist any more");
        report::write_new_data(options.folder + "/_qd_kcov" + report::process_suffix(), data);
      });
    } catch (const std::exception& error) {
      tell(fmt::format("kernel coverage could not be written: {}", error.what()));  // the journal still has it
    }
  }

  JournalOptions options;
  Session session;
};

}  // namespace

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

CoverageSettings coverage_settings(const Variables& variables) {
  const std::string prefix = kPrefix;
  return {
      .on = flag(variables(prefix)).value_or(false),
      .folder = data_folder(variables(prefix + "_DIR"), variables(kRunFolder)),
      .file = variables(prefix + "_FILE"),
      .branch = flag(variables(prefix + "_BRANCH")),
      .conditions = flag(variables(prefix + "_CONDITIONS")),
      .gradients = flag(variables(prefix + "_GRADIENTS")),
  };
}

std::optional<size_t> max_probes_of_environment() {
  const std::string digits = environment_variable(kMaxProbes);
  if (digits.empty()) return std::nullopt;
  size_t cap = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), cap);
  if (error == std::errc() && end == digits.data() + digits.size()) return cap;
  tell(fmt::format("{}={} is no number of probes: there is no limit", kMaxProbes, digits));
  return std::nullopt;
}

Session* environment_session() {
  static const CoverageSettings settings = coverage_settings();
  if (!settings.on) return nullptr;
  // Never destroyed: programs may still launch while the process ends.
  static EnvironmentSession* const instance = [] {
    auto* made = new EnvironmentSession(settings);
    static EnvironmentSession* at_end = made;
    std::atexit([] { at_end->write(); });
    return made;
  }();
  return &instance->session;
}

}  // namespace qd::instrument
