// Session tables: our own tables in the data files of a test session, kept while coverage.py combines the files.
#include "report/data/session_tables.h"

#include <utility>

#include "report/data/data_update.h"
#include "report/data/measured_commands.h"
#include "report/data/measured_versions.h"
#include "report/data/source_version.h"
#include "report/data/utf8.h"

namespace qd::report {

void SessionTables::keep(const std::string& file, const Alias& alias) {
  CoverageData data = read_data(file);
  data.has_arcs.reset();
  for (auto& [path, measured] : data.files) {
    measured.lines.clear();
    measured.arcs.clear();
  }
  std::erase_if(data.files, [](const auto& entry) {
    return entry.second.kernel_functions.empty() && entry.second.decisions.empty() &&
           entry.second.source_hashes.empty();
  });
  kept_.update(data, alias);
}

void SessionTables::keep_older(const std::string& file, const Alias& alias) {
  CoverageData data;
  data.update(read_data(file), alias);
  kept_.commands.merge(data.commands);
  kept_.unread_inputs.merge(data.unread_inputs);
  for (auto& [path, measured] : data.files) {
    std::set<std::string>& versions = older_versions_[path];
    versions.insert(measured.source_hashes.begin(), measured.source_hashes.end());
    if (lacks_version(measured)) versions.insert(kNoVersion);
  }
}

void SessionTables::miss(const std::string& file) { kept_.unread_inputs.insert(shown_text(file)); }

void SessionTables::add_to(const std::string& path, const std::string& notes, int64_t start,
                           const std::vector<std::string>& command,
                           const std::function<void(const std::string&)>& warn) {
  DataUpdate update(path, warn);
  CoverageData data = update.present();
  data.written.reset();
  for (auto& [name, file] : data.files) file.source_hashes.clear();
  MeasuredVersions versions(notes, start);
  versions.add_to(data, [&](const std::string& name) { return older_versions_.contains(name); });
  for (const auto& [name, older] : std::exchange(older_versions_, {}))
    if (auto found = data.files.find(name); found != data.files.end())
      found->second.source_hashes.insert(older.begin(), older.end());
  data.update(std::exchange(kept_, {}));
  if (!command.empty()) data.commands.insert(shown_command(command));
  update.commit(std::move(data));
}

}  // namespace qd::report
