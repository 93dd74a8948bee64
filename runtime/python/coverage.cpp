// Starts the session, keeps what each context recorded, and writes data files. What is measured and where it goes is decided in qd._coverage.
#include "runtime/python/coverage.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>

#include <map>

#include "instrument/session.h"

namespace qd::python {

namespace nb = nanobind;

namespace {

using Arcs = std::map<std::string, std::set<report::Arc>>;

struct Coverage {
  instrument::Session session;
  std::string context;              // of the launches from now on
  std::map<std::string, Arcs> past;  // by context: what was recorded before it changed
};

// Never destroyed: programs may outlive the interpreter.
Coverage* coverage = nullptr;

void keep(Coverage& c, const std::string& context, Arcs arcs) {
  Arcs& known = c.past[context];
  for (auto& [file, taken] : arcs) known[file].merge(taken);
}

Arcs collect() {
  // This waits for launches in other threads, which may need the GIL to finish.
  nb::gil_scoped_release no_gil;
  return coverage->session.arcs();
}

void start(const std::string& context) {
  if (!coverage) coverage = new Coverage();
  coverage->context = context;
}

void switch_context(const std::string& context) {
  if (!coverage || coverage->context == context) return;
  Arcs recorded = collect();
  keep(*coverage, coverage->context, std::move(recorded));
  coverage->session.forget();
  coverage->context = context;
}

void forget() {
  if (!coverage) return;
  coverage->session.forget();
  coverage->past.clear();
}

/// Writes what was recorded about the files that `measured` accepts; false when there is nothing.
bool write(const std::string& path, bool branch, const std::string& relative_to, const std::function<bool(const std::string&)>& measured) {
  if (!coverage) return false;
  Coverage& c = *coverage;
  Arcs recorded = collect();
  std::map<std::string, Arcs> all = c.past;
  for (auto& [file, taken] : recorded) all[c.context][file].merge(taken);
  report::CoverageData data;
  bool any = false;
  std::map<std::string, bool> accepted;
  for (auto& [context, arcs] : all) {
    std::erase_if(arcs, [&](const auto& entry) {
      auto [known, first] = accepted.try_emplace(entry.first, false);
      if (first) known->second = measured(entry.first);
      return !known->second;
    });
    if (arcs.empty()) continue;
    report::CoverageData one = instrument::to_coverage_data(arcs, {.branch = branch, .context = context, .relative_to = relative_to});
    if (any) {
      data.update(one);
    } else {
      data = std::move(one);
    }
    any = true;
  }
  if (any) report::write_data(path, data);
  return any;
}

}  // namespace

LaunchObserver* coverage_observer() { return coverage ? &coverage->session : nullptr; }

void add_coverage(nb::module_& module) {
  module.def("coverage_start", start, nb::arg("context"), "Programs that are made from now on are measured.");
  module.def("coverage_active", [] { return coverage != nullptr; });
  module.def("coverage_switch_context", switch_context, nb::arg("context"), "What is recorded from now on stands under this context.");
  module.def("coverage_forget", forget, "Forgets all that was recorded: for the child of a fork.");
  module.def("coverage_write", write, nb::arg("path"), nb::arg("branch"), nb::arg("relative_to"), nb::arg("measured"));
}

}  // namespace qd::python
