// Base comparison: follows each file of a base report to the present file. Hashes prove that the report is of its
// commit. Without hashes, the statements in the report have to be those of the source in that commit.
#include "report/diff/base_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/analysis/kernels/kernel_gaps.h"
#include "report/data/file_content.h"
#include "report/data/source_hash.h"
#include "report/data/source_version.h"
#include "report/diff/categorize.h"
#include "report/diff/data_paths.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/source_encoding.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

constexpr int kNewPython = 12;  // minor version; older ones find other statements

/// Whether a text has a lone '\r', which ends a line for Python, but not for git.
bool has_lone_returns(const std::string& bytes) {
  for (size_t at = bytes.find('\r'); at != std::string::npos; at = bytes.find('\r', at + 1))
    if (at + 1 == bytes.size() || bytes[at + 1] != '\n') return true;
  return false;
}

constexpr const char* kBaseOfOtherVersion = "its data is of another version of it: run its tests again";
constexpr const char* kNotInCommit =
    "that commit has no such file: make the report in the folder of the present one, or with 'qd-cov json "
    "--record-commit'; 'omit' leaves out a generated file that is not made any more";

std::string short_commit(const std::string& commit) { return commit.substr(0, 10); }

}  // namespace

/// A file of the base report.
struct BaseComparison::Old {
  const CoverageJsonFile* file = nullptr;
  const ChangedFile* change = nullptr;  // its change; null: none
  std::optional<std::string> text;      // its bytes, if it changed
};

BaseComparison::BaseComparison(BaseInput input, const DiffCoverageOptions& options)
    : input_(std::move(input)), options_(options), canonical_root_(canonical_path(input_.root) + "/") {
  std::vector<std::string> outside;
  for (const auto& [name, file] : input_.report.files) {
    std::string path = canonical_path(input_.path_of(name));
    if (!path.starts_with(canonical_root_)) {
      outside.push_back(std::move(path));
      continue;
    }
    path.erase(0, canonical_root_.size());
    if (olds_[path].file) left_out_[path] = "several of its names there fit this file";
    olds_[path].file = &file;
  }
  for (const auto& [path, why] : left_out_) olds_.erase(path);
  std::vector<Old*> changed;
  std::vector<std::string> ids;
  for (const ChangedFile& change : input_.changes) {
    changes_[change.path] = &change;
    if (change.kind == ChangeKind::Added || change.kind == ChangeKind::Untracked || change.kind == ChangeKind::Copied)
      continue;
    auto old = olds_.find(change.old_path.empty() ? change.path : change.old_path);
    if (old == olds_.end()) continue;
    old->second.change = &change;
    if (change.old_id.empty()) continue;
    changed.push_back(&old->second);
    ids.push_back(change.old_id);
  }
  std::vector<std::optional<std::string>> texts = read_blobs(input_.root, ids);
  for (size_t i = 0; i < changed.size(); ++i) changed[i]->text = std::move(texts[i]);
  std::vector<std::string> tracked = tracked_files(input_.root);
  tracked_ = {tracked.begin(), tracked.end()};
  for (const std::string& path : outside) leave_out_elsewhere(path);
}

BaseComparison::~BaseComparison() = default;

/// Leaves out the file that a path of another checkout may be, as /build/src/a.py is src/a.py: it would pass for one
/// that the report does not have.
void BaseComparison::leave_out_elsewhere(const std::string& path) {
  if (fs::exists(path)) return;
  for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string inside = path.substr(slash + 1);
    if (!tracked_.contains(inside)) continue;
    if (!olds_.contains(inside)) left_out_[inside] = fmt::format("it may be '{}' there: map it with [paths]", path);
    return;
  }
}

