// Journal data: reads each record of a journal into the data of its files.
#include "report/data/journal_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "report/data/merge.h"
#include "report/data/producers.h"

namespace qd::report {

namespace {

SourceRange range(ByteReader& payload) {
  SourceRange result;
  for (int32_t* part : {&result.line, &result.col, &result.end_line, &result.end_col})
    *part = payload.number<int32_t>();
  return result;
}

JournalFunction function(ByteReader& payload) {
  JournalFunction result;
  result.function.first_line = payload.number<int32_t>();
  result.function.is_kernel = payload.number<uint32_t>() != 0;
  result.file = payload.text();
  result.function.name = payload.text();
  result.function.arch = payload.text();
  return result;
}

JournalDecision decision(ByteReader& payload) {
  JournalDecision result;
  result.function = payload.number<uint32_t>();
  result.kind = payload.text();
  result.range = range(payload);
  auto conditions = payload.number<uint32_t>();
  for (uint32_t i = 0; i < conditions && payload.ok; ++i) result.conditions.push_back(range(payload));
  auto outcomes = payload.number<uint32_t>();
  for (uint32_t i = 0; i < outcomes && payload.ok; ++i) {
    std::string letters(payload.bytes(conditions));
    auto outcome = payload.number<char>();
    result.outcomes.push_back({std::move(letters), outcome});
  }
  return result;
}

SourceRange range_of_line(int32_t line) { return {line, 0, line, 0}; }

/// Name of a variant's kernel in the data of one of its funcs: with the kernel's file if that is another.
std::string kernel_name(std::span<const JournalFunction> functions, uint32_t func) {
  const JournalFunction& kernel = functions.front();
  if (kernel.file == functions[func].file) return kernel.function.name;
  return fmt::format("{} ({})", kernel.function.name, kernel.file.substr(kernel.file.rfind('/') + 1));
}

}  // namespace

JournalData::JournalData(JournalForm form) : form_(std::move(form)) {
  if (!form_.relative_to.empty() && form_.relative_to.back() != '/') form_.relative_to += '/';
  data_.has_arcs = form_.branch;
  contexts_[""] = 0;
}

void JournalData::add(JournalRecords& records) {
  variants_.clear();
  // Otherwise data files of processes that did the same would be copies of each other, of which one counts.
  data_.kept_inputs.insert(records.number());
  while (auto record = records.next()) {
    if (!read(*record, records)) records.lose(sizeof(journal::Record) + record->fixed.size() + record->cells.size());
  }
}

/// Reads a record. False when it is of no use, because the record that it belongs to is lost.
bool JournalData::read(const JournalRecords::Record& record, JournalRecords& records) {
  ByteReader fixed{record.fixed};
  switch (record.kind) {
    case journal::kVariant: return variant(fixed);
    case journal::kValues: return values(fixed, record, records);
    case journal::kError: return error(fixed);
    case journal::kDecisions: return decisions(fixed);
    case journal::kSource: return source(fixed);
    case journal::kVariantText: return variant_text(fixed);
    case journal::kLaunches: return launches(fixed);
    case journal::kFuncVariants: return func_variants(fixed);
    case journal::kResults: return results(fixed);
    default: return false;
  }
}

bool JournalData::variant(ByteReader payload) {
  auto id = payload.number<uint32_t>();
  auto functions = payload.number<uint32_t>();
  auto measured = payload.number<uint32_t>();
  auto left_out = payload.number<uint32_t>();
  if (functions == 0) return false;
  CompiledVariant result;
  std::vector<JournalArc> out;
  for (uint64_t i = 0; i < uint64_t{measured} + left_out && payload.ok; ++i) {
    auto function = payload.number<uint32_t>();
    auto from = payload.number<int32_t>();
    auto to = payload.number<int32_t>();
    if (function >= functions) return false;
    (i < measured ? result.arcs : out).push_back({function, {from, to}});
  }
  for (uint32_t i = 0; i < functions && payload.ok; ++i) result.functions.push_back(function(payload));
  if (!payload.ok) return false;
  // A gradient alone is no compiled kernel: its lines have not been.
  const bool lines =
      result.arcs.empty() || !out.empty() || !std::ranges::all_of(result.arcs, &JournalArc::is_derivative);
  for (const JournalFunction& known : result.functions) {
    FileData* file = result.files.emplace_back(file_of(known.file));
    if (file && lines) file->kernel_functions[known.function];
  }
  add_probes(result, result.arcs, &Probes::measured);
  add_probes(result, out, &Probes::left_out);
  for (const JournalArc& known : result.arcs) {
    FileData* file = result.files[known.function];
    if (file && known.is_derivative())
      file->results[kDerivatives].try_emplace(range_of_line(known.arc.to),
                                              MeasuredResult{result.functions[known.function].function.first_line, {}});
  }
  variants_[id] = std::move(result);
  return true;
}

bool JournalData::variant_text(ByteReader payload) {
  auto found = variants_.find(payload.number<uint32_t>());
  std::string text = payload.text();
  if (!payload.ok || found == variants_.end()) return false;
  CompiledVariant& variant = found->second;
  variant.text = std::move(text);
  KernelVariant* known = kernel_variant(variant);
  for (const auto& [function, arc, of_func] : variant.arcs)
    if (known && function == 0 && is_reported(arc)) known->measured.insert(arc);
  return true;
}

bool JournalData::func_variants(ByteReader payload) {
  auto found = variants_.find(payload.number<uint32_t>());
  auto count = payload.number<uint32_t>();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < count && payload.ok; ++i) texts.push_back(payload.text());
  if (!payload.ok || found == variants_.end()) return false;
  CompiledVariant& variant = found->second;
  std::vector<uint32_t> numbers;
  for (size_t i = 0; i < variant.arcs.size(); ++i) numbers.push_back(payload.number<uint32_t>());
  if (!payload.ok ||
      std::ranges::any_of(numbers, [&](uint32_t n) { return n >= count && n != JournalArc::kNoVariant; }))
    return false;
  variant.of_arcs.assign(variant.arcs.size(), nullptr);
  for (size_t i = 0; i < variant.arcs.size(); ++i) {
    const auto& [function, arc, unused] = variant.arcs[i];
    FileData* file = variant.files[function];
    if (function == 0 || !file || !is_reported(arc)) continue;
    VariantName name{numbers[i] < count ? texts[numbers[i]] : "", kernel_name(variant.functions, function)};
    KernelVariant& known = file->kernel_functions[variant.functions[function].function].variants[std::move(name)];
    known.measured.insert(arc);
    variant.of_arcs[i] = &known;
  }
  return true;
}

