// JSON of probes. These keys are stable; new ones may be added:
//
//   {"format": 1, "branches": true,                         false: line data, which has no branches
//    "files": [{"path": "pkg/kernels.py",
//      "functions": [{"name": "Solver.step", "kind": "kernel",   or "func"
//        "first_line": 4, "def_line": 5, "last_line": 12,
//        "state": "compiled",                                or "failed", "interpreted" (as plain Python only),
//                                                            "not compiled"
//        "archs": {"cpu": {"state": "compiled", "probes": 8, "fired": 7, "left_out": 0,
//                          "errors": ["kernels.py:9: ..."]}},   of variants that do not compile
//        "lines": [{"line": 6, "state": "hit",               or "not hit", "not measured", "not compiled"
//                   "archs": {"cpu": "hit"}, "contexts": ["tests/test_a.py::test_b|run|qd:cpu"]},
//                  {"line": 9, "state": "not measured", "reason": "static",   or "cap", "error"
//                   "archs": {"cpu": "not measured"}, "contexts": []}],
//        "branches": [{"from": 6, "to": 7, ...}]}],            likewise; a negative "to" leaves the function
//      "stale": ["old_name"]}]}                              compiled from a source that has changed since
#include <nlohmann/json.hpp>

#include "report/data/producers.h"
#include "report/formats/tables/probe_report.h"

namespace qd::report {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const ProbeHits& probe, const std::vector<std::string>& contexts) {
  Json json;
  if (is_line(probe.arc)) {
    json["line"] = probe.arc.to;
  } else {
    json["from"] = probe.arc.from;
    json["to"] = probe.arc.to;
  }
  json["state"] = name(probe.state);
  if (*reason(probe.state)) json["reason"] = reason(probe.state);
  json["archs"] = Json::object();
  for (const auto& [arch, state] : probe.archs) json["archs"][std::string(probe_arch_name(arch))] = name(state);
  json["contexts"] = Json::array();
  for (ContextId context : probe.contexts) json["contexts"].push_back(contexts[context]);
  return json;
}

/// State on one device, of those in FunctionHits::archs.
const char* state_on(const KernelProbes& function, const std::string& arch) {
  if (arch == kHostArch) return "interpreted";
  return !function.archs.contains(arch) || function.compiled(arch) ? "compiled" : "failed";
}

const char* state_of(const FunctionHits& hits) {
  const char* best = "not compiled";
  for (const char* state : {"failed", "interpreted", "compiled"})
    for (const std::string& arch : hits.archs)
      if (std::string_view(state_on(*hits.function, arch)) == state) best = state;
  return best;
}

Json function_json(const FunctionHits& hits, const std::vector<std::string>& contexts) {
  const KernelDefinition& source = hits.function->source;
  Json json;
  json["name"] = source.name;
  json["kind"] = source.is_kernel ? "kernel" : "func";
  json["first_line"] = source.first_line;
  json["def_line"] = source.def_line;
  json["last_line"] = source.last_line;
  json["state"] = state_of(hits);
  json["archs"] = Json::object();
  for (const std::string& arch : hits.archs) {
    FunctionHits::Count count = hits.count(arch);
    Json& its = json["archs"][std::string(probe_arch_name(arch))];
    its["state"] = state_on(*hits.function, arch);
    its["probes"] = count.probes;
    its["fired"] = count.fired;
    its["left_out"] = count.left_out;
    its["errors"] = Json::array();
    if (auto probes = hits.function->archs.find(arch); probes != hits.function->archs.end())
      for (const std::string& message : probes->second.errors) its["errors"].push_back(message);
  }
  json["lines"] = Json::array();
  for (const ProbeHits& probe : hits.lines) json["lines"].push_back(json_of(probe, contexts));
  json["branches"] = Json::array();
  for (const ProbeHits& probe : hits.branches) json["branches"].push_back(json_of(probe, contexts));
  return json;
}

}  // namespace

std::string probe_json(const std::vector<ProbedFile>& files, const std::vector<std::string>& contexts, bool branches) {
  Json json;
  json["format"] = 1;
  json["branches"] = branches;
  json["files"] = Json::array();
  for (const ProbedFile& file : files) {
    Json its;
    its["path"] = file.analysis.relative;
    its["functions"] = Json::array();
    for (const FunctionHits& hits : file.functions) its["functions"].push_back(function_json(hits, contexts));
    its["stale"] = file.analysis.kernels.stale;
    json["files"].push_back(std::move(its));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace qd::report
