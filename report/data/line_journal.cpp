// Journal in lines: reads each line into the data of its files.
//
//   8e1d07c2 {"kind": "start", ...}     a record: the CRC-32 of the JSON text, and the text
//   h00000000b1f0d6                     a hit: the number of an arc or outcome, and the low 24 bits of the CRC-32 of
//   what is before
#include "report/data/line_journal.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "report/data/journal_meaning.h"
#include "report/data/merge.h"

namespace qd::report {

namespace {

using Json = nlohmann::json;

constexpr size_t kHitSize = 15, kHitCheckAt = 9, kRecordTextAt = 9;
constexpr uint32_t kHitCheckBits = 0xffffff;

uint32_t crc_of(std::string_view text) {
  return static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
}

std::optional<uint32_t> hexadecimal(std::string_view text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Number of the arc or outcome in the line of a hit; no value for any other line, and for a damaged one.
std::optional<uint32_t> hit_of(std::string_view line) {
  if (line.size() != kHitSize || line[0] != 'h') return std::nullopt;
  const auto check = hexadecimal(line.substr(kHitCheckAt));
  if (!check || *check != (crc_of(line.substr(0, kHitCheckAt)) & kHitCheckBits)) return std::nullopt;
  return hexadecimal(line.substr(1, kHitCheckAt - 1));
}

/// Record in a line; a discarded value where there is none.
Json record_of(std::string_view line) {
  Json none(Json::value_t::discarded);
  if (line.size() < kRecordTextAt || line[kRecordTextAt - 1] != ' ') return none;
  const std::string_view text = line.substr(kRecordTextAt);
  if (hexadecimal(line.substr(0, kRecordTextAt - 1)) != crc_of(text)) return none;
  Json record = Json::parse(text, nullptr, false);
  return record.is_object() ? record : none;
}

/// Takes the first line off some text, with its end; an empty one where the end is missing.
std::string_view take_line(std::string_view& rest) {
  const size_t end = rest.find('\n');
  if (end == std::string_view::npos) return {};
  const std::string_view line = rest.substr(0, end + 1);
  rest.remove_prefix(end + 1);
  return line;
}

class LineJournal {
 public:
  /// Reads a line without its end. False when it is of no use.
  bool read(std::string_view line) {
    if (const std::optional<uint32_t> number = hit_of(line)) return hit(*number);
    const Json record = record_of(line);
    if (record.is_discarded()) return false;
    try {
      return read(record);
    } catch (const Json::exception&) {  // another shape than the page has
      return false;
    }
  }

  CoverageData take() {
    for (auto& [path, file] : data_.files)
      for (auto& [context, arcs] : file.arcs) {
        std::sort(arcs.begin(), arcs.end());
        arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
      }
    return std::move(data_);
  }

 private:
  struct MeasuredArc {
    std::string file, arch;
    Arc arc;
    KernelVariant* variant;  // null: of a function that is inlined into another
  };
  struct MeasuredOutcome {
    std::string file, arch;
    SourceRange decision;
    Evaluation outcome;
  };

  bool read(const Json& record) {
    const std::string kind = record.at("kind");
    if (kind == "start") return start(record);
    if (kind == "code") return code(record);
    if (kind == "context") {
      label_ = record.at("label");
      return true;
    }
    if (kind == "error") return error(record);
    return true;  // of a later version, which means nothing here
  }

  bool start(const Json& record) {
    branch_ = record.at("branch");
    data_.has_arcs = branch_;
    relative_to_ = record.at("relative_to");
    if (!relative_to_.empty() && relative_to_.back() != '/') relative_to_ += '/';
    data_.kept_inputs.insert(record.at("number").get<uint64_t>());
    return true;
  }

  FileData& file_of(const std::string& path) { return data_.files[name_of(path)]; }
  std::string name_of(const std::string& path) const {
    const bool below = !relative_to_.empty() && path.starts_with(relative_to_);
    return below ? path.substr(relative_to_.size()) : path;
  }

  static KernelFunction function_of(const Json& entry, const std::string& arch) {
    return {entry.at("first_line"), entry.at("name"), entry.at("kernel"), arch};
  }

  bool code(const Json& record) {
    const std::string arch = record.at("arch");
    const std::string arguments = record.at("arguments");
    std::vector<std::pair<std::string, KernelFunction>> functions;
    for (const Json& entry : record.at("functions")) functions.emplace_back(entry.at("file"), function_of(entry, arch));
    std::vector<std::pair<size_t, Arc>> arcs;
    for (const Json& entry : record.at("arcs")) {
      arcs.push_back({entry.at(0), {entry.at(1), entry.at(2)}});
      if (arcs.back().first >= functions.size()) return false;
    }
    std::vector<JournalDecision> decisions;
    if (record.contains("decisions"))
      for (const Json& entry : record.at("decisions")) {
        decisions.push_back(decision_of(entry));
        if (decisions.back().function >= functions.size()) return false;
      }
    if (record.at("first").get<uint64_t>() != measured_.size() || functions.empty()) return false;
    std::vector<Probes*> probes;
    for (const auto& [file, function] : functions) probes.push_back(&file_of(file).kernel_functions[function]);
    KernelVariant* variant = arguments.empty() ? nullptr : &probes.front()->variants[{arguments}];
    for (const auto& [number, arc] : arcs) {
      measured_.push_back(MeasuredArc{functions[number].first, arch, arc, number == 0 ? variant : nullptr});
      if (!branch_ && !is_line(arc)) continue;
      probes[number]->measured.insert(arc);
      if (number == 0 && variant) variant->measured.insert(arc);
    }
    for (const JournalDecision& decision : decisions) {
      const auto& [file, function] = functions[decision.function];
      file_of(file).decisions.try_emplace(
          decision.range, MeasuredDecision{function.first_line, decision.kind, decision.conditions, {}});
      for (const Evaluation& outcome : decision.outcomes)
        measured_.push_back(MeasuredOutcome{file, arch, decision.range, outcome});
    }
    return true;
  }

  static SourceRange range_of(const Json& entry) { return {entry.at(0), entry.at(1), entry.at(2), entry.at(3)}; }

  static JournalDecision decision_of(const Json& entry) {
    JournalDecision result{entry.at(0), entry.at(1), range_of(entry.at(2)), {}, {}};
    for (const Json& condition : entry.at(3)) result.conditions.push_back(range_of(condition));
    for (const Json& outcome : entry.at(4)) {
      const std::string letters = outcome;
      if (letters.size() != result.conditions.size() + 1) throw Json::other_error::create(0, "letters", nullptr);
      result.outcomes.push_back({letters.substr(0, letters.size() - 1), letters.back()});
    }
    return result;
  }

  bool error(const Json& record) {
    const Json& entry = record.at("function");
    const KernelFunction function = function_of(entry, record.at("arch"));
    file_of(entry.at("file")).kernel_functions[function].errors.insert(record.at("message"));
    return true;
  }

  bool hit(uint32_t number) {
    if (number >= measured_.size()) return false;
    if (const auto* outcome = std::get_if<MeasuredOutcome>(&measured_[number])) {
      file_of(outcome->file)
          .decisions[outcome->decision]
          .evaluations[context_of(outcome->arch)]
          .insert(outcome->outcome);
      return true;
    }
    const MeasuredArc& known = std::get<MeasuredArc>(measured_[number]);
    if (!branch_ && !is_line(known.arc)) return true;
    const ContextId context = context_of(known.arch);
    FileData& file = file_of(known.file);
    if (branch_)
      file.arcs[context].push_back(known.arc);
    else
      file.lines[context].insert(known.arc.to);
    if (known.variant) known.variant->taken.insert(known.arc);
    return true;
  }

  ContextId context_of(const std::string& arch) {
    return data_.context_id(label_.empty() ? arch : label_ + "|" + arch);
  }

  CoverageData data_;
  bool branch_ = true;
  std::string relative_to_, label_;
  std::vector<std::variant<MeasuredArc, MeasuredOutcome>> measured_;  // by their numbers
};

}  // namespace

ProcessMark line_journal_writer(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.size(), kLineJournalMagic.size()));
  std::string_view line = take_line(bytes);
  if (line.empty()) return {};
  line.remove_suffix(1);
  const Json record = record_of(line);
  try {
    const Json& writer = record.at("writer");
    return {writer.at("host"), writer.at("boot"),    writer.at("pid_namespace"),
            writer.at("pid"),  writer.at("started"), static_cast<LockReach>(writer.at("lock").get<uint32_t>())};
  } catch (const Json::exception&) {
    return {};
  }
}

CoverageData read_line_journal(std::string_view bytes, const std::string& path) {
  const size_t size = bytes.size();
  bytes.remove_prefix(kLineJournalMagic.size());
  LineJournal journal;
  size_t lost = 0;
  for (std::string_view line; !(line = take_line(bytes)).empty();)
    if (!journal.read(line.substr(0, line.size() - 1))) lost += line.size();
  // A line without its end is of a write that the death of the process has cut off.
  CoverageData data = journal.take();
  if (lost > 0)
    data.damage = fmt::format(
        "Kernel coverage journal '{}' is damaged: {} of {} bytes cannot be used, and their data of kernels is missing",
        path, lost, size);
  return data;
}

}  // namespace qd::report
