// Probes of each function, collected from its source and its compiled variants, and looked up in every context.
#include "report/analysis/kernels/probe_hits.h"
#include "report/data/producers.h"

#include <algorithm>
#include <set>

namespace qd::report {

namespace {

/// Lines and arcs that were executed in one context, in logical lines.
struct Executed {
  ContextId context = 0;
  std::string arch;
  std::set<int32_t> lines;
  std::set<Arc> arcs;
};

std::vector<Executed> executed_in(const SourceAnalysis& source, const FileData& data,
                                  const std::vector<std::string>& contexts) {
  std::map<ContextId, Executed> result;
  auto entry = [&](ContextId context) -> Executed& {
    Executed& executed = result[context];
    executed.context = context;
    executed.arch = named_arch(contexts[context]);
    return executed;
  };
  for (const auto& [context, lines] : data.lines)
    for (int32_t line : lines.lines()) entry(context).lines.insert(source.logical_line(line));
  for (const auto& [context, arcs] : data.arcs) {
    Executed& executed = entry(context);
    for (const Arc& arc : arcs) {
      Arc logical{source.logical_line(arc.from), source.logical_line(arc.to)};
      executed.arcs.insert(logical);
      for (int32_t line : {logical.from, logical.to})
        if (line > 0) executed.lines.insert(line);
    }
  }
  std::vector<Executed> list;
  for (auto& [context, executed] : result) list.push_back(std::move(executed));
  return list;
}

class Function {
 public:
  Function(const Analysis& analysis, const KernelProbes& function, const std::vector<Executed>& executed, bool branches)
      : analysis_(analysis), function_(function), executed_(executed), branches_(branches) {}

  FunctionHits hits() {
    FunctionHits result;
    result.function = &function_;
    std::set<int32_t> lines;
    std::set<Arc> branches;
    collect(lines, branches);
    for (const auto& [arch, probes] : function_.archs) archs_.insert(arch);
    for (const Executed& executed : executed_)
      if (std::any_of(lines.begin(), lines.end(),
                      [&](int32_t line) { return reached(executed, {-function_.source.first_line, line}); }))
        archs_.insert(executed.arch);
    result.archs.assign(archs_.begin(), archs_.end());
    for (int32_t line : lines) result.lines.push_back(probe({-function_.source.first_line, line}));
    for (const Arc& arc : branches) result.branches.push_back(probe(arc));
    return result;
  }

 private:
  void collect(std::set<int32_t>& lines, std::set<Arc>& branches) const {
    const SourceAnalysis& source = analysis_.source;
    auto is_ours = [&](int32_t line) { return analysis_.kernels.at(line) == &function_; };
    for (int32_t line : source.statements)
      if (is_ours(line)) lines.insert(line);
    if (branches_) {
      for (const Arc& arc : source.arcs) {
        auto exits = source.exit_counts.find(arc.from);
        bool excluded = std::binary_search(source.excluded.begin(), source.excluded.end(), arc.to);
        if (exits != source.exit_counts.end() && exits->second > 1 && lines.contains(arc.from) && !excluded)
          branches.insert(arc);
      }
    }
    for (const auto& [arch, probes] : function_.archs) {
      for (const std::set<Arc>* set : {&probes.measured, &probes.left_out}) {
        for (const Arc& arc : *set) {
          if (is_line(arc))
            lines.insert(arc.to);
          else if (branches_)
            branches.insert(arc);
        }
      }
    }
  }

  bool reached(const Executed& executed, const Arc& arc) const {
    if (!is_line(arc)) return executed.arcs.contains(arc);
    // A body on the line of its `def`: the host code that runs that line does not run the body.
    if (executed.arch == kHostArch && arc.to <= function_.source.def_line) return false;
    return executed.lines.contains(arc.to);
  }

  ProbeHits probe(const Arc& arc) const {
    ProbeHits result;
    result.arc = arc;
    for (const std::string& arch : archs_) {
      // A device without a record of compiled code (data combined elsewhere) that ran the function: all lines were
      // measured.
      bool unknown = !function_.archs.contains(arch);
      result.archs[arch] = unknown ? ProbeState::NotHit : function_.unreached(arc, arch);
    }
    for (const Executed& executed : executed_) {
      if (!reached(executed, arc)) continue;
      result.archs[executed.arch] = ProbeState::Hit;
      result.contexts.push_back(executed.context);
    }
    for (const auto& [arch, state] : result.archs) result.state = std::min(result.state, state);
    return result;
  }

  const Analysis& analysis_;
  const KernelProbes& function_;
  const std::vector<Executed>& executed_;
  bool branches_;
  std::set<std::string, ByProbeArch> archs_;
};

}  // namespace

std::string_view probe_arch_name(const std::string& arch) {
  return arch == kHostArch ? std::string_view("python") : std::string_view(arch);
}

FunctionHits::Count FunctionHits::count(const std::string& arch) const {
  Count result;
  for (const std::vector<ProbeHits>* list : {&lines, &branches}) {
    for (const ProbeHits& probe : *list) {
      auto found = probe.archs.find(arch);
      if (found == probe.archs.end()) continue;
      result.probes += found->second == ProbeState::Hit || found->second == ProbeState::NotHit;
      result.fired += found->second == ProbeState::Hit;
      result.left_out += found->second == ProbeState::LeftOut;
    }
  }
  return result;
}

std::vector<FunctionHits> function_hits(const Analysis& analysis, const FileData& data,
                                        const std::vector<std::string>& contexts) {
  const std::vector<Executed> executed = executed_in(analysis.source, data, contexts);
  std::vector<FunctionHits> result;
  for (const KernelProbes& function : analysis.kernels.functions)
    result.push_back(Function(analysis, function, executed, analysis.has_arcs).hits());
  return result;
}

}  // namespace qd::report
