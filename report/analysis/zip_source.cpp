// Zip reader for sources alone: the central directory, stored and deflated entries (APPNOTE.TXT 4.3).
#include "report/analysis/zip_source.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace qd::report {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffixes[] = {".zip/", ".whl/", ".egg/", ".pex/", ".par/"};
constexpr uint32_t kEndSignature = 0x06054b50, kEntrySignature = 0x02014b50, kLocalSignature = 0x04034b50;
constexpr size_t kEndSize = 22, kEntrySize = 46, kLocalSize = 30;
constexpr size_t kLongestComment = 0xFFFF;
// Largest growth of deflated data: a header with a larger size is wrong.
constexpr size_t kMostGrowth = 1032;

struct Location {
  std::string archive, inner;
};

std::optional<Location> zip_location(const std::string& path) {
  for (std::string_view suffix : kSuffixes) {
    size_t found = path.find(suffix);
    if (found == std::string::npos) continue;
    size_t end = found + suffix.size() - 1;
    std::error_code error;
    if (fs::is_regular_file(path.substr(0, end), error)) return Location{path.substr(0, end), path.substr(end + 1)};
  }
  return std::nullopt;
}

/// Bytes of a file, read on demand; all reads check that they lie within it.
class Bytes {
 public:
  explicit Bytes(const std::string& path) : file_(std::fopen(path.c_str(), "rb"), std::fclose) {
    if (file_ && fseeko(file_.get(), 0, SEEK_END) == 0)
      size_ = static_cast<size_t>(std::max<off_t>(ftello(file_.get()), 0));
  }

  size_t size() const { return size_; }

  std::optional<std::string> read(size_t offset, size_t length) const {
    if (offset > size_ || length > size_ - offset) return std::nullopt;
    std::string result(length, '\0');
    if (fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) != 0 ||
        std::fread(result.data(), 1, length, file_.get()) != length)
      return std::nullopt;
    return result;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  size_t size_ = 0;
};

size_t number(std::string_view bytes, size_t at, size_t width) {
  size_t value = 0;
  for (size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

struct Entry {
  size_t method, packed_size, size, header;  // header: offset of the local header
};

/// Finds the entry called `name` of the central directory.
std::optional<Entry> find_entry(const Bytes& file, const std::string& name) {
  size_t tail_size = std::min(file.size(), kEndSize + kLongestComment);
  std::optional<std::string> tail = file.read(file.size() - tail_size, tail_size);
  if (!tail || tail_size < kEndSize) return std::nullopt;
  size_t end = tail_size - kEndSize;
  while (number(*tail, end, 4) != kEndSignature)
    if (end-- == 0) return std::nullopt;
  size_t directory_size = number(*tail, end + 12, 4), directory_offset = number(*tail, end + 16, 4);
  size_t end_offset = file.size() - tail_size + end;
  if (directory_size > end_offset || directory_offset > end_offset - directory_size) return std::nullopt;
  // A program may stand before the archive; offsets are counted from the start of the archive.
  size_t start = end_offset - directory_size - directory_offset;
  std::optional<std::string> directory = file.read(end_offset - directory_size, directory_size);
  if (!directory) return std::nullopt;
  for (size_t at = 0; at + kEntrySize <= directory->size() && number(*directory, at, 4) == kEntrySignature;) {
    size_t name_size = number(*directory, at + 28, 2);
    if (std::string_view(*directory).substr(at + kEntrySize).starts_with(name) && name_size == name.size())
      return Entry{number(*directory, at + 10, 2), number(*directory, at + 20, 4), number(*directory, at + 24, 4),
                   start + number(*directory, at + 42, 4)};
    at += kEntrySize + name_size + number(*directory, at + 30, 2) + number(*directory, at + 32, 2);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> bytes_in_zip(const std::string& path) {
  std::optional<Location> location = zip_location(path);
  if (!location) return std::nullopt;
  Bytes file(location->archive);
  std::optional<Entry> entry = find_entry(file, location->inner);
  if (!entry) return std::nullopt;
  std::optional<std::string> header = file.read(entry->header, kLocalSize);
  if (!header || number(*header, 0, 4) != kLocalSignature) return std::nullopt;
  std::optional<std::string> packed =
      file.read(entry->header + kLocalSize + number(*header, 26, 2) + number(*header, 28, 2), entry->packed_size);
  if (!packed || entry->method == 0) return packed;
  if (entry->method != 8 || entry->size / kMostGrowth > entry->packed_size) return std::nullopt;
  std::string result(entry->size, '\0');
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (libdeflate_deflate_decompress(decompressor.get(), packed->data(), packed->size(), result.data(), result.size(),
                                    nullptr) != LIBDEFLATE_SUCCESS)
    return std::nullopt;
  return result;
}

}  // namespace qd::report
