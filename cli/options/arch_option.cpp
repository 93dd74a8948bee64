// Arch option. Contexts of a device have its name at their end.
#include "cli/options/arch_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/analysis/kernels/arch_coverage.h"
#include "report/data/producers.h"
#include "report/engine/chosen_contexts.h"

namespace qd::cli {

void add_arch_option(CommandLine& line) {
  line.add("arch",
           "Report only the coverage on these architectures: 'host' for Python, or those of qd.init, like 'cpu'.",
           kText, "NAME1,NAME2,...");
}

void apply_arch_option(const CommandLine& line, report::Config& config) {
  if (!line.flag("arch")) return;
  config.archs = line.list("arch").value_or(std::vector<std::string>());
  if (config.archs.empty()) config.archs = {""};  // "--arch=" is an error, not "all"
  for (const std::string& name : config.archs) {
    if (!report::is_arch_name(name))
      throw UsageError(
          fmt::format("option --arch: '{}' is no architecture; 'host', 'cpu' and 'vulkan' are some", name));
  }
}

report::FoldContext only_archs(const report::Config& config, report::FoldContext inner) {
  if (config.archs.empty()) return inner;
  return [archs = config.archs, inner = std::move(inner)](
             report::ContextId id, const std::string& context) -> std::optional<report::ContextId> {
    if (std::ranges::find(archs, report::named_arch(context)) == archs.end()) return std::nullopt;
    return inner ? inner(id, context) : id;
  };
}

void keep_archs(const report::Config& config, report::CoverageData& data) {
  if (config.archs.empty()) return;
  std::set<std::string> there;
  for (auto& [path, file] : data.files) {
    std::erase_if(file.kernel_functions, [&](const auto& function) {
      return std::ranges::find(config.archs, function.first.arch) == config.archs.end();
    });
    for (const auto& [context, lines] : file.lines) there.insert(report::named_arch(data.contexts[context]));
    for (const auto& [context, arcs] : file.arcs) there.insert(report::named_arch(data.contexts[context]));
  }
  for (const std::string& arch : config.archs)
    if (!there.contains(arch)) warn(fmt::format("Nothing was measured on the architecture '{}'.", arch));
}

void add_by_arch_option(CommandLine& line) {
  line.add("by-arch", "Show the coverage of host code, and on each measured device, of the lines that can run there.");
}

std::vector<std::string> columns_by_arch(const report::Config& config, const report::CoverageData& data) {
  if (!config.by_arch) return {};
  std::vector<std::string> archs = report::reported_archs(data, config.report_contexts);
  if (archs.empty()) warn("Nothing was measured on a device: all of the data is of host code.");
  return archs;
}

}  // namespace qd::cli
