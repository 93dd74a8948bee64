// Journal records, damaged or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "report/data/bytes.h"
#include "report/data/journal.h"
#include "report/data/process_mark.h"

namespace qd::report {

/// Iterates over the records that pass their checks. Behind a bad one, the next record is searched for byte by byte.
class JournalRecords {
 public:
  struct Record {
    uint32_t kind;
    std::string_view fixed, cells;
    uint64_t seed;  // of the cells
  };

  /// `bytes` must outlive the object.
  explicit JournalRecords(std::string_view bytes);
  /// Whether it is a journal, or a part of one.
  bool good() const { return good_; }
  bool branch() const { return branch_; }
  const std::string& relative_to() const { return relative_to_; }
  const ProcessMark& writer() const { return writer_; }
  /// Random number of the journal.
  uint64_t number() const { return number_; }

  /// Returns the next record with data of kernels; no value at the end.
  std::optional<Record> next();
  /// Notes that so many bytes of the last record cannot be used.
  void lose(size_t bytes) { lost_ += bytes; }
  /// Description of the damage, as the rest of a sentence; empty when the file is whole. Call it after the last record.
  std::string damage() const;

 private:
  const journal::Record* at(size_t offset);
  bool start(size_t offset);
  size_t zeros_from() const;
  void end_at(size_t offset);

  std::string_view bytes_;
  bool good_ = false, branch_ = false;
  std::string relative_to_;
  ProcessMark writer_;
  uint64_t number_ = 0;
  size_t next_ = sizeof(journal::Head);
  std::optional<size_t> end_;  // as the head has it
  size_t lost_ = 0;            // unusable bytes that had data
  size_t spoilt_ = 0;          // bytes that should be zero
  uint64_t patience_;          // number of bytes that may still be searched for records
};

}  // namespace qd::report
