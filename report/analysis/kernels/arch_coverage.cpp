// Coverage by arch: splits the analysis of a file by the device, or the host, that ran its lines.
#include "report/analysis/kernels/arch_coverage.h"
#include "report/data/producers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace qd::report {

namespace {

/// Contexts of a file, by arch.
std::map<std::string, std::set<ContextId>> contexts_by_arch(const FileData& data,
                                                            const std::vector<std::string>& contexts) {
  std::map<std::string, std::set<ContextId>> result;
  auto add = [&](ContextId context) { result[named_arch(contexts[context])].insert(context); };
  for (const auto& [context, lines] : data.lines) add(context);
  for (const auto& [context, arcs] : data.arcs) add(context);
  return result;
}

/// Analysis of the lines that ran in some contexts, without the data of kernels and conditions.
std::shared_ptr<const Analysis> analysis_of(const Analysis& whole, const FileData& data,
                                            const std::set<ContextId>& contexts) {
  SourceAnalysis source = whole.source;
  source.decisions.reset();
  source.functions.reset();
  return std::make_shared<const Analysis>(
      analyze(whole.path, whole.relative, std::move(source), restricted(data, contexts), whole.has_arcs));
}

/// A set of lines; those of a file count from 1.
class Lines {
 public:
  explicit Lines(int32_t n) : marked_(static_cast<size_t>(n) + 1) {}
  void mark(int32_t first, int32_t last) {
    first = std::max(first, 1);
    for (auto line = static_cast<size_t>(first); first <= last && line <= static_cast<size_t>(last); ++line)
      if (line < marked_.size()) marked_[line] = true;
  }
  void mark(const std::vector<int32_t>& lines) {
    for (int32_t line : lines) mark(line, line);
  }
  LineRanges ranges() const {
    std::vector<int32_t> lines;
    for (size_t line = 1; line < marked_.size(); ++line)
      if (marked_[line]) lines.push_back(static_cast<int32_t>(line));
    return ranges_of(lines);
  }

 private:
  std::vector<bool> marked_;
};

bool any_between(const std::vector<int32_t>& lines, LineRange range) {
  auto found = std::ranges::lower_bound(lines, range.first);
  return found != lines.end() && *found <= range.second;
}

LineRanges lines_of_host(const Analysis& ran, const LineRanges& kernels) {
  Lines lines(ran.source.n_lines);
  for (const auto& [first, last] : ranges_outside(kernels, ran.source.n_lines)) lines.mark(first, last);
  for (const LineRange& kernel : kernels)
    if (any_between(ran.executed, kernel)) lines.mark(kernel.first, kernel.second);
  lines.mark(ran.executed);
  return lines.ranges();
}

LineRanges lines_of_device(const Analysis& ran, const LineRanges& kernels) {
  Lines lines(ran.source.n_lines);
  for (const auto& [first, last] : kernels) lines.mark(first, last);
  lines.mark(ran.executed);
  return lines.ranges();
}

}  // namespace

std::vector<std::string> measured_archs(const CoverageData& data, const std::optional<std::set<ContextId>>& chosen) {
  std::set<std::string> devices;
  std::vector<bool> ran(data.contexts.size());
  bool host = !data.imported.empty();
  for (const auto& [path, file] : data.files) {
    for (const auto& [context, lines] : file.lines) ran[context] = true;
    for (const auto& [context, arcs] : file.arcs) ran[context] = true;
    if (!chosen)
      for (const auto& [function, probes] : file.kernel_functions) devices.insert(function.arch);
  }
  for (ContextId context = 0; context < ran.size(); ++context) {
    if (!ran[context] || (chosen && !chosen->contains(context))) continue;
    std::string arch = named_arch(data.contexts[context]);
    if (arch == kHostArch)
      host = true;
    else
      devices.insert(arch);
  }
  if (devices.empty()) return {};
  std::vector<std::string> archs;
  if (host) archs.emplace_back(kHostArch);
  archs.insert(archs.end(), devices.begin(), devices.end());
  return archs;
}

