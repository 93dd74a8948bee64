// Combination of many data files, in memory; the disk is changed only afterwards.
#include "report/data/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "report/data/data_file_check.h"
#include "report/data/data_pages.h"
#include "report/data/data_update.h"
#include "report/data/file_content.h"
#include "report/data/in_order.h"
#include "report/data/journal.h"
#include "report/data/merge.h"
#include "report/data/source_version.h"
#include "report/data/utf8.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

std::string plural(size_t n, const char* noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

/// List of paths for a message: "a.py, b.py, c.py and 5 other files".
std::string some_of(const std::vector<std::string>& paths) {
  constexpr size_t kShown = 10;
  std::string text = fmt::format(
      "{}",
      fmt::join(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), kShown)), ", "));
  if (paths.size() > kShown) text += " and " + plural(paths.size() - kShown, "other file");
  return text;
}

/// The same with names alone, in quotes: "'a', 'b' and 5 other files".
std::string quoted_some_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(fmt::format("'{}'", fs::path(path).filename().string()));
  return some_of(names);
}

/// An input, as a thread has read it.
struct Input {
  std::optional<FileIdentity> identity;
  std::string name_hash;
  std::optional<uint64_t> content_hash;
  std::optional<CoverageData> data;
  bool is_import = false;  // of another tool
  std::optional<FoundJournal> journal;
  std::string error;  // reason when there is no data
};

Input read_input(const std::string& path, bool may_be_empty, const CombineOptions& options) {
  thread_local FileContent content;
  Input input;
  if (is_journal(path)) input.journal = find_journal(path);  // before it is read: it may get more data meanwhile
  input.identity = FileIdentity::of(path);
  input.name_hash = hash_in_name(path);
  try {
    if (options.import) input.data = options.import(path);
    if (input.data && input.data->imported.empty() && input.data->ambiguous.empty()) {
      input.error = input.data->damage;
      input.data.reset();
      return input;
    }
    if (input.data) {
      input.is_import = true;
      input.content_hash = hash_of_file(path);
      return input;
    }
    std::optional<std::string_view> bytes = input.journal ? std::nullopt : content.read(path);
    if (input.name_hash.empty()) input.content_hash = bytes ? hash_of(*bytes) : hash_of_file(path);
    if (bytes) input.data = read_data_pages(path, *bytes);
    if (!input.data) input.data = input.journal ? read_journal(path) : read_data_with_sqlite(path, may_be_empty);
    input.data->written = written_at(path);
  } catch (const DataError& error) {
    input.error = error.what();
  }
  return input;
}

/// State of one run of `combine`.
class Combination {
 public:
  explicit Combination(const CombineOptions& options) : options_(options), output_(absolute(options.data_file)) {
    for (const std::string& path : options.paths) named_.insert(absolute(path));
  }

  CombineCounts run() {
    DataUpdate update(output_, options_.warn);
    counts_.completed = !update.completed().empty();
    const std::vector<std::string> files = inputs(update.completed());
    if (files.empty() && counts_.completed) return counts_;
    if (files.empty()) throw NoDataError("No data to combine");
    if (adds_ = options_.append || counts_.completed; adds_) result_ = update.present();
    forget_deleted();
    note_doubts(result_);
    result_.path = output_;
    in_order(
        files.size(), [&](size_t i) { return read_input(files[i], files[i] == output_, options_); },
        [&](size_t i, Input&& input) {
          add(files[i], std::move(input));
          if (options_.progress) options_.progress(i + 1, files.size());
        },
        4 * worker_threads(files.size()));
    if (counts_.combined == 0) throw NoDataError("No usable data files");
    note_unread();
    counts_.note = mixed_note(result_);
    const std::string joined = joined_note(result_);
    update.commit(std::move(result_), done_);
    if (options_.warn && !joined.empty()) options_.warn(joined);
    for (const std::string& damage : damage_)
      if (options_.warn) options_.warn(damage);
    tell_kept();
    return counts_;
  }

 private:
  void tell(const char* what, const std::string& file, const std::string& more = "") const {
    if (options_.detail) options_.detail(what + fs::path(file).lexically_relative(fs::current_path()).string() + more);
  }

