// Files of the offline cache, one for each entry. Several processes use the folder at once, and any may be killed at
// any time.
//
//   <folder>/lock                       held while the folder is cleaned
//   <folder>/<version>/<key>.code       head: magic, key, size, checksum; then the bytes
//   <folder>/<version>/<key>.kernel
//   <folder>/<version>/<key>.questions
//   <folder>/<version>/<key>.driver
//
// An entry is written under another name and renamed when it is whole, so that a reader sees all of it or nothing; the
// checksum finds later damage of the disk. `version` is a hash of the build and the compiler: entries of others
// are never seen. A file that other users could have written is not believed, because code would be run from it.
//
// A file has the time of its entry's last use (LRU). When the entries are larger than the limit, those that were not
// used for longest are deleted until there is room for a while (cleaning_factor). Files that were never renamed are
// deleted once they are so old that their process must have died.
#include "runtime/launch/entry_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <set>
#include <tuple>
#include <utility>

namespace qd {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMagic = 0x31303031'74636471;  // changes with the layout of an entry
constexpr uint64_t kLargest = uint64_t{1} << 30;
constexpr std::string_view kSuffixes[] = {"code", "kernel", "questions", "driver"};  // by Kind
constexpr time_t kUnfinishedAge =
    60 * 60;  // seconds after which a file that has not been renamed is of a process that died

struct Head {
  uint64_t magic;
  EntryFiles::Key key;
  uint64_t size;  // of the bytes behind the head
  uint64_t checksum;
};

uint64_t checksum(const EntryFiles::Key& key, std::string_view bytes) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), key[0]);
}

