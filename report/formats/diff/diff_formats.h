// Formats of diff coverage: each a function from the numbers to a text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"
#include "report/gate/diff_gates.h"

namespace qd::report {

struct DiffStyle {
  const Config& config;                     // with the options of the command line
  bool color = false;                       // escape sequences; only for a terminal
  int width = 80;                           // columns of the terminal
  std::optional<Threshold> threshold = {};  // for the colour of a file; none: colours are as on the pages
  std::vector<GateResult> gates = {};
  std::string full_report = {};  // of the HTML page: the address of the page of `qd-cov html`, in a URL; empty: no link
  std::string full_report_folder = {};       // folder of that page, from the top of the working tree: "", "sub/"
  std::string annotation_level = "warning";  // of github-annotations: "notice", "warning" or "error"

  bool reached() const { return all_reached(gates); }
};

std::string diff_terminal(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_annotated(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_markdown(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_markdown_summary(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_html(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_json(const DiffCoverage& coverage, const DiffStyle& style);
std::string github_annotations(const DiffCoverage& coverage, const DiffStyle& style);
std::string github_check_run(const DiffCoverage& coverage, const DiffStyle& style);
std::string gitlab_code_quality(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_gcc(const DiffCoverage& coverage, const DiffStyle& style);
std::string sarif(const DiffCoverage& coverage, const DiffStyle& style);

struct DiffFormat {
  const char* name;
  const char* help;
  const char* file;    // default path of the output; null: standard output
  bool wants_overall;  // shows DiffCoverage::overall
  std::string (*render)(const DiffCoverage& coverage, const DiffStyle& style);
};

std::span<const DiffFormat> diff_formats();

}  // namespace qd::report
