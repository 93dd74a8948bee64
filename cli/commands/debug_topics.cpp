// Topics of `qd-cov debug` besides data: the machine, the program, and its assumptions about Python.
#include "cli/commands/debug_topics.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>
#include <utility>

#include "cli/output/debug_messages.h"
#include "cli/python/python_version.h"
#include "cli/reported/reported_data.h"
#include "report/config/describe.h"
#include "report/formats/common/human_order.h"

extern char** environ;

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Arguments of a process, separated by blanks.
std::string command_line_of(const std::string& process) {
  std::string text = content_of("/proc/" + process + "/cmdline");
  while (text.ends_with('\0')) text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return report::printable(text);
}

/// Parent of a process; 0 when it is not known.
int parent_of(int process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    int parent = 0;
    if (std::sscanf(line.c_str(), "PPid: %d", &parent) == 1) return parent;
  }
  return 0;
}

bool contains_any(std::string_view text, const std::vector<std::string_view>& pieces) {
  return std::any_of(pieces.begin(), pieces.end(),
                     [&](std::string_view piece) { return text.find(piece) != std::string_view::npos; });
}

/// Environment variables about coverage and Python. Values that may be secret are replaced by stars.
Lines shown_variables() {
  Lines lines;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string text = *entry;
    size_t equals = std::min(text.find('='), text.size());
    std::string name = text.substr(0, equals), value = equals < text.size() ? text.substr(equals + 1) : "";
    static const std::array<std::string_view, 3> kShown = {"HOME", "TEMP", "TMP"};
    if (std::find(kShown.begin(), kShown.end(), name) == kShown.end() && !contains_any(name, {"COV", "PY", "QD_"}))
      continue;
    if (contains_any(name, {"API", "TOKEN", "KEY", "SECRET", "PASS", "SIGNATURE"}))
      for (char& c : value)
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') c = '*';
    lines.push_back(report::printable(fmt::format("{} = {}", name, value)));
  }
  std::sort(lines.begin(), lines.end(), report::human_less);
  return lines;
}

/// Lines of a file, without blank ones.
Lines filled_lines(const std::string& path) {
  Lines lines;
  std::ifstream file(path);
  for (std::string line; !path.empty() && std::getline(file, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(report::printable(line));
  return lines;
}

std::string here(const char* link) {
  std::error_code error;
  fs::path path = fs::read_symlink(link, error);
  return error ? "-none-" : path.string();
}

}  // namespace

std::string build_commit() {
  return
#include "commit.inc"
      ;
}

DebugRows debug_sys(const report::Config& config, const std::optional<std::string>& rcfile) {
  report::ConfigFilesTried tried = report::config_files_tried(config, rcfile);
  utsname system = {};
  uname(&system);
  std::time_t now = std::time(nullptr);
  DebugRows rows = {
      {"qd_cov_version", {QD_VERSION}},
      {"qd_cov_commit", {build_commit()}},
      {"executable", {here("/proc/self/exe")}},
      {"configs_attempted", tried.attempted},
      {"configs_read", tried.read},
      {"config_file", {config.config_file.empty() ? "None" : config.config_file}},
      {"config_contents", filled_lines(config.config_file)},
      {"data_file", {fs::absolute(config.data_file).lexically_normal().string()}},
      {"python", {fmt::format("3.{}", python_minor({}))}},
  };
  if (const auto python = python_program())
    rows.push_back(
        {"python_found",
         {fmt::format("{}, {}", python->program, python->of_environment ? "VIRTUAL_ENV" : "the first on the PATH")}});
  for (auto& row : describe_python("sys", rcfile)) rows.push_back(std::move(row));
  DebugRows others = {
      {"sqlite", {sqlite3_libversion()}},
      {"platform", {fmt::format("{}-{}-{}", system.sysname, system.release, system.machine)}},
      {"cores", {fmt::format("{}", std::thread::hardware_concurrency())}},
      {"pid", {fmt::format("{}", getpid())}},
      {"cwd", {fs::current_path().string()}},
      {"environment", shown_variables()},
      {"command_line", {command_line_of("self")}},
      {"time", {fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(now))}},
  };
  for (auto& row : others) rows.push_back(std::move(row));
  return rows;
}

DebugRows debug_sqlite() {
  Lines options;
  for (int i = 0; const char* option = sqlite3_compileoption_get(i); ++i) options.push_back(option);
  return {{"sqlite3_sqlite_version", {sqlite3_libversion()}},
          {"sqlite3_temp_store", {"0"}},
          {"sqlite3_compile_options", options}};
}

DebugRows debug_pybehave() {
  if (DebugRows rows = describe_python("pybehave"); rows.size() > 1) return rows;
  const int minor = python_minor({});
  auto flag = [](bool value) { return Lines{value ? "True" : "False"}; };
  // Flags of the last release of each version: the settings of a virtual environment, which are read here, have no more
  // than the version.
  return {
      {"PYVERSION", {fmt::format("(3, {})", minor)}},
      {"deferred_annotations", flag(minor >= 14)},
      {"exit_with_through_ctxmgr", flag(minor >= 12)},
      {"fstring_syntax", flag(minor >= 12)},
  };
}

std::string debug_header(const std::string& label) { return fmt::format("--{:-<60}\n", " " + label + " "); }

std::string debug_text(const std::string& topic, const DebugRows& rows) {
  std::string text = debug_header(topic);
  for (const auto& [name, lines] : rows) {
    std::string label = name + ":";
    for (const std::string& line : lines.empty() ? Lines{"-none-"} : lines) {
      text += fmt::format(" {:>31} {}\n", label, line);
      label.clear();
    }
  }
  return text;
}

std::vector<std::string> debug_topics() { return {"config", "pybehave", "sqlite", "sys"}; }

void tell_debug_topics(const report::Config& config, const std::optional<std::string>& rcfile) {
  static bool told = false;
  if (std::exchange(told, true)) return;
  for (const std::string& topic : debug_topics()) {
    DebugMessages messages(topic, config);
    if (!messages.wanted()) continue;
    DebugRows rows = topic == "config"     ? report::describe_config(config, rcfile)
                     : topic == "pybehave" ? debug_pybehave()
                     : topic == "sqlite"   ? debug_sqlite()
                                           : debug_sys(config, rcfile);
    std::string text = debug_text(topic, rows);
    text.pop_back();
    messages.write(text);
  }
}

std::vector<std::string> debug_premain() {
  Lines lines;
  for (int process = getpid(); process > 0 && lines.size() < 100; process = parent_of(process))
    lines.push_back(fmt::format("{:>10} : {}", process, command_line_of(fmt::format("{}", process))));
  return lines;
}

}  // namespace qd::cli
