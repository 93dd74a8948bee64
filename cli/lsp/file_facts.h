// File facts: the coverage of one file in an editor.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/engine/file_analyzer.h"

namespace qd::cli {

struct FileFacts {
  nlohmann::json diagnostics = nlohmann::json::array();  // missing lines and branches
  nlohmann::json lenses = nlohmann::json::array();       // coverage of functions; of kernels also state, probes, tests
};

/// `file` was analysed with regions and descriptions; `contexts` are CoverageData::contexts.
FileFacts file_facts(const report::AnalyzedFile& file, const std::vector<std::string>& contexts, int precision);

}  // namespace qd::cli
