// Lowered gates: compares the configuration of the base commit, and the exclusions of each changed source, with
// today's.
#include "cli/reported/lowered_gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "cli/options/change_options.h"
#include "cli/reported/base_config.h"
#include "report/analysis/analysis.h"
#include "report/analysis/imported_exclusions.h"
#include "report/check/silence.h"
#include "report/config/coverage_version.h"
#include "report/config/lowered_settings.h"
#include "report/data/in_order.h"
#include "report/diff/git.h"
#include "report/diff/hunk.h"
#include "report/diff/line_tracker.h"
#include "report/diff/reported_sources.h"
#include "report/formats/common/text.h"

namespace qd::cli {

namespace {

using report::Config;
using report::StringList;

/// Exclusions that a user wrote: without coverage.py's default patterns of code.
report::Exclusions written_exclusions(const Config& config) {
  Config standard;
  if (config.coverage_version) report::match_version(standard, *config.coverage_version);
  report::Exclusions result = config.exclusions;
  result.partial_always.clear();
  std::erase_if(result.exclude, [&](const std::string& pattern) {
    const auto first = standard.exclusions.exclude.begin() + 1;  // behind coverage.py's pattern for the pragma
    return std::find(first, standard.exclusions.exclude.end(), pattern) != standard.exclusions.exclude.end();
  });
  return result;
}

/// A source, present and at the base.
struct Source {
  std::string path;  // from the top of the working tree
  const report::ChangedFile* change = nullptr;
  std::optional<std::string> before;  // its bytes, if it changed and existed at the base
};

struct Lowered {
  int64_t lines = 0, branches = 0, comments = 0;
};

struct Excluded {
  std::set<int32_t> lines, branches;
};

Excluded excluded_of(const std::string& bytes, const report::Exclusions& exclusions, int python_minor) {
  report::AnalysisOptions options;
  options.python_minor = python_minor;
  try {
    const std::string text = report::decode_source_bytes(bytes);
    const report::SourceAnalysis with = report::analyze_source(text, "", exclusions, options);
    Excluded result{{}, {with.no_branch.begin(), with.no_branch.end()}};
    if (with.excluded.empty()) return result;
    options.arcs = false;
    const report::SourceAnalysis without = report::analyze_source(text, "", {{}, {}, {}, false, false}, options);
    std::set_intersection(with.excluded.begin(), with.excluded.end(), without.statements.begin(),
                          without.statements.end(), std::inserter(result.lines, result.lines.end()));
    return result;
  } catch (const report::NotPython&) {
    return {};
  }
}

/// The same of another language, by its markers too. Each line with text may be a statement.
Excluded excluded_of_other(const std::string& bytes, const std::string& path, const report::Exclusions& exclusions) {
  const std::string text = report::decode_imported_source(bytes, path);
  const report::ExcludedParts parts = report::find_excluded_parts(text, path, exclusions, nullptr);
  const std::vector<std::string_view> lines = report::split_lines(text);
  auto has_text = [&](int32_t line) {
    return static_cast<size_t>(line) <= lines.size() &&
           lines[static_cast<size_t>(line) - 1].find_first_not_of(" \t\r") != std::string_view::npos;
  };
  Excluded result{{}, {parts.branches.begin(), parts.branches.end()}};
  result.branches.insert(parts.exceptions.begin(), parts.exceptions.end());
  std::copy_if(parts.lines.begin(), parts.lines.end(), std::inserter(result.lines, result.lines.end()), has_text);
  return result;
}

/// Whether any exclusion can match: a user's pattern, a comment of the default patterns, or a marker.
bool may_exclude(const std::string& bytes, const report::Exclusions& exclusions) {
  const bool own_patterns = exclusions.exclude.size() + exclusions.partial.size() > 2;
  auto has = [&](const char* word) { return bytes.find(word) != std::string::npos; };
  return own_patterns || has("pragma") || has("PRAGMA") || has("_EXCL_");
}

Lowered lowered_in(const Source& source, const std::string& root, const report::Exclusions& before,
                   const report::Exclusions& now, int python_minor) {
  Lowered result;
  std::string bytes;
  try {
    bytes = report::read_source_bytes(root + "/" + source.path);
  } catch (const report::NoSource&) {
    return result;
  }
  const report::LineTracker tracker(source.change ? source.change->spans : std::vector<report::ChangedSpan>());
  const bool all_new = source.change && !source.before;
  auto old_line = [&](int32_t line) { return all_new ? std::nullopt : tracker.old_line(line); };
  if (source.change && bytes.find("qd-cov:") != std::string::npos)
    for (const report::Silencer& silencer : report::find_silencers(source.path, bytes))
      if (!old_line(silencer.line)) ++result.comments;
  if (report::is_code_name(source.path) != true || !may_exclude(bytes, now)) return result;
  auto excluded_by = [&](const std::string& its_bytes, const report::Exclusions& exclusions) {
    return report::is_python_name(source.path) ? excluded_of(its_bytes, exclusions, python_minor)
                                               : excluded_of_other(its_bytes, source.path, exclusions);
  };
  const Excluded excluded = excluded_by(bytes, now);
  if (excluded.lines.empty() && excluded.branches.empty()) return result;
  const Excluded was = all_new ? Excluded() : excluded_by(source.change ? *source.before : bytes, before);
  auto count = [&](const std::set<int32_t>& lines, const std::set<int32_t>& old) {
    auto within = [](const std::set<int32_t>& some, int32_t first, int32_t n) {
      return std::distance(some.lower_bound(first), some.lower_bound(first + n));
    };
    if (all_new) return static_cast<int64_t>(lines.size());
    int64_t n = std::count_if(lines.begin(), lines.end(), [&](int32_t line) {
      const std::optional<int32_t> place = old_line(line);
      return place && !old.contains(*place);
    });
    // Lines in the place of excluded lines are not newly excluded.
    for (const report::ChangedSpan& span : source.change ? source.change->spans : std::vector<report::ChangedSpan>())
      n += std::max<int64_t>(0, within(lines, span.new_first, span.n_new) - within(old, span.old_first, span.n_old));
    return n;
  };
  result.lines = count(excluded.lines, was.lines);
  result.branches = count(excluded.branches, was.branches);
  return result;
}

/// Returns the changed sources and, if patterns changed, all measured ones.
std::vector<Source> sources_of(const report::Changes& changes, const report::CoverageData& data,
                               const DiffSelection& selection, bool all) {
  std::vector<Source> sources;
  std::vector<std::string> ids;
  std::set<std::string> changed;
  for (const report::ChangedFile& file : changes.files) {
    changed.insert(file.path);
    if (file.kind == report::ChangeKind::Deleted || !file.is_regular || file.is_binary) continue;
    const std::string path = changes.root + "/" + file.path;
    if (!selection.wanted(path, data.files.contains(path) || data.imported.contains(path))) continue;
    sources.push_back({file.path, &file, std::nullopt});
    ids.push_back(file.kind == report::ChangeKind::TypeChanged ? "" : file.old_id);
  }
  std::vector<std::string> known;
  for (const std::string& id : ids)
    if (!id.empty()) known.push_back(id);
  std::vector<std::optional<std::string>> blobs = report::read_blobs(changes.root, known);
  for (size_t i = 0, k = 0; i < ids.size(); ++i)
    if (!ids[i].empty()) sources[i].before = std::move(blobs[k++]);
  if (all)
    for (const auto& [name, file] : data.files)
      if (auto path = path_below(changes.root, name); path && !changed.contains(*path) && selection.wanted(name, true))
        sources.push_back({*path, nullptr, std::nullopt});
  return sources;
}

}  // namespace

void add_strict_option(CommandLine& line) {
  line.add("strict-config",
           "Take the gates of the configuration, its exclusions and its omitted files from the base commit: a change "
           "does not set its own requirements.");
}

void apply_strict_option(const CommandLine& line, Config& config) {
  if (!line.flag("strict-config")) return;
  if (line.flag("diff-file"))
    throw UsageError("option --strict-config: it can't be used with --diff-file, which has no base commit");
  if ((config.diff.compare_branch && !line.flag("compare-branch") && !line.flag("base-sha")) || config.diff.diff_file)
    throw UsageError(
        "option --strict-config: it needs --compare-branch or --base-sha, because a change does not choose its own "
        "base");
  const std::string root = report::top_of_working_tree(".");
  const report::BaseCommit base = report::find_base(root, change_options(line, report::DiffConfig()).base);
  const BaseConfig its = base_config(line, root, base.commit);
  if (!its.unknown.empty())
    throw report::ConfigError(fmt::format(
        "With --strict-config the settings are those of the base commit, but git does not track config file "
        "{}: add it to the repository, or name it with --rcfile",
        its.unknown.front()));
  report::take_gates(config, its.config);
  // A plugin may have changed the name; the command line and the environment are no part of the change.
  const char* environment = std::getenv("COVERAGE_FILE");
  const bool is_named = line.flag("data-file") || (environment && *environment);
  if (!is_named && config_now(line).data_file != its.config.data_file) config.data_file = its.config.data_file;
}

std::string note_of_lowered_gates(const CommandLine& line, const Config& config, const report::Changes& changes,
                                  const report::CoverageData& data, const DiffSelection& selection, int python_minor,
                                  bool has_gate) {
  if (changes.base_commit.empty()) return "";
  Config now = config, before = config;
  StringList settings;
  if (changes_configuration(line, changes)) {
    try {
      now = config_now(line);
      before = base_config(line, changes.root, changes.base_commit).config;
      settings = report::lowered_settings(before, now);
      has_gate = has_gate || report::has_diff_gate(before);
    } catch (const report::ConfigError& error) {
      return fmt::format("The gates that this change lowers are not known. The configuration of the base: {}",
                         error.what());
    }
  }
  if (!has_gate) return settings.empty() ? "" : fmt::format("This change {}.", fmt::join(settings, ", "));
  const bool strict = line.flag("strict-config");
  const report::Exclusions old_patterns = written_exclusions(before),
                           patterns = written_exclusions(strict ? before : now);
  const bool other_patterns = old_patterns.exclude != patterns.exclude || old_patterns.partial != patterns.partial;
  const std::vector<Source> sources = sources_of(changes, data, selection, other_patterns);
  Lowered sum;
  report::in_order(
      sources.size(),
      [&](size_t i) { return lowered_in(sources[i], changes.root, old_patterns, patterns, python_minor); },
      [&](size_t, Lowered&& one) {
        sum.lines += one.lines;
        sum.branches += one.branches;
        sum.comments += one.comments;
      });
  StringList parts;
  if (sum.lines > 0) parts.push_back(fmt::format("excludes {}", report::plural(sum.lines, "line")));
  if (sum.branches > 0)
    parts.push_back(fmt::format("forgives the branches of {}", report::plural(sum.branches, "line")));
  if (sum.comments > 0)
    parts.push_back(fmt::format("has {} 'qd-cov: ignore'", report::plural(sum.comments, "new comment")));
  parts.insert(parts.end(), settings.begin(), settings.end());
  if (parts.empty()) return "";
  return fmt::format("This change {}.{}", fmt::join(parts, ", "),
                     strict && !settings.empty() ? " The gates are those of the base." : "");
}

}  // namespace qd::cli
