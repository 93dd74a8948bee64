// Writing a coverage.py data file, so that it is there as a whole or not at all.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "report/data/coverage_data.h"
#include "report/data/imported_tables.h"
#include "report/data/kernel_tables.h"
#include "report/data/mixed_tables.h"
#include "report/data/source_hash.h"
#include "report/data/sqlite.h"
#include "report/data/temporary_name.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

// Schema version 7 of coverage.py.
constexpr const char* kSchema = R"(
CREATE TABLE coverage_schema (version integer);
CREATE TABLE meta (key text, value text, unique (key));
CREATE TABLE file (id integer primary key, path text, unique (path));
CREATE TABLE context (id integer primary key, context text, unique (context));
CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob,
    foreign key (file_id) references file (id), foreign key (context_id) references context (id),
    unique (file_id, context_id));
CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer,
    foreign key (file_id) references file (id), foreign key (context_id) references context (id),
    unique (file_id, context_id, fromno, tono));
CREATE TABLE tracer (file_id integer primary key, tracer text, foreign key (file_id) references file (id));
INSERT INTO coverage_schema (version) VALUES (7);
INSERT INTO meta (key, value) VALUES ('version', 'qd-cov');
)";

/// A file that is removed unless it was put in its place.
class TemporaryFile {
 public:
  // The name matches neither `<data file>.*` nor `_qd_kcov.*`: nobody combines a half-written file.
  explicit TemporaryFile(const fs::path& folder) {
    static std::atomic<int> counter = 0;
    std::error_code error;
    fs::create_directories(folder, error);  // opening the file will say what is wrong
    // A process of another container may have our number.
    for (;;) {
      path_ = (folder / fmt::format(".qd-cov.{}.{}.tmp", getpid(), counter++)).string();
      name_.emplace(path_);
      int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0) {
        close(file);
        break;
      }
      name_.reset();
      if (errno != EEXIST) break;
    }
  }
  ~TemporaryFile() {
    if (!path_.empty()) std::remove(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  void rename_to(const fs::path& target, const std::string& shown) {
    if (!sync(path_, O_RDWR) || std::rename(path_.c_str(), target.c_str()) != 0)
      throw DataError(fmt::format("Couldn't use data file '{}': {}", shown, std::strerror(errno)));
    path_.clear();
    sync(target.parent_path().string(), O_RDONLY | O_DIRECTORY);
  }

 private:
  /// Waits until it is on the disk. False when the disk says that it is not; file systems that cannot wait are content with that.
  static bool sync(const std::string& path, int flags) {
    int descriptor = open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) return true;
    bool good = fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
    int error = errno;
    close(descriptor);
    errno = error;
    return good;
  }
  std::string path_;
  std::optional<TemporaryName> name_;
};

/// Lines per context that a file's lines and arcs tell of.
std::map<ContextId, Numbits> all_lines(const FileData& file) {
  std::map<ContextId, Numbits> result = file.lines;
  for (const auto& [context, arcs] : file.arcs) add_lines_of(arcs, result[context]);
  return result;
}

void insert_rows(Database& database, const CoverageData& data) {
  const bool mixed = data.is_mixed();
  if (data.has_arcs)
    Statement(database, "INSERT INTO meta (key, value) VALUES ('has_arcs', ?)")
        .bind(1, std::string_view(*data.has_arcs && !mixed ? "1" : "0"))
        .run();
  Statement context(database, "INSERT INTO context (id, context) VALUES (?, ?)");
  for (size_t i = 0; i < data.contexts.size(); ++i)
    context.bind(1, static_cast<int64_t>(i + 1)).bind(2, data.contexts[i]).run();

  Statement file(database, "INSERT INTO file (id, path) VALUES (?, ?)");
  Statement lines(database, "INSERT INTO line_bits (file_id, context_id, numbits) VALUES (?, ?, ?)");
  Statement arcs(database, "INSERT INTO arc (file_id, context_id, fromno, tono) VALUES (?, ?, ?, ?)");
  Statement tracer(database, "INSERT INTO tracer (file_id, tracer) VALUES (?, ?)");
  int64_t id = 0;
  for (const auto& [path, measured] : data.files) {
    file.bind(1, ++id).bind(2, path).run();
    for (const auto& [context_id, numbits] : mixed ? all_lines(measured) : measured.lines)
      lines.bind(1, id).bind(2, static_cast<int64_t>(context_id) + 1).bind_blob(3, numbits.bytes()).run();
    for (const auto& [context_id, list] : measured.arcs) {
      if (mixed) break;
      arcs.bind(1, id).bind(2, static_cast<int64_t>(context_id) + 1);
      for (const Arc& arc : list) arcs.bind(3, arc.from).bind(4, arc.to).run();
    }
    if (!measured.tracer.empty()) tracer.bind(1, id).bind(2, measured.tracer).run();
  }
  if (mixed) write_mixed_tables(database, data);
}

/// Where `path` leads: a link stays a link, what it points to is replaced.
fs::path target_of(const std::string& path) {
  std::error_code error;
  fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error) target = fs::absolute(path);
  if (fs::is_directory(target, error))
    throw DataError(fmt::format("Couldn't use data file '{}': unable to open database file: (SQLITE_CANTOPEN)", path));
  return target;
}

}  // namespace

std::string unused_name(const std::string& path) {
  std::string name = path;
  for (int i = 1; fs::exists(name); ++i) name = fmt::format("{}.{}", path, i);
  return name;
}

void check_writable(const std::string& path) {
  TemporaryFile temporary(target_of(path).parent_path());
  Database database = Database::create(temporary.path(), path);
  database.execute("PRAGMA journal_mode=off; PRAGMA synchronous=off; CREATE TABLE x (x)");
}

void write_data(const std::string& path, const CoverageData& data) {
  fs::path target = target_of(path);
  TemporaryFile temporary(target.parent_path());
  {
    Database database = Database::create(temporary.path(), path);
    // Nothing of an unfinished file is ever used, so SQLite need not guard it.
    database.execute("PRAGMA journal_mode=off; PRAGMA synchronous=off; BEGIN");
    database.execute(kSchema);
    insert_rows(database, data);
    write_kernel_tables(database, data);
    write_imported_tables(database, data);
    write_source_hashes(database, data);
    database.execute("COMMIT");
  }
  temporary.rename_to(target, path);
}

}  // namespace qd::report