class Descriptor {
 public:
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return file_; }
  bool close() { return ::close(std::exchange(file_, -1)) == 0; }

 private:
  int file_;
};

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool read_all(int file, char* data, size_t size) {
  while (size > 0) {
    const ssize_t n = read(file, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool is_hex(std::string_view text, size_t digits) {
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

struct Found {
  std::string path;
  struct timespec time;
  uint64_t size;
  bool unfinished;
};

/// The entries of a folder, and unfinished files that dead processes have left. Files with other names are not ours.
std::vector<Found> entries_of(const fs::path& folder) {
  std::vector<Found> found;
  std::error_code error;
  for (auto file = fs::directory_iterator(folder, error); !error && file != fs::directory_iterator();
       file.increment(error)) {
    const std::string name = file->path().filename().string();
    const size_t dot = name.find('.');
    if (dot == std::string::npos || !is_hex(std::string_view(name).substr(0, dot), 32)) continue;
    const std::string_view rest = std::string_view(name).substr(dot + 1);
    const bool entry = std::ranges::find(kSuffixes, rest) != std::end(kSuffixes);
    struct stat status = {};
    if ((!entry && !rest.ends_with(".tmp")) || lstat(file->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    found.push_back({file->path().string(), status.st_mtim, static_cast<uint64_t>(status.st_size), !entry});
  }
  return found;
}

/// Whether this folder gives its first warning in this process. Each folder gives one, however many programs the
/// process starts.
bool first_time(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> folders;
  std::lock_guard lock(mutex);
  return folders.insert(folder).second;
}

}  // namespace

CacheOptions cache_options(const Config& config) {
  return {config.offline_cache ? config.offline_cache_file_path : "", config.offline_cache_cleaning_policy,
          static_cast<uint64_t>(config.offline_cache_max_size_of_files), config.offline_cache_cleaning_factor};
}

EntryFiles::EntryFiles(CacheOptions options, std::string_view version)
    : options_(std::move(options)),
      folder_(fmt::format("{}/{:016x}", options_.folder, XXH3_64bits(version.data(), version.size()))) {}

EntryFiles::Key EntryFiles::key_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::string EntryFiles::path(const Key& key, Kind kind) const {
  return fmt::format("{}/{:016x}{:016x}.{}", folder_, key[0], key[1], kSuffixes[static_cast<size_t>(kind)]);
}

std::optional<std::string> EntryFiles::find(const Key& key, Kind kind) {
  const std::string path = this->path(key, kind);
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status = {};
  if (file.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    warn(fmt::format("offline cache: cannot read {}: {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() ||
      (status.st_mode & (S_IWGRP | S_IWOTH))) {
    warn(fmt::format(
        "offline cache: {} could have been written by someone else; it is not used, and the kernel is compiled again",
        path));
    return std::nullopt;
  }
  Head head;
  std::string bytes;
  const auto size = static_cast<uint64_t>(status.st_size);
  bool good =
      size >= sizeof head && size < kLargest && read_all(file.get(), reinterpret_cast<char*>(&head), sizeof head);
  good = good && head.magic == kMagic && head.key == key && head.size == size - sizeof head;
  if (good) {
    bytes.resize(head.size);
    good = read_all(file.get(), bytes.data(), bytes.size()) && checksum(key, bytes) == head.checksum;
  }
  if (!good) {
    warn(fmt::format("offline cache: {} is damaged; the kernel is compiled again", path));
    return std::nullopt;
  }
  if (options_.cleaning == CacheOptions::Cleaning::Lru) futimens(file.get(), nullptr);
  return bytes;
}

void EntryFiles::put(const Key& key, Kind kind, std::string_view bytes) {
  {
    std::lock_guard lock(mutex_);
    if (!writable_) return;
  }
  const bool limited =
      options_.cleaning == CacheOptions::Cleaning::Lru || options_.cleaning == CacheOptions::Cleaning::Fifo;
  if (bytes.size() >= kLargest - sizeof(Head) || (limited && bytes.size() + sizeof(Head) > options_.max_bytes) ||
      !make_folder())
    return;
  // Processes in containers may have the same number.
  const std::string path = this->path(key, kind),
                    unfinished = fmt::format("{}.{}.{:08x}.tmp", path, getpid(), std::random_device()());
  Descriptor file(open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) return cannot_write(path, errno);
  const Head head = {kMagic, key, bytes.size(), checksum(key, bytes)};
  const bool written = write_all(file.get(), {reinterpret_cast<const char*>(&head), sizeof head}) &&
                       write_all(file.get(), bytes) && file.close();
  if (!written || std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(unfinished.c_str());
    return cannot_write(path, error);
  }
  {
    std::lock_guard lock(mutex_);
    written_ += sizeof head + bytes.size();
    // Other processes write as well, so the folder is looked at again from time to time.
    if (scanned_ && (!limited || (total_ + written_ <= options_.max_bytes && written_ <= options_.max_bytes / 16)))
      return;
  }
  clean();
}

void EntryFiles::discard(const Key& key, Kind kind, std::string_view reason) {
  const std::string path = this->path(key, kind);
  unlink(path.c_str());
  warn(fmt::format("offline cache: {} {}; the kernel is compiled again", path, reason));
}

bool EntryFiles::make_folder() {
  std::error_code error;
  if (fs::is_directory(folder_, error)) return true;
  fs::create_directories(options_.folder, error);
  if (mkdir(folder_.c_str(), 0700) == 0 || errno == EEXIST) return true;
  cannot_write(folder_, errno);
  return false;
}

/// When the entries are larger than the limit, deletes the oldest. One process at a time does this.
void EntryFiles::clean() {
  using Cleaning = CacheOptions::Cleaning;
  {
    std::lock_guard lock(mutex_);
    scanned_ = true;
    written_ = 0;
    total_ = 0;
  }
  if (options_.cleaning == Cleaning::Never) return;
  Descriptor lock_file(open((options_.folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock_file.get() < 0 || flock(lock_file.get(), LOCK_EX | LOCK_NB) != 0) return;
  std::vector<Found> entries;
  uint64_t total = 0;
  const time_t now = time(nullptr);
  std::error_code error;
  for (auto folder = fs::directory_iterator(options_.folder, error); !error && folder != fs::directory_iterator();
       folder.increment(error)) {
    std::error_code no_folder;
    if (!is_hex(folder->path().filename().string(), 16) || !fs::is_directory(folder->symlink_status(no_folder)))
      continue;
    const bool other = folder->path() != fs::path(folder_);
    for (Found& file : entries_of(folder->path())) {
      if (file.unfinished ? file.time.tv_sec < now - kUnfinishedAge : other && options_.cleaning == Cleaning::Version) {
        unlink(file.path.c_str());
      } else {
        total += file.size;
        if (!file.unfinished) entries.push_back(std::move(file));
      }
    }
    if (other) rmdir(folder->path().c_str());  // when it is empty
  }
  if (options_.cleaning != Cleaning::Version && total > options_.max_bytes) {
    std::ranges::sort(entries, [](const Found& a, const Found& b) {
      return std::tie(a.time.tv_sec, a.time.tv_nsec, a.path) < std::tie(b.time.tv_sec, b.time.tv_nsec, b.path);
    });
    const auto wanted = static_cast<uint64_t>(static_cast<double>(options_.max_bytes) *
                                              (1 - std::clamp(options_.cleaning_factor, 0.0, 1.0)));
    for (const Found& file : entries) {
      if (total <= wanted) break;
      if (unlink(file.path.c_str()) == 0 || errno == ENOENT) total -= file.size;
    }
  }
  std::lock_guard lock(mutex_);
  total_ = total;
}

void EntryFiles::warn(std::string text) {
  std::lock_guard lock(mutex_);
  warnings_.push_back(std::move(text));
}

void EntryFiles::cannot_write(const std::string& path, int error) {
  {
    std::lock_guard lock(mutex_);
    writable_ = false;
  }
  if (first_time(options_.folder))
    warn(fmt::format("offline cache: cannot write {}: {}; kernels are compiled anew in each run", path,
                     std::strerror(error)));
}

std::vector<std::string> EntryFiles::take_warnings() {
  std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

}  // namespace qd
