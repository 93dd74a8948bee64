// Killed runs: the note in a run folder has what `qd-cov run` knew, so that another process can finish its work.
//
//   .qd-cov-run.node1.pid7.XabcdefX/   run.json   start/  host/  kernels/
//
// The folder has this name from the moment when the note is in it and locked, until its data is in the data file.
#include "cli/measure/killed_runs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/command_line.h"
#include "cli/measure/measured_data.h"
#include "report/config/glob_matcher.h"
#include "report/config/source_filter.h"
#include "report/data/coverage_data.h"
#include "report/data/data_file_check.h"
#include "report/data/file_content.h"
#include "report/data/process_mark.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kNew = ".qd-cov-new";
constexpr const char* kRun = ".qd-cov-run";
constexpr const char* kFinished = ".qd-cov-finished";
constexpr const char* kDamaged = ".qd-cov-damaged";
constexpr const char* kNote = "run.json";

std::string beside(const std::string& data_file, const std::string& name) {
  return (fs::absolute(data_file).lexically_normal().parent_path() / name).string();
}

/// Absolute path without a slash at its end.
fs::path normal(const std::string& folder) {
  fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// The same settings for a process in another folder or on another host.
nlohmann::json note_of(const report::Config& config, const std::string& command, report::LockReach lock,
                       int64_t start) {
  nlohmann::json note;
  const auto mark = report::ProcessMark::present(lock);
  note["writer"] = {mark.host, mark.boot, mark.pid_namespace, mark.pid, mark.started, mark.lock};
  note["data_file"] = fs::path(config.data_file).filename().string();
  note["command"] = command;
  note["folder"] = report::absolute_path(".");
  note["start"] = start;
  note["branch"] = config.branch;
  note["relative_files"] = config.relative_files;
  note["cover_pylib"] = config.cover_pylib;
  report::StringList folders = config.source_dirs, packages = config.source_pkgs;
  for (const std::string& source : config.source.value_or(report::StringList{}))
    (fs::is_directory(source) ? folders : packages).push_back(source);
  for (std::string& folder : folders) folder = report::absolute_path(folder);
  note["source_dirs"] = folders;
  note["source_pkgs"] = packages;
  note["include"] = report::prepare_patterns(config.run_include);
  note["omit"] = report::prepare_patterns(config.run_omit);
  return note;
}

/// A note that another process reads.
struct RunNote {
  report::ProcessMark writer;
  std::string data_file, command, folder;
  int64_t start = 0;
  report::Config config;
};

/// Throws nlohmann::json::exception for a file that is no note.
RunNote read_note(const std::string& text) {
  const nlohmann::json note = nlohmann::json::parse(text);
  RunNote run;
  const nlohmann::json& writer = note.at("writer");
  run.writer = {writer.at(0), writer.at(1), writer.at(2), writer.at(3), writer.at(4), writer.at(5)};
  // A file name alone: the folder may have another path on this host.
  run.data_file = fs::path(note.at("data_file").get<std::string>()).filename().string();
  run.command = note.at("command");
  run.folder = note.at("folder");
  run.start = note.at("start");
  run.config.branch = note.at("branch");
  run.config.relative_files = note.at("relative_files");
  run.config.cover_pylib = note.at("cover_pylib");
  run.config.source_dirs = note.at("source_dirs");
  run.config.source_pkgs = note.at("source_pkgs");
  run.config.run_include = note.at("include");
  run.config.run_omit = note.at("omit");
  return run;
}

/// A run folder, with the state of its processes.
struct FoundRun {
  std::string path;
  std::optional<RunNote> note;  // none: it cannot be read
  report::ProcessState state = report::ProcessState::Ended;
};

FoundRun find_run(const std::string& path) {
  FoundRun found{path, {}, report::ProcessState::Ended};
  const std::string name = path + "/" + kNote;
  const int file = open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return found;
  try {
    found.note = read_note(report::read_bytes(name).value_or(""));
  } catch (const nlohmann::json::exception&) {
    // Its state is known by its lock.
  }
  found.state = report::state_of_writer(file, found.note ? found.note->writer : report::ProcessMark{});
  close(file);
  return found;
}

std::vector<std::string> run_folders(const std::string& folder, const char* prefix) {
  std::vector<std::string> paths;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable))
    if (entry.path().filename().string().starts_with(std::string(prefix) + ".") && entry.is_directory(unreadable))
      paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

std::string renamed(const std::string& run_folder, const char* prefix) {
  const fs::path path(run_folder);
  return (path.parent_path() / (prefix + path.filename().string().substr(std::strlen(kRun)))).string();
}

void remove_run(const std::string& path) {
  std::error_code error;
  const std::string finished = renamed(path, kFinished);
  fs::rename(path, finished, error);
  fs::remove_all(error ? path : finished, error);
}

