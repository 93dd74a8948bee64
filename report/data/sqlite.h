// SQLite calls that throw DataError in coverage.py's words.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// Number of steps that SQLite may still take. The size of a file bounds its rows, but not the visits of SQLite to
/// them: pages of a damaged file can be reached in many ways.
struct StepBudget {
  int64_t left = 0;
  /// Limits the database to a number of steps by its size in bytes. It fails with SQLITE_INTERRUPT when they are used
  /// up.
  void limit(sqlite3* handle, size_t size_of_file);
};

/// An open database. `shown` is the file name in messages. The file may be untrusted: its views and triggers do not
/// work, and its schema calls no function that does more than compute.
class Database {
 public:
  /// Opens `path` only for reading, and ignores journals beside it: the file may be untrusted.
  static Database open_to_read(const std::string& path);
  /// The same with its write-ahead log. SQLite may leave an index of the log beside it.
  static Database open_with_log(const std::string& path);
  /// Creates `path`; `shown` is its name in messages.
  static Database create(const std::string& path, const std::string& shown);
  /// Reads a database from memory; `bytes` have to outlive it. `shown` is its name in messages.
  Database(std::string_view bytes, const std::string& shown);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const char* sql);
  /// Throws DataError with SQLite's last message.
  [[noreturn]] void fail() const;
  /// Throws DataError with the file's name and this reason.
  [[noreturn]] void fail(const std::string& reason) const;
  bool has_table(std::string_view name) const;
  sqlite3* handle() const { return handle_; }

 private:
  Database(const std::string& name, const std::string& shown, int flags);

  sqlite3* handle_ = nullptr;
  std::string shown_;
  StepBudget budget_;
};

/// Whether the newest data of a database may be in a write-ahead log beside it.
bool has_write_ahead_log(const std::string& path);

/// A read lock on the database: while it lives, no process writes to it. If this process closes a file descriptor of
/// the same file, the lock is lost.
class ReadLock {
 public:
  /// Waits up to 5 s for a database that another process is writing to. Throws DataError after that, or when a writer
  /// died and left a journal to roll back.
  explicit ReadLock(const std::string& path);
  ~ReadLock();
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  sqlite3* handle_ = nullptr;
  StepBudget budget_;
};

/// A prepared statement, stepped row by row. Parameters count from 1, columns from 0.
class Statement {
 public:
  Statement(const Database& database, const char* sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// True when there is a row.
  bool step();
  /// Type of a column: SQLITE_INTEGER and the like.
  int type(int column) const { return sqlite3_column_type(handle_, column); }
  int64_t integer(int column) const { return sqlite3_column_int64(handle_, column); }
  std::string_view text(int column) const;
  std::string_view blob(int column) const;

  Statement& bind(int parameter, int64_t value);
  Statement& bind(int parameter, std::string_view value);  // must live until run()
  Statement& bind_blob(int parameter, std::string_view value);
  /// Executes and makes ready for the next parameters.
  void run();

 private:
  const Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

/// Insertion of rows of four integers. For 64 rows, one statement takes some 0.4 of the
/// instructions of 64 statements. Call
/// finish() at the end.
class IntegerRows {
 public:
  using Row = std::array<int64_t, 4>;

  /// `columns`: the table with its columns, "arc (file_id, context_id, fromno, tono)". Rows that break a rule of the
  /// table throw DataError, in add() or finish(); those before them stay.
  IntegerRows(const Database& database, const std::string& columns);

  void add(const Row& row);
  /// Inserts the rows that are left.
  void finish();

 private:
  static constexpr size_t kMany = 64;

  static std::string sql(const std::string& columns, size_t n_rows);
  static void bind(Statement& statement, int first, const Row& row);

  Statement many_, one_;
  std::vector<Row> rows_;  // bound to many_
};

}  // namespace qd::report
