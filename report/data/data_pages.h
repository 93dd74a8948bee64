// The two ways to read a data file: from the bytes of its pages, when it is healthy, and by SQLite.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "report/data/coverage_data.h"

namespace qd::report {

/// What read_data() gives for a file at `path` that holds `bytes`; no value when that needs SQLite: the file is
/// damaged, of another program, or has tables besides coverage.py's.
std::optional<CoverageData> read_data_pages(const std::string& path, std::string_view bytes,
                                            const FoldContext& fold = {});

/// read_data() of a file that has nothing unusual about its name, by SQLite.
CoverageData read_data_with_sqlite(const std::string& path, bool may_be_empty, const FoldContext& fold = {});

}  // namespace qd::report
