// The session of a Python process: starts it and writes its data files. What is measured and where it goes is decided in qd._coverage.
#include "runtime/python/coverage.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>

#include <filesystem>

#include "instrument/session.h"
#include "report/data/journal.h"

namespace qd::python {

namespace nb = nanobind;

namespace {

using Measured = std::function<bool(const std::string& file)>;

// Never destroyed: programs may outlive the interpreter.
instrument::Session* session = nullptr;

void start(const std::string& context, const std::string& folder, bool branch, const std::string& relative_to) {
  if (!session) session = new instrument::Session({folder, branch, relative_to}, context);
}

void switch_context(const std::string& context) {
  if (session) session->switch_context(context);
}

void forget() {
  if (!session) return;
  session->remove_journal();
  session->forget();
}

/// Writes what was recorded about the files that `measured` accepts; false when there is nothing. Then the journal has done its work.
bool write(const std::string& path, bool branch, const std::string& relative_to, const Measured& measured) {
  if (!session) return false;
  auto hits = session->hits();
  std::map<std::string, bool> accepted;
  for (auto& [context, files] : hits) {
    std::erase_if(files, [&](const auto& file) {
      auto [known, first] = accepted.try_emplace(file.first, false);
      if (first) known->second = measured(file.first);
      return !known->second;
    });
  }
  std::erase_if(hits, [](const auto& entry) { return entry.second.empty(); });
  if (!hits.empty()) report::write_data(path, instrument::to_coverage_data(hits, {branch, relative_to}));
  session->remove_journal();
  return !hits.empty();
}

/// Journals in `folder` of processes that died after `since` (seconds of the epoch) become data files `prefix` + a number; gives how many.
int recover(const std::string& folder, double since, const std::string& prefix, const Measured& measured) {
  int recovered = 0;
  for (const std::string& journal : report::orphaned_journals(folder)) {
    auto written = std::filesystem::last_write_time(journal);
    auto age = std::chrono::file_clock::to_sys(written).time_since_epoch();
    if (std::chrono::duration<double>(age).count() < since) continue;
    report::CoverageData data = report::read_journal(journal);
    std::erase_if(data.files, [&](const auto& file) { return !measured(std::filesystem::absolute(file.first).string()); });
    if (!data.files.empty()) report::write_data(prefix + std::to_string(recovered++), data);
    std::filesystem::remove(journal);
  }
  return recovered;
}

}  // namespace

LaunchObserver* coverage_observer() { return session; }

void add_coverage(nb::module_& module) {
  module.def("coverage_start", start, nb::arg("context"), nb::arg("folder"), nb::arg("branch"), nb::arg("relative_to"),
             "Programs that are made from now on are measured.");
  module.def("coverage_active", [] { return session != nullptr; });
  module.def("coverage_switch_context", switch_context, nb::arg("context"), "Launches that start from now on count for this context.");
  module.def("coverage_forget", forget, "Forgets all that was recorded: it is safe elsewhere.");
  module.def("coverage_write", write, nb::arg("path"), nb::arg("branch"), nb::arg("relative_to"), nb::arg("measured"));
  module.def("coverage_recover", recover, nb::arg("folder"), nb::arg("since"), nb::arg("prefix"), nb::arg("measured"));
}

}  // namespace qd::python
