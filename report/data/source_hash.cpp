// Hashes of sources, and their table.
#include "report/data/source_hash.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>

#include "report/data/data_tables.h"
#include "report/data/file_content.h"

namespace qd::report {

std::string source_hash(std::string_view bytes) {
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  while (!bytes.empty()) {
    size_t end = std::min(bytes.find("\r\n"), bytes.size());
    XXH3_128bits_update(state.get(), bytes.data(), end);
    bytes.remove_prefix(std::min(bytes.size(), end + 1));
  }
  XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string source_hash_of_file(const std::string& path) {
  std::optional<std::string> bytes = read_bytes(path);
  return bytes ? source_hash(*bytes) : "";
}

bool is_of_version(const FileData& file, std::string_view bytes) {
  if (file.source_hashes.empty()) return true;
  return file.source_hashes.size() == 1 && *file.source_hashes.begin() == source_hash(bytes);
}

void write_source_hashes(Database& database, const CoverageData& data) {
  if (std::all_of(data.files.begin(), data.files.end(), [](const auto& file) { return file.second.source_hashes.empty(); })) return;
  database.execute(kSourceTable);
  Statement insert(database, "INSERT INTO qd_source (file_id, hash) VALUES (?, ?)");
  const std::vector<int64_t> ids = file_ids(data);
  auto next = ids.begin();
  for (const auto& [path, file] : data.files) {
    const int64_t id = *next++;
    for (const std::string& hash : file.source_hashes) insert.bind(1, id).bind(2, hash).run();
  }
}

void read_source_hashes(const Database& database, const std::function<FileData*(int64_t)>& file_of) {
  Statement tables(database, "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'qd_source'");
  tables.step();
  if (tables.integer(0) != 1) return;
  Statement rows(database, "SELECT file_id, hash FROM qd_source");
  while (rows.step())
    if (FileData* file = file_of(rows.integer(0))) file->source_hashes.emplace(rows.text(1));
}

}  // namespace qd::report
