// Arch option: a report of some devices' executions, or of the host's.
#pragma once

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

void add_arch_option(CommandLine& line);
/// Fills in Config::archs. Throws UsageError for an invalid name.
void apply_arch_option(const CommandLine& line, report::Config& config);

/// Filter that leaves out contexts of devices that config.archs does not name; without any, none. `inner` maps the
/// others.
report::FoldContext only_archs(const report::Config& config, report::FoldContext inner = {});
/// Leaves out data of kernels that were compiled for other devices, and warns of each of config.archs without data.
/// `data`: as it was read with only_archs().
void keep_archs(const report::Config& config, report::CoverageData& data);

/// Adds --by-arch: the numbers of each arch, too.
void add_by_arch_option(CommandLine& line);
/// With Config::by_arch, returns the archs that have numbers in a report of `data`. Warns when there is no device.
std::vector<std::string> columns_by_arch(const report::Config& config, const report::CoverageData& data);

}  // namespace qd::cli
