// Journal format of a process that runs kernels: the hits of its finished launches, readable after any death of the
// process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/data/process_mark.h"

namespace qd::report {

/// File name prefix of a journal: `_qd_kcov-journal.<host>.pid<number>.X<random>x`. `_qd_kcov.*` does not match it, so
/// no tool takes it for a data file.
inline constexpr char kJournalPrefix[] = "_qd_kcov-journal.";
/// File name prefix of a damaged journal, whose readable part is in a data file.
inline constexpr char kDamagedPrefix[] = "_qd_kcov-damaged.";

/// Layout: a head, then records; all numbers little-endian, everything padded with zeros to 8 bytes. Each byte is
/// covered by some check.
///
///   head: magic[8]; cell: end of the records, in units of 8 bytes. It is set after the record that it includes
///   record: u32 kind; u32 size of the payload; u32 size of its fixed part; u32 check of these and of the fixed part;
///           payload
///   cell: u32 value; u32 check of the value, of the record and of the cell's place in it. It is written at once
///   text: u32 size; bytes
///   range: i32 line, col, end line, end col
///   function: i32 first line; u32 is a kernel; text: file; text: name; text: arch
///
/// An incomplete record is behind the end. Values change in place. The file is extended by multiples of kPiece; each
/// piece begins with a kStart, and the rest of a piece is a kPad.
namespace journal {
inline constexpr char kMagic[9] = "QDKCOVJ5";
inline constexpr std::string_view kAnyMagic(kMagic, sizeof kMagic - 2);  // of any version
/// Seed of the check of a kStart, so that no part of a journal with another layout is taken for valid.
inline constexpr uint64_t kVersion = 5;
inline constexpr size_t kPiece = 64 * 1024;  // a multiple of the page size
inline constexpr uint32_t kCellBits = 32;
struct Head {
  char magic[8];
  uint64_t end;
};
enum Kind : uint32_t {
  kEnd = 0,
  /// Head of a journal. fixed: u64 a random number, which seeds all other checks; u32 branch; text: relative_to;
  /// the ProcessMark of the writer, which older versions leave out
  kStart = 1,
  /// Compiled code. fixed: u32 id; u32 functions; u32 arcs; u32 arcs left out; {u32 function, i32 from, i32 to} for
  /// each arc, of which some are derivatives (JournalArc::is_derivative); the functions, the kernel first
  kVariant = 2,
  /// Results of launches. fixed: u32 id of the variant; u32 0, or n for its nth kResults; u32 number of values; text:
  /// the label of the launches. Then the values in cells. 0: hits, which have a bit for each arc: it was taken; and for
  /// each outcome of the decisions: it was seen. n: a value for each place, in cells_of(width) cells, its low bits
  /// first
  kValues = 3,
  /// Zeros.
  kPad = 4,
  /// A compile error. fixed: the function; text: the error
  kError = 5,
  /// Decisions of compiled code, after its kVariant. fixed: u32 id of the variant; u32 decisions; each: u32 function;
  /// text: kind; range; u32 conditions; a range each; u32 outcomes; a letter for each condition and one for the result
  /// each, as Evaluation has them
  kDecisions = 6,
  /// Source of kernels. fixed: text: a file; text: the hash of a text that kernels in it were compiled from
  kSource = 7,
  /// Arguments of compiled code, after its kVariant. fixed: u32 id of the variant; text: the argument types
  kVariantText = 8,
  /// Launches. fixed: u32 id of a variant; u64 number of launches, to be added to those of other records
  kLaunches = 9,
  /// Func variants of compiled code, after its kVariant. fixed: u32 id of the variant; u32 texts; the texts: argument
  /// types of funcs; for each arc of the kVariant: u32 the number of its text, or kNoVariant if it has none
  kFuncVariants = 10,
  /// Results of another instrument, after its kVariant. fixed: u32 id of the variant; text: kind; u32 width; u32 a
  /// MergeRule; u32 places; each: u32 function; range
  kResults = 11,
  kKinds
};
struct Record {
  uint32_t kind;
  uint32_t size;
  uint32_t fixed_size;
  uint32_t check;
};
/// Number of cells of a value of so many bits.
constexpr uint32_t cells_of(uint32_t width) { return (width + kCellBits - 1) / kCellBits; }
constexpr size_t padded(size_t size) { return (size + 7) / 8 * 8; }

/// Correct value of `record.check`. `journal` is the random number of the kStart; for a kStart itself it is kVersion.
uint32_t check_of(const Record& record, const void* fixed, uint64_t journal);

/// Bit mixer (finaliser of MurmurHash3), https://github.com/aappleby/smhasher/wiki/MurmurHash3
constexpr uint64_t mixed(uint64_t x) {
  x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33;
}
/// Seed of the checks of a record's cells. For the head, `check` is 0.
constexpr uint64_t cell_seed(uint64_t journal, uint32_t check) { return mixed(journal + check); }
constexpr uint64_t cell(uint32_t value, uint64_t seed, size_t place) {
  return value | mixed(seed ^ mixed(uint64_t{place} << 32 | value)) << 32;
}
constexpr bool is_cell(uint64_t bytes, uint64_t seed, size_t place) {
  return bytes == cell(static_cast<uint32_t>(bytes), seed, place);
}
}  // namespace journal

/// True for a file with the name or the first bytes of a journal.
bool is_journal(const std::string& path);

/// A journal, with the state of the process that writes it.
struct FoundJournal {
  std::string path;
  ProcessMark writer;  // empty if the journal is damaged, or of an older version
  ProcessState state = ProcessState::Ended;
};
/// The journal at a path. A file that cannot be opened counts as one of a process that has ended: its reader reports
/// the error.
FoundJournal find_journal(const std::string& path);
/// The journals in a folder, sorted.
std::vector<FoundJournal> find_journals(const std::string& folder);

/// The journals in a folder whose process has ended, sorted.
std::vector<std::string> orphaned_journals(const std::string& folder);

/// Reads the data of a journal. Of a damaged one, the data of its undamaged records; CoverageData::damage describes the
/// rest, and its path is in CoverageData::unread_inputs. Throws DataError when the file is no journal, or is a damaged
/// one without any usable record.
CoverageData read_journal(const std::string& path);

/// Name that set_aside() gives to a damaged journal, if it is free.
std::string name_aside(const std::string& journal);

/// Renames a damaged journal, so that no later run combines it again; returns the new name, or an empty one when it
/// cannot be renamed.
std::string set_aside(const std::string& journal);

}  // namespace qd::report
