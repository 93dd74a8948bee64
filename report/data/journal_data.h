// Journal data: turns journals into measured data. This is the only way from recorded hits to a data file.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/data/journal_meaning.h"
#include "report/data/journal_records.h"

namespace qd::report {

/// Selection of files for the data, and its form.
struct JournalForm {
  bool branch = true;       // arcs, as coverage.py's branch mode; else lines
  std::string relative_to;  // paths below this folder are written relative to it (relative_files); empty: absolute
  std::function<bool(const std::string& file)> wanted =
      {};  // filter, called once for each file with its path as the compiler knows it; empty: all files
};

/// Joins journals: those of one process, or a single one.
class JournalData {
 public:
  explicit JournalData(JournalForm form);

  /// Adds the records of a journal, which must be good(). Afterwards records.damage() also has those of them that could
  /// not be used.
  void add(JournalRecords& records);

  /// All data, with its contexts sorted. Nothing may be added afterwards.
  CoverageData take();

 private:
  struct CompiledVariant {
    std::vector<JournalFunction> functions;
    std::vector<FileData*> files;  // of each function; null: not wanted
    std::vector<JournalArc> arcs;
    std::vector<JournalDecision> decisions;
    std::vector<JournalResults> results;
    std::string text;                     // argument types; empty: the kernel has one variant only
    std::vector<KernelVariant*> of_arcs;  // variant of a func that each arc belongs to; empty: not recorded
  };

  bool read(const JournalRecords::Record& record, JournalRecords& records);
  bool variant(ByteReader payload);
  bool variant_text(ByteReader payload);
  bool func_variants(ByteReader payload);
  bool launches(ByteReader payload);
  bool decisions(ByteReader payload);
  bool source(ByteReader payload);
  bool error(ByteReader payload);
  bool results(ByteReader payload);
  bool values(ByteReader fixed, const JournalRecords::Record& record, JournalRecords& records);
  bool hits(const CompiledVariant& variant, const std::string& label, uint32_t size, std::span<const uint32_t> cells);
  bool add_results(const CompiledVariant& variant, const JournalResults& results, const std::string& label,
                   std::span<const uint32_t> cells);

  FileData* file_of(const std::string& path);
  bool is_reported(const Arc& arc) const;
  void add_probes(const CompiledVariant& variant, const std::vector<JournalArc>& arcs,
                  std::set<Arc> Probes::* set) const;
  KernelVariant* kernel_variant(const CompiledVariant& variant) const;
  void add_hits(FileData& file, std::vector<Arc> arcs, ContextId context) const;
  ContextId context_of(const std::string& label, const std::string& arch);
  void sort_contexts();

  JournalForm form_;
  CoverageData data_;
  std::unordered_map<std::string, FileData*> files_;  // by path as compiled; null: not wanted
  std::unordered_map<std::string, ContextId> contexts_;
  std::map<uint32_t, CompiledVariant> variants_;  // of the journal at hand
};

}  // namespace qd::report