bool JournalData::launches(ByteReader payload) {
  auto found = variants_.find(payload.number<uint32_t>());
  auto launches = payload.number<uint64_t>();
  if (!payload.ok || found == variants_.end()) return false;
  if (KernelVariant* known = kernel_variant(found->second))
    known->launches += std::min(launches, std::numeric_limits<uint64_t>::max() - known->launches);
  return true;
}

/// Entry of the variant in the data; null when the kernel's file is not wanted.
KernelVariant* JournalData::kernel_variant(const CompiledVariant& variant) const {
  FileData* file = variant.files.front();
  return file ? &file->kernel_functions[variant.functions.front().function].variants[{variant.text}] : nullptr;
}

bool JournalData::decisions(ByteReader payload) {
  auto found = variants_.find(payload.number<uint32_t>());
  auto count = payload.number<uint32_t>();
  if (!payload.ok || found == variants_.end()) return false;
  CompiledVariant& variant = found->second;
  std::vector<JournalDecision> all;
  for (uint32_t i = 0; i < count && payload.ok; ++i) {
    all.push_back(decision(payload));
    if (all.back().function >= variant.functions.size()) return false;
  }
  if (!payload.ok) return false;
  for (const JournalDecision& known : all) {
    FileData* file = variant.files[known.function];
    if (file)
      file->decisions.try_emplace(
          known.range,
          MeasuredDecision{variant.functions[known.function].function.first_line, known.kind, known.conditions, {}});
  }
  variant.decisions = std::move(all);
  return true;
}

bool JournalData::source(ByteReader payload) {
  std::string path = payload.text();
  std::string hash = payload.text();
  if (!payload.ok) return false;
  if (FileData* file = file_of(path)) file->source_hashes.insert(std::move(hash));
  return true;
}