  /// Returns the inputs, without those whose data an earlier combination has put into its result.
  std::vector<std::string> inputs(const std::set<std::string>& completed) const {
    std::vector<std::string> paths = options_.paths;
    std::erase_if(paths,
                  [&](const std::string& path) { return completed.contains(absolute(path)) && !fs::exists(path); });
    if (paths.empty() && !options_.paths.empty()) return {};
    std::vector<std::string> files = combinable_files(options_.data_file, paths);
    if (options_.parts_only) std::erase_if(files, [&](const std::string& file) { return !is_part(file, output_); });
    return files;
  }

  /// Forgets the unread inputs of the data file that were deleted since: the excuse of a user who cannot have them
  /// whole. Those of an input stay, which may be of another machine. A report tries its parts again each time: a part
  /// that was deleted is lost to it.
  void forget_deleted() {
    std::error_code error;
    if (options_.parts_only) return;
    std::erase_if(result_.unread_inputs, [&](const fs::path& path) {
      return fs::exists(path.parent_path(), error) && !fs::exists(path, error) &&
             !fs::exists(name_aside(path.string()), error);
    });
  }

  /// Notes the inputs that could not be read, and forgets those of earlier combinations that were read by now.
  void note_unread() {
    std::erase_if(result_.unread_inputs, [&](const std::string& path) { return read_.contains(path); });
    for (const std::string& path : options_.left) result_.unread_inputs.insert(shown_text(path));
    for (const std::string& path : unread_)
      if (!options_.parts_only && !read_.contains(hash_in_name(path))) result_.unread_inputs.insert(shown_text(path));
  }

  /// Whether the process of a journal may add to it. An unknown process has ended if the journal is named.
  bool may_grow(const std::string& file, const Input& input) const {
    if (!input.journal || input.journal->state == ProcessState::Ended) return false;
    return input.journal->state == ProcessState::Runs || !named_.contains(file);
  }

  /// Warns of the journals that were combined, but are kept.
  void tell_kept() const {
    if (!options_.warn) return;
    for (const auto& [state, journals] : growing_) {
      const bool one = journals.size() == 1;
      const std::string kept = fmt::format("{} {} kept", quoted_some_of(journals), one ? "is" : "are");
      const char* processes = one ? "process" : "processes";
      if (state == ProcessState::Runs)
        options_.warn(fmt::format("{}: the {} {} still running", kept, processes, one ? "is" : "are"));
      else
        options_.warn(fmt::format(
            "{}: the {} on host{} '{}' may still be running. That cannot be seen from this host, because the folder is "
            "shared without locks. The data so far is combined. Afterwards, add the rest with 'qd-cov combine "
            "--append' "
            "and the names of the files",
            kept, processes, hosts_.size() == 1 ? "" : "s", fmt::join(hosts_, "', '")));
    }
  }

  /// Notes that the data of an input is in the result, so that the input can be deleted. An unread input (a duplicate
  /// by its name) is noted only if it is measured data.
  void take(const std::string& file, const Input& input) {
    if (options_.keep || input.is_import || !input.identity || may_grow(file, input)) return;
    if (!input.data && !is_measured_data(file)) return;
    done_.push_back({file, *input.identity, input.data && !input.data->damage.empty()});
  }

  void add(const std::string& file, Input input) {
    if (file == output_ && adds_) return;
    if (duplicates_.seen_before(file, input.name_hash, input.content_hash)) {
      ++counts_.skipped;
      if (input.data) input.data->damage.clear();
      take(file, input);
      tell("Skipping duplicate data ", file);
      return;
    }
    if (!input.data) {
      ++counts_.errored;
      duplicates_.forget(input.name_hash);
      if (options_.warn) options_.warn(input.error);
      if (named_.contains(file) || is_lost_data(file)) {
        unread_.push_back(file);
        if (options_.unread) options_.unread(file);
      }
      tell("Couldn't combine data file ", file, ": " + input.error);
      return;
    }
    take(file, input);
    if (!input.data->unread_inputs.contains(shown_text(file))) read_.insert(shown_text(file));  // all of it was read
    if (!input.name_hash.empty()) read_.insert(input.name_hash);
    if (!input.data->damage.empty()) damage_.push_back(input.data->damage);
    merger_.add(std::move(*input.data));
    const bool grows = may_grow(file, input);
    if (grows) {
      growing_[input.journal->state].push_back(file);
      hosts_.insert(input.journal->writer.host);
    }
    if ((options_.keep || grows) && !input.is_import && input.content_hash)
      result_.kept_inputs.insert(*input.content_hash);
    ++counts_.combined;
    tell("Combined data file ", file);
  }

