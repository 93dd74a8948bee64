// Parts of diff formats, which several of them have in the same words.
#pragma once

#include <functional>
#include <string>

#include "report/diff/diff_coverage.h"
#include "report/formats/diff/diff_formats.h"

namespace qd::report {

/// Address of a file in the page of all files, in a URL; empty when that page is not known or does not have it.
std::string full_report_address(const DiffFile& file, const DiffStyle& style);

/// Provenance, as far as it is known: "Commit 1a2b3c4d5e, compared with main (merge base 6f7a8b9c0d)". `code` escapes a
/// name and formats it as code.
std::string provenance(const DiffCoverage& coverage, const std::function<std::string(const std::string&)>& code);

/// A gate in a few words: "Diff coverage below 90%", "Branches reach 80%".
std::string gate_words(const GateResult& gate);

/// Coloured sign of a percentage in markdown: by the threshold or, if there is none, by the colours of pages and
/// terminal.
const char* light(int64_t covered, int64_t total, const DiffStyle& style);

}  // namespace qd::report