/// Lock on the note of a run that is recovered, so that no other process does the same.
class Recovering {
 public:
  explicit Recovering(const std::string& path) : file_(open((path + "/" + kNote).c_str(), O_RDWR | O_CLOEXEC)) {
    if (file_ >= 0) report::lock_for_life(file_);
    ours_ = file_ >= 0 && fs::exists(path);  // another process may have finished it before we had the lock
  }
  ~Recovering() {
    if (file_ >= 0) close(file_);
  }
  Recovering(const Recovering&) = delete;
  Recovering& operator=(const Recovering&) = delete;

  bool is_ours() const { return ours_; }

 private:
  int file_;
  bool ours_ = false;
};

/// Makes the data file of a run, and removes its folder. No value when another process does.
std::optional<std::string> recover_run(const FoundRun& run) {
  const Recovering lock(run.path);
  if (!lock.is_ours()) return std::nullopt;
  const RunNote& note = *run.note;
  const std::string data_file = (fs::path(run.path).parent_path() / note.data_file).string();
  report::check_replaceable(data_file);  // in a shared folder, others may write notes
  report::CoverageData data;
  data.path = data_file;
  const report::SourceFilter filter(note.config, report::SourceFolders::MayBeElsewhere);
  const bool whole = add_measured_data(data, {run.path, note.folder, note.start}, note.config, filter);
  if (!data.has_arcs) data.has_arcs = note.config.branch;
  data.commands.insert(note.command);
  // The run may have written it before it was killed: of the same data, or of a part.
  report::write_data(data_file, data);
  if (whole) {
    remove_run(run.path);
  } else {
    const std::string kept = renamed(run.path, kDamaged);
    fs::rename(run.path, kept);
    warn(fmt::format("The unreadable data is in '{}'", kept));
  }
  return data_file;
}

}  // namespace

ParallelRun::ParallelRun(const report::Config& config, const std::string& suffix, const std::string& command)
    : folder_(beside(config.data_file, kNew + suffix)), finished_name_(beside(config.data_file, kFinished + suffix)) {
  const std::string name = folder_.path() + "/" + kNote;
  const int file = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error(fmt::format("Couldn't write '{}': {}", name, std::strerror(errno)));
  // The child of this process inherits the descriptor, so the folder is locked as long as either runs. Programs may
  // expect to get low numbers.
  constexpr int kLowest = 100;
  lock_ = fcntl(file, F_DUPFD, kLowest);
  if (lock_ < 0)
    lock_ = file;
  else
    close(file);
  const report::LockReach reach = report::lock_for_life(lock_);
  const std::string text = note_of(config, command, reach, folder_.start()).dump(2, ' ', true);
  if (write(lock_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    throw std::runtime_error(fmt::format("Couldn't write '{}': {}", name, std::strerror(errno)));
  folder_.rename(beside(config.data_file, kRun + suffix));
}

ParallelRun::~ParallelRun() { close(lock_); }

void ParallelRun::finish() {
  folder_.rename(finished_name_);
  folder_.remove();
}

bool is_run_folder(const std::string& path) {
  return normal(path).filename().string().starts_with(std::string(kRun) + ".");
}

std::vector<std::string> recover_runs(const std::string& folder, std::vector<std::string>* left) {
  const bool named = is_run_folder(folder);
  const std::string here = normal(folder).string();
  std::vector<std::string> data_files;
  for (const std::string& path : named ? std::vector{here} : run_folders(here, kRun)) {
    const FoundRun run = find_run(path);
    if (run.state == report::ProcessState::Runs) {
      if (named) warn(fmt::format("'{}' is left alone: its processes are still running", path));
      continue;
    }
    const bool is_left = !run.note || (run.state == report::ProcessState::Unknown && !named);
    if (is_left && left) left->push_back(path);
    if (!run.note) {
      warn(fmt::format("'{}' is left alone: its '{}' cannot be read", path, kNote));
    } else if (is_left) {
      warn(
          fmt::format("'{}' is left alone: it cannot be seen from this host whether the run on host '{}' still goes "
                      "on, because the folder is shared without locks. Afterwards, combine it by its name",
                      path, run.note->writer.host));
    } else {
      if (auto data_file = recover_run(run)) data_files.push_back(*data_file);
    }
  }
  std::error_code error;
  for (const std::string& path : run_folders(here, kFinished)) fs::remove_all(path, error);
  return data_files;
}

std::vector<std::string> ended_runs(const std::string& folder) {
  std::vector<std::string> paths = run_folders(folder, kRun);
  std::erase_if(paths, [](const std::string& path) { return find_run(path).state == report::ProcessState::Runs; });
  return paths;
}

void erase_runs(const std::string& folder) {
  for (const std::string& path : run_folders(folder, kRun))
    if (find_run(path).state == report::ProcessState::Ended) remove_run(path);
}

}  // namespace qd::cli
