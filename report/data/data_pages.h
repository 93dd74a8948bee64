// Two readers of a data file: from the bytes of its pages, when it is healthy, and by SQLite.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/data/coverage_data.h"

namespace qd::report {

/// Page reader with the result of read_data(), for a file at `path` that holds `bytes`. No value when the file needs
/// SQLite: it is damaged, of another program, or has tables besides coverage.py's.
std::optional<CoverageData> read_data_pages(const std::string& path, std::string_view bytes,
                                            const FoldContext& fold = {});

/// SQLite reader with the result of read_data(), for a file whose name is not unusual.
CoverageData read_data_with_sqlite(const std::string& path, bool may_be_empty, const FoldContext& fold = {});

}  // namespace qd::report
