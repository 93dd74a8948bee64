// Which version of a source was measured.
//   qd_source  a hash of each file's text when it was measured; several where data of several versions were combined
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/data/coverage_data.h"
#include "report/data/sqlite.h"

namespace qd::report {

inline constexpr const char* kSourceTable = "CREATE TABLE qd_source (file_id integer, hash text, foreign key (file_id) references file (id), unique (file_id, hash))";

/// XXH3 of 128 bits in hexadecimal digits; the same however lines end ("\r\n" or "\n").
std::string source_hash(std::string_view bytes);
/// Of what a file holds now; empty when it cannot be read.
std::string source_hash_of_file(const std::string& path);

/// Whether `file` was measured while its source was `bytes`, and at no other time; true also when the data does not say.
bool is_of_version(const FileData& file, std::string_view bytes);

/// Writes the table, when there is something to write. Files have the numbers of file_ids().
void write_source_hashes(Database& database, const CoverageData& data);
void read_source_hashes(const Database& database, const std::function<FileData*(int64_t)>& file_of);

}  // namespace qd::report
