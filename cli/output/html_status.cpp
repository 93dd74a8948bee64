// HTML status file: the lines "inputs ...", "written ..." and "total ...", then "note TEXT\0" for each note and "HASH
// PATH\0" for each source.
#include "cli/output/html_status.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/output/output_file.h"
#include "report/config/describe.h"
#include "report/data/in_order.h"
#include "report/data/sqlite.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = ".qd-cov-status";

std::string hex_of(XXH128_hash_t hash) { return fmt::format("{:016x}{:016x}", hash.high64, hash.low64); }

std::string hash_of(std::string_view text) { return hex_of(XXH3_128bits(text.data(), text.size())); }

/// Hash of a file's content; "-" for a file that is not regular, or cannot be read.
std::string hash_of_file(const std::string& path) {
  struct Closed {
    int file;
    ~Closed() {
      if (file >= 0) close(file);
    }
  } opened{open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat facts{};
  if (opened.file < 0 || fstat(opened.file, &facts) != 0 || !S_ISREG(facts.st_mode)) return "-";
  // Reads block by block, because a data file may be larger than memory.
  std::string block(std::clamp<size_t>(static_cast<size_t>(facts.st_size) + 1, 4096, 1 << 18), '\0');
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (;;) {
    ssize_t n = read(opened.file, block.data(), block.size());
    if (n < 0) return "-";
    if (n == 0) return hex_of(XXH3_128bits_digest(state.get()));
    XXH3_128bits_update(state.get(), block.data(), static_cast<size_t>(n));
  }
}

/// Inode, size and time of a file.
std::string facts_of(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return "-";
  return fmt::format("{}:{}:{}.{}", facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

/// Facts about the page, and about the parts in the folder if there are any.
std::string written_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(folder) / "data", error))
    files.push_back(fmt::format("{} {}", entry.path().filename().string(), facts_of(entry.path().string())));
  std::sort(files.begin(), files.end());
  return fmt::format("{} {}", facts_of((fs::path(folder) / "index.html").string()),
                     hash_of(fmt::format("{}", fmt::join(files, "\n"))));
}

/// Hashes of sources, in their order.
std::vector<std::string> hashes_of(const std::vector<std::string>& paths) {
  std::vector<std::string> hashes(paths.size());
  constexpr size_t kAtOnce = 32;
  report::in_order((paths.size() + kAtOnce - 1) / kAtOnce,
                   [&](size_t group) {
                     for (size_t i = group * kAtOnce; i < std::min(paths.size(), (group + 1) * kAtOnce); ++i)
                       hashes[i] = hash_of_file(paths[i]);
                     return true;
                   },
                   [](size_t, bool) {});
  return hashes;
}

}  // namespace

HtmlStatus::HtmlStatus(std::string folder, const report::Config& config, const std::vector<std::string>& settings)
    : folder_(std::move(folder)) {
  if (config.needs_conditions() || config.needs_gradients() || !config.paths.empty() || !config.plugins.empty() ||
      !config.inputs.empty() || report::has_write_ahead_log(config.data_file))
    return;
  const std::string program = facts_of("/proc/self/exe");
  if (program == "-") return;  // without /proc another version of the program could not be told
  std::string all = program + '\0' + fs::current_path().string();
  for (const auto& [name, lines] : report::describe_config(config))
    all += fmt::format("{}{}={}", '\0', name, fmt::join(lines, "\n"));
  for (const std::string& setting : settings) all += '\0' + setting;
  std::string data = hash_of_file(config.data_file);
  if (data != "-") inputs_ = fmt::format("inputs {} {}", hash_of(all), data);
}

std::optional<report::Numbers> HtmlStatus::unchanged() {
  if (inputs_.empty()) return std::nullopt;
  std::ifstream file(fs::path(folder_) / kName, std::ios::binary);
  std::string inputs, written, total;
  if (!std::getline(file, inputs) || inputs != inputs_) return std::nullopt;
  if (!std::getline(file, written) || written != "written " + written_of(folder_)) return std::nullopt;
  report::Numbers n;
  if (!std::getline(file, total) ||
      std::sscanf(total.c_str(), "total %d %d %d %d %d %d %d", &n.n_files, &n.n_statements, &n.n_excluded, &n.n_missing,
                  &n.n_branches, &n.n_partial_branches, &n.n_missing_branches) != 7)
    return std::nullopt;
  std::vector<std::string> hashes, paths;
  for (std::string hash, path; std::getline(file, hash, ' ') && std::getline(file, path, '\0');) {
    if (hash == "note") {
      notes_.push_back(path);
      continue;
    }
    hashes.push_back(hash);
    paths.push_back(path);
  }
  if (hashes_of(paths) != hashes) return std::nullopt;
  return n;
}

void HtmlStatus::begin(const std::vector<report::ReportedFile>& files) {
  std::error_code ignored;
  fs::remove(fs::path(folder_) / kName, ignored);
  if (inputs_.empty()) return;
  std::vector<std::string> paths;
  for (const report::ReportedFile& file : files) paths.push_back(file.path);
  std::vector<std::string> hashes = hashes_of(paths);
  if (std::ranges::find(hashes, "-") != hashes.end()) inputs_.clear();  // a source in an archive, for instance
  for (size_t i = 0; i < paths.size(); ++i) sources_ += hashes[i] + ' ' + paths[i] + '\0';
}

void HtmlStatus::save(const report::Numbers& n, const std::vector<std::string>& notes) const {
  if (inputs_.empty()) return;
  std::string total = fmt::format("total {} {} {} {} {} {} {}", n.n_files, n.n_statements, n.n_excluded, n.n_missing,
                                  n.n_branches, n.n_partial_branches, n.n_missing_branches);
  std::string all_notes;
  for (const std::string& note : notes) all_notes += "note " + note + '\0';
  write_output_file((fs::path(folder_) / kName).string(),
                    fmt::format("{}\nwritten {}\n{}\n{}{}", inputs_, written_of(folder_), total, all_notes, sources_));
}

}  // namespace qd::cli
