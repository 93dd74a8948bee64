// Measured data: collects the data of measured processes.
#include "cli/measure/measured_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command_line.h"
#include "report/config/path_aliases.h"
#include "report/data/combine.h"
#include "report/data/measured_versions.h"
#include "report/data/merge.h"
#include "report/data/unused_name.h"
#include "report/data/utf8.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

/// Reads the files of a folder, and notes in `data` those that cannot be read.
std::vector<report::CoverageData> read_all(const std::string& folder, report::CoverageData& data, bool& whole) {
  std::vector<report::CoverageData> result;
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    // Of a process that was killed while it wrote: the journals have its data of kernels.
    const bool unfinished = fs::path(file).filename().string().starts_with(report::kUnfinishedPrefix);
    if (file.ends_with("-journal") || unfinished) continue;
    try {
      result.push_back(report::read_data(file));
      if (result.back().damage.empty()) continue;
      warn(result.back().damage);
    } catch (const report::DataError& error) {
      warn(error.what());
      data.unread_inputs.insert(report::shown_text(file));
    }
    whole = false;
  }
  return result;
}

/// Kernel data of those files that the host's coverage would measure, under its names of the files.
report::CoverageData as_host_would_measure(report::CoverageData kernels, const report::SourceFilter& filter,
                                           bool relative_files, const std::string& current_folder) {
  const std::string here = current_folder + "/";
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

bool add_measured_data(report::CoverageData& data, const MeasuredFolder& folder, const report::Config& config,
                       const report::SourceFilter& filter) {
  report::PathAliases aliases(config);
  report::MeasuredVersions versions(folder.path + "/start/versions", folder.start);
  const std::string ours = report::absolute_path(folder.path + "/start") + "/";  // our own modules
  bool whole = true;
  for (report::CoverageData& part : read_all(folder.path + "/host", data, whole)) {
    std::erase_if(part.files, [&](const auto& file) { return report::absolute_path(file.first).starts_with(ours); });
    versions.add_to(part);
    add_data(data, part, aliases);
  }
  for (report::CoverageData& part : read_all(folder.path + "/kernels", data, whole)) {
    part = as_host_would_measure(std::move(part), filter, config.relative_files, folder.current_folder);
    versions.add_to(part);
    if (data.has_arcs == true && part.has_arcs == false && is_of_quadrants(part)) part = as_arcs(std::move(part));
    add_data(data, part, aliases);
  }
  return whole;
}

}  // namespace qd::cli
