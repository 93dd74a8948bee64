// Reads journals: of processes that have died, mostly.
#include "report/data/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "report/data/file_content.h"
#include "report/data/journal_records.h"
#include "report/data/source_version.h"

namespace qd::report {

namespace {

struct Function {
  std::string file;
  KernelFunction function;
};

struct Outcomes {
  uint32_t function;  // index into functions
  SourceRange decision;
  std::vector<Evaluation> outcomes;
};

struct Variant {
  std::vector<Function> functions;
  std::vector<std::pair<uint32_t, Arc>> arcs;  // index into functions
  std::vector<Outcomes> decisions;
};

class Reader {
 public:
  Reader(JournalRecords& records, CoverageData& data) : records_(records), data_(data), relative_to_(records.relative_to()) {
    if (!relative_to_.empty() && relative_to_.back() != '/') relative_to_ += '/';
    data_.has_arcs = records.branch();
  }

  void run() {
    while (auto record = records_.next()) {
      if (!read(*record)) records_.lose(sizeof(journal::Record) + record->fixed.size() + record->cells.size());
    }
  }

 private:
  /// False when it is of no use: what it belongs to is lost.
  bool read(const JournalRecords::Record& record) {
    JournalCursor fixed{record.fixed};
    switch (record.kind) {
      case journal::kVariant: return variant(fixed);
      case journal::kBits: return bits(fixed, record);
      case journal::kError: return error(fixed);
      case journal::kDecisions: return decisions(fixed);
      case journal::kSource: return source(fixed);
      default: return false;
    }
  }

  static Function function(JournalCursor& payload) {
    Function result;
    result.function.first_line = payload.number<int32_t>();
    result.function.is_kernel = payload.number<uint32_t>() != 0;
    result.file = payload.text();
    result.function.name = payload.text();
    result.function.arch = payload.text();
    return result;
  }

  bool variant(JournalCursor payload) {
    auto id = payload.number<uint32_t>();
    auto functions = payload.number<uint32_t>();
    auto measured = payload.number<uint32_t>();
    auto left_out = payload.number<uint32_t>();
    Variant result;
    std::vector<std::pair<uint32_t, Arc>> out;
    for (uint64_t i = 0; i < uint64_t{measured} + left_out && payload.ok; ++i) {
      auto function = payload.number<uint32_t>();
      auto from = payload.number<int32_t>();
      auto to = payload.number<int32_t>();
      if (function >= functions) return false;
      (i < measured ? result.arcs : out).push_back({function, {from, to}});
    }
    for (uint32_t i = 0; i < functions && payload.ok; ++i) result.functions.push_back(function(payload));
    if (!payload.ok) return false;
    for (const Function& known : result.functions) probes_of(known);
    for (const auto& [index, arc] : result.arcs) add_probe(result.functions[index], arc, &Probes::measured);
    for (const auto& [index, arc] : out) add_probe(result.functions[index], arc, &Probes::left_out);
    variants_[id] = std::move(result);
    return true;
  }

  static SourceRange range(JournalCursor& payload) {
    SourceRange result;
    for (int32_t* part : {&result.line, &result.col, &result.end_line, &result.end_col}) *part = payload.number<int32_t>();
    return result;
  }

  bool decisions(JournalCursor payload) {
    auto variant = variants_.find(payload.number<uint32_t>());
    auto count = payload.number<uint32_t>();
    if (!payload.ok || variant == variants_.end()) return false;
    std::vector<Outcomes> all;
    std::vector<Decision> found;
    for (uint32_t i = 0; i < count && payload.ok; ++i) {
      Decision& decision = found.emplace_back();
      Outcomes& outcomes = all.emplace_back();
      outcomes.function = payload.number<uint32_t>();
      if (outcomes.function >= variant->second.functions.size()) return false;
      decision.first_line = variant->second.functions[outcomes.function].function.first_line;
      decision.kind = payload.text();
      outcomes.decision = range(payload);
      auto conditions = payload.number<uint32_t>();
      for (uint32_t k = 0; k < conditions && payload.ok; ++k) decision.conditions.push_back(range(payload));
      auto ways = payload.number<uint32_t>();
      for (uint32_t k = 0; k < ways && payload.ok; ++k) {
        std::string letters(payload.bytes(conditions));
        auto result = payload.number<char>();
        outcomes.outcomes.push_back({std::move(letters), result});
      }
    }
    if (!payload.ok) return false;
    for (uint32_t i = 0; i < count; ++i) {
      data_.files[path_of(variant->second.functions[all[i].function].file)].decisions.try_emplace(all[i].decision, std::move(found[i]));
    }
    variant->second.decisions = std::move(all);
    return true;
  }

