// The journal of a process that runs kernels: what its finished launches reached, readable after any death of the process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

/// `_qd_kcov-journal.<pid>`: not matched by `_qd_kcov.*`, so that no other tool takes it for a data file.
inline constexpr char kJournalPrefix[] = "_qd_kcov-journal.";

/// Layout: a header, then records; all numbers little-endian, everything padded with zeros to 8 bytes.
///   header: magic[8]; u32 branch; u32 n; relative_to[n]
///   record: u32 kind; u32 size of the payload; u32 checksum of its fixed part; u32 size of its fixed part; payload
///   text: u32 size; bytes
///   range: i32 line, col, end line, end col
///   function: i32 first line; u32 is a kernel; text: file; text: name; text: arch
/// `kind` is stored last: a record that is not complete reads as the end. The writer maps the file shared and sets bits in place.
namespace journal {
inline constexpr char kMagic[9] = "QDKCOVJ2";
struct Header {
  char magic[8];
  uint32_t branch;
  uint32_t relative_to_size;
};
enum Kind : uint32_t {
  kEnd = 0,
  kVariant = 1,  // compiled code. fixed: u32 id; u32 functions; u32 arcs; u32 arcs left out; {u32 function, i32 from, i32 to} for each arc; the functions
  kBits = 2,     // fixed: u32 id of the variant; text: the context. Then a bit for each arc: it was taken; and for each outcome of the decisions: it was seen
  kPad = 3,      // nothing
  kError = 4,    // a kernel does not compile. fixed: the function; text: why
  kDecisions = 5,  // of compiled code, after its kVariant. fixed: u32 id of the variant; u32 decisions; each: u32 function; text: kind; range; u32 conditions; a range
                   // each; u32 outcomes; a letter for each condition and one for the result each, as Evaluation has them
};
struct Record {
  uint32_t kind;
  uint32_t size;
  uint32_t checksum;
  uint32_t fixed_size;
};
constexpr size_t padded(size_t size) { return (size + 7) / 8 * 8; }
/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
uint32_t checksum(const void* data, size_t size);
}  // namespace journal

/// True for a file that begins as a journal does.
bool is_journal(const std::string& path);

/// True while the process that writes the journal lives.
bool journal_is_live(const std::string& path);

/// What a journal holds, up to the first record that is torn or damaged. Throws DataError on a file that is no journal.
CoverageData read_journal(const std::string& path);

/// Journals in a folder whose process has died, sorted.
std::vector<std::string> orphaned_journals(const std::string& folder);

}  // namespace qd::report
