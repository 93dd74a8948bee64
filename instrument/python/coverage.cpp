// Coverage session of a Python process, as a part of the module qdcov._native: starts it, and writes its data files.
// qd_coverage.py decides which files are measured, and the paths of the data.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <pthread.h>

#include <filesystem>

#include "instrument/environment.h"
#include "instrument/session.h"
#include "report/config/config.h"
#include "report/data/file_identity.h"
#include "report/data/journal.h"
#include "report/data/process_mark.h"
#include "runtime/python/module_part.h"
#include "runtime/python/objects.h"

namespace qd::instrument {

namespace nb = nanobind;

namespace {

using Measured = std::function<bool(const std::string& file)>;

// Never destroyed: programs may outlive the interpreter.
Session* session = nullptr;

/// Data file that this process has written, with the name that it wanted and the free name that it got.
struct OwnFile {
  std::string wanted, path;
  std::optional<report::FileIdentity> identity;
};
std::optional<OwnFile> own;

void start(const std::string& label, const std::string& folder, bool branch, const std::string& relative_to,
           bool conditions, bool gradients) {
  if (session) return;
  pthread_atfork(nullptr, nullptr, [] { own.reset(); });
  session = new Session({folder, branch, relative_to}, label,
                        {.max_probes = max_probes_of_environment(),
                         .conditions = conditions,
                         .gradients = gradients,
                         .text_of = python::compiled_text});
}

CoverageSettings settings(const nb::dict& variables) {
  return coverage_settings(
      [&](const std::string& name) { return nb::cast<std::string>(variables.attr("get")(name.c_str(), "")); });
}

void switch_context(const std::string& label) {
  if (session) session->switch_context(label);
}

void pause(bool paused) {
  if (session) session->pause(paused);
}

void forget_saved() {
  if (session) session->forget_saved();
}

/// Writes a file of that name, or beside it if another process has one there; replaces our own. A container may have
/// processes with the number of this one, and the child of a fork may have it too.
void write_own(const std::string& wanted, const report::CoverageData& data) {
  if (own && own->wanted == wanted && own->identity && report::FileIdentity::of(own->path) == own->identity)
    report::write_data(own->path, data);
  else
    own = OwnFile{wanted, report::write_new_data(wanted, data), {}};
  own->identity = report::FileIdentity::of(own->path);
}

/// Writes the records of the files for which `measured` is true; false when there are none. Afterwards the journal is
/// not needed any more. `replaces`: any file at `path`; else it is only replaced when it is our own.
bool write(const std::string& path, bool replaces, bool branch, const std::string& relative_to,
           const Measured& measured) {
  return session && session->save({branch, relative_to, measured}, [&](const report::CoverageData& data) {
    if (replaces)
      report::write_data(path, data);
    else
      write_own(path, data);
  });
}

/// Turns the journal of a process that died into a data file; false when no file in it is measured. `warn` is called
/// about damage.
bool recover(const std::string& journal, const std::string& path, const Measured& measured,
             const std::function<void(const std::string&)>& warn) {
  report::CoverageData data = report::read_journal(journal);
  std::erase_if(data.files,
                [&](const auto& file) { return !measured(std::filesystem::absolute(file.first).string()); });
  if (!data.files.empty()) report::write_data(path, data);
  if (data.damage.empty()) {
    std::filesystem::remove(journal);
  } else {
    const std::string kept = report::set_aside(journal);
    warn(data.damage + (kept.empty() ? "" : ". The journal is kept as '" + kept + "'"));
  }
  return !data.files.empty();
}

/// Starts the session when the environment turns coverage on.
LaunchObserver* observer(const nb::dict& environment) {
  if (!session && settings(environment).on) nb::module_::import_("qd_coverage").attr("start")();
  return session;
}

void add_to(nb::module_& module) {
  nb::class_<CoverageSettings>(module, "CoverageSettings",
                               "What the environment asks of kernel coverage; None where it says nothing.")
      .def_ro("on", &CoverageSettings::on)
      .def_ro("folder", &CoverageSettings::folder)
      .def_ro("file", &CoverageSettings::file)
      .def_ro("branch", &CoverageSettings::branch)
      .def_ro("conditions", &CoverageSettings::conditions)
      .def_ro("gradients", &CoverageSettings::gradients);
  module.def("coverage_settings", settings, nb::arg("variables"), "What these variables of an environment ask for.");
  module.def("coverage_start", start, nb::arg("label"), nb::arg("folder"), nb::arg("branch"), nb::arg("relative_to"),
             nb::arg("conditions"), nb::arg("gradients"), "Programs that are made from now on are measured.");
  module.def(
      "coverage_conditions_configured",
      [](const std::string& rcfile) {
        return report::conditions_configured(rcfile.empty() ? std::nullopt : std::optional(rcfile));
      },
      nb::arg("rcfile"),
      "Whether qd-cov's section of a configuration file, or of those in the current folder, asks for conditions. "
      "Raises RuntimeError on a wrong value.");
  module.def("coverage_active", [] { return session != nullptr; });
  module.def("coverage_switch_context", switch_context, nb::arg("label"),
             "Launches that start from now on count for the context with this label.");
  module.def("coverage_pause", pause, nb::arg("paused"),
             "Launches that start from now on are not measured, or are again.");
  module.def("coverage_forget_written", forget_saved,
             "Forgets what the last coverage_write has written: it is safe elsewhere.");
  module.def("coverage_write", write, nb::arg("path"), nb::arg("replaces"), nb::arg("branch"), nb::arg("relative_to"),
             nb::arg("measured"));
  module.def("coverage_recover", recover, nb::arg("journal"), nb::arg("path"), nb::arg("measured"), nb::arg("warn"));
  module.def("coverage_process_suffix", report::process_suffix,
             "End of the name of a file of this process, as coverage.py makes it.");
  module.def("orphaned_journals", report::orphaned_journals, nb::arg("folder"));
}

[[maybe_unused]] const bool added = python::add_part({add_to, observer});

}  // namespace

}  // namespace qd::instrument
