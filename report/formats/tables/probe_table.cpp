// Probe table: the kernels of each file, with the number of probes that fired on each device, and those that did not.
//
//   kernels.py
//   Line  Kind    Name      Arch  Probes  Fired
//   ---------------------------------------------------
//      4  func    half      cpu        1      1  ████████
//     14  kernel  launched  cpu        9      7  ██████▏░
//                 not hit: 22
//                 not measured: 20: no compiled variant has it (static condition)
//     26  kernel  never     not compiled
//   ---------------------------------------------------
//   3 kernels and funcs: 2 compiled, 1 not compiled. 8 of 10 probes fired.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/analysis/kernels/kernel_gaps.h"
#include "report/data/producers.h"
#include "report/formats/common/terminal.h"
#include "report/formats/common/text.h"
#include "report/formats/tables/probe_report.h"

namespace qd::report {

namespace {

constexpr const char* kNotHit = "31";
constexpr const char* kNotMeasured = "35";
constexpr const char* kNotCompiled = "33";

std::string pad(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

/// Lines and branches of a function that are in one state on a device: "4-7, 9, 12->exit". A branch is left out if a
/// line at one of its ends is in the same state.
std::string list_of(const FunctionHits& hits, const std::string& arch, ProbeState state) {
  auto is = [&](const ProbeHits& probe) {
    auto found = probe.archs.find(arch);
    return found != probe.archs.end() && found->second == state;
  };
  std::vector<int32_t> all, lines;
  for (const ProbeHits& probe : hits.lines) {
    all.push_back(probe.arc.to);
    if (is(probe)) lines.push_back(probe.arc.to);
  }
  auto is_listed = [&](int32_t line) { return std::binary_search(lines.begin(), lines.end(), line); };
  std::vector<Arc> branches;
  for (const ProbeHits& probe : hits.branches)
    if (is(probe) && !is_listed(probe.arc.from) && !is_listed(probe.arc.to)) branches.push_back(probe.arc);
  return format_lines(all, lines, branches);
}

struct Totals {
  int64_t functions = 0, compiled = 0, failed = 0, not_compiled = 0, probes = 0, fired = 0;

  std::string text() const {
    std::string result = functions == 1 ? "1 kernel or func" : fmt::format("{} kernels and funcs", functions);
    result += fmt::format(": {} compiled", compiled);
    if (failed > 0) result += fmt::format(", {} {} not compile", failed, failed == 1 ? "does" : "do");
    if (not_compiled > 0) result += fmt::format(", {} not compiled", not_compiled);
    return result + fmt::format(". {} of {} fired.", fired, plural(probes, "probe"));
  }
};

class Table {
 public:
  Table(const ProbedFile& file, const std::vector<std::string>& contexts, const ProbeTableStyle& style, Totals& totals)
      : file_(file), contexts_(contexts), style_(style), totals_(totals), painter_{style.color} {
    for (const FunctionHits& hits : file.functions) {
      name_width_ = std::max(name_width_, display_width(visible(hits.function->source.name)));
      for (const std::string& arch : hits.archs) arch_width_ = std::max(arch_width_, probe_arch_name(arch).size());
    }
    indent_ = 6 + 8;
  }

  std::string text() {
    std::string head =
        fmt::format("Line  Kind    {}  {}  Probes  Fired", pad("Name", name_width_), pad("Arch", arch_width_));
    std::string rule(head.size() + 2 + kBarWidth, '-');
    std::string out =
        painter_.paint("1", visible(file_.analysis.relative)) + "\n" + painter_.paint("1", head) + "\n" + rule + "\n";
    for (const FunctionHits& hits : file_.functions) out += function(hits);
    out += rule + "\n";
    for (const std::string& name : file_.analysis.kernels.stale)
      out += fmt::format("Note: '{}' was compiled from a source that has changed since.\n", visible(name));
    return out;
  }

 private:
  std::string function(const FunctionHits& hits) {
    const KernelDefinition& source = hits.function->source;
    const std::string start = fmt::format("{:>4}  {:<6}  {}  ", source.first_line, source.is_kernel ? "kernel" : "func",
                                          pad(visible(source.name), name_width_));
    ++totals_.functions;
    if (hits.archs.empty()) {
      ++totals_.not_compiled;
      return start + painter_.paint(kNotCompiled, name(ProbeState::NotCompiled)) + "\n";
    }
    std::string out;
    bool failed = true;
    for (const std::string& arch : hits.archs) {
      const bool only_failed = hits.function->archs.contains(arch) && !hits.function->compiled(arch);
      failed = failed && only_failed;
      out += out.empty() ? start : std::string(display_width(start), ' ');
      out += pad(std::string(probe_arch_name(arch)), arch_width_) + "  ";
      out += only_failed ? painter_.paint(kNotMeasured, "does not compile") + "\n" : row(hits, arch);
      out += details(hits, arch);
    }
    ++(failed ? totals_.failed : totals_.compiled);
    return out;
  }

  std::string row(const FunctionHits& hits, const std::string& arch) {
    FunctionHits::Count count = hits.count(arch);
    totals_.probes += count.probes;
    totals_.fired += count.fired;
    if (count.probes == 0) return fmt::format("{:>6}  {:>5}\n", 0, 0);
    const char* color = painter_.quality(count.fired, count.probes);
    return fmt::format("{:>6}  {}  {}\n", count.probes, painter_.paint(color, fmt::format("{:>5}", count.fired)),
                       painter_.paint(color, bar(count.fired, count.probes)));
  }

  std::string detail(const char* color, const std::string& label, const std::string& text) const {
    std::string line = std::string(indent_, ' ') + painter_.paint(color, label) + ": ";
    return line + wrapped(text, indent_ + label.size() + 2, static_cast<size_t>(style_.width)) + "\n";
  }

  std::string details(const FunctionHits& hits, const std::string& arch) const {
    std::string out;
    std::string not_hit = list_of(hits, arch, ProbeState::NotHit);
    if (hits.function->never_called()) not_hit += ": " + hits.function->explain(ProbeState::NotHit);
    if (!not_hit.empty()) out += detail(kNotHit, name(ProbeState::NotHit), not_hit);
    for (ProbeState state : {ProbeState::LeftOut, ProbeState::NotHeld}) {
      std::string list = list_of(hits, arch, state);
      if (!list.empty())
        out += detail(kNotMeasured, name(state), fmt::format("{}: {}", list, hits.function->explain(state)));
    }
    if (auto probes = hits.function->archs.find(arch); probes != hits.function->archs.end())
      for (const std::string& message : probes->second.errors) {
        out += std::string(indent_, ' ');
        if (hits.function->compiled(arch))
          out += painter_.paint(kNotMeasured, "another variant does not compile") + ": ";
        out += visible(message) + "\n";
      }
    if (style_.contexts) out += contexts(hits, arch);
    return out;
  }

  std::string contexts(const FunctionHits& hits, const std::string& arch) const {
    std::map<std::string, int32_t> fired;
    for (const std::vector<ProbeHits>* list : {&hits.lines, &hits.branches})
      for (const ProbeHits& probe : *list)
        for (ContextId context : probe.contexts)
          if (named_arch(contexts_[context]) == arch) ++fired[contexts_[context]];
    std::string out;
    for (const auto& [context, n] : fired)
      out +=
          fmt::format("{}in {}: {} fired\n", std::string(indent_, ' '), context.empty() ? "''" : visible(context), n);
    return out;
  }

  const ProbedFile& file_;
  const std::vector<std::string>& contexts_;
  const ProbeTableStyle& style_;
  Totals& totals_;
  Painter painter_;
  size_t name_width_ = 4, arch_width_ = 4, indent_;
};

}  // namespace

std::string probe_table(const std::vector<ProbedFile>& files, const std::vector<std::string>& contexts,
                        const ProbeTableStyle& style) {
  Totals totals;
  std::string out;
  for (const ProbedFile& file : files) out += (out.empty() ? "" : "\n") + Table(file, contexts, style, totals).text();
  return out + totals.text() + "\n";
}

}  // namespace qd::report
