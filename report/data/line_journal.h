// Journal in lines: the form of a journal in which programs other than our runtime record hits. JOURNAL_LINES.md
// specifies it.
#pragma once

#include <string>
#include <string_view>

#include "report/data/coverage_data.h"
#include "report/data/process_mark.h"

namespace qd::report {

/// First line of such a journal.
inline constexpr std::string_view kLineJournalMagic = "qd-cov lines 1\n";

/// The process that writes the journal which begins with these bytes; empty where they are damaged.
ProcessMark line_journal_writer(std::string_view bytes);

/// Data of a journal, whose bytes begin with kLineJournalMagic. Of a damaged one, the data of its undamaged lines;
/// CoverageData::damage describes the rest. `path` is its name in messages.
CoverageData read_line_journal(std::string_view bytes, const std::string& path);

}  // namespace qd::report