bool JournalData::error(ByteReader payload) {
  JournalFunction kernel = function(payload);
  std::string message = payload.text();
  if (!payload.ok) return false;
  if (FileData* file = file_of(kernel.file)) file->kernel_functions[kernel.function].errors.insert(std::move(message));
  return true;
}

bool JournalData::results(ByteReader payload) {
  auto found = variants_.find(payload.number<uint32_t>());
  JournalResults result;
  result.kind.name = payload.text();
  result.kind.width = payload.number<uint32_t>();
  auto merge = payload.number<uint32_t>();
  auto count = payload.number<uint32_t>();
  for (uint32_t i = 0; i < count && payload.ok; ++i) {
    auto function = payload.number<uint32_t>();
    result.places.push_back({function, range(payload)});
  }
  if (!payload.ok || found == variants_.end()) return false;
  if (result.kind.width < 1 || result.kind.width > 64 || merge > static_cast<uint32_t>(MergeRule::Max)) return false;
  result.kind.merge = static_cast<MergeRule>(merge);
  CompiledVariant& variant = found->second;
  for (const auto& [function, range] : result.places)
    if (function >= variant.functions.size()) return false;
  for (const auto& [function, range] : result.places) {
    if (FileData* file = variant.files[function])
      file->results[result.kind].try_emplace(range,
                                             MeasuredResult{variant.functions[function].function.first_line, {}});
  }
  variant.results.push_back(std::move(result));
  return true;
}

/// Reads the cells of a record of values. Damaged cells count as 0.
bool JournalData::values(ByteReader fixed, const JournalRecords::Record& record, JournalRecords& records) {
  auto found = variants_.find(fixed.number<uint32_t>());
  auto of = fixed.number<uint32_t>();
  auto count = fixed.number<uint32_t>();
  const std::string label = fixed.text();
  if (!fixed.ok || found == variants_.end()) return false;
  const CompiledVariant& variant = found->second;
  if (of > variant.results.size()) return false;
  const uint64_t width = of == 0 ? 1 : journal::cells_of(variant.results[of - 1].kind.width) * journal::kCellBits;
  const size_t n_cells = record.cells.size() / 8;
  if (n_cells != (count * width + journal::kCellBits - 1) / journal::kCellBits) return false;
  std::vector<uint32_t> cells(n_cells);
  for (size_t i = 0; i < n_cells; ++i) {
    uint64_t cell;
    std::memcpy(&cell, record.cells.data() + i * sizeof cell, sizeof cell);
    if (journal::is_cell(cell, record.seed, i))
      cells[i] = static_cast<uint32_t>(cell);
    else
      records.lose(sizeof cell);
  }
  return of == 0 ? hits(variant, label, count, cells) : add_results(variant, variant.results[of - 1], label, cells);
}

bool JournalData::add_results(const CompiledVariant& variant, const JournalResults& results, const std::string& label,
                              std::span<const uint32_t> cells) {
  const size_t each = journal::cells_of(results.kind.width);
  if (cells.size() != results.places.size() * each) return false;
  const ContextId context = context_of(label, variant.functions.front().function.arch);
  for (const auto& [function, range] : results.places) {
    const std::span<const uint32_t> own = cells.first(each);
    cells = cells.subspan(each);
    FileData* file = variant.files[function];
    if (!file) continue;
    const uint64_t value = own[0] | (each > 1 ? uint64_t{own[1]} << journal::kCellBits : 0);
    uint64_t& merged = file->results[results.kind][range].values[context];
    merged = results.kind.merged(merged, value);
  }
  return true;
}

