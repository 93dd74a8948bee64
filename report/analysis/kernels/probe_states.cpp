// Probe states: joins the definitions of a source with the functions that were compiled.
#include "report/analysis/kernels/probe_states.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/analysis/analysis.h"
#include "report/data/producers.h"

namespace qd::report {

namespace {

std::set<Arc> logical(const std::set<Arc>& arcs, const SourceAnalysis& source) {
  std::set<Arc> result;
  for (const Arc& arc : arcs) result.insert({source.logical_line(arc.from), source.logical_line(arc.to)});
  return result;
}

Probes logical(const Probes& probes, const SourceAnalysis& source) {
  Probes result{logical(probes.measured, source), logical(probes.left_out, source), probes.errors, {}};
  for (const auto& [name, variant] : probes.variants)
    result.variants[name] = {variant.launches, logical(variant.measured, source), logical(variant.taken, source)};
  return result;
}

/// Unqualified name, as the compiler knows it: "inner" of "make_kernel.inner".
std::string_view plain(const std::string& qualified) {
  size_t dot = qualified.rfind('.');
  return std::string_view(qualified).substr(dot == std::string::npos ? 0 : dot + 1);
}

/// The types that a function was compiled for: " for (x=float64), (x=int64)"; empty where only callers have its code.
std::string signatures(const KernelProbes& function) {
  std::set<std::string> found;
  for (const auto& [arch, probes] : function.archs)
    for (const auto& [variant, compiled] : probes.variants)
      if (variant.kernel.empty() && !variant.arguments.empty()) found.insert(fmt::format("({})", variant.arguments));
  return found.empty() ? "" : fmt::format(" for {}", fmt::join(found, ", "));
}

bool has_probes(const Probes& probes) { return !probes.measured.empty() || !probes.left_out.empty(); }

}  // namespace

const char* name(ProbeState state) {
  switch (state) {
    case ProbeState::Hit: return "hit";
    case ProbeState::NotHit: return "not hit";
    case ProbeState::LeftOut:
    case ProbeState::NotHeld:
    case ProbeState::Failed: return "not measured";
    case ProbeState::NotCompiled: return "not compiled";
  }
  return "";
}

const char* reason(ProbeState state) {
  switch (state) {
    case ProbeState::LeftOut: return "cap";
    case ProbeState::NotHeld: return "static";
    case ProbeState::Failed: return "error";
    default: return "";
  }
}

bool KernelProbes::compiled(const std::string& arch) const {
  auto found = archs.find(arch);
  return found != archs.end() && (has_probes(found->second) || found->second.errors.empty());
}

bool KernelProbes::compiled() const {
  return std::any_of(archs.begin(), archs.end(), [&](const auto& entry) { return compiled(entry.first); });
}

bool KernelProbes::is_called() const {
  return source.is_called || std::any_of(archs.begin(), archs.end(),
                                         [](const auto& entry) { return entry.first.find(':') != std::string::npos; });
}

bool KernelProbes::never_called() const { return is_called() && compiled() && !ran; }

ProbeState KernelProbes::unreached(const Arc& arc, const std::string& on) const {
  auto found = archs.find(on);
  if (found == archs.end()) return ProbeState::NotCompiled;
  if (found->second.measured.contains(arc)) return ProbeState::NotHit;
  if (found->second.left_out.contains(arc)) return ProbeState::LeftOut;
  return compiled(on) ? ProbeState::NotHeld : ProbeState::Failed;
}

ProbeState KernelProbes::unreached(const Arc& arc) const {
  ProbeState best = ProbeState::NotCompiled;
  for (const auto& [arch, probes] : archs) best = std::min(best, unreached(arc, arch));
  // Lines of it ran although it was not compiled: it ran as plain Python, where every line is measured.
  return ran && !compiled() ? ProbeState::NotHit : best;
}

std::string KernelProbes::explain(ProbeState state) const {
  switch (state) {
    case ProbeState::LeftOut: return "QD_COVERAGE_MAX_PROBES left it out";
    case ProbeState::NotHeld: return "no compiled variant has it (static condition)";
    case ProbeState::Failed:
      for (const auto& [arch, probes] : archs)
        if (!probes.errors.empty()) return "does not compile: " + *probes.errors.begin();
      return "";
    case ProbeState::NotHit:
      if (never_called()) return fmt::format("compiled{} and never called", signatures(*this));
      return is_called() ? "no call reached it" : "no launch reached it";
    case ProbeState::NotCompiled:
      if (is_called()) return "the function was never called";
      return source.is_kernel ? "the kernel was not launched" : "no kernel that was launched calls it";
    case ProbeState::Hit: return "";
  }
  return "";
}

const KernelProbes* FileKernels::at(int32_t line) const {
  const KernelProbes* found = nullptr;
  for (const KernelProbes& function : functions) {
    if (function.source.first_line > line) break;
    if (line >= function.source.body_line && line <= function.source.last_line) found = &function;
  }
  return found;
}

FileKernels file_kernels(const SourceAnalysis& source, const FileData& data) {
  FileKernels result;
  if (!source.functions) return result;
  const Numbits executed = data.executed_lines();
  std::set<const KernelFunction*> found;
  for (const KernelDefinition& definition : *source.functions) {
    KernelProbes function;
    function.source = definition;
    for (const auto& [compiled, probes] : data.kernel_functions) {
      if (compiled.first_line != definition.first_line || compiled.name != plain(definition.name)) continue;
      found.insert(&compiled);
      function.source.is_kernel = compiled.is_kernel;
      function.archs[compiled.arch].merge(logical(probes, source));
    }
    if (function.archs.empty() && !definition.decorated) continue;
    for (int32_t line = std::max(definition.body_line, definition.def_line + 1); line <= definition.last_line; ++line)
      function.ran = function.ran || executed.contains(line);
    result.functions.push_back(std::move(function));
  }
  for (const auto& [compiled, probes] : data.kernel_functions)
    if (!found.contains(&compiled)) result.stale.push_back(compiled.name);
  return result;
}

bool has_kernel_tables(const CoverageData& data) {
  return std::any_of(data.files.begin(), data.files.end(),
                     [](const auto& file) { return !file.second.kernel_functions.empty(); });
}

std::string why_no_kernel_tables(const CoverageData& data) {
  bool kernels_ran = std::any_of(data.contexts.begin(), data.contexts.end(),
                                 [](const std::string& c) { return named_arch(c) != kHostArch; });
  return kernels_ran ? "The data has no record of compiled kernels: it was not combined by qd-cov."
                     : "No kernel was measured.";
}

}  // namespace qd::report
