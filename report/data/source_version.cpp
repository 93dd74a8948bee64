// Source versions: compares them, and keeps them in their table.
#include "report/data/source_version.h"

#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>

#include "report/data/data_tables.h"
#include "report/data/source_hash.h"

namespace qd::report {

SourceVersion version_of(const FileData& file, std::string_view bytes) {
  const std::set<std::string>& versions = file.source_hashes;
  if (versions.empty()) return file.any_executed() ? SourceVersion::Unknown : SourceVersion::This;
  const bool doubtful = versions.contains(kDoubtfulVersion), partly = versions.contains(kNoVersion);
  const size_t hashes = versions.size() - doubtful - partly;
  if (hashes == 0) return doubtful ? SourceVersion::Newer : SourceVersion::Unknown;
  if (hashes > 1 || !versions.contains(source_hash(bytes))) return SourceVersion::Other;
  if (doubtful) return SourceVersion::PartlyOther;
  return partly ? SourceVersion::Unknown : SourceVersion::This;
}

std::optional<int64_t> changed_at(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return std::nullopt;
  // ctime, too: a file that was moved to this place, or whose time was set, has an old mtime.
  return std::max(nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim));
}

std::optional<int64_t> written_at(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) return std::nullopt;
  return nanoseconds(facts.st_mtim);
}

bool lacks_version(const FileData& file) { return file.source_hashes.empty() && file.any_executed(); }

void note_doubts(CoverageData& data) {
  if (!data.written) return;
  for (auto& [path, file] : data.files)
    if (lacks_version(file) && changed_at(path) > data.written) file.source_hashes.insert(kDoubtfulVersion);
  data.written.reset();
}

void merge_versions(FileData& ours, const FileData& other) {
  const bool partly = lacks_version(ours) || lacks_version(other);
  ours.source_hashes.insert(other.source_hashes.begin(), other.source_hashes.end());
  // kNoVersion alone means the same as an empty set.
  if (partly) ours.source_hashes.insert(kNoVersion);
  if (std::all_of(ours.source_hashes.begin(), ours.source_hashes.end(),
                  [](const std::string& version) { return version == kNoVersion; }))
    ours.source_hashes.clear();
}

void MeasuredSum::add_lines(int64_t context_id, std::string_view numbits) {
  numbits = numbits.substr(0, numbits.find_last_not_of('\0') + 1);
  if (!numbits.empty())
    sum_ += XXH3_64bits_withSeed(numbits.data(), numbits.size(), journal::mixed(static_cast<uint64_t>(context_id)));
}

void add_version(FileData& file, std::string_view hash, int64_t measured, int64_t now) {
  file.source_hashes.emplace(hash);
  if (measured != now) file.source_hashes.insert(kDoubtfulVersion);
}

void write_source_versions(Database& database, const CoverageData& data,
                           const std::function<int64_t(const FileData&)>& sum_of) {
  if (std::all_of(data.files.begin(), data.files.end(),
                  [](const auto& file) { return file.second.source_hashes.empty(); }))
    return;
  database.execute(kSourceTable);
  Statement insert(database, "INSERT INTO qd_source (file_id, hash, measured) VALUES (?, ?, ?)");
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  for (const auto& [path, file] : data.files) {
    const int64_t id = *next++;
    if (file.source_hashes.empty()) continue;
    insert.bind(3, sum_of(file));
    for (const std::string& hash : file.source_hashes) insert.bind(1, id).bind(2, hash).run();
  }
}

bool has_source_versions(const Database& database) {
  Statement columns(database, "SELECT count(*) FROM pragma_table_info('qd_source') WHERE name IN ('file_id', 'hash')");
  columns.step();
  return columns.integer(0) == 2;
}

void read_source_versions(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                          const std::function<int64_t(int64_t)>& sum_of) {
  Statement sums(database, "SELECT count(*) FROM pragma_table_info('qd_source') WHERE name = 'measured'");
  sums.step();
  const bool summed = sums.integer(0) == 1;  // else it is a table of an earlier version
  Statement rows(database,
                 summed ? "SELECT file_id, hash, measured FROM qd_source" : "SELECT file_id, hash FROM qd_source");
  while (rows.step())
    if (FileData* file = file_of(rows.integer(0)))
      add_version(*file, rows.text(1), summed ? rows.integer(2) : sum_of(rows.integer(0)), sum_of(rows.integer(0)));
}

}  // namespace qd::report
