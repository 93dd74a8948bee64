// Data of one file for the HTML report's file view (templates/source_view.js), as JSON; source_json.cpp has the layout.
#pragma once

#include <string>
#include <vector>

#include "report/engine/file_analyzer.h"

namespace qd::report {

struct SourceJsonOptions {
  int precision = 0;
  bool conditions = false;                             // conditions are shown
  bool gradients = false;                              // gradients are shown
  bool show_contexts = false;                          // the contexts of each line are part of the page
  const std::vector<std::string>* contexts = nullptr;  // CoverageData::contexts, to find those of kernels
  std::vector<std::string> archs;                      // reported_archs(): the choice in files with kernels
};

/// No part holds a '<', so both may be put into a <script> element unchanged.
struct SourceParts {
  std::string source;    // the source with its states, for SourceView.open
  std::string contexts;  // the lines of each context (index into CoverageData::contexts); empty: none, or not asked for
  bool has_kernel_lines = false;   // at least one line ran in a kernel
  bool has_kernel_states = false;  // a line of a kernel is missing, and it is known why
};

/// Makes the parts of a file. Thread-safe.
SourceParts source_parts(const AnalyzedFile& file, const SourceJsonOptions& options);

}  // namespace qd::report
