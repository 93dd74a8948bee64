// Data lock: an flock on a file beside the data file.
#include "report/data/data_lock.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include "report/data/signals_wait.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

std::string lock_path(const std::string& data_file) {
  const fs::path path(data_file);
  std::string name = path.filename().string().substr(0, 200);
  if (!name.starts_with('.')) name = '.' + name;
  return path.parent_path() / (".qd-cov" + name + ".lock");
}

bool is_at(int file, const std::string& path) {
  struct stat ours = {}, there = {};
  return fstat(file, &ours) == 0 && lstat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
         ours.st_dev == there.st_dev;
}

}  // namespace

DataLock::DataLock(const std::string& data_file, const Warn& warn)
    : data_file_(data_file), path_(lock_path(data_file)) {
  std::error_code ignored;  // writing the data file reports the error
  fs::create_directories(fs::path(path_).parent_path(), ignored);
  while (!take(warn)) {
  }
}

DataLock::~DataLock() {
  if (file_ < 0) return;
  // Once the file is removed, another process may make one of that name, which a signal must not remove.
  const SignalsWait removing;
  if (!noted_) unlink(path_.c_str());
  removed_on_signals_.reset();
  close(file_);
}

/// Takes the lock. False when the file belonged to a process that has removed it by now.
bool DataLock::take(const Warn& warn) {
  constexpr std::chrono::seconds kSilent(5);
  const auto start = std::chrono::steady_clock::now();
  bool told = false;
  for (bool opened = false;; opened = true) {
    {
      const SignalsWait until_it_is_ours;  // an empty lock file is always removed on signals
      if (!opened && !open_file()) return true;
      if (flock(file_, LOCK_EX | LOCK_NB) == 0) return own();
      if (errno != EWOULDBLOCK && errno != EINTR) {
        remove_useless();
        return true;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (told || std::chrono::steady_clock::now() - start < kSilent) continue;
    told = true;
    if (warn) warn(fmt::format("Waiting for another process that writes '{}'", data_file_));
  }
}

/// Opens the lock file, or makes it. False when it cannot be made.
bool DataLock::open_file() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
  if (file_ < 0 && errno == EACCES) file_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file_ < 0) return false;
  struct stat status = {};
  if (fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) return true;
  close(file_);
  file_ = -1;
  return false;
}

/// Called with the lock. False when the owner of the file has removed it.
bool DataLock::own() {
  if (!is_at(file_, path_)) {
    close(file_);
    file_ = -1;
    return false;
  }
  read_note();
  noted_ = !found_.empty();
  if (!noted_) removed_on_signals_ = std::make_unique<TemporaryName>(path_);
  return true;
}

/// Removes the file that was made here, because the file system has no locks.
void DataLock::remove_useless() {
  struct stat status = {};
  if (fstat(file_, &status) == 0 && status.st_size == 0) unlink(path_.c_str());
  close(file_);
  file_ = -1;
}

void DataLock::read_note() {
  struct stat status = {};
  constexpr off_t kMost = 64 << 20;
  if (fstat(file_, &status) != 0 || status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) ||
      status.st_size == 0 || status.st_size > kMost)
    return;
  std::string text(static_cast<size_t>(status.st_size), '\0');
  if (pread(file_, text.data(), text.size(), 0) == status.st_size) found_ = text;
}

void DataLock::note(const std::string& text, bool safely) {
  if (file_ < 0) return;
  noted_ = true;
  struct stat status = {};
  if (fstat(file_, &status) != 0 ||
      pwrite(file_, text.data(), text.size(), status.st_size) != static_cast<ssize_t>(text.size()))
    return;
  if (safely) fsync(file_);
}

void DataLock::forget_notes() {
  const SignalsWait until_it_is_removed_on_signals;
  if (file_ < 0 || !noted_ || ftruncate(file_, 0) != 0) return;
  noted_ = false;
  removed_on_signals_ = std::make_unique<TemporaryName>(path_);
}

bool DataLock::left_behind(const std::string& data_file) {
  struct stat status = {};
  return lstat(lock_path(data_file).c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
}

}  // namespace qd::report
