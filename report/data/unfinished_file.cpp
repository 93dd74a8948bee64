// Unfinished data file under a temporary name, until it replaces the old one (atomic rename).
#include "report/data/unfinished_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "report/data/data_tables.h"
#include "report/data/unused_name.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

/// Flushes a file to the disk (fsync). False when the disk reports an error. File systems that cannot do this count as
/// successful.
bool sync(const std::string& path, int flags) {
  int descriptor = open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return true;
  bool good = fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
  int error = errno;
  close(descriptor);
  errno = error;
  return good;
}

[[noreturn]] void fail(const std::string& shown) {
  throw DataError(fmt::format("Couldn't use data file '{}': {}", shown, std::strerror(errno)));
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& target, const std::string& shown,
                               const std::function<void(const std::string& path)>& announce)
    : target_(target), shown_(shown) {
  const fs::path folder = fs::path(target).parent_path();
  std::error_code error;
  fs::create_directories(folder, error);  // opening the file reports the error
  for (;;) {
    path_ = (folder / fmt::format("{}{}.{}.tmp", kUnfinishedPrefix, getpid(), random_word())).string();
    if (announce) announce(path_);
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

UnfinishedFile::~UnfinishedFile() {
  if (!path_.empty()) std::remove(path_.c_str());
}

void UnfinishedFile::write(const CoverageData& data) {
  write_tables(path_, shown_, data);
  if (!sync(path_, O_RDWR)) fail(shown_);
}

void UnfinishedFile::take_place() {
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail(shown_);
  finish_rename();
}

std::string UnfinishedFile::take_new_place() {
  const std::string name = move_to_unused(path_, target_);
  if (name.empty()) fail(shown_);
  target_ = name;
  finish_rename();
  return name;
}

bool UnfinishedFile::exchange() {
  for (;;) {
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
      finish_rename();
      return true;
    }
    if (errno == ENOENT && renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0) break;
    if (errno == EEXIST) continue;  // another process made one in between
    if (errno != EINVAL && errno != ENOSYS) fail(shown_);
    take_place();
    return false;
  }
  finish_rename();
  return false;
}

void UnfinishedFile::finish_rename() {
  path_.clear();
  name_.reset();
  const std::string folder = fs::path(target_).parent_path().string();
  sync(folder, O_RDONLY | O_DIRECTORY);
  // The write-ahead log of a database that was replaced: SQLite would apply it to the new one.
  std::error_code none;
  for (const char* end : {"-wal", "-shm"}) {
    const std::string log = target_ + end;
    if (fs::exists(log, none)) std::remove(log.c_str());
  }
}

std::string data_file_target(const std::string& path) {
  std::error_code error;
  fs::path target = fs::weakly_canonical(fs::absolute(path), error);
  if (error) target = fs::absolute(path);
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw DataError(fmt::format("Couldn't use data file '{}': unable to open database file: (SQLITE_CANTOPEN)", path));
  return target.string();
}

}  // namespace qd::report