LineRanges kernel_bodies(const Analysis& analysis, const FileData& data, const std::vector<std::string>& contexts) {
  Lines lines(analysis.source.n_lines);
  for (const KernelProbes& kernel : analysis.kernels.functions)
    lines.mark(kernel.source.body_line, kernel.source.last_line);
  if (!analysis.kernels.functions.empty()) return lines.ranges();
  std::set<ContextId> on_devices;
  for (const auto& [arch, its] : contexts_by_arch(data, contexts))
    if (arch != kHostArch) on_devices.insert(its.begin(), its.end());
  if (on_devices.empty()) return {};
  std::shared_ptr<const Analysis> ran = analysis_of(analysis, data, on_devices);
  for (const CodeRegion& region : analysis.source.regions) {
    if (region.kind != CodeRegion::Kind::Function || region.lines.empty()) continue;
    const bool did_run = std::ranges::any_of(
        region.lines, [&](int32_t line) { return std::ranges::binary_search(ran->executed, line); });
    if (did_run) lines.mark(region.lines.front(), region.lines.back());
  }
  return lines.ranges();
}

AnalysisPart ArchCoverage::part() const {
  AnalysisPart result;
  AnalysisParts(*analysis).cut(lines, result);
  return result;
}

std::vector<ArchCoverage> arch_coverage(const Analysis& analysis, const FileData& data,
                                        const std::vector<std::string>& contexts,
                                        const std::vector<std::string>& archs) {
  std::vector<ArchCoverage> result;
  if (archs.empty()) return result;
  const std::shared_ptr<const Analysis> whole(std::shared_ptr<void>(), &analysis);  // not owned
  const bool is_measured = !analysis.imported && !analysis.plugin;
  const LineRanges kernels = is_measured ? kernel_bodies(analysis, data, contexts) : LineRanges();
  const auto by_arch = is_measured ? contexts_by_arch(data, contexts) : std::map<std::string, std::set<ContextId>>();
  const bool only_host =
      kernels.empty() && std::ranges::all_of(by_arch, [](const auto& entry) { return entry.first == kHostArch; });
  for (const std::string& arch : archs) {
    const bool host = arch == kHostArch;
    if (only_host) {
      result.push_back({arch, whole, host ? LineRanges{kAllLines} : LineRanges()});
      continue;
    }
    auto found = by_arch.find(arch);
    auto ran = analysis_of(analysis, data, found == by_arch.end() ? std::set<ContextId>() : found->second);
    LineRanges lines = host ? lines_of_host(*ran, kernels) : lines_of_device(*ran, kernels);
    result.push_back({arch, std::move(ran), std::move(lines)});
  }
  return result;
}

std::string ArchGap::words() const {
  return fmt::format("covered on {}, never on {}", fmt::join(on, ", "), fmt::join(never, ", "));
}

std::vector<ArchGap> arch_gaps(const std::vector<ArchCoverage>& archs, const std::vector<std::string>& required) {
  std::map<int32_t, std::vector<std::string>> on, never;  // [line]
  for (const ArchCoverage& arch : archs) {
    if (arch.is_host() || arch.lines.empty()) continue;
    const AnalysisPart part = arch.part();
    for (int32_t line : part.executed) on[line].push_back(arch.arch);
    if (required.empty() || std::ranges::find(required, arch.arch) != required.end())
      for (int32_t line : part.missing) never[line].push_back(arch.arch);
  }
  std::map<std::pair<std::vector<std::string>, std::vector<std::string>>, std::vector<int32_t>> lines;
  for (const auto& [line, devices] : never)
    if (auto found = on.find(line); found != on.end()) lines[{found->second, devices}].push_back(line);
  std::vector<ArchGap> result;
  for (auto& [devices, its] : lines) result.push_back({devices.first, devices.second, std::move(its)});
  return result;
}

}  // namespace qd::report
