// Measured data: collects the data of measured processes.
#include "cli/measure/measured_data.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "cli/command_line.h"
#include "report/config/path_aliases.h"
#include "report/data/combine.h"
#include "report/data/measured_versions.h"
#include "report/data/merge.h"
#include "report/data/source_version.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

std::vector<report::CoverageData> read_all(const std::string& folder, bool& whole) {
  std::vector<report::CoverageData> result;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    if (file.ends_with("-journal")) continue;
    try {
      result.push_back(report::read_data(file));
      if (result.back().damage.empty()) continue;
      warn(result.back().damage);
    } catch (const report::DataError& error) {
      warn(error.what());
    }
    whole = false;
  }
  return result;
}

/// Kernel data of those files that the host's coverage would measure, under its names of the files.
report::CoverageData as_host_would_measure(report::CoverageData kernels, const report::SourceFilter& filter,
                                           bool relative_files) {
  std::string here = report::absolute_path(".") + "/";
  std::map<std::string, report::FileData> files;
  for (auto& [path, file] : kernels.files) {
    std::string absolute = report::absolute_path(path);
    if (!filter.measures(absolute)) continue;
    bool shorten = relative_files && absolute.starts_with(here);
    files[shorten ? absolute.substr(here.size()) : absolute] = std::move(file);
  }
  kernels.files = std::move(files);
  return kernels;
}

/// Whether Quadrants wrote the data of kernels: without a context, which tells the device in all other data.
bool is_of_quadrants(const report::CoverageData& kernels) { return kernels.contexts.size() == 1; }

/// Line data of kernels as arcs, as Quadrants itself writes lines into data with branches (infer_arcs()).
report::CoverageData as_arcs(report::CoverageData kernels) {
  kernels.has_arcs = true;
  for (auto& [path, file] : kernels.files) {
    for (const auto& [context, lines] : file.lines) {
      std::vector<report::Arc> arcs;
      for (int32_t line : lines.lines()) arcs.insert(arcs.end(), {report::Arc{-1, line}, report::Arc{line, -1}});
      std::sort(arcs.begin(), arcs.end());
      report::merge_arcs(file.arcs[context], std::move(arcs));
    }
    file.lines.clear();
  }
  return kernels;
}

/// Adds `more`; as statement data, if `data` is.
void add_data(report::CoverageData& data, const report::CoverageData& more, report::PathAliases& aliases) {
  auto map_path = [&](const std::string& path) { return aliases.map(path); };
  if (data.has_arcs == false && more.has_arcs == true)
    data.update(more.as_lines(), map_path);
  else if (data.has_arcs == true && more.has_arcs == false && more.files.empty())
    return;
  else
    data.update(more, map_path);
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::string pattern = (fs::temp_directory_path() / "qd-cov.XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    throw std::runtime_error(fmt::format("Couldn't create a folder in '{}'", fs::temp_directory_path().string()));
  path_ = pattern;
  start_ = report::written_at(path_).value_or(0);  // by the clock of files, which is coarser than the system's
  for (const char* folder : {"start", "host", "kernels"}) fs::create_directory(fs::path(path_) / folder);
}

PrivateFolder::~PrivateFolder() {
  if (!keep_) remove();
}

void PrivateFolder::remove() {
  std::error_code error;
  fs::remove_all(path_, error);
}

bool add_measured_data(report::CoverageData& data, const PrivateFolder& folder, const report::Config& config,
                       const report::SourceFilter& filter) {
  report::PathAliases aliases(config);
  report::MeasuredVersions versions(folder / "start/versions", folder.start());
  bool whole = true;
  for (report::CoverageData& part : read_all(folder / "host", whole)) {
    part.files.erase(report::absolute_path(folder / "start/sitecustomize.py"));
    versions.add_to(part);
    add_data(data, part, aliases);
  }
  for (report::CoverageData& part : read_all(folder / "kernels", whole)) {
    part = as_host_would_measure(std::move(part), filter, config.relative_files);
    versions.add_to(part);
    if (data.has_arcs == true && part.has_arcs == false && is_of_quadrants(part)) part = as_arcs(std::move(part));
    add_data(data, part, aliases);
  }
  return whole;
}

}  // namespace qd::cli
