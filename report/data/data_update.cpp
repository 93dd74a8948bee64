// Update of a data file: reads it, adds to it and writes it, while other processes do the same.
#include "report/data/data_update.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "report/data/data_file_check.h"
#include "report/data/journal.h"
#include "report/data/signals_wait.h"
#include "report/data/source_version.h"
#include "report/data/sqlite.h"
#include "report/data/unfinished_file.h"
#include "report/data/unused_name.h"
#include "report/data/utf8.h"

namespace qd::report {

namespace {

/// Largest id of a file in a data file; 0 when there is none, or it cannot be read.
int64_t last_id_of(const std::string& path) {
  try {
    Database database = Database::open_to_read(path);
    Statement last(database, "SELECT max(id) FROM file");
    return last.step() ? last.integer(0) : 0;
  } catch (const DataError&) {
    return 0;
  }
}

/// Path of the data file behind links, if it may be replaced.
std::string replaceable_target(const std::string& data_file) {
  check_replaceable(data_file);
  return data_file_target(data_file);
}

/// Removes everything that is added up when data is merged.
void forget_sums(CoverageData& data) {
  for (auto& [path, file] : data.files) {
    for (auto& [function, probes] : file.kernel_functions)
      for (auto& [name, variant] : probes.variants) variant.launches = 0;
    std::erase_if(file.results, [](const auto& entry) { return entry.first.merge == MergeRule::Add; });
  }
}

}  // namespace

DataUpdate::DataUpdate(const std::string& data_file, Warn warn)
    : data_file_(data_file), target_(replaceable_target(data_file)), warn_(std::move(warn)), lock_(target_, warn_) {
  complete();
}

/// Completes the work of a process that was killed. Of several notes, the last one whose result became the data file
/// counts; it includes the earlier ones. The results of the other notes never became the data file.
void DataUpdate::complete() {
  const std::vector<CombineNote> notes = unpack_notes(lock_.found());
  if (notes.empty()) return lock_.forget_notes();
  const std::optional<FileIdentity> present = FileIdentity::of(target_);
  auto written = std::find_if(notes.rbegin(), notes.rend(), [&](const CombineNote& note) {
    return present && note.result.is_same_file_of_path(*present);
  });
  for (auto note = notes.rbegin(); note != written; ++note)
    if (!note->displaced.empty()) unlink(note->displaced.back().c_str());
  if (written != notes.rend()) {
    for (const CombinedInput& input : written->inputs) completed_.insert(input.path);
    CombineNote note = *written;
    std::erase_if(note.displaced, [](const std::string& path) { return !FileIdentity::of(path); });
    if (note.adds && !note.displaced.empty()) {
      adds_ = true;
      CoverageData data = with_late_rows(note);
      write(std::move(data), std::move(note));
      adds_ = false;
      return;
    }
    const SignalsWait wait;
    for (const std::string& path : note.displaced) unlink(path.c_str());
    delete_inputs(note.inputs);
    return lock_.forget_notes();
  }
  lock_.forget_notes();
}

CoverageData DataUpdate::present() {
  adds_ = true;
  read_ = FileIdentity::of(target_);
  try {
    if (read_) return read_data(data_file_);
  } catch (const NoDataError&) {
    // Another process has erased it in between.
  }
  return {};
}

void DataUpdate::commit(CoverageData data, const std::vector<CombinedInput>& inputs) {
  if (!adds_) data.last_id = last_id_of(target_);
  CombineNote note;
  note.adds = adds_;
  note.inputs = inputs;
  write(std::move(data), std::move(note));
}

/// Writes the data file, and repeats that until no other process has written in between.
void DataUpdate::write(CoverageData data, CombineNote note) {
  note_doubts(data);  // the new file will be newer than its data
  for (;;) {
    UnfinishedFile file(target_, data_file_, [&](const std::string& path) {
      lock_.note(CombineNote{{}, {path}, false, {}}.packed(), false);
    });
    const bool first = note.displaced.empty();
    note.displaced.push_back(file.path());
    std::optional<SignalsWait> wait;
    try {
      file.write(data);
      wait.emplace();
      lock_.outlive_signals();
      note.result = FileIdentity::of(file.path()).value_or(FileIdentity());
      lock_.note(note.packed(), !note.inputs.empty());
      if (!file.exchange()) note.displaced.pop_back();
    } catch (const DataError&) {
      if (first) lock_.forget_notes();
      throw;
    }
    if (adds_ && !note.displaced.empty()) wait_for_late_writers(note.displaced.back());
    if (adds_ && !note.displaced.empty() && FileIdentity::of(note.displaced.back()) != read_) {
      data = with_late_rows(note);
      continue;
    }
    for (const std::string& path : note.displaced) unlink(path.c_str());
    delete_inputs(note.inputs);
    lock_.forget_notes();
    return;
  }
}

/// The data file, with the rows that were written to the replaced files after we had read them.
CoverageData DataUpdate::with_late_rows(const CombineNote& note) {
  for (const std::string& path : note.displaced) wait_for_late_writers(path);
  CoverageData data = present();
  for (const std::string& path : note.displaced) {
    try {
      CoverageData late = read_data(path);
      forget_sums(late);  // they are in `data` already: a program that adds rows without our lock adds no launches
      data.update(std::move(late));
    } catch (const DataError& error) {
      const std::string kept = move_to_unused(path, target_ + "-displaced");
      if (kept.empty()) continue;
      data.unread_inputs.insert(shown_text(kept));
      warn(
          fmt::format("Data that another process wrote to '{}' at the same time could not be added, and is in '{}': {}",
                      data_file_, kept, error.what()));
    }
  }
  return data;
}

void DataUpdate::delete_inputs(const std::vector<CombinedInput>& inputs) const {
  const std::optional<FileIdentity> ours = FileIdentity::of(target_);
  for (const CombinedInput& input : inputs) {
    const std::optional<FileIdentity> present = FileIdentity::of(input.path);
    if (!present || (ours && present->is_same_file(*ours))) continue;
    if (*present != input.identity) {
      warn(fmt::format("'{}' was written to while it was combined: it is kept", input.path));
    } else if (input.is_damaged) {
      if (const std::string kept = set_aside(input.path); !kept.empty())
        warn(fmt::format("The damaged journal is kept as '{}'", kept));
    } else if (unlink(input.path.c_str()) != 0 && errno != ENOENT) {
      warn(fmt::format("Couldn't delete '{}': {}", input.path, std::strerror(errno)));
    }
  }
}

}  // namespace qd::report
