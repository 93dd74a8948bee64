// Fields of an analysis for packing and unpacking: one list for each struct serves both. A new field does not compile
// before it is in the list.
#include "report/analysis/cache/analysis_cache.h"

#include "report/analysis/cache/byte_archive.h"

namespace qd::report {

template <typename Archive>
void each_field(Archive& archive, Like<Arc> auto& value) {
  auto& [from, to] = value;
  archive(from, to);
}

template <typename Archive>
void each_field(Archive& archive, Like<SourceRange> auto& value) {
  auto& [line, col, end_line, end_col] = value;
  archive(line, col, end_line, end_col);
}

template <typename Archive>
void each_field(Archive& archive, Like<Evaluation> auto& value) {
  auto& [conditions, result] = value;
  archive(conditions, result);
}

template <typename Archive>
void each_field(Archive& archive, Like<SourceCondition> auto& value) {
  auto& [range, text, constant] = value;
  archive(range, text, constant);
}

template <typename Archive>
void each_field(Archive& archive, Like<SourceDecision> auto& value) {
  auto& [range, kind, text, line, function, in_kernel, conditions, possible] = value;
  archive(range, kind, text, line, function, in_kernel, conditions, possible);
}

template <typename Archive>
void each_field(Archive& archive, Like<KernelDefinition> auto& value) {
  auto& [name, is_kernel, decorated, is_called, first_line, def_line, body_line, last_line, def] = value;
  archive(name, is_kernel, decorated, is_called, first_line, def_line, body_line, last_line);
}

template <typename Archive>
void each_field(Archive& archive, Like<CodeRegion> auto& value) {
  auto& [kind, name, start, lines] = value;
  archive(kind, name, start, lines);
}

template <typename Archive>
void each_field(Archive& archive, Like<ArcReason> auto& value) {
  auto& [cause, action, name] = value;
  archive(cause, action, name);
}

namespace {

template <typename Archive>
void each_part(Archive& archive, auto& source, const AnalysisOptions& options) {
  auto& [n_lines, first_line, last_line, statements, excluded, no_branch, arcs, exit_counts, with_jumps, decisions,
         functions, regions, arc_reasons] = source;
  archive(n_lines, first_line, last_line, statements, excluded, no_branch, arcs, with_jumps, decisions,
          functions);  // exit_counts follow from these
  if (!options.regions && !options.descriptions) return;
  archive(regions);
  if (options.descriptions) archive(arc_reasons);
}

}  // namespace

std::string pack_analysis(const SourceAnalysis& source, const AnalysisOptions& options) {
  Packer packer;
  each_part(packer, source, options);
  return packer.take();
}

bool unpack_analysis(std::string_view bytes, const AnalysisOptions& options, SourceAnalysis& source) {
  Unpacker unpacker(bytes);
  each_part(unpacker, source, options);
  if (!unpacker.good() || source.n_lines < 0 || source.first_line.size() != static_cast<size_t>(source.n_lines) + 2)
    return false;
  if (!options.regions) source.regions.clear();
  source.count_exits();
  return true;
}

}  // namespace qd::report
