// Peers' packages: programs that import quadrants or taichi run on the kernel runtime.
#pragma once

#include <string>
#include <vector>

#include "cli/child_process.h"

namespace qd::cli {

/// The packages that qd.compat stands for.
std::vector<std::string> peer_packages();

/// Lets `import quadrants` give qd.compat's names in all Python processes: adds to PYTHONPATH, in `environment` or
/// else that of this process, the folder `folder`, which is made.
void stand_for(const std::vector<std::string>& packages, const std::string& folder, EnvironmentChanges& environment);

}  // namespace qd::cli