  const CombineOptions& options_;
  const std::string output_;
  CoverageData result_;
  Merger merger_{result_, options_.map_path, options_.mixed};
  CombineCounts counts_;
  Duplicates duplicates_;
  std::vector<CombinedInput> done_;
  std::vector<std::string> damage_;
  std::set<std::string> named_;  // inputs that are no contents of a folder
  std::vector<std::string> unread_;
  std::set<std::string> read_;  // paths, and hashes in their names
  std::map<ProcessState, std::vector<std::string>> growing_;
  std::set<std::string> hosts_;
  bool adds_ = false;
};

}  // namespace

std::string CombineCounts::message() const {
  const bool nothing_else = completed && combined + skipped + errored == 0;
  std::string text = completed ? "Completed a combination that was interrupted" : "";
  if (nothing_else) return text;
  text += (completed ? ". Combined " : "Combined ") + plural(combined, "file");
  if (skipped) text += fmt::format(", skipped {}", skipped);
  if (errored) text += fmt::format(", {} errored", plural(errored, "file"));
  return text;
}

std::string mixed_note(const CoverageData& data) {
  if (!data.is_mixed()) return "";
  std::vector<std::string> none, partly;
  for (const auto& [path, file] : data.files) {
    if (file.lines_only)
      none.push_back(path);
    else if (!file.lines.empty())
      partly.push_back(path);
  }
  std::string note;
  if (!none.empty()) note = "No branch data for " + some_of(none);
  if (!partly.empty())
    note += fmt::format("{}ome lines without branch data in {}", note.empty() ? "S" : "; s", some_of(partly));
  return note;
}

std::string joined_note(const CoverageData& data) {
  if (data.joined.empty()) return "";
  const auto& [path, names] = *data.joined.begin();
  const std::string more =
      data.joined.size() == 1 ? "" : fmt::format(" (and {} more such files)", data.joined.size() - 1);
  return fmt::format(
      "{} became one file, '{}'{}, because their paths end alike and relative_files is set: a line that ran in either "
      "counts",
      some_of({names.begin(), names.end()}), path, more);
}

void leave_out_kept(std::vector<std::string>& files, const std::set<uint64_t>& kept) {
  if (kept.empty()) return;
  std::erase_if(files, [&](const std::string& file) {
    const std::optional<uint64_t> hash = hash_of_file(file);
    return hash && kept.contains(*hash);
  });
}

CombineCounts combine_data(const CombineOptions& options) { return Combination(options).run(); }

void erase_data(const std::string& data_file, bool with_parts) {
  fs::path path = absolute(data_file);
  if (!fs::is_directory(path.parent_path())) return;
  const DataUpdate turn(path, {});
  std::vector<std::string> files{path.string()}, others;
  for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path()))
    if (std::string file = entry.path().string();
        is_part_of_kernels(file) || (with_parts && is_part(file, path.string())))
      (is_measured_data(file) ? files : others).push_back(std::move(file));
  for (FoundJournal& journal : find_journals(path.parent_path().string()))
    if (journal.state == ProcessState::Ended)
      (is_measured_data(journal.path) ? files : others).push_back(std::move(journal.path));
  for (const std::string& file : files) {
    std::error_code error;
    if (!fs::remove(file, error) && error)
      throw DataError(fmt::format("Couldn't delete '{}': {}", file, error.message()));
  }
  if (others.empty()) return;
  std::sort(others.begin(), others.end());
  throw DataError(fmt::format("Not erased, because it isn't coverage data: {}", some_of(others)));
}

}  // namespace qd::report
