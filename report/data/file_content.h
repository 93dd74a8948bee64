// File content: reads all bytes of a file at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace qd::report {

/// A buffer that is used for one file after another.
class FileContent {
 public:
  /// Largest file that is read as a whole, in bytes, so that memory is bounded.
  static constexpr size_t kMost = size_t{32} << 20;

  /// Reads `path`, if it is a regular file of no more than kMost bytes that can be read.
  std::optional<std::string_view> read(const std::string& path);

 private:
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
};

/// All bytes of a regular file; no value when it is not regular or cannot be read.
std::optional<std::string> read_bytes(const std::string& path);

/// Opens a file for reading, or a pipe with a writer; negative, with errno, when that fails. Never waits for a writer:
/// a pipe without a writer is at its end.
int open_to_read(const std::string& path);
/// All bytes of a file or pipe, opened by open_to_read().
std::optional<std::string> read_file_or_pipe(const std::string& path);
/// All bytes of standard input, to its end; no value, with errno, when it cannot be read.
std::optional<std::string> read_standard_input();

/// Reason why `path` cannot be read as a file, for messages.
std::string why_unreadable(const std::string& path);
/// Whether a regular file begins with `text`.
bool begins_with(const std::string& path, std::string_view text);

/// 64-bit hash of bytes.
uint64_t hash_of(std::string_view bytes);
/// The same for a file of any size; no value when it cannot be read.
std::optional<uint64_t> hash_of_file(const std::string& path);
/// Whether two files can be read and have the same content.
bool same_content(const std::string& a, const std::string& b);

}  // namespace qd::report
