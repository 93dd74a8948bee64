// Promises of reading for any bytes in the place of a data file: used by fuzzing and by a short test of its own.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "report/data/combine.h"
#include "report/data/data_pages.h"
#include "tests/unit/data/same_data.h"

namespace qd::report {

/// Writes `bytes` to the file `path` and reads it in all ways. Exceptions other than DataError go through. The
/// result names the promise that was broken; empty: none. `read` says whether it was a data file at all.
inline std::string promises_broken(const std::string& bytes, const std::string& path, bool* read = nullptr) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  std::optional<CoverageData> pages, sqlite;
  try {
    pages = read_data_pages(path, bytes);
  } catch (const DataError&) {
  }
  try {
    sqlite = read_data_with_sqlite(path, false);
  } catch (const DataError&) {
  }
  if (read) *read = sqlite.has_value();
  if (!sqlite) return "";
  if (pages && !same_data(*pages, *sqlite)) return "pages and SQLite differ";

  const FoldContext all_in_one = [](ContextId, const std::string&) { return ContextId{0}; };
  const CoverageData folded = read_data_with_sqlite(path, false, all_in_one);
  for (const auto& [file, data] : sqlite->files) {
    const FileData& joined = folded.files.at(file);
    if (joined.executed_arcs() != data.executed_arcs() ||
        joined.executed_lines().lines() != data.executed_lines().lines())
      return "contexts in one have something else";
    if (joined.arcs.size() > 1 || joined.lines.size() > 1) return "contexts are not in one";
  }
  if (std::optional<CoverageData> folded_pages = pages ? read_data_pages(path, bytes, all_in_one) : std::nullopt)
    if (!same_data(*folded_pages, folded)) return "pages and SQLite differ in one context";

  CoverageData twice;
  twice.update(*sqlite);
  twice.update(*sqlite);
  for (const auto& [file, data] : sqlite->files) {
    data.executed_lines().lines();
    if (twice.files.at(file).executed_arcs() != data.executed_arcs()) return "adding the same changes arcs";
  }
  mixed_note(twice);
  twice.as_lines();
  try {
    write_data(path, twice);
  } catch (const DataError&) {
    return "what was read cannot be written";
  }
  return same_data(read_data(path), twice) ? "" : "what was written is read otherwise";
}

}  // namespace qd::report