  bool source(JournalCursor payload) {
    std::string file = payload.text();
    std::string hash = payload.text();
    if (payload.ok) data_.files[path_of(file)].source_hashes.insert(std::move(hash));
    return payload.ok;
  }

  bool error(JournalCursor payload) {
    Function kernel = function(payload);
    std::string message = payload.text();
    if (payload.ok) probes_of(kernel).errors.insert(std::move(message));
    return payload.ok;
  }

  bool bits(JournalCursor fixed, const JournalRecords::Record& record) {
    auto found = variants_.find(fixed.number<uint32_t>());
    auto size = fixed.number<uint32_t>();
    std::string context = fixed.text();
    const size_t n_cells = record.cells.size() / 8;
    if (!fixed.ok || found == variants_.end() || n_cells != (uint64_t{size} + journal::kCellBits - 1) / journal::kCellBits) return false;
    const Variant& variant = found->second;
    size_t known = variant.arcs.size();
    for (const Outcomes& decision : variant.decisions) known += decision.outcomes.size();
    if (size < variant.arcs.size() || (size != known && !variant.decisions.empty())) return false;
    std::vector<uint32_t> values(n_cells);
    for (size_t i = 0; i < n_cells; ++i) {
      uint64_t cell;
      std::memcpy(&cell, record.cells.data() + i * sizeof cell, sizeof cell);
      if (journal::is_cell(cell, record.seed, i)) values[i] = static_cast<uint32_t>(cell);
      else records_.lose(sizeof cell);
    }
    size_t next = 0;
    auto is_set = [&] {
      const size_t i = next++;
      return (values[i / journal::kCellBits] >> (i % journal::kCellBits) & 1) != 0;
    };
    for (const auto& [function, arc] : variant.arcs) {
      if (is_set()) add_hit(variant.functions[function].file, arc, context);
    }
    for (const Outcomes& decision : variant.decisions) {
      Decision& recorded = data_.files[path_of(variant.functions[decision.function].file)].decisions[decision.decision];
      for (const Evaluation& outcome : decision.outcomes) {
        if (is_set()) recorded.evaluations[data_.context_id(context)].insert(outcome);
      }
    }
    return true;
  }

  std::string path_of(const std::string& file) const {
    bool below = !relative_to_.empty() && file.starts_with(relative_to_);
    return below ? file.substr(relative_to_.size()) : file;
  }

  Probes& probes_of(const Function& function) { return data_.files[path_of(function.file)].kernel_functions[function.function]; }

  void add_probe(const Function& function, const Arc& arc, std::set<Arc> Probes::*set) {
    if (*data_.has_arcs || is_line(arc)) (probes_of(function).*set).insert(arc);
  }

  void add_hit(const std::string& file, const Arc& arc, const std::string& context) {
    if (*data_.has_arcs) {
      data_.add_arc(path_of(file), arc, data_.context_id(context));
    } else if (is_line(arc)) {
      data_.add_line(path_of(file), arc.to, data_.context_id(context));
    }
  }

  JournalRecords& records_;
  CoverageData& data_;
  std::string relative_to_;
  std::map<uint32_t, Variant> variants_;
};

}  // namespace

bool is_journal(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with(kJournalPrefix) || begins_with(path, journal::kMagic);
}

std::vector<std::string> orphaned_journals(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable)) {
    std::string path = entry.path().string();
    if (entry.path().filename().string().starts_with(kJournalPrefix) && !journal_is_live(path)) found.push_back(path);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool journal_is_live(const std::string& path) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  bool live = fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(file);
  return live;
}

CoverageData read_journal(const std::string& path) {
  std::optional<std::string> bytes = read_bytes(path);
  if (!bytes) throw DataError(fmt::format("Couldn't read kernel coverage journal '{}': {}", path, why_unreadable(path)));
  JournalRecords records(*bytes);
  if (!records.good()) throw DataError(fmt::format("Couldn't use '{}': it is no kernel coverage journal, or nothing of it is left", path));
  CoverageData data;
  data.written = written_at(path);
  Reader(records, data).run();
  data.path = path;
  if (std::string damage = records.damage(); !damage.empty()) data.damage = fmt::format("Kernel coverage journal '{}' {}", path, damage);
  if (data.files.empty()) {
    if (!data.damage.empty()) throw DataError(data.damage);
    data.has_arcs.reset();
  }
  return data;
}

std::string set_aside(const std::string& journal) {
  const std::filesystem::path path(journal);
  std::string name = path.filename().string();
  if (name.starts_with(kJournalPrefix)) name = name.substr(std::string_view(kJournalPrefix).size());
  std::string damaged = unused_name((path.parent_path() / (kDamagedPrefix + name)).string());
  std::error_code error;
  std::filesystem::rename(path, damaged, error);
  return error ? "" : damaged;
}

}  // namespace qd::report
