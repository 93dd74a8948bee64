// Says what several formats of diff coverage say, in the same words.
#pragma once

#include <functional>
#include <string>

#include "report/diff/diff_coverage.h"
#include "report/formats/diff/diff_formats.h"

namespace qd::report {

/// The address of a file in the page of all files, in a URL; empty where that page is not known or does not have it.
std::string full_report_address(const DiffFile& file, const DiffStyle& style);

/// "Commit 1a2b3c4d5e, compared with main (merge base 6f7a8b9c0d)": what is known of it. `code` escapes a name and
/// marks it as one.
std::string provenance(const DiffCoverage& coverage, const std::function<std::string(const std::string&)>& code);

/// A gate in a few words: "Diff coverage below 90%", "Branches reach 80%".
std::string gate_words(const GateResult& gate);

/// The coloured sign of a percentage in markdown: by the threshold or, if there is none, by the colours of pages and
/// terminal.
const char* light(int64_t covered, int64_t total, const DiffStyle& style);

}  // namespace qd::report
