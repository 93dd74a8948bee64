// Reads a source file as coverage.py does: from a file or from within a zip file, and decoded.
#include <fmt/core.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "report/analysis/analysis.h"
#include "report/analysis/zip_source.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

std::string read_source_bytes(const std::string& path) {
  struct stat state{};
  bool exists = path.find('\0') == std::string::npos && stat(path.c_str(), &state) == 0;
  if (!exists) {
    if (std::optional<std::string> zipped = bytes_in_zip(path)) return std::move(*zipped);
    throw NoSource(fmt::format("No source for code: '{}'.", path));
  }
  // Opening a pipe waits for its other end, and a device has no end.
  if (!S_ISREG(state.st_mode) && !S_ISDIR(state.st_mode))
    throw NoSource(fmt::format("No source for code: '{}': not a regular file", path));
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file || S_ISDIR(state.st_mode)) {
    int error = file ? EISDIR : errno;
    throw NoSource(
        fmt::format("No source for code: '{}': [Errno {}] {}: '{}'", path, error, std::strerror(error), path));
  }
  std::string bytes;
  char buffer[1 << 16];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) bytes.append(buffer, n);
  if (std::ferror(file.get()))
    throw NoSource(fmt::format("No source for code: '{}': [Errno {}] {}", path, errno, std::strerror(errno)));
  return bytes;
}

std::string decode_source_bytes(std::string bytes) {
  for (size_t at = bytes.find('\f'); at != std::string::npos; at = bytes.find('\f', at)) bytes[at] = ' ';
  return syntax::decode_source(bytes);
}

std::string read_source(const std::string& path) { return decode_source_bytes(read_source_bytes(path)); }

}  // namespace qd::report