bool JournalData::hits(const CompiledVariant& variant, const std::string& label, uint32_t size,
                       std::span<const uint32_t> cells) {
  const std::string& arch = variant.functions.front().function.arch;
  size_t known = variant.arcs.size();
  for (const JournalDecision& decision : variant.decisions) known += decision.outcomes.size();
  if (size < variant.arcs.size() || (size != known && !variant.decisions.empty())) return false;
  size_t next = 0;
  auto is_set = [&] {
    const size_t i = next++;
    return (cells[i / journal::kCellBits] >> (i % journal::kCellBits) & 1) != 0;
  };
  std::map<FileData*, std::vector<Arc>> hits;
  KernelVariant* told_apart = variant.text.empty() ? nullptr : kernel_variant(variant);
  for (size_t i = 0; i < variant.arcs.size(); ++i) {
    const auto& [function, arc, unused] = variant.arcs[i];
    FileData* file = variant.files[function];
    if (!is_set() || !file) continue;
    if (variant.arcs[i].is_derivative())
      file->results[kDerivatives][range_of_line(arc.to)].values[context_of(label, arch)] = 1;
    if (!is_reported(arc)) continue;
    hits[file].push_back(arc);
    if (told_apart && function == 0) told_apart->taken.insert(arc);
    if (!variant.of_arcs.empty() && variant.of_arcs[i]) variant.of_arcs[i]->taken.insert(arc);
  }
  for (auto& [file, arcs] : hits) add_hits(*file, std::move(arcs), context_of(label, arch));
  for (const JournalDecision& decision : variant.decisions) {
    FileData* file = variant.files[decision.function];
    for (const Evaluation& outcome : decision.outcomes) {
      if (is_set() && file) file->decisions[decision.range].evaluations[context_of(label, arch)].insert(outcome);
    }
  }
  return true;
}

/// Data of a file; null when it is not wanted.
FileData* JournalData::file_of(const std::string& path) {
  auto [known, fresh] = files_.try_emplace(path, nullptr);
  if (fresh && (!form_.wanted || form_.wanted(path))) {
    const bool below = !form_.relative_to.empty() && path.starts_with(form_.relative_to);
    known->second = &data_.files[below ? path.substr(form_.relative_to.size()) : path];
  }
  return known->second;
}

/// Whether data has an arc: edges of branches are left out of line data.
bool JournalData::is_reported(const Arc& arc) const {
  return arc.from != JournalArc::kDerivative && (form_.branch || is_line(arc));
}

void JournalData::add_probes(const CompiledVariant& variant, const std::vector<JournalArc>& arcs,
                             std::set<Arc> Probes::* set) const {
  for (const auto& [function, arc, unused] : arcs) {
    FileData* file = variant.files[function];
    if (file && is_reported(arc)) (file->kernel_functions[variant.functions[function].function].*set).insert(arc);
  }
}

void JournalData::add_hits(FileData& file, std::vector<Arc> arcs, ContextId context) const {
  if (!form_.branch) {
    Numbits& lines = file.lines[context];
    for (const Arc& arc : arcs) lines.insert(arc.to);
    return;
  }
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  merge_arcs(file.arcs[context], std::move(arcs));
}

ContextId JournalData::context_of(const std::string& label, const std::string& arch) {
  auto [known, fresh] =
      contexts_.try_emplace(kernel_context(label, arch), static_cast<ContextId>(data_.contexts.size()));
  if (fresh) data_.contexts.push_back(known->first);
  return known->second;
}

/// Sorts contexts, so that the same hits give the same data, independent of the order of launches.
void JournalData::sort_contexts() {
  std::vector<ContextId> order(data_.contexts.size()), place(data_.contexts.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](ContextId a, ContextId b) { return data_.contexts[a] < data_.contexts[b]; });  // '' stays the first
  std::vector<std::string> sorted;
  for (ContextId id : order) {
    place[id] = static_cast<ContextId>(sorted.size());
    sorted.push_back(std::move(data_.contexts[id]));
  }
  data_.contexts = std::move(sorted);
  auto renumber = [&](auto& by_context) {
    std::remove_reference_t<decltype(by_context)> renumbered;
    while (!by_context.empty()) {
      auto node = by_context.extract(by_context.begin());
      node.key() = place[node.key()];
      renumbered.insert(std::move(node));
    }
    by_context = std::move(renumbered);
  };
  for (auto& [path, file] : data_.files) {
    renumber(file.lines);
    renumber(file.arcs);
    for (auto& [where, decision] : file.decisions) renumber(decision.evaluations);
    for (auto& [kind, places] : file.results)
      for (auto& [range, measured] : places) renumber(measured.values);
  }
}

CoverageData JournalData::take() {
  sort_contexts();
  return std::move(data_);
}

}  // namespace qd::report
