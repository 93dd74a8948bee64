// Equality of two readings of a data file.
#pragma once

#include "report/data/coverage_data.h"

namespace qd::report {

inline bool same_file(const FileData& a, const FileData& b) {
  return a.lines == b.lines && a.arcs == b.arcs && a.lines_only == b.lines_only && a.tracer == b.tracer &&
         a.source_hashes == b.source_hashes;
}

/// Whether two readings have the same contents of coverage.py's tables.
inline bool same_data(const CoverageData& a, const CoverageData& b) {
  if (a.has_arcs != b.has_arcs || a.contexts != b.contexts || a.files.size() != b.files.size()) return false;
  for (auto i = a.files.begin(), k = b.files.begin(); i != a.files.end(); ++i, ++k)
    if (i->first != k->first || !same_file(i->second, k->second)) return false;
  return true;
}

}  // namespace qd::report
