// Many data files into one, in memory; only then is anything on disk touched.
#include "report/data/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "report/data/journal.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

constexpr const char* kKernelPrefix = "_qd_kcov.";

std::string absolute(const std::string& path) {
  return fs::absolute(path).lexically_normal().string();
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/// The hash in a name that coverage.py made: `.HOST.pidN.XabcdefX.HABCDEFGHIJh`.
std::string hash_in_name(const std::string& path) {
  size_t dot = path.rfind('.');
  if (dot == std::string::npos || path.size() - dot != 13 || path[dot + 1] != 'H' || path.back() != 'h') return "";
  if (path.rfind(".X", dot) == std::string::npos || path.rfind(".pid", dot) == std::string::npos) return "";
  std::string hash = path.substr(dot + 2, 11);
  return std::all_of(hash.begin(), hash.end(), is_alphanumeric) ? hash : "";
}

std::optional<std::string> file_content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || fs::is_directory(path)) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// Which inputs hold the same as an earlier one.
class Duplicates {
 public:
  bool seen_before(const std::string& path) {
    std::string name_hash = hash_in_name(path);
    if (!name_hash.empty()) return !names_.emplace(name_hash, path).second;
    std::optional<std::string> content = file_content(path);
    if (!content) return false;  // reading it as data will say why
    auto [first, last] = contents_.equal_range(std::hash<std::string>{}(*content));
    for (auto i = first; i != last; ++i)
      if (file_content(i->second) == content) return true;
    contents_.emplace(std::hash<std::string>{}(*content), path);
    return false;
  }

 private:
  std::map<std::string, std::string> names_;
  std::multimap<size_t, std::string> contents_;
};

std::string plural(size_t n, const char* noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// "a.py, b.py, c.py and 5 other files"
std::string some_of(const std::vector<std::string>& paths) {
  constexpr size_t kShown = 10;
  std::string text = fmt::format("{}", fmt::join(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), kShown)), ", "));
  if (paths.size() > kShown) text += " and " + plural(paths.size() - kShown, "other file");
  return text;
}

void add_files_of(const fs::path& folder, const std::string& prefix, std::vector<std::string>& files) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) || name.starts_with(kKernelPrefix)) files.push_back(entry.path().string());
  }
  std::vector<std::string> journals = orphaned_journals(folder.string());
  files.insert(files.end(), journals.begin(), journals.end());
}

}  // namespace

std::string CombineCounts::message() const {
  std::string text = "Combined " + plural(combined, "file");
  if (skipped) text += fmt::format(", skipped {}", skipped);
  if (errored) text += fmt::format(", {} errored", plural(errored, "file"));
  return text;
}

std::string mixed_note(const CoverageData& data) {
  if (!data.is_mixed()) return "";
  std::vector<std::string> none, partly;
  for (const auto& [path, file] : data.files) {
    if (file.lines_only)
      none.push_back(path);
    else if (!file.lines.empty())
      partly.push_back(path);
  }
  std::string note;
  if (!none.empty()) note = "No branch data for " + some_of(none);
  if (!partly.empty()) note += fmt::format("{}ome lines without branch data in {}", note.empty() ? "S" : "; s", some_of(partly));
  return note;
}

std::vector<std::string> combinable_files(const std::string& data_file, const std::vector<std::string>& paths) {
  fs::path data_path = absolute(data_file);
  std::string prefix = data_path.filename().string() + ".";
  std::vector<std::string> files;
  if (paths.empty() && !fs::is_directory(data_path.parent_path())) return files;
  for (const std::string& path : paths.empty() ? std::vector{data_path.parent_path().string()} : paths) {
    if (fs::is_directory(path))
      add_files_of(absolute(path), prefix, files);
    else if (fs::exists(path))
      files.push_back(absolute(path));
    else
      throw NoDataError(fmt::format("Couldn't combine from non-existent path '{}'", path));
  }
  std::erase_if(files, [](const std::string& file) { return file.ends_with("-journal"); });
  std::sort(files.begin(), files.end());
  return files;
}

CombineCounts combine_data(const CombineOptions& options) {
  std::vector<std::string> files = combinable_files(options.data_file, options.paths);
  if (files.empty()) throw NoDataError("No data to combine");
  std::string output = absolute(options.data_file);

  CoverageData result;
  if (options.append && fs::exists(output)) result = read_data(output);
  result.path = output;

  CombineCounts counts;
  std::vector<std::string> done;
  Duplicates duplicates;
  for (const std::string& file : files) {
    if (file == output && options.append) continue;
    if (duplicates.seen_before(file)) {
      ++counts.skipped;
      done.push_back(file);
      continue;
    }
    CoverageData input;
    try {
      input = read_data(file, file == output);
    } catch (const DataError& error) {
      ++counts.errored;
      if (options.warn) options.warn(error.what());
      continue;
    }
    result.update(input, options.map_path, options.mixed);
    ++counts.combined;
    done.push_back(file);
  }
  if (counts.combined == 0) throw NoDataError("No usable data files");

  write_data(output, result);
  counts.note = mixed_note(result);
  if (!options.keep)
    for (const std::string& file : done)
      if (file != output) fs::remove(file);
  return counts;
}

void erase_data(const std::string& data_file, bool with_parts) {
  fs::path path = absolute(data_file);
  fs::remove(path);
  if (!with_parts || !fs::is_directory(path.parent_path())) return;
  std::string prefix = path.filename().string() + ".";
  for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path()))
    if (entry.path().filename().string().starts_with(prefix)) fs::remove(entry.path());
}

}  // namespace qd::report
