// Input file: read with zlib, which takes plain files too.
#include "report/inputs/input_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "report/config/glob_matcher.h"
#include "report/data/ascii.h"
#include "report/data/file_content.h"

namespace qd::report {

namespace {

constexpr size_t kBufferSize = 1 << 18;

/// Whether a path is one of Windows: C:\a, C:/a, \\server\a
bool is_foreign(const std::string& path) {
  return (path.size() > 2 && is_letter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/')) ||
         path.starts_with("\\\\");
}

gzFile open_file(const std::string& path) {
  const int descriptor = open_to_read(path);
  if (descriptor < 0) throw DataError(fmt::format("Couldn't read '{}': {}", path, std::strerror(errno)));
  return gzdopen(descriptor, "rb");
}

}  // namespace

InputFile::InputFile(const std::string& path)
    : path_(path), file_(open_file(path), gzclose), buffer_(new char[kBufferSize]) {
  if (!file_) throw DataError(fmt::format("Couldn't read '{}': no memory", path));
  gzbuffer(file_.get(), kBufferSize);
}

bool InputFile::fill() {
  int n = gzread(file_.get(), buffer_.get(), kBufferSize);
  int code = Z_OK;
  const char* message = gzerror(file_.get(), &code);
  if (n < 0 || code != Z_OK)  // Z_BUF_ERROR: a truncated gzip file
    throw DataError(fmt::format("Couldn't read '{}': {}", path_,
                                code == Z_ERRNO       ? std::strerror(errno)
                                : code == Z_BUF_ERROR ? "its compressed data is cut off"
                                                      : message));
  begin_ = 0;
  end_ = static_cast<size_t>(n);
  return n > 0;
}

std::string_view InputFile::beginning() {
  if (begin_ == end_) fill();
  if (std::string_view(buffer_.get() + begin_, end_ - begin_).starts_with("\xEF\xBB\xBF")) begin_ += 3;
  return {buffer_.get() + begin_, end_ - begin_};
}

std::string_view InputFile::next() {
  if (begin_ == end_ && !fill()) return {};
  std::string_view piece(buffer_.get() + begin_, end_ - begin_);
  begin_ = end_;
  return piece;
}

void InputFile::fail(const char* format, const std::string& place, const std::string& reason) const {
  throw DataError(
      fmt::format("Couldn't read '{}' as {}: {}{}{}", path_, format, place, place.empty() ? "" : ": ", reason));
}

void InputFile::skip(const std::string& place, const std::string& reason) {
  if (n_skipped_++ == 0) first_skipped_ = place.empty() ? reason : fmt::format("{}: {}", place, reason);
}

std::string InputFile::skipped() const {
  if (n_skipped_ == 0) return "";
  return n_skipped_ == 1 ? fmt::format("1 record of '{}' is of no line and was left out: {}", path_, first_skipped_)
                         : fmt::format("{} records of '{}' are of no line and were left out, the first: {}", n_skipped_,
                                       path_, first_skipped_);
}

std::optional<int32_t> line_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || value > kMaxImportedLine || (digits.size() < text.size() && value != 0)) return kNoLine;
  return value;
}

std::optional<uint64_t> hit_count(std::string_view text) {
  uint64_t value = 0;
  const char *begin = text.data(), *end = begin + text.size();
  if (auto [last, error] = std::from_chars(begin, end, value); error == std::errc() && last == end) return value;
  double real = 0;
  auto [last, error] = std::from_chars(begin, end, real);
  if (error != std::errc() || last != end || !std::isfinite(real)) return std::nullopt;
  if (real <= 0) return 0;
  return real >= 1.8e19 ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(real + 0.5);
}

bool InputLines::next(std::string_view& line) {
  if (piece_.empty()) piece_ = file_.next();
  if (piece_.empty()) return false;
  size_t end = piece_.find('\n');
  if (end != std::string_view::npos) {
    line = piece_.substr(0, end);
    piece_.remove_prefix(end + 1);
  } else {
    joined_.clear();
    while (end == std::string_view::npos && !piece_.empty()) {
      joined_ += piece_;
      piece_ = file_.next();
      end = piece_.find('\n');
    }
    if (end != std::string_view::npos) {
      joined_ += piece_.substr(0, end);
      piece_.remove_prefix(end + 1);
    }
    line = joined_;
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

std::string input_path(std::string path, const std::string& folder) {
  if (is_foreign(path) || is_foreign(folder))
    return folder.empty() || is_foreign(path) || path.starts_with('/') ? path : folder + "/" + path;
  namespace fs = std::filesystem;
  std::string full = folder.empty() || path.starts_with('/') ? path : folder + "/" + path;
  std::error_code error;
  if (path.find('\\') != std::string::npos && !fs::exists(full, error))
    std::replace(full.begin(), full.end(), '\\', '/');
  return absolute_path(full);
}

bool append_counted_branches(std::vector<ImportedBranch>& branches, const ImportedLine& line, double taken,
                             double total) {
  const bool can_be =
      taken >= 0 && taken <= total && total <= kMaxBranches && taken == std::floor(taken) && total == std::floor(total);
  if (!can_be) taken = 0, total = 1;
  for (int i = 0; i < total; ++i) {
    ImportedBranch branch{line.line, 0, i, "", std::nullopt};
    if (line.hits > 0 || i < taken) branch.taken = i < taken ? 1 : 0;
    branches.push_back(std::move(branch));
  }
  return can_be;
}

void settle(CoverageData& data, const std::string& source) {
  for (auto& [path, file] : data.imported) {
    file.sources.insert(source);
    file.settle();
  }
}

}  // namespace qd::report
