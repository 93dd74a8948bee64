// Measured changes: joins a changed file with its data, by its own name or by a link to it.
#include "report/diff/measured_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "report/data/file_content.h"
#include "report/diff/imported_version.h"
#include "report/diff/tree_diff.h"

namespace qd::report {
namespace {

DiffFile unmeasured_file(const ChangedFile& change) {
  DiffFile file;
  file.path = change.path;
  file.old_path = change.old_path;
  file.kind = change.kind;
  file.changed = change.added;
  file.removed_after = change.removed_after;
  return file;
}

/// Numbers of all lines, as git counts them.
std::vector<int32_t> all_lines(const std::string& text) {
  auto n = std::count(text.begin(), text.end(), '\n');
  if (!text.empty() && text.back() != '\n') ++n;
  std::vector<int32_t> lines(static_cast<size_t>(n));
  std::iota(lines.begin(), lines.end(), 1);
  return lines;
}

/// Whether a file without a suffix, or an executable one, asks for Python in its first line. Other files that do may be
/// templates of a script.
bool is_python_script(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error || status.type() != std::filesystem::file_type::regular) return false;
  const bool executable = (status.permissions() & std::filesystem::perms::owner_exec) != std::filesystem::perms::none;
  if (std::filesystem::path(path).has_extension() && !executable) return false;
  std::ifstream in(path, std::ios::binary);
  std::string line(200, '\0');
  in.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<size_t>(in.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  auto names = [&](const char* interpreter) { return line.find(interpreter) != std::string::npos; };
  return line.starts_with("#!") && (names("python") || names("pypy") || names("uv run") || names("pipx run"));
}

/// Moves the count of a link's target to the target's own name, so that its lines do not outweigh others. But if the
/// link replaced other code, its lines have to have run; changed lines count under the target's own name.
void count_elsewhere(const Candidate& candidate, bool branches, Measured& result) {
  DiffFile& file = result.file;
  const auto lacking = std::ranges::count_if(file.lacking(branches), [&](int32_t line) {
    return !candidate.target || !std::ranges::binary_search(candidate.target->added, line);
  });
  result.counts_elsewhere = !candidate.link->replaces || lacking == 0;
  if (!result.counts_elsewhere)
    file.not_measured = fmt::format("it is a link now, to code of which {} never ran{}",
                                    lacking == 1 ? "1 line" : fmt::format("{} lines", lacking),
                                    branches ? " or never took a branch" : "");
}

}  // namespace

bool is_notebook(const std::string& path) { return path.ends_with(".ipynb"); }

MeasuredChanges::MeasuredChanges(const CoverageData& data, const std::string& root, const DiffCoverageOptions& options)
    : options_(options), root_(root), all_(data, options, canonical_), sources_(data, root, canonical_) {
  for (const NamedData& input : options.inputs) inputs_.emplace_back(*input.data, options, canonical_);
}

std::vector<std::string> MeasuredChanges::untracked_sources(const Changes& changes) {
  std::vector<std::string> result;
  for (const std::string& name : changes.untracked) {
    std::string path = changes.root + "/" + name;
    bool in_data = paths().find(canonical_(path)) != nullptr;
    if (!in_data && !is_python_name(name) && !is_notebook(name) && !is_python_script(path)) continue;
    if (!options_.wanted || options_.wanted(path, in_data)) result.push_back(name);
  }
  return result;
}

std::vector<Candidate> MeasuredChanges::candidates(const Changes& changes) {
  std::vector<Candidate> result;
  for (const ChangedFile& change : changes.files) {
    if (change.kind == ChangeKind::Deleted || !change.is_regular) continue;
    std::string path = changes.root + "/" + change.path;
    std::string its_canonical = canonical_(path);
    bool in_data = paths().find(its_canonical) != nullptr || paths().ambiguous(its_canonical) != nullptr;
    const bool is_python = is_python_name(change.path) || (!in_data && is_python_script(path));
    const bool expected = in_data || (!is_python && sources_.expects(its_canonical));
    if (!is_python && !expected) {
      if (sources_.knows_language(its_canonical) && (!options_.wanted || options_.wanted(path, true)))
        unnamed_.push_back(change.path);
      continue;
    }
    if (options_.wanted && !options_.wanted(path, expected)) continue;
    result.push_back(
        {&change, std::move(path), std::move(its_canonical), in_data, nullptr, nullptr, is_new_as_a_whole(change)});
  }
  add_linked(changes, result);
  return result;
}

/// Whether no gate has seen the lines of a file: of a copy, and of a file that was renamed and was no code by its old
/// name, as x.py.in became x.py, or was omitted by its old name, as an example.
bool MeasuredChanges::is_new_as_a_whole(const ChangedFile& change) const {
  if (change.kind != ChangeKind::Renamed) return change.kind == ChangeKind::Copied;
  const bool was_no_code = is_code_name(change.path) == true && is_code_name(change.old_path) == false;
  return was_no_code || (options_.omitted && options_.omitted(root_ + "/" + change.old_path));
}

Measured MeasuredChanges::measure(const Candidate& candidate) const {
  Measured result;
  result.file = unmeasured_file(*candidate.change);
  if (candidate.link && !candidate.link->unknown.empty()) {
    result.file.not_measured = candidate.link->unknown;
    return result;
  }
  std::optional<std::string> bytes = read_bytes(candidate.path);
  if (!bytes) {
    // A sparse checkout: git knows of a change in a file that is not in the working tree.
    if (candidate.in_data && !candidate.link && !options_.config.ignore_errors)
      throw NoSource(fmt::format("No source for code: '{}'.", candidate.path));
    result.file.not_measured = "not in the working tree, or not readable";
    return result;
  }
  const bool by_link = candidate.link != nullptr;
  if (candidate.change->is_binary || (by_link && !is_python_name(candidate.path) && looks_binary(*bytes))) {
    result.file.not_measured = "git shows no lines of it: it is a binary file";
    return result;
  }
  if (by_link || candidate.all_new) result.file.changed = all_lines(*bytes);
  translate_lines(*bytes, result.file);
  const DiffFile fresh = result.file;
  ChangedSource source = all_.read(result.file, candidate.canonical, *bytes);
  source.by_link = by_link;
  result.notes = all_.measure(result.file, candidate.canonical, *bytes, source);
  DiffFile& file = result.file;
  if (!candidate.in_data && has_braces(file.path) && file.unmeasured_statements == 0 &&
      (sources_.may_lack_language(candidate.canonical) ||
       sources_.is_elsewhere(candidate.canonical)))  // so no declaration is left out that a report would have counted
    file.unmeasured_statements = static_cast<int32_t>(
        changed_code_lines(source.text, file.changed, {true, true, language_of(file.path)}).size());
  if (candidate.link && candidate.link->is_tracked && file.measured())
    count_elsewhere(candidate, options_.config.diff.branch_coverage, result);
  result.without_code = !candidate.in_data && is_other_language(file.path) && file.unmeasured_statements == 0;
  for (const FileMeasurer& input : inputs_) {
    DiffFile& its = result.of_inputs.emplace_back(fresh);
    input.measure(its, candidate.canonical, *bytes, source);
    its.source = {};
  }
  return result;
}

void MeasuredChanges::add_linked(const Changes& changes, std::vector<Candidate>& result) {
  std::set<std::string> known;
  std::map<std::string, const ChangedFile*> targets;
  for (const Candidate& candidate : result) {
    targets.emplace(candidate.canonical, candidate.change);
    if (candidate.change->kind == ChangeKind::Untracked) known.insert(candidate.canonical);
  }
  const std::string root = canonical_(changes.root);
  for (const LinkedFile& one : changes.behind_links) {
    std::string path = changes.root + "/" + one.file.path;
    std::string its_canonical = canonical_(path);
    const bool in_data = paths().find(its_canonical) != nullptr;
    const bool expected = in_data || !one.unknown.empty() || is_python_name(one.file.path) || is_python_script(path) ||
                          sources_.expects(its_canonical) || sources_.expects(root + "/" + one.file.path);
    if (!expected || (options_.wanted && !options_.wanted(path, in_data))) continue;
    if (!known.insert(its_canonical).second) continue;
    auto target = targets.find(its_canonical);
    result.push_back({&one.file, std::move(path), std::move(its_canonical), in_data, &one,
                      target == targets.end() ? nullptr : target->second});
  }
}

}  // namespace qd::report
