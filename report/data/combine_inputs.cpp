// Inputs of a combination, and duplicates among them.
#include "report/data/combine_inputs.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "report/data/ascii.h"
#include "report/data/coverage_data.h"
#include "report/data/data_file_check.h"
#include "report/data/file_content.h"
#include "report/data/journal.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

constexpr const char* kKernelPrefix = "_qd_kcov.";

bool is_word(char c) { return is_ascii(c) && is_in_name(c); }

/// Takes ".<letter>" + a piece of `size` word characters + <last> from the end of `name`, and returns the piece; empty
/// when the name does not end so.
std::string take_piece(std::string_view& name, char letter, size_t size, char last) {
  if (name.size() < size + 3) return "";
  std::string_view piece = name.substr(name.size() - size - 3);
  if (piece[0] != '.' || piece[1] != letter || piece.back() != last) return "";
  piece = piece.substr(2, size);
  if (!std::all_of(piece.begin(), piece.end(), is_word)) return "";
  name.remove_suffix(size + 3);
  return std::string(piece);
}

/// Adds the inputs in a folder, if it can be read.
std::error_code add_files_of(const fs::path& folder, const std::string& prefix, std::vector<std::string>& files) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) || name.starts_with(kKernelPrefix)) files.push_back(entry.path().string());
  }
  for (FoundJournal& journal : find_journals(folder.string()))
    if (journal.state != ProcessState::Runs) files.push_back(std::move(journal.path));
  return error;
}

}  // namespace

std::vector<std::string> combinable_files(const std::string& data_file, const std::vector<std::string>& paths) {
  auto absolute = [](const std::string& path) { return fs::absolute(path).lexically_normal(); };
  fs::path data_path = absolute(data_file);
  std::string prefix = data_path.filename().string() + ".";
  std::vector<std::string> files;
  if (paths.empty() && !fs::is_directory(data_path.parent_path())) return files;
  for (const std::string& path : paths.empty() ? std::vector{data_path.parent_path().string()} : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      error = add_files_of(absolute(path), prefix, files);
      if (error && !paths.empty())  // that of the data file has no inputs then
        throw NoDataError(fmt::format("Couldn't combine from '{}': {}", path, error.message()));
    } else if (fs::is_regular_file(path, error)) {
      files.push_back(absolute(path).string());
    } else {
      throw NoDataError(fmt::format("Couldn't combine from non-existent path '{}'", path));
    }
  }
  std::erase_if(files, [](const std::string& file) { return file.ends_with("-journal"); });
  std::sort(files.begin(), files.end());
  return files;
}

bool is_part_of_kernels(const std::string& file) {
  return fs::path(file).filename().string().starts_with(kKernelPrefix);
}

bool is_part(const std::string& file, const std::string& data_file) {
  const fs::path path(file), whole(data_file);
  return path.parent_path() == whole.parent_path() &&
         path.filename().string().starts_with(whole.filename().string() + ".");
}

std::string hash_in_name(const std::string& path) {
  std::string_view rest = path;
  std::string hash = take_piece(rest, 'H', 10, 'h');
  if (hash.empty() || take_piece(rest, 'X', 6, 'x').empty()) return "";
  size_t digits = rest.size();
  while (digits > 0 && is_digit(rest[digits - 1])) --digits;
  if (digits == rest.size() || !rest.substr(0, digits).ends_with(".pid")) return "";
  rest = rest.substr(0, digits - 4);
  size_t dot = rest.rfind('.');
  return dot == std::string_view::npos || dot + 1 == rest.size() ? "" : hash;
}

bool is_lost_data(const std::string& path) {
  return is_measured_data(path) || !hash_in_name(path).empty() || is_part_of_kernels(path) || is_journal(path) ||
         access(path.c_str(), R_OK) != 0;
}

bool Duplicates::seen_before(const std::string& path, const std::string& name_hash,
                             std::optional<uint64_t> content_hash) {
  if (!name_hash.empty()) return !names_.insert(name_hash).second;
  if (!content_hash) return false;  // unreadable: the reader reports the error
  auto [first, last] = contents_.equal_range(*content_hash);
  for (auto i = first; i != last; ++i)
    if (i->second == path || same_content(i->second, path)) return true;
  contents_.emplace(*content_hash, path);
  return false;
}

}  // namespace qd::report
