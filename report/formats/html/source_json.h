// What the HTML report's file view (templates/source_view.js) shows of one file, as JSON; source_json.cpp gives the
// layout.
#pragma once

#include <string>
#include <vector>

#include "report/formats/common/reported_files.h"

namespace qd::report {

struct SourceJsonOptions {
  int precision = 0;
  bool conditions = false;                             // conditions are shown
  bool show_contexts = false;                          // which contexts ran which lines is part of the page
  const std::vector<std::string>* contexts = nullptr;  // CoverageData::contexts: which of them are those of kernels
  std::vector<std::string> archs;                      // reported_archs(): the choice in files with kernels
};

/// No part holds a '<', so that both may stand in a <script> element as they are.
struct SourceParts {
  std::string source;  // the source with its states, for SourceView.open
  std::string
      contexts;  // which context (index into CoverageData::contexts) ran which lines; empty: none, or not asked for
  bool has_kernel_lines = false;   // some line ran in a kernel
  bool has_kernel_states = false;  // something of a kernel was not measured or not compiled
};

/// May run in several threads at once.
SourceParts source_parts(const AnalyzedFile& file, const SourceJsonOptions& options);

}  // namespace qd::report
