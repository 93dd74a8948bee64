// Reads journals: of processes that have died, mostly.
#include "report/data/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

namespace qd::report {

uint32_t journal::checksum(const void* data, size_t size) {
  uint32_t hash = 2166136261u;
  for (const auto* byte = static_cast<const unsigned char*>(data); size-- > 0; ++byte) hash = (hash ^ *byte) * 16777619u;
  return hash;
}

namespace {

/// Takes numbers and texts off the front of a piece of the file; `ok` turns false for good where there are too few bytes.
struct Cursor {
  std::string_view rest;
  bool ok = true;

  std::string_view bytes(size_t size) {
    if (size > rest.size()) {
      ok = false;
      rest = {};
      return {};
    }
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  template <class T>
  T number() {
    T value{};
    std::string_view taken = bytes(sizeof(T));
    if (ok) std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }
};

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
  Reader(std::string_view text, CoverageData& data) : cursor_{text}, data_(data) {}

  /// False when this is no journal.
  bool run() {
    auto header = cursor_.number<journal::Header>();
    if (!cursor_.ok || std::memcmp(header.magic, journal::kMagic, sizeof header.magic) != 0) return false;
    relative_to_ = cursor_.bytes(header.relative_to_size);
    cursor_.bytes(journal::padded(header.relative_to_size) - header.relative_to_size);
    if (!relative_to_.empty() && relative_to_.back() != '/') relative_to_ += '/';
    data_.has_arcs = header.branch != 0;
    while (record()) {
    }
    return true;
  }

 private:
  bool record() {
    auto head = cursor_.number<journal::Record>();
    Cursor payload{cursor_.bytes(head.size)};
    if (!cursor_.ok || head.kind == journal::kEnd || head.fixed_size > head.size) return false;
    if (head.kind == journal::kPad) return true;
    if (journal::checksum(payload.rest.data(), head.fixed_size) != head.checksum) return false;
    switch (head.kind) {
      case journal::kVariant: return variant(payload);
      case journal::kBits: return bits(payload);
      case journal::kError: return error(payload);
      case journal::kDecisions: return decisions(payload);
      default: return false;
    }
  }

  static std::string text(Cursor& payload) {
    auto size = payload.number<uint32_t>();
    return std::string(payload.bytes(size));
  }

  static Function function(Cursor& payload) {
    Function result;
    result.function.first_line = payload.number<int32_t>();
    result.function.is_kernel = payload.number<uint32_t>() != 0;
    result.file = text(payload);
    result.function.name = text(payload);
    result.function.arch = text(payload);
    return result;
  }

  bool variant(Cursor payload) {
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

  static SourceRange range(Cursor& payload) {
    SourceRange result;
    for (int32_t* part : {&result.line, &result.col, &result.end_line, &result.end_col}) *part = payload.number<int32_t>();
    return result;
  }

  bool decisions(Cursor payload) {
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
      decision.kind = text(payload);
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

  bool error(Cursor payload) {
    Function kernel = function(payload);
    std::string message = text(payload);
    if (payload.ok) probes_of(kernel).errors.insert(std::move(message));
    return payload.ok;
  }

  bool bits(Cursor payload) {
    auto variant = variants_.find(payload.number<uint32_t>());
    auto size = payload.number<uint32_t>();
    std::string context(payload.bytes(size));
    payload.bytes(journal::padded(8 + size) - 8 - size);
    if (!payload.ok || variant == variants_.end()) return false;
    size_t size_of_all = variant->second.arcs.size();
    for (const Outcomes& decision : variant->second.decisions) size_of_all += decision.outcomes.size();
    std::string_view bits = payload.bytes((size_of_all + 7) / 8);
    if (!payload.ok) return false;
    size_t next = 0;
    auto is_set = [&] {
      const size_t i = next++;
      return (bits[i / 8] >> (i % 8) & 1) != 0;
    };
    for (const auto& [function, arc] : variant->second.arcs) {
      if (is_set()) add_hit(variant->second.functions[function].file, arc, context);
    }
    for (const Outcomes& decision : variant->second.decisions) {
      Decision& known = data_.files[path_of(variant->second.functions[decision.function].file)].decisions[decision.decision];
      for (const Evaluation& outcome : decision.outcomes) {
        if (is_set()) known.evaluations[data_.context_id(context)].insert(outcome);
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

  Cursor cursor_;
  CoverageData& data_;
  std::string relative_to_;
  std::map<uint32_t, Variant> variants_;
};

}  // namespace

bool is_journal(const std::string& path) {
  char magic[8] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof magic);
  return std::memcmp(magic, journal::kMagic, sizeof magic) == 0;
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
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  bool live = fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(file);
  return live;
}

CoverageData read_journal(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw DataError(fmt::format("Couldn't read kernel coverage journal '{}': {}", path, std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  CoverageData data;
  if (text.find_first_not_of('\0') == std::string::npos) return data;  // its process died before it wrote anything
  if (!Reader(text, data).run()) throw DataError(fmt::format("Couldn't use '{}': it is no kernel coverage journal", path));
  if (data.files.empty()) data.has_arcs.reset();
  return data;
}

}  // namespace qd::report
