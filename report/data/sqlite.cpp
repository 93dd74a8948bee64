// SQLite calls that throw DataError in coverage.py's words.
#include "report/data/sqlite.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>

#include "report/data/coverage_data.h"
#include "report/data/utf8.h"

namespace qd::report {

namespace {

/// The symbolic name of an error, as Python's sqlite3 gives it.
const char* error_name(int code) {
  switch (code) {
    case SQLITE_ERROR: return "SQLITE_ERROR";
    case SQLITE_PERM: return "SQLITE_PERM";
    case SQLITE_BUSY: return "SQLITE_BUSY";
    case SQLITE_READONLY: return "SQLITE_READONLY";
    case SQLITE_IOERR: return "SQLITE_IOERR";
    case SQLITE_IOERR_READ: return "SQLITE_IOERR_READ";
    case SQLITE_IOERR_WRITE: return "SQLITE_IOERR_WRITE";
    case SQLITE_CORRUPT: return "SQLITE_CORRUPT";
    case SQLITE_FULL: return "SQLITE_FULL";
    case SQLITE_CANTOPEN: return "SQLITE_CANTOPEN";
    case SQLITE_CANTOPEN_ISDIR: return "SQLITE_CANTOPEN_ISDIR";
    case SQLITE_NOTADB: return "SQLITE_NOTADB";
    case SQLITE_INTERRUPT: return "SQLITE_INTERRUPT";
    default: return nullptr;
  }
}

std::string error_message(sqlite3* handle, const std::string& shown) {
  int code = sqlite3_extended_errcode(handle);
  const char* name = error_name(code);
  if (code == SQLITE_INTERRUPT)
    return fmt::format("Couldn't use data file '{}': reading it does not end: ({})", shown, name);
  if (!name) name = error_name(code & 0xff);
  return fmt::format("Couldn't use data file '{}': {}: ({})", shown, shown_text(sqlite3_errmsg(handle)),
                     name ? name : "SQLITE_UNKNOWN");
}

/// Throws for a pipe: SQLite would wait for its other end.
void check_no_pipe(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_fifo(status) || std::filesystem::is_socket(status))
    throw DataError(fmt::format("Couldn't use data file '{}': it is not a regular file", path));
}

std::string read_only_uri(const std::string& path, const char* more) {
  std::string uri = "file://";
  for (char c : std::filesystem::absolute(path).string()) {
    bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                 std::string_view("/-_.~").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri + "?mode=ro" + more;
}

size_t size_of(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  return none ? 0 : size;
}

/// Restricts an untrusted database file. https://www.sqlite.org/security.html
void restrict(sqlite3* handle) {
  sqlite3_extended_result_codes(handle, 1);
  if (sqlite3_db_readonly(handle, "main") == 1)  // this option also forbids to write without a journal
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

constexpr int kStepsAtOnce = 10'000;

int spend(void* budget) {
  auto* left = static_cast<int64_t*>(budget);
  return (*left -= kStepsAtOnce) < 0 ? 1 : 0;
}

}  // namespace

void StepBudget::limit(sqlite3* handle, size_t size_of_file) {
  // Step limit: a row of ten bytes takes some thirty steps.
  constexpr int64_t kAlways = 20'000'000, kForByte = 200;
  left = kAlways + kForByte * static_cast<int64_t>(size_of_file);
  sqlite3_progress_handler(handle, kStepsAtOnce, spend, &left);
}

Database::Database(const std::string& name, const std::string& shown, int flags) : shown_(shown) {
  int code = sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (handle_) restrict(handle_);
  if (code == SQLITE_OK) {
    if ((flags & SQLITE_OPEN_READONLY) != 0) budget_.limit(handle_, size_of(shown_));
    return;
  }
  std::string message = error_message(handle_, shown_);
  sqlite3_close(handle_);
  throw DataError(message);
}

Database Database::open_to_read(const std::string& path) {
  check_no_pipe(path);
  return Database(read_only_uri(path, "&immutable=1"), path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Database Database::open_with_log(const std::string& path) {
  check_no_pipe(path);
  return Database(read_only_uri(path, ""), path, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

bool has_write_ahead_log(const std::string& path) {
  std::error_code none;
  const auto size = std::filesystem::file_size(path + "-wal", none);
  if (none || size == 0) return false;
  // SQLite would take the log of a file that another one has replaced since.
  constexpr std::streamoff kReadVersion = 19;
  std::ifstream file(path, std::ios::binary);
  file.seekg(kReadVersion);
  return file.get() == 2;
}

Database::Database(std::string_view bytes, const std::string& shown)
    : Database(":memory:", shown, SQLITE_OPEN_READWRITE) {
  // The cast is safe: SQLite does not write to read-only memory.
  auto* memory = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (sqlite3_deserialize(handle_, "main", memory, size, size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) fail();
  budget_.limit(handle_, bytes.size());
}

Database Database::create(const std::string& path, const std::string& shown) {
  return Database(path, shown, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
}

ReadLock::ReadLock(const std::string& path) {
  check_no_pipe(path);
  constexpr int kPatience = 5000;  // milliseconds; the timeout of Python's sqlite3
  int code = sqlite3_open_v2(read_only_uri(path, "").c_str(), &handle_,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code == SQLITE_OK) {
    restrict(handle_);
    budget_.limit(handle_, size_of(path));
    sqlite3_busy_timeout(handle_, kPatience);
    sqlite3_exec(handle_, "BEGIN; SELECT count(*) FROM sqlite_master", nullptr, nullptr, nullptr);
    code = sqlite3_extended_errcode(handle_);
  }
  // The reader reports any other error.
  if (code != SQLITE_READONLY_ROLLBACK && (code & 0xff) != SQLITE_BUSY) return;
  sqlite3_close(handle_);
  if (code == SQLITE_READONLY_ROLLBACK)
    throw DataError(fmt::format("Couldn't use data file '{}': it has a journal file to roll back", path));
  throw DataError(fmt::format("Couldn't use data file '{}': database is locked: (SQLITE_BUSY)", path));
}

ReadLock::~ReadLock() { sqlite3_close(handle_); }

Database::~Database() { sqlite3_close(handle_); }

void Database::fail() const { throw DataError(error_message(handle_, shown_)); }

void Database::fail(const std::string& reason) const {
  throw DataError(fmt::format("Couldn't use data file '{}': {}", shown_, reason));
}

bool Database::has_table(std::string_view name) const {
  Statement found(*this, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
  return found.bind(1, name).step();
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(const Database& database, const char* sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle(), sql, -1, &handle_, nullptr) != SQLITE_OK) database.fail();
}

Statement::~Statement() { sqlite3_finalize(handle_); }

bool Statement::step() {
  int code = sqlite3_step(handle_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
  return code == SQLITE_ROW;
}

std::string_view Statement::text(int column) const {
  const unsigned char* data = sqlite3_column_text(handle_, column);
  return {reinterpret_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}

std::string_view Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  return {static_cast<const char*>(data), static_cast<size_t>(sqlite3_column_bytes(handle_, column))};
}

Statement& Statement::bind(int parameter, int64_t value) {
  if (sqlite3_bind_int64(handle_, parameter, value) != SQLITE_OK) database_.fail();
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  if (sqlite3_bind_text(handle_, parameter, value.data(), static_cast<int>(value.size()), SQLITE_STATIC) != SQLITE_OK)
    database_.fail();
  return *this;
}

Statement& Statement::bind_blob(int parameter, std::string_view value) {
  // An empty numbits is an empty blob, not NULL, which a null pointer would mean.
  const void* data = value.empty() ? "" : static_cast<const void*>(value.data());
  if (sqlite3_bind_blob(handle_, parameter, data, static_cast<int>(value.size()), SQLITE_STATIC) != SQLITE_OK)
    database_.fail();
  return *this;
}

void Statement::run() {
  step();
  sqlite3_reset(handle_);
}

IntegerRows::IntegerRows(const Database& database, const std::string& columns)
    : many_(database, sql(columns, kMany).c_str()), one_(database, sql(columns, 1).c_str()) {}

void IntegerRows::add(const Row& row) {
  bind(many_, static_cast<int>(rows_.size() * row.size()) + 1, row);
  rows_.push_back(row);
  if (rows_.size() < kMany) return;
  rows_.clear();
  many_.run();
}

void IntegerRows::finish() {
  for (const Row& row : rows_) {
    bind(one_, 1, row);
    one_.run();
  }
  rows_.clear();
}

/// OR FAIL: SQLite then keeps no journal for undoing a part of the rows.
std::string IntegerRows::sql(const std::string& columns, size_t n_rows) {
  std::string text = fmt::format("INSERT OR FAIL INTO {} VALUES (?, ?, ?, ?)", columns);
  for (size_t i = 1; i < n_rows; ++i) text += ", (?, ?, ?, ?)";
  return text;
}

void IntegerRows::bind(Statement& statement, int first, const Row& row) {
  for (int64_t value : row) statement.bind(first++, value);
}

}  // namespace qd::report
