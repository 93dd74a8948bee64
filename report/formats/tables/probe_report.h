// Probe report: the kernels of files, probe by probe, as a table for a terminal and as JSON.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/kernels/probe_hits.h"

namespace qd::report {

/// A file with kernels.
struct ProbedFile {
  Analysis analysis;
  std::vector<FunctionHits> functions;  // they point into `analysis`: do not copy

  ProbedFile(Analysis&& a, const FileData& data, const std::vector<std::string>& contexts)
      : analysis(std::move(a)), functions(function_hits(analysis, data, contexts)) {}
  ProbedFile(ProbedFile&&) = default;
  ProbedFile(const ProbedFile&) = delete;
};

struct ProbeTableStyle {
  bool color = false;
  int width = 80;         // columns of the terminal
  bool contexts = false;  // with a line for each context of a function
};

std::string probe_table(const std::vector<ProbedFile>& files, const std::vector<std::string>& contexts,
                        const ProbeTableStyle& style);

/// Returns the JSON; see probe_json.cpp for the keys.
std::string probe_json(const std::vector<ProbedFile>& files, const std::vector<std::string>& contexts, bool branches);

}  // namespace qd::report
