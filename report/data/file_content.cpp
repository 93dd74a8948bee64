// File content: reads all bytes of a file at once.
#include "report/data/file_content.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

namespace qd::report {

namespace {

/// A regular file that is open to be read.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status = {};
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return;
    good_ = true;
    size_ = static_cast<size_t>(status.st_size);
  }
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool good() const { return good_; }
  size_t size() const { return size_; }
  /// Reads until `n` bytes are there or the file ends; no value for an error.
  std::optional<size_t> read(char* to, size_t n) {
    size_t done = 0;
    while (done < n) {
      ssize_t got = ::read(descriptor_, to + done, n - done);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return std::nullopt;
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    return done;
  }

 private:
  int descriptor_;
  bool good_ = false;
  size_t size_ = 0;
};

constexpr size_t kBlock = size_t{1} << 20;

/// Mixes blocks of a stream. All but the last have a multiple of 32 bytes.
class Hash {
 public:
  void add(const char* data, size_t size) {
    size_ += size;
    for (; size >= 32; data += 32, size -= 32)
      for (size_t i = 0; i < 4; ++i) mix(i, data + 8 * i);
    char rest[32] = {};
    std::memcpy(rest, data, size);
    if (size > 0)
      for (size_t i = 0; i < 4; ++i) mix(i, rest + 8 * i);
  }
  uint64_t value() const {
    uint64_t result = size_;
    for (uint64_t lane : lanes_) result = std::rotl((result ^ lane) * kPrime, 29);
    return result ^ result >> 32;
  }

 private:
  static constexpr uint64_t kPrime = 0x9E3779B185EBCA87;
  void mix(size_t lane, const char* data) {
    uint64_t word;
    std::memcpy(&word, data, 8);
    lanes_[lane] = std::rotl((lanes_[lane] ^ word) * kPrime, 31);
  }
  std::array<uint64_t, 4> lanes_ = {1, 2, 3, 4};
  uint64_t size_ = 0;
};

std::optional<std::string> read_to_end(int file) {
  std::string bytes;
  char piece[1 << 16];
  ssize_t n;
  while ((n = read(file, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
    if (n > 0) bytes.append(piece, static_cast<size_t>(n));
  return n < 0 ? std::nullopt : std::optional(std::move(bytes));
}

}  // namespace

std::optional<std::string> read_bytes(const std::string& path) {
  OpenFile file(path);
  if (!file.good()) return std::nullopt;
  std::string bytes(file.size() + 1, '\0');
  size_t size = 0;
  // The buffer has one byte more than the file had: the file may have grown.
  for (;;) {
    std::optional<size_t> got = file.read(bytes.data() + size, bytes.size() - size);
    if (!got) return std::nullopt;
    size += *got;
    if (size < bytes.size()) break;
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(size);
  return bytes;
}

int open_to_read(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) return file;
  if (S_ISDIR(status.st_mode)) {
    close(file);
    errno = EISDIR;
    return -1;
  }
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

std::optional<std::string> read_file_or_pipe(const std::string& path) {
  const int file = open_to_read(path);
  if (file < 0) return std::nullopt;
  std::optional<std::string> bytes = read_to_end(file);
  const int error = errno;
  close(file);
  errno = error;
  return bytes;
}

std::optional<std::string> read_standard_input() { return read_to_end(STDIN_FILENO); }

std::string why_unreadable(const std::string& path) {
  struct stat status = {};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const int error = errno;
  const bool good = file >= 0 && fstat(file, &status) == 0;
  if (file >= 0) close(file);
  if (!good) return std::strerror(error);
  return S_ISREG(status.st_mode)   ? std::strerror(EIO)
         : S_ISDIR(status.st_mode) ? "it is a folder"
                                   : "it is not a regular file";
}

bool begins_with(const std::string& path, std::string_view text) {
  OpenFile file(path);
  std::string head(text.size(), '\0');
  return file.good() && file.read(head.data(), head.size()) == text.size() && head == text;
}

std::optional<std::string_view> FileContent::read(const std::string& path) {
  OpenFile file(path);
  if (!file.good() || file.size() > kMost) return std::nullopt;
  if (file.size() + 1 > capacity_) {
    capacity_ = std::max(file.size() + 1, 2 * capacity_);
    buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
  }
  std::optional<size_t> size = file.read(buffer_.get(), file.size() + 1);
  if (!size || *size != file.size()) return std::nullopt;  // the file is changing
  return std::string_view(buffer_.get(), *size);
}

uint64_t hash_of(std::string_view bytes) {
  Hash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

std::optional<uint64_t> hash_of_file(const std::string& path) {
  OpenFile file(path);
  if (!file.good()) return std::nullopt;
  Hash hash;
  std::vector<char> block(kBlock);
  for (;;) {
    std::optional<size_t> size = file.read(block.data(), block.size());
    if (!size) return std::nullopt;
    hash.add(block.data(), *size);
    if (*size < block.size()) return hash.value();
  }
}

bool same_content(const std::string& a, const std::string& b) {
  OpenFile first(a), second(b);
  if (!first.good() || !second.good() || first.size() != second.size()) return false;
  std::vector<char> one(kBlock), two(kBlock);
  for (;;) {
    std::optional<size_t> n = first.read(one.data(), kBlock), m = second.read(two.data(), kBlock);
    if (!n || !m || *n != *m || std::memcmp(one.data(), two.data(), *n) != 0) return false;
    if (*n < kBlock) return true;
  }
}

}  // namespace qd::report
