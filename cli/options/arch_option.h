// --arch: a report of what ran on some devices, or on the host.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// Whether a name can be that of an architecture: "cpu".
bool is_arch_name(const std::string& name);

void add_arch_option(CommandLine& line);
/// Fills in Config::archs. Throws UsageError for a name that is none.
void apply_arch_option(const CommandLine& line, report::Config& config);

/// Leaves out contexts of other devices than config.archs names; without any, nothing. `inner` maps the others.
report::FoldContext only_archs(const report::Config& config, report::FoldContext inner = {});
/// Leaves out what is known of kernels that were compiled for other devices, and warns of each of config.archs on which
/// nothing was measured. `data`: as it was read with only_archs().
void keep_archs(const report::Config& config, report::CoverageData& data);

/// --by-arch: the numbers of each architecture, too.
void add_by_arch_option(CommandLine& line);
/// With Config::by_arch, the architectures that have numbers in a report of `data`. Warns where there is no device.
std::vector<std::string> columns_by_arch(const report::Config& config, const report::CoverageData& data);

}  // namespace qd::cli