const BaseComparison::Old* BaseComparison::old_of(const std::string& path) const {
  auto change = changes_.find(path);
  if (change == changes_.end()) {
    auto old = olds_.find(path);
    return old == olds_.end() ? nullptr : &old->second;
  }
  auto old = olds_.find(change->second->old_path.empty() ? path : change->second->old_path);
  // A renamed file may have given its old name to another file.
  return old == olds_.end() || old->second.change != change->second ? nullptr : &old->second;
}

std::string BaseComparison::why_not(const Old& old, const std::string& path, const Analysis& analysis,
                                    FollowedLines& lines) const {
  std::string now = read_bytes(input_.root + "/" + path).value_or("");
  bool hashed = !old.file->hash.empty();
  bool by_other_tool = analysis.imported || analysis.plugin;  // only that tool knows the statements
  if (hashed && old.file->hash == source_hash(now)) return "";
  if (!old.change) {
    if (hashed) return "its source was another one when the report was made";
    return by_other_tool ? "" : misfit_of_either(*old.file, analysis.source, [&] { return now; });
  }
  if (!old.text) return "git does not have its source";
  if (hashed && old.file->hash != source_hash(*old.text)) return "its source was another one when the report was made";
  if (!hashed && !by_other_tool) {
    std::string why = misfit_of(*old.file, *old.text, options_.python_minor);
    if (!why.empty()) return why;
  }
  if (old.change->is_binary || has_lone_returns(now) || has_lone_returns(*old.text) ||
      !syntax::encoding_of_other_lines(now).empty() || !syntax::encoding_of_other_lines(*old.text).empty())
    return "its lines can't be followed";
  lines.all_new = old.change->kind == ChangeKind::TypeChanged;
  lines.tracker = LineTracker(old.change->spans);
  return "";
}

/// Reason why the report cannot be of `bytes`; empty when it can.
std::string BaseComparison::misfit_of(const CoverageJsonFile& file, const std::string& bytes, int python_minor) const {
  AnalysisOptions analysis_options;
  analysis_options.arcs = false;
  analysis_options.python_minor = python_minor;
  try {
    SourceAnalysis source =
        analyze_source(syntax::decode_source(bytes), "", options_.config.exclusions, analysis_options);
    return misfit_of_either(file, source, [&] { return bytes; });
  } catch (const NotPython&) {
    return "it is no Python there";
  }
}

std::string BaseComparison::misfit_of_either(const CoverageJsonFile& file, const SourceAnalysis& source,
                                             const std::function<std::string()>& bytes) const {
  std::string why = misfit(file, source);
  if (why.empty()) return why;
  // The other run may have used another version of Python.
  AnalysisOptions other;
  other.arcs = false;
  other.python_minor = options_.python_minor < kNewPython ? kNewPython : kNewPython - 1;
  try {
    if (misfit(file, analyze_source(syntax::decode_source(bytes()), "", options_.config.exclusions, other)).empty())
      return "";
  } catch (const NotPython&) {
  }
  return why;
}

BaseComparison::Compared BaseComparison::compare(const Analysis& analysis, const std::string& text,
                                                 const FileData& data, const std::vector<std::string>& contexts) const {
  Compared result;
  std::string path = canonical_path(analysis.path);
  result.in_tree = path.starts_with(canonical_root_);
  if (!result.in_tree) return result;
  path.erase(0, canonical_root_.size());
  BaseFile& file = result.file;
  file.path = path;
  FollowedLines lines;
  const Old* old = old_of(path);
  if (old) {
    auto change = changes_.find(path);
    result.base_path = change == changes_.end() || change->second->old_path.empty() ? path : change->second->old_path;
    if (result.base_path != path) file.old_path = result.base_path;
    if (!data.source_hashes.empty() && !is_of_version(data, read_bytes(input_.root + "/" + path).value_or(""))) {
      result.left_out = kBaseOfOtherVersion;
      return result;
    }
    result.left_out = why_not(*old, path, analysis, lines);
    if (!result.left_out.empty()) return result;
  } else {
    auto change = changes_.find(path);
    if (change == changes_.end()) {
      lines.all_new = !tracked_.contains(path);
    } else {
      ChangeKind kind = change->second->kind;
      lines.all_new = kind == ChangeKind::Added || kind == ChangeKind::Untracked || kind == ChangeKind::TypeChanged;
      lines.tracker = LineTracker(change->second->spans);
    }
  }
  categorize(old ? old->file : nullptr, lines, analysis, input_.report.branches, file);
  file.lost_text = format_lines(analysis.source.statements, file.of(Category::LBC), {});
  file.gained_text = format_lines(analysis.source.statements, file.of(Category::GBC), {});
  if (!file.of(Category::LBC).empty()) {
    result.shown.path = path;
    result.shown.old_path = file.old_path;
    result.shown.lost = file.of(Category::LBC);
    std::erase_if(result.shown.lost, [&](int32_t line) {
      return line < 1 || line > analysis.source.n_lines;
    });  // a plugin may name lines that do not exist
    result.shown.source = annotate(text, analysis, data, contexts);
  }
  return result;
}

