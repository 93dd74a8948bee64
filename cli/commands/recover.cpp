// `qd-cov recover`: turns journals of processes that have died into data files.
#include <fmt/core.h>

#include <filesystem>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/measure/killed_runs.h"
#include "report/data/coverage_data.h"
#include "report/data/journal.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

/// Path of a journal's data file: `_qd_kcov.` with the rest of the journal's name; it may be taken.
std::string data_file_for(const fs::path& journal) {
  std::string rest = journal.filename().string().substr(std::string_view(report::kJournalPrefix).size());
  return (journal.parent_path() / ("_qd_kcov." + rest)).string();
}

}  // namespace

int recover(const Arguments& arguments) {
  CommandLine line(
      "recover", "[options] [folder ...]",
      "Turn the journals of processes that died into data files: '_qd_kcov-journal.*' becomes "
      "'_qd_kcov.*'. Journals of processes that live are "
      "left alone. 'qd-cov combine' takes journals as they are; this is for 'coverage combine'. The folders "
      "that killed runs of parallel mode left become data files, too.");
  line.add("keep", "Keep the journals, otherwise they are deleted.");
  line.add("q,quiet", "Don't print messages about what is happening.");
  if (!line.parse(arguments)) return kOk;
  std::vector<std::string> folders = line.arguments();
  if (folders.empty()) folders.push_back(".");

  size_t recovered = 0, errored = 0;
  for (const std::string& folder : folders) {
    if (!fs::is_directory(folder))
      throw report::NoDataError(fmt::format("Couldn't recover from '{}': no such folder", folder));
    for (const std::string& file : recover_runs(folder)) {
      if (!line.flag("quiet")) fmt::print("Recovered {}\n", file);
      ++recovered;
    }
    for (const auto& [journal, writer, state] :
         report::find_journals(fs::absolute(folder).lexically_normal().string())) {
      if (state == report::ProcessState::Unknown) {
        warn(
            fmt::format("'{}' is left alone: it cannot be seen from this host whether its process on host '{}' is "
                        "still running. Recover it there, or name it to 'qd-cov combine'",
                        journal, writer.host));
        ++errored;
      }
      if (state != report::ProcessState::Ended) continue;
      try {
        const report::CoverageData data = report::read_journal(journal);
        const std::string file = report::write_new_data(data_file_for(journal), data);
        if (!data.damage.empty()) {
          const std::string kept = line.flag("keep") ? "" : report::set_aside(journal);
          warn(data.damage + (kept.empty() ? "" : fmt::format(". The journal is kept as '{}'", kept)));
          ++errored;
        } else if (!line.flag("keep")) {
          fs::remove(journal);
        }
        if (!line.flag("quiet")) fmt::print("Recovered {}\n", file);
        ++recovered;
      } catch (const report::DataError& error) {
        warn(error.what());
        ++errored;
      }
    }
  }
  if (recovered == 0 && errored == 0) throw report::NoDataError("No journals to recover");
  return errored ? kError : kOk;
}

}  // namespace qd::cli
