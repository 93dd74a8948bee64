// Diff data. The content of a file tells its kind: a data file starts as SQLite's files do.
#include "cli/reported/diff_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/command_line.h"
#include "cli/options/arch_option.h"
#include "cli/python/plugins.h"
#include "report/config/path_aliases.h"
#include "report/data/combine.h"
#include "report/data/data_file_check.h"
#include "report/data/utf8.h"
#include "report/diff/data_paths.h"
#include "report/engine/chosen_contexts.h"
#include "report/inputs/inputs.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

/// Splits "cpu=out.info" into the name cpu and the path out.info, unless a file of that very name exists.
std::pair<std::string, std::string> name_and_path(const std::string& text) {
  size_t equals = text.find('=');
  bool is_name = equals != std::string::npos && equals > 0 && text.find('/') > equals && !fs::exists(text);
  if (!is_name) return {"", text};
  if (equals + 1 == text.size()) throw UsageError(fmt::format("option --input: no file after '{}'", text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

report::CoverageData read_any(const std::string& path, const report::Config& config) {
  report::PathAliases aliases(config);
  report::InputOptions options{config.src_roots, {}};
  if (!config.paths.empty()) options.map_path = [&](const std::string& file) { return aliases.map(file); };
  if (std::optional<report::CoverageData> data = report::read_input(path, options)) {
    if (!data->damage.empty()) warn(data->damage);
    return std::move(*data);
  }
  report::CoverageData data = report::read_data(path, true, only_archs(config));
  std::error_code unknown;
  if (fs::is_empty(path, unknown)) {
    warn(fmt::format("Report '{}' is empty", path));
    data.unread_inputs.insert(report::shown_text(path));
  }
  return data;
}

class Collector {
 public:
  explicit Collector(const report::Config& config) : config_(config), aliases_(config) {}

  /// Adds data. Data under the same name is one input.
  void take(const std::string& name, const std::string& path, report::CoverageData data, bool named = false) {
    auto map_path = [&](const std::string& file) { return config_.paths.empty() ? file : aliases_.map(file); };
    auto same = std::find_if(result_.inputs.begin(), result_.inputs.end(),
                             [&](const DiffInput& input) { return input.name == name; });
    if (same == result_.inputs.end()) same = result_.inputs.insert(result_.inputs.end(), DiffInput{name, {}});
    same->data.update(std::move(data), map_path, true);
    named_ = named_ || named;
  }

  void miss(const std::string& path) { result_.all.unread_inputs.insert(report::shown_text(path)); }

  bool empty() const { return result_.inputs.empty(); }

  DiffData finish() && {
    for (DiffInput& input : result_.inputs) result_.all.update(named_ ? input.data : std::move(input.data), {}, true);
    if (!named_) result_.inputs.clear();
    return std::move(result_);
  }

 private:
  const report::Config& config_;
  report::PathAliases aliases_;
  DiffData result_;
  bool named_ = false;
};

/// Leaves out what did not run in a context of [report] contexts. Imported data has the default context alone.
void keep_chosen_contexts(const report::Config& config, report::CoverageData& data) {
  const auto chosen = report::chosen_contexts(data, config.report_contexts);
  if (!chosen) return;
  for (auto& [path, file] : data.files) file = report::restricted(file, *chosen);
  if (chosen->contains(0)) return;
  for (auto& [path, file] : data.imported) file = file.without_hits();
}

/// Takes the data file, and the files beside it that have not been combined yet, as one input.
void take_data_files(const report::Config& config, Collector& collector) {
  std::string name = fs::path(config.data_file).filename().string();
  auto take = [&](const std::string& path, report::CoverageData data) {
    if (!data.damage.empty()) warn(data.damage);
    collector.take(name, path, std::move(data));
  };
  std::vector<std::string> more = report::combinable_files(config.data_file, {});
  if (fs::exists(config.data_file)) {
    report::CoverageData data = report::read_data(config.data_file, true, only_archs(config));
    report::leave_out_kept(more, data.kept_inputs);
    take(config.data_file, std::move(data));
  }
  for (const std::string& file : more) {
    try {
      take(file, report::read_data(file, true, only_archs(config)));
    } catch (const report::DataError& error) {
      warn(error.what());
      if (report::is_lost_data(file)) collector.miss(file);
    }
  }
}

}  // namespace

DiffData read_diff_data(const report::Config& config, const std::vector<std::string>& files) {
  Collector collector(config);
  if (files.empty()) take_data_files(config, collector);
  std::vector<std::string> inputs = files;
  inputs.insert(inputs.end(), config.inputs.begin(), config.inputs.end());
  for (const std::string& text : inputs) {
    auto [name, path] = name_and_path(text);
    collector.take(name.empty() ? fs::path(path).filename().string() : name, path, read_any(path, config),
                   !name.empty());
  }
  if (collector.empty())
    throw report::NoDataError(
        fmt::format("No data to report: there is no '{}'; run the tests under 'qd-cov run' first.", config.data_file));
  DiffData data = std::move(collector).finish();
  keep_archs(config, data.all);
  keep_chosen_contexts(config, data.all);
  for (DiffInput& input : data.inputs) keep_chosen_contexts(config, input.data);
  return data;
}

void ask_about_changes(DiffData& measured, const report::Changes& changes, const report::Config& config) {
  report::CanonicalPaths canonical;
  std::set<std::string> changed;
  for (const report::ChangedFile& file : changes.files) changed.insert(canonical(changes.root + "/" + file.path));
  for (const report::LinkedFile& one : changes.behind_links)
    changed.insert(canonical(changes.root + "/" + one.file.path));
  auto ask = [&](report::CoverageData& data) {
    std::vector<std::string> names;
    for (const auto& [name, file] : data.files)
      if (!file.tracer.empty() && changed.contains(canonical(name))) names.push_back(name);
    if (names.empty()) return;
    find_plugin_files(data, config, names);
    std::vector<report::ReportedFile> files;
    for (const std::string& name : names)
      if (const auto& plugin = data.files.at(name).plugin)
        files.push_back({plugin->path, plugin->relative, name, plugin});
    analyze_plugin_files(data, config, files, {.text = true});
  };
  ask(measured.all);
  for (DiffInput& input : measured.inputs) ask(input.data);
}

}  // namespace qd::cli