void BaseComparison::add(Compared&& compared) {
  if (!compared.in_tree) return;
  if (!compared.base_path.empty()) seen_.insert(compared.base_path);
  if (!compared.left_out.empty()) {
    // The changes of a file that git does not know are not known.
    if (!tracked_.contains(compared.file.path) && !changes_.contains(compared.file.path))
      untracked_.push_back(compared.file.path);
    else
      left_out_[compared.file.path] = std::move(compared.left_out);
    return;
  }
  if (!compared.shown.lost.empty()) lost_.push_back(std::move(compared.shown));
  files_.push_back(std::move(compared.file));
}

/// Adds files that are in the base report, but not in the data.
void BaseComparison::add_rest() {
  for (const auto& [old_path, old] : olds_) {
    if (seen_.contains(old_path)) continue;
    std::string path = old.change && !old.change->old_path.empty() ? old.change->path : old_path;
    std::string absolute = input_.root + "/" + path;
    const bool deleted = old.change && old.change->kind == ChangeKind::Deleted, here = fs::exists(absolute);
    const bool gone = deleted || !here;
    const bool wanted = !input_.wanted || input_.wanted(absolute);
    if (!deleted && !here && wanted) {
      left_out_[path] = tracked_.contains(path) ? "it is not in the working tree" : kNotInCommit;
      continue;
    }
    if (!gone && wanted) {
      std::string text;
      try {
        Analysis analysis = analyze_unmeasured(absolute, path, text);
        Compared compared = compare(analysis, text, {}, {""});
        compared.file.no_data = true;
        unmeasured_ += analysis.numbers;
        add(std::move(compared));
      } catch (const std::runtime_error& error) {
        left_out_[path] = error.what();
      }
      continue;
    }
    BaseFile file;
    file.path = gone ? old_path : path;
    for (int32_t line : old.file->executed)
      if (!std::binary_search(old.file->excluded.begin(), old.file->excluded.end(), line))
        file.lines[static_cast<size_t>(gone ? Category::DCB : Category::ECB)].push_back(line);
    file.lines[static_cast<size_t>(gone ? Category::DUB : Category::EUB)] = old.file->missing;
    file.branches[static_cast<size_t>(gone ? Category::DCB : Category::ECB)] = old.file->executed_branches;
    file.branches[static_cast<size_t>(gone ? Category::DUB : Category::EUB)] = old.file->missing_branches;
    files_.push_back(std::move(file));
  }
}

/// Analysis of a file without data: none of it ran.
Analysis BaseComparison::analyze_unmeasured(const std::string& absolute, const std::string& path,
                                            std::string& text) const {
  text = read_source(absolute);
  AnalysisOptions analysis_options;
  analysis_options.arcs = input_.report.branches;
  analysis_options.python_minor = options_.python_minor;
  SourceAnalysis source = analyze_source(text, path, options_.config.exclusions, analysis_options);
  return analyze(absolute, path, std::move(source), {}, input_.report.branches);
}

