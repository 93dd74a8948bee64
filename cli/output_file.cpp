// Writes a report by way of a temporary name.
#include "cli/output_file.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace qd::cli {

namespace fs = std::filesystem;

void write_output_file(const std::string& path, const std::string& text) {
  auto fail = [&](int error) { throw std::runtime_error(fmt::format("Couldn't write '{}': {}", path, std::strerror(error))); };
  std::error_code ignored;
  bool replace = !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
  // A link stays a link: what it points to is replaced.
  fs::path target = replace ? fs::weakly_canonical(path, ignored) : fs::path(path);
  if (target.empty()) target = path;
  std::string written = replace ? fmt::format("{}.{}.tmp", target.string(), getpid()) : target.string();
  std::FILE* file = std::fopen(written.c_str(), "wb");
  if (file == nullptr) fail(errno);
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  if (std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && replace && std::rename(written.c_str(), target.c_str()) != 0) {
    good = false;
    error = errno;
  }
  if (good) return;
  if (replace) std::remove(written.c_str());
  fail(error);
}

}  // namespace qd::cli
