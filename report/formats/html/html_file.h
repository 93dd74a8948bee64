// File of the HTML report, as a worker thread makes it: its row of the index, and its packed parts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/conditions/conditions.h"
#include "report/engine/file_analyzer.h"
#include "report/formats/html/context_tests.h"
#include "report/formats/html/html_folder.h"
#include "report/formats/html/html_kernels.h"
#include "report/formats/html/html_regions.h"
#include "report/formats/html/source_json.h"
#include "report/inputs/trend.h"

namespace qd::report {

struct HtmlReportOptions {
  std::string title = "Coverage report";
  int precision = 0;
  bool skip_covered = false;       // files without missing lines and partial branches are not listed
  bool skip_empty = false;         // files without statements are not listed
  bool conditions = false;         // conditions are shown; a file with missing outcomes is not covered
  bool gradients = false;          // gradients are shown; a file with lines never differentiated is not covered
  bool show_contexts = false;      // the contexts of each line are part of the page
  bool has_arcs = false;           // of the data
  std::vector<std::string> about;  // short facts below the title: project, commit, branch, devices
  std::string footer = "Made by qd-cov.";
  std::vector<TrendPoint> trend;                       // of earlier commits; empty: it is not shown
  std::string extra_css;                               // text of the user's style sheet
  const std::vector<std::string>* contexts = nullptr;  // CoverageData::contexts
  ContextTests tests;                                  // of `contexts`, when they are shown
  std::vector<std::string> archs;                      // reported_archs()
  HtmlFolder* folder = nullptr;                        // folder of the parts; null: they go into the page
};

struct HtmlFile {
  std::string relative;  // unchanged
  std::string path;      // as shown: valid UTF-8 without control characters
  Numbers numbers;
  FileConditions conditions;
  FileGradients gradients;
  ConditionNumbers condition_numbers;
  bool listed = true;
  bool skipped_as_covered = false;  // the reason, if the file is not listed
  bool has_kernel_lines = false, has_kernel_states = false;
  std::string row;  // "path",numbers: the file's row of the index, without its brackets
  std::string source,
      contexts;  // packed(), or with a folder the names of the parts; `contexts` is empty when there are none
  ArchNumbers arch_numbers;
  RegionRows functions, classes;
  KernelRows kernels;
  std::vector<std::pair<uint32_t, int32_t>> runs;  // number of statements that each test ran, by the test's number
};

/// Makes the row and the parts. Thread-safe.
HtmlFile html_file(AnalyzedFile&& file, const HtmlReportOptions& options);

}  // namespace qd::report