void BaseComparison::note_left_out(DiffCoverage& coverage) const {
  auto list = [](const std::string& first, size_t n) {
    return n == 1 ? fmt::format("'{}' is", first) : fmt::format("'{}' and {} more are", first, n - 1);
  };
  std::vector<std::string> misfits, stale;
  for (const auto& [path, why] : left_out_) (why == kBaseOfOtherVersion ? stale : misfits).push_back(path);
  if (!misfits.empty())
    coverage.notes.push_back(fmt::format("{} does not belong to commit {}: {} left out of the comparison ({}{}).",
                                         input_.name, short_commit(input_.commit), list(misfits[0], misfits.size()),
                                         misfits.size() == 1 ? "" : "the first: ", left_out_.at(misfits[0])));
  if (!stale.empty())
    coverage.notes.push_back(
        fmt::format("{} left out of the comparison with {}: the data is of another version of {}; run the tests again.",
                    list(stale[0], stale.size()), input_.name, stale.size() == 1 ? "it" : "them"));
  if (!untracked_.empty())
    coverage.notes.push_back(
        fmt::format("{} left out of the comparison with {}: git does not track {}, and the source is another one now.",
                    list(untracked_[0], untracked_.size()), input_.name, untracked_.size() == 1 ? "it" : "them"));
  if (olds_.empty())
    coverage.notes.push_back(fmt::format(
        "No file of {} is in this repository (the first is '{}'): map its paths with [paths] in the configuration.",
        input_.name, input_.report.files.begin()->first));
  std::vector<const BaseFile*> silent;
  for (const BaseFile& file : coverage.base->files)
    if (file.no_data && (!file.of(Category::LBC).empty() || !file.of(Category::UBC).empty())) silent.push_back(&file);
  if (!silent.empty())
    coverage.notes.push_back(fmt::format("{} measured for {} and not now: {} lines count as missing in the comparison.",
                                         silent.size() == 1
                                             ? fmt::format("'{}' was", silent[0]->path)
                                             : fmt::format("'{}' and {} more were", silent[0]->path, silent.size() - 1),
                                         input_.name, silent.size() == 1 ? "its" : "their"));
}

void BaseComparison::finish(const Numbers& now, bool has_branches, DiffCoverage& coverage) {
  add_rest();
  auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
  std::sort(files_.begin(), files_.end(), by_path);
  std::sort(lost_.begin(), lost_.end(), by_path);
  BaseCoverage& base = coverage.base.emplace();
  base.name = input_.name;
  base.commit = input_.commit;
  base.recorded = !input_.report.commit.empty();
  base.branches = has_branches && input_.report.branches;
  for (const auto& [name, file] : input_.report.files) {
    base.before.covered_lines += file.covered_lines;
    base.before.n_lines += file.num_statements;
    base.before.covered_branches += file.covered_branches;
    base.before.n_branches += file.num_branches;
  }
  base.now = {now.n_executed(), int64_t{now.n_statements} + unmeasured_.n_statements, now.n_executed_branches(),
              int64_t{now.n_branches} + unmeasured_.n_branches, now.n_unknown_branches};
  base.files = std::move(files_);
  base.left_out = left_out_;
  if (olds_.empty())
    base.left_out[input_.report.files.empty() ? input_.name : input_.report.files.begin()->first] =
        "it is not in this repository";
  if (!base.branches)
    for (BaseFile& file : base.files) file.branches = {};
  note_left_out(coverage);
  for (DiffFile& file : lost_) {
    auto same = std::find_if(coverage.files.begin(), coverage.files.end(),
                             [&](const DiffFile& one) { return one.path == file.path; });
    if (same == coverage.files.end())
      coverage.lost_elsewhere.push_back(std::move(file));
    else
      same->lost = std::move(file.lost);
  }
}

}  // namespace qd::report
