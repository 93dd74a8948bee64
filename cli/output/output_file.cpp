// Output file: writes a report into a file without a name, which gets its name at the end.
#include "cli/output/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "report/data/temporary_name.h"
#include "report/data/unused_name.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t kBufferSize = size_t{1} << 18;
constexpr const char* kOpenFiles = "/proc/self/fd";

/// Writes all bytes. Returns zero, or an errno.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") return;
  fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error)) fs::create_directories(folder, error);
  if (error) fail(error.value());

  struct stat status = {};
  bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  replaces_ = !exists || S_ISREG(status.st_mode);
  // A link stays a link: its target is replaced.
  target_ = replaces_ ? fs::weakly_canonical(path, error).string() : path;
  if (target_.empty()) target_ = path;
  if (replaces_)
    open_replacement();
  else
    fd_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd_ < 0) fail(errno);
  if (exists && replaces_) fchmod(fd_, status.st_mode & 07777);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail(int error) const {
  throw WriteError(fmt::format("Couldn't write '{}': {}", path_, std::strerror(error)));
}

std::string OutputFile::unfinished_name() const {
  return fmt::format("{}.{}.{}.tmp", target_, getpid(), report::random_word());
}

void OutputFile::open_replacement() {
  fs::path folder = fs::path(target_).parent_path();
  const bool can_be_named = access(kOpenFiles, X_OK) == 0;  // not in a chroot without /proc
  if (can_be_named) fd_ = open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (fd_ >= 0) return;
  std::string name = unfinished_name();
  removed_on_signals_.emplace(name);
  fd_ = open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
  if (fd_ >= 0) {
    temporary_ = name;
    return;
  }
  // The folder takes no new file, but the file in it may be writable. Then everything is kept in a temporary file until
  // it is complete.
  int error = errno;
  removed_on_signals_.reset();
  if ((error == EACCES || error == EROFS || error == EPERM) && access(target_.c_str(), W_OK) == 0)
    fd_ = open(report::temporary_folder().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd_ < 0) fail(error);
}

void OutputFile::flush() {
  if (int error = write_all(fd_, buffer_); error != 0) fail(error);
  buffer_.clear();
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  if (fd_ >= 0 && buffer_.size() >= kBufferSize) flush();
}

void OutputFile::take_name() {
  if (temporary_.empty()) {
    std::string name = unfinished_name();
    removed_on_signals_.emplace(name);
    std::string open_file = fmt::format("{}/{}", kOpenFiles, fd_);
    if (linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) return copy_over();
    temporary_ = name;
  }
  if (rename(temporary_.c_str(), target_.c_str()) != 0) return copy_over();
  temporary_.clear();
  removed_on_signals_.reset();
}

/// Overwrites a file that cannot be replaced: a mounted one, or one in a read-only folder.
void OutputFile::copy_over() {
  int error = errno;
  int target = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (target < 0) fail(error);
  struct stat before = {};
  fstat(target, &before);
  off_t size = lseek(fd_, 0, SEEK_END);
  // Disk space is reserved first, so that a full disk leaves the old report.
  error = size > before.st_size ? posix_fallocate(target, 0, size) : 0;
  if (error != 0 && ftruncate(target, before.st_size) != 0) error = errno;
  lseek(fd_, 0, SEEK_SET);
  std::string part(kBufferSize, '\0');
  for (ssize_t n = 0; error == 0 && (n = read(fd_, part.data(), part.size())) > 0;)
    error = write_all(target, {part.data(), static_cast<size_t>(n)});
  if (error == 0 && ftruncate(target, size) != 0) error = errno;
  close(target);
  if (error != 0) fail(error);
}

void OutputFile::commit() {
  if (path_ == "-") {
    bool good = std::fwrite(buffer_.data(), 1, buffer_.size(), stdout) == buffer_.size() && std::fflush(stdout) == 0;
    if (!good) fail(errno);
    buffer_.clear();
    return;
  }
  flush();
  if (replaces_) take_name();
  int fd = std::exchange(fd_, -1);
  if (close(fd) != 0) fail(errno);
}

void write_report(const std::string& path, const std::function<void(OutputFile&)>& write) {
  OutputFile file(path);
  try {
    write(file);
  } catch (const WriteError&) {
    throw;
  } catch (...) {
    std::error_code ignored;
    if (path != "-" && fs::is_regular_file(fs::symlink_status(path, ignored))) fs::remove(path, ignored);
    throw;
  }
  file.commit();
}

void write_output_file(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace qd::cli
