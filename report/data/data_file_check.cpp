// Data file check by the first bytes of a file, and by the tables of a database.
#include "report/data/data_file_check.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>

#include "report/data/coverage_data.h"
#include "report/data/file_content.h"
#include "report/data/journal.h"
#include "report/data/line_journal.h"
#include "report/data/sqlite.h"

namespace qd::report {

namespace {

constexpr std::string_view kSqliteHead{"SQLite format 3\0", 16};
constexpr std::string_view kVersion4Head = "!coverage.py: This is a private format";
constexpr const char* kSchemaTable = "coverage_schema";

bool has_name_of_coverage(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with(".coverage");
}

/// The first bytes of a regular file, where a database has the names of its tables; empty when it cannot be read.
std::string head_of(const std::string& path) {
  std::string head(size_t{64} << 10, '\0');
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status = {};
  ssize_t size = 0;
  if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode)) size = read(file, head.data(), head.size());
  if (file >= 0) close(file);
  head.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return head;
}

bool is_coverage_database(const std::string& path, std::string_view head) {
  try {
    Database database = Database::open_to_read(path);
    Statement entries(database,
                      "SELECT count(*), total(type = 'table' AND name = 'coverage_schema') FROM sqlite_master");
    entries.step();
    return entries.integer(1) > 0 || (entries.integer(0) == 0 && !has_write_ahead_log(path));
  } catch (const DataError&) {
    return head.find(kSchemaTable) != std::string_view::npos || has_name_of_coverage(path);  // damaged
  }
}

}  // namespace

bool is_measured_data(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  if (status.st_size == 0) return has_name_of_coverage(path);
  const std::string head = head_of(path);
  if (head.starts_with(kSqliteHead)) return is_coverage_database(path, head);
  return head.starts_with(kVersion4Head) || head.starts_with(journal::kAnyMagic) || head.starts_with(kLineJournalMagic);
}

void check_replaceable(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR)) return;
  if (is_measured_data(path)) return;
  // An empty file has no data to lose: mktemp made it for the data. A source may be empty, too.
  if (S_ISREG(status.st_mode) && status.st_size == 0 && !path.ends_with(".py")) return;
  // coverage.py's message first.
  if (!S_ISREG(status.st_mode))
    throw DataError(fmt::format("Couldn't use data file '{}': unable to open database file: (SQLITE_CANTOPEN)", path));
  if (access(path.c_str(), R_OK) != 0)
    throw DataError(fmt::format("Couldn't use data file '{}': {}", path, why_unreadable(path)));
  if (status.st_size > 0 && !begins_with(path, kSqliteHead))
    throw DataError(fmt::format("Couldn't use data file '{}': file is not a database: (SQLITE_NOTADB)", path));
  throw DataError(
      fmt::format("Data file '{}' isn't a coverage data file: it is neither overwritten nor deleted", path));
}

}  // namespace qd::report
