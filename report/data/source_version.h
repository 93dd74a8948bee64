// Source versions: the version of a source that was measured, compared with the present one.
//
//   qd_source  a hash of each file's text when it was measured; several where data of several versions were combined;
//              or kNoVersion, kDoubtfulVersion. `measured` is a checksum of the file's rows of line_bits and arc:
//              when they have another one now, a program without support for this table has added rows since
#pragma once

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "report/data/coverage_data.h"
#include "report/data/journal.h"
#include "report/data/sqlite.h"

namespace qd::report {

inline constexpr const char* kSourceTable =
    "CREATE TABLE qd_source (file_id integer, hash text, measured integer, foreign key (file_id) references file (id), "
    "unique (file_id, hash))";

/// In place of a hash: some of the data has no version.
inline constexpr char kNoVersion[] = "unknown";
/// The same, and the source changed after that data was written, or the time of writing is not known.
inline constexpr char kDoubtfulVersion[] = "doubtful";

/// In place of a hash: the source changed while it was measured. No text has it.
inline constexpr char kChangedVersion[] = "changed";

/// Relation of the measured version to the present source.
enum class SourceVersion : uint8_t {
  This,         // all data is of this very text; or no line ran, which is true of every version until it is measured
  Unknown,      // some data has no version; no sign of another text
  Newer,        // some data has no version, and the source changed after it was written
  Other,        // some data is of another text
  PartlyOther,  // some data is of this text; some has no version, and may be of another
  NoLines,      // of a report of another tool, which names the file and measured no line of its code
};

/// Version of the data, where `bytes` are the present content of `file`'s source.
SourceVersion version_of(const FileData& file, std::string_view bytes);
/// Whether the data may be taken for that of the present source.
inline bool is_trusted(SourceVersion version) {
  return version != SourceVersion::Other && version != SourceVersion::PartlyOther && version != SourceVersion::NoLines;
}
inline bool is_of_version(const FileData& file, std::string_view bytes) { return is_trusted(version_of(file, bytes)); }

/// Nanoseconds of the epoch.
inline int64_t nanoseconds(const timespec& time) { return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }
/// Time when a file was last changed, renamed or given another time, in nanoseconds of the epoch; no value when there
/// is no file.
std::optional<int64_t> changed_at(const std::string& path);
/// Time when the content of a file was last written, likewise.
std::optional<int64_t> written_at(const std::string& path);

/// Whether a file has executed lines and no version.
bool lacks_version(const FileData& file);
/// Marks the files whose data may be of another version, because their sources are newer than `data.written`. Then
/// clears `data.written`.
void note_doubts(CoverageData& data);
/// Joins the versions of two data files for a file. Called before their lines are joined.
void merge_versions(FileData& ours, const FileData& other);

/// Checksum over the rows of a file; their order does not matter. Contexts enter by their ids.
class MeasuredSum {
 public:
  void add_arc(int64_t context_id, int64_t from, int64_t to) {
    sum_ += journal::mixed(journal::mixed(static_cast<uint64_t>(context_id)) ^ static_cast<uint64_t>(from) << 32 ^
                           static_cast<uint32_t>(to));
  }
  void add_lines(int64_t context_id, std::string_view numbits);
  int64_t value() const { return static_cast<int64_t>(sum_); }

 private:
  uint64_t sum_ = 0;
};

/// Adds a row of the table. `now` is the checksum of the file's present rows.
void add_version(FileData& file, std::string_view hash, int64_t measured, int64_t now);
/// Writes the table, unless it would be empty. Files have the ids of file_ids(); `sum_of` returns the checksum of the
/// rows that a file gets.
void write_source_versions(Database& database, const CoverageData& data,
                           const std::function<int64_t(const FileData&)>& sum_of);
/// Whether a database has the table qd_source.
bool has_source_versions(const Database& database);
void read_source_versions(const Database& database, const std::function<FileData*(int64_t)>& file_of,
                          const std::function<int64_t(int64_t)>& sum_of);

}  // namespace qd::report
