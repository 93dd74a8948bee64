// Folder of parts: writes and clears it.
#include "report/formats/html/html_folder.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "report/data/temporary_name.h"
#include "report/data/unused_name.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

/// Short name of letters, digits and a few signs that are plain in a shell and in an address.
std::string plain(std::string_view about) {
  std::string result;
  for (char c : about.substr(0, 40)) {
    bool keep = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
    result += keep ? c : '_';
  }
  return result;
}

/// Whether a file name has the form of `write`.
bool is_part(const std::string& name) {
  size_t dash = name.rfind('-');
  return name.ends_with(".js") && dash != std::string::npos && name.size() == dash + 1 + 16 + 3 &&
         name.find_first_not_of("0123456789abcdef", dash + 1) == name.size() - 3;
}

void write_file(const std::string& path, std::string_view text) {
  auto fail = [&](int error) {
    throw std::runtime_error(fmt::format("Couldn't write '{}': {}", path, std::strerror(error)));
  };
  std::string written = fmt::format("{}.{}.{}.tmp", path, getpid(), random_word());
  const TemporaryName removed_on_signals(written);
  std::FILE* file = std::fopen(written.c_str(), "wb");
  if (file == nullptr) fail(errno);
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  int error = errno;
  if (std::fclose(file) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && std::rename(written.c_str(), path.c_str()) == 0) return;
  if (good) error = errno;
  std::remove(written.c_str());
  fail(error);
}

}  // namespace

HtmlFolder::HtmlFolder(const std::string& folder) : folder_((fs::path(folder) / "data").string()) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw std::runtime_error(fmt::format("Couldn't write to '{}': {}", folder_, error.message()));
}

std::string HtmlFolder::write(std::string_view about, const std::string& packed) {
  std::string name =
      fmt::format("{}-{:016x}", plain(about), static_cast<uint64_t>(XXH3_64bits(packed.data(), packed.size())));
  {
    std::lock_guard lock(mutex_);
    if (!names_.insert(name).second) return name;  // another file has the same content
  }
  std::string text = fmt::format("store.receive(\"{}\",\"{}\");\n", name, packed);
  std::string path = fmt::format("{}/{}.js", folder_, name);
  std::error_code error;
  if (fs::file_size(path, error) != text.size() || error) write_file(path, text);
  return name;
}

void HtmlFolder::remove_others() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    std::string name = entry.path().filename().string();
    if (is_part(name) && !names_.contains(name.substr(0, name.size() - 3))) fs::remove(entry.path(), error);
  }
}

}  // namespace qd::report
