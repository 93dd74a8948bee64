// What a session recorded as a data file holds it.
#include "instrument/session.h"

namespace qd::instrument {

report::CoverageData to_coverage_data(const std::map<std::string, Arcs>& hits, const Catalogue& catalogue, const Decisions& decisions,
                                      const DataOptions& options, const Versions& versions) {
  report::CoverageData data;
  data.has_arcs = options.branch;
  std::string prefix = options.relative_to;
  if (!prefix.empty() && prefix.back() != '/') prefix += '/';
  auto path_of = [&](const std::string& file) { return !prefix.empty() && file.starts_with(prefix) ? file.substr(prefix.size()) : file; };
  for (const auto& [file, functions] : catalogue) {
    auto& known = data.files[path_of(file)].kernel_functions;
    for (const auto& [function, probes] : functions) {
      report::Probes& ours = known[function] = probes;
      if (options.branch) continue;
      std::erase_if(ours.measured, [](const report::Arc& arc) { return !report::is_line(arc); });
      std::erase_if(ours.left_out, [](const report::Arc& arc) { return !report::is_line(arc); });
    }
  }
  for (const auto& [label, files] : hits) {
    report::ContextId context = data.context_id(label);
    for (const auto& [file, taken] : files) {
      std::string path = path_of(file);
      data.files[path];
      for (const report::Arc& arc : taken) {
        if (options.branch) {
          data.add_arc(path, arc, context);
        } else if (report::is_line(arc)) {
          data.add_line(path, arc.to, context);
        }
      }
    }
  }
  for (const auto& [file, found] : decisions) {
    auto& known = data.files[path_of(file)].decisions;
    for (const auto& [range, recorded] : found) {
      report::Decision& decision = known[range] = {recorded.first_line, recorded.kind, recorded.conditions, {}};
      for (const auto& [label, evaluations] : recorded.evaluations) decision.evaluations[data.context_id(label)] = evaluations;
    }
  }
  for (auto& [file, hashes] : versions)
    if (auto found = data.files.find(path_of(file)); found != data.files.end()) found->second.source_hashes = hashes;
  return data;
}

}  // namespace qd::instrument
