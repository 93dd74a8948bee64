// Trend file, with a line of JSON for each commit:
//
//   {"format": 1, "time": "2026-11-22T03:04:05Z", "commit": "1a2b...", "branch": "main", "dirty": false, "files": 12,
//    "statements": {"covered": 70, "total": 80}, "branches": {"covered": 3, "total": 6}}
#include "report/inputs/trend.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "report/data/coverage_data.h"
#include "report/data/file_content.h"
#include "report/data/signals_wait.h"
#include "report/inputs/json_values.h"

namespace qd::report {

namespace {

using nlohmann::json;

constexpr int64_t kTrendFormat = 1;
constexpr uint64_t kMost = 1'000'000'000'000;  // largest count, of lines of a project

/// Numbers "covered" and "total" of an object.
std::pair<int64_t, int64_t> counts(const json& line, const char* key) {
  const json& object = member(line, key);
  auto count = [&](const char* name) {
    const json& value = member(object, name);
    if (!value.is_number_integer() || value < 0 || value > kMost)
      throw JsonShapeError(fmt::format("'{}' of '{}' is no count", name, key));
    return value.get<int64_t>();
  };
  int64_t covered = count("covered"), total = count("total");
  if (covered > total) throw JsonShapeError(fmt::format("more {} are covered than there are", key));
  return {covered, total};
}

bool is_time(const std::string& text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i)
    if (kShape[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != kShape[i]) return false;
  return true;
}

TrendPoint point_of(const json& line) {
  TrendPoint point;
  point.time = text_of(line, "time");
  if (!is_time(point.time)) throw JsonShapeError("'time' is no time like 2026-11-22T03:04:05Z");
  point.commit = optional_text_of(line, "commit");
  point.branch = optional_text_of(line, "branch");
  point.dirty = line.contains("dirty") && truth_of(line["dirty"]);
  if (line.contains("files")) point.files = static_cast<int64_t>(std::min(count_of(line["files"]), kMost));
  std::tie(point.covered_statements, point.statements) = counts(line, "statements");
  if (line.contains("branches")) std::tie(point.covered_branches, point.branches) = counts(line, "branches");
  return point;
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw DataError(fmt::format("Couldn't write '{}': {}", path, std::strerror(error)));
}

/// An open file with an exclusive lock among cooperating processes (flock).
class LockedFile {
 public:
  explicit LockedFile(const std::string& path) : path_(path) {
    fd_ = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) fail(path, errno);
    struct stat facts{};
    if (fstat(fd_, &facts) == 0 && !S_ISREG(facts.st_mode)) close(fd_), fail(path, EINVAL);
    while (flock(fd_, LOCK_EX) != 0)
      if (errno != EINTR) close(fd_), fail(path, errno);
  }
  LockedFile(const LockedFile&) = delete;
  ~LockedFile() { close(fd_); }

  std::string text() const {
    std::string result;
    char piece[1 << 16];
    for (;;) {
      ssize_t n = pread(fd_, piece, sizeof piece, static_cast<off_t>(result.size()));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail(path_, errno);
      if (n == 0) return result;
      result.append(piece, static_cast<size_t>(n));
    }
  }

  /// Appends all of a text or nothing: on a full disk the file is truncated to its old size.
  void append(std::string_view text) const {
    SignalsWait signals_wait;
    off_t before = lseek(fd_, 0, SEEK_END);
    for (size_t at = 0; at < text.size();) {
      ssize_t n = write(fd_, text.data() + at, text.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        int error = errno;
        if (ftruncate(fd_, before) != 0) error = errno;
        fail(path_, error);
      }
      at += static_cast<size_t>(n);
    }
    if (fsync(fd_) != 0) fail(path_, errno);
  }

 private:
  const std::string& path_;
  int fd_ = -1;
};

}  // namespace

bool TrendPoint::same_numbers(const TrendPoint& other) const {
  return dirty == other.dirty && files == other.files && covered_statements == other.covered_statements &&
         statements == other.statements && covered_branches == other.covered_branches && branches == other.branches;
}

Trend parse_trend(std::string_view text, const std::string& path) {
  Trend trend;
  std::map<std::string, size_t> places;  // [commit]
  for (int64_t number = 1; !text.empty(); ++number) {
    size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    try {
      json value = json::parse(line, nullptr, false);
      if (!value.is_object()) throw JsonShapeError("it is no JSON object");
      const json& format = member(value, "format");
      if (format.is_number_integer() && format > kTrendFormat) {
        ++trend.n_unknown;
        continue;
      }
      if (format != kTrendFormat) throw JsonShapeError("'format' is not 1");
      TrendPoint point = point_of(value);
      auto [place, is_new] = places.try_emplace(point.commit, trend.points.size());
      if (is_new || point.commit.empty())
        trend.points.push_back(std::move(point));
      else
        trend.points[place->second] = std::move(point);
    } catch (const JsonShapeError& error) {
      throw DataError(fmt::format("Couldn't read '{}' as a trend file: line {}: {}", path, number, error.what()));
    }
  }
  return trend;
}

Trend read_trend(const std::string& path) {
  const std::optional<std::string> text = read_file_or_pipe(path);
  if (!text) throw DataError(fmt::format("Couldn't read '{}': {}", path, std::strerror(errno)));
  return parse_trend(*text, path);
}

std::string trend_line(const TrendPoint& point) {
  nlohmann::ordered_json line = {{"format", kTrendFormat},
                                 {"time", point.time},
                                 {"commit", point.commit},
                                 {"branch", point.branch},
                                 {"dirty", point.dirty},
                                 {"files", point.files},
                                 {"statements", {{"covered", point.covered_statements}, {"total", point.statements}}}};
  if (point.branches > 0) line["branches"] = {{"covered", point.covered_branches}, {"total", point.branches}};
  return line.dump(-1, ' ', false, json::error_handler_t::replace);
}

TrendChange append_to_trend(const std::string& path, const TrendPoint& point) {
  LockedFile file(path);
  std::string text = file.text();
  Trend trend = parse_trend(text, path);
  TrendChange change = TrendChange::Added;
  for (const TrendPoint& known : trend.points) {
    if (point.commit.empty() || known.commit != point.commit) continue;
    if (known.same_numbers(point)) return TrendChange::Unchanged;
    change = TrendChange::Replaced;
  }
  std::string line = text.empty() || text.ends_with('\n') ? "" : "\n";
  file.append(line + trend_line(point) + "\n");
  return change;
}

}  // namespace qd::report
