// Diff file parser. It reads these lines of a diff:
//
//   diff --git a/f.py b/g.py                             git's own head of a file, which other tools do not write
//   new file mode 100644, deleted file mode, rename from f.py, rename to g.py, Binary files ... differ
//   --- a/f.py                                           names, of all tools; /dev/null for a file that does not exist
//   +++ b/g.py
//   @@ -2,7 +2,9 @@ anything                             hunks
//
//   Only in new/sub: f.py                                what diff -r writes of a file that only one version has
//
// Text between files belongs to a mail, and is skipped. Within the part about a file, any other line is an error: a
// garbled line there would hide the lines behind it.
#include "report/diff/diff_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>

#include "report/data/file_content.h"
#include "report/diff/patch.h"
#include "report/diff/tree_diff.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

/// The name in a line like "--- a/f.py<tab>2026-01-01", without the mark and the time; nothing for /dev/null.
std::optional<std::string> name_of(std::string_view line) {
  line.remove_prefix(4);
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::string name =
      unquote_path(line.starts_with('"') ? line.substr(0, line.rfind('"') + 1) : line.substr(0, line.find('\t')));
  if (name == "/dev/null") return std::nullopt;
  return name;
}

/// Resolves the name of a file in a diff, with or without the prefix that git adds.
class Places {
 public:
  Places(const std::string& root, const std::string& folder) : root_(root) {
    std::error_code error;
    inner_ = fs::relative(folder, root, error).generic_string();
    if (error || inner_ == "." || inner_.starts_with("..")) inner_.clear();
  }

  /// Path below the root. When there is no such file, the likeliest one.
  std::string find(const std::string& name) const {
    std::string stripped = without_prefix(name);
    for (const std::string& candidate : {stripped, name, in_folder(stripped), in_folder(name)})
      if (!candidate.empty() && fs::exists(fs::symlink_status(fs::path(root_) / checked(candidate))))
        return normal(candidate);
    return normal(checked(stripped));
  }

  /// The same path if there is such a file.
  std::optional<std::string> existing(const std::string& name) const {
    const fs::path path(name);
    const bool outside = path.is_absolute() || std::any_of(path.begin(), path.end(), [](const fs::path& part) {
                           return part == ".." || part == ".git";
                         });
    if (outside) return std::nullopt;
    std::string found = find(name);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(fs::path(root_) / found, error))) return std::nullopt;
    return found;
  }

  std::string old_name(const std::string& name) const { return normal(without_prefix(name)); }

 private:
  static std::string without_prefix(const std::string& name) {
    bool prefixed =
        name.size() > 2 && name[1] == '/' && std::string_view("abciow").find(name[0]) != std::string_view::npos;
    return prefixed ? name.substr(2) : name;
  }
  /// "src/a.py" for "./src//a.py": patterns know only this form.
  static std::string normal(const std::string& path) { return fs::path(path).lexically_normal().generic_string(); }
  std::string in_folder(const std::string& name) const { return inner_.empty() ? "" : inner_ + "/" + name; }

  static const std::string& checked(const std::string& path) {
    for (const fs::path& part : fs::path(path))
      if (part == ".." || part == "/" || part == ".git")
        throw std::runtime_error(fmt::format("The diff names '{}', which is not in this working tree.", path));
    return path;
  }

  std::string root_, inner_;
};

/// Lines of a file of the working tree, as git counts them.
class FileLines {
 public:
  explicit FileLines(const std::string& path) {
    text_ = read_bytes(path).value_or("");
    for (TextLines lines(text_); !lines.done();) lines_.push_back(lines.next());
  }

  static int32_t count(std::string_view text) {
    int32_t n = 0;
    for (TextLines lines(text); !lines.done(); lines.next()) ++n;
    return n;
  }

  /// Whether a line has the text of the diff. Line ends of Windows, which mails and editors change, do not matter.
  bool has(int32_t line, std::string_view text) const {
    if (line < 1 || static_cast<size_t>(line) > lines_.size()) return false;
    return without_return(lines_[static_cast<size_t>(line) - 1]) == without_return(text);
  }

 private:
  static std::string_view without_return(std::string_view text) {
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }

  std::string text_;
  std::vector<std::string_view> lines_;
};

/// Whether a line is one of the extended headers that tools write besides the names and hunks of a file.
bool is_remark(std::string_view line) {
  constexpr std::array<std::string_view, 13> kRemarks = {"index ",
                                                         "old mode ",
                                                         "new mode ",
                                                         "similarity index ",
                                                         "dissimilarity index ",
                                                         "Index: ",
                                                         "Prereq: ",
                                                         "=====",
                                                         "=== ",
                                                         "\\ ",
                                                         "Common subdirectories: ",
                                                         "RCS file: ",
                                                         "retrieving revision "};
  return std::any_of(kRemarks.begin(), kRemarks.end(),
                     [&](std::string_view remark) { return line.starts_with(remark); });
}

/// Whether a line ends the part about a file: an empty line, the signature of a mail, the next mail or commit.
bool is_end(std::string_view line) {
  return line.empty() || line == "-- " || line == "--" || line.starts_with("From ") || line.starts_with("commit ") ||
         line.starts_with("# ");
}

/// Whether a line says that two files differ, in place of their lines.
bool tells_binary(std::string_view line) {
  return (line.starts_with("Binary files ") || line.starts_with("Files ")) && line.ends_with(" differ");
}

/// Whether "a1b2c3" is the id of a text without a line, in SHA-1 or SHA-256.
bool is_empty_blob(std::string_view id) {
  auto is_of = [&](std::string_view whole) { return whole.starts_with(id); };
  return is_of("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391") ||
         is_of("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& root, const std::string& folder)
      : lines_(text), root_(root), places_(root, folder) {}

  std::vector<ChangedFile> read() {
    while (!lines_.done()) read_line();
    if (open_ && !named_ && !told_) throw_cut(head_);
    finish_file();
    if (n_sections_ == 0) throw std::runtime_error("This is no unified diff: make one with 'git diff BASE...HEAD'.");
    return std::move(files_);
  }

 private:
  void read_line() {
    std::string_view line = lines_.peek();
    if (line.starts_with("@@@ ") || line.starts_with("diff --cc ") || line.starts_with("diff --combined "))
      throw std::runtime_error(
          "The diff is one of a merge with all of its parents: make it with 'git diff BASE...HEAD'.");
    if (line.starts_with("@@ ") && named_) return read_hunk();
    lines_.next();
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("diff -")) {
      finish_file();
      begin_file(line);
    } else if (tells_binary(line) && (!open_ || named_)) {  // diff -r writes no head before it
      finish_file();
      begin_file(line);
      read_remark(line);
      finish_file();
    } else if (const std::optional<std::string> path = only_new(line)) {
      finish_file();
      add_only_new(*path);
    } else if (line.starts_with("Only in ")) {
      finish_file();
    } else if (line.starts_with("--- ") && lines_.peek().starts_with("+++ ")) {
      if (named_) finish_file();
      if (!open_) begin_file(line);
      read_names(line, lines_.next());
    } else if (line.starts_with("@@ ")) {
      throw_unexpected(line);  // a hunk without a file
    } else if (open_ && read_remark(line)) {
      told_ = true;
    } else if (open_ && is_binary_patch_) {
      // Skips the encoded data of a binary patch.
    } else if (open_ && is_end(line)) {
      finish_file();
    } else if (open_) {
      throw_unexpected(line);
    }
  }

  void begin_file(std::string_view head) {
    open_ = true;
    head_ = head;
    ++n_sections_;
  }

  /// The file in "Only in new/sub: f.py", if it is there. The words before the folder depend on the user's language.
  std::optional<std::string> only_new(std::string_view line) const {
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos || line.starts_with(' ')) return std::nullopt;  // else it may be a message
    const std::string_view words = line.substr(0, colon), name = line.substr(colon + 2);
    if (name.empty()) return std::nullopt;
    for (size_t blank = words.find(' '); blank != std::string_view::npos; blank = words.find(' ', blank + 1))
      if (auto path = places_.existing(fmt::format("{}/{}", words.substr(blank + 1), name))) return path;
    return std::nullopt;
  }

  /// Adds a file that only the new version has, whose lines are all new.
  void add_only_new(const std::string& found) {
    file_.path = found;
    const fs::path path = fs::path(root_) / file_.path;
    const std::string last = path.filename().string();
    if (fs::is_directory(path) && !last.starts_with('.') && last != "__pycache__")
      throw std::runtime_error(fmt::format(
          "The diff does not list the files of '{}', which only one version has: make it with 'diff -N', or leave "
          "the folder out with '-x'.",
          file_.path));
    const std::optional<std::string> text = fs::is_regular_file(path) ? read_bytes(path.string()) : std::nullopt;
    file_.kind = ChangeKind::Added;
    file_.is_binary = text && looks_binary(*text);
    if (text && !file_.is_binary) file_.add({1, 0, 1, FileLines::count(*text)});
    if (text) add_file();
    file_ = {};
  }

  /// Reads a header line of a file; false when it is none.
  bool read_remark(std::string_view line) {
    if (line.starts_with("rename from ")) {
      file_.old_path = unquote_path(line.substr(12));
    } else if (line.starts_with("rename to ")) {
      file_.kind = ChangeKind::Renamed;
      file_.path = places_.find(unquote_path(line.substr(10)));
    } else if (line.starts_with("copy from ")) {
      file_.old_path = unquote_path(line.substr(10));
    } else if (line.starts_with("copy to ")) {
      file_.kind = ChangeKind::Copied;
      file_.path = places_.find(unquote_path(line.substr(8)));
    } else if (line.starts_with("new file mode ")) {
      file_.kind = ChangeKind::Added;
      file_.is_regular = line.starts_with("new file mode 100");
    } else if (line.starts_with("deleted file mode ")) {
      file_.kind = ChangeKind::Deleted;
    } else if (tells_binary(line)) {
      read_binary(line.substr(0, line.size() - 7));
    } else if (line == "GIT binary patch") {
      is_binary_patch_ = true;
      read_binary(head_);
    } else if (is_remark(line)) {
      read_state(line);
    } else {
      return false;
    }
    return true;
  }

  /// Reads "index 1a2b3c..4d5e6f 100644" and other lines that tell whether hunks have to follow.
  void read_state(std::string_view line) {
    if (line.starts_with("index ") && file_.old_id.empty()) {
      std::string_view ids = line.substr(6, line.find(' ', 6) - 6);
      size_t dots = ids.find("..");
      if (dots == std::string_view::npos || ids.find_first_not_of("0123456789abcdef.") != std::string_view::npos)
        throw_unexpected(line);
      file_.old_id = ids.substr(0, dots);
      std::string_view new_id = ids.substr(dots + 2);
      if (new_id != file_.old_id && !is_empty_blob(new_id)) wants_lines_ = true;
      if (line.ends_with(" 120000") || line.ends_with(" 160000")) file_.is_regular = false;
    } else if (line.starts_with("similarity index ") && line != "similarity index 100%") {
      wants_lines_ = true;
    } else if (line.starts_with("old mode ")) {
      has_modes_ = true;  // ids may then differ in white space that --ignore-all-space leaves out
    }
  }

  /// Reads the new name of "... a/OLD and b/NEW" or "diff --git a/NAME b/NAME".
  void read_binary(std::string_view names) {
    file_.is_binary = true;
    if (!file_.path.empty()) return;
    if (names.ends_with('"')) {
      file_.path = places_.find(unquote_path(names.substr(names.rfind(" \"") + 1)));
      return;
    }
    std::string_view between = names.starts_with("diff ") ? " b/" : " and ";
    size_t at = names.rfind(between);
    if (at == std::string_view::npos) return;
    std::string_view name = names.substr(at + between.size() - (names.starts_with("diff ") ? 2 : 0));
    if (name == "/dev/null")
      file_.kind = ChangeKind::Deleted;
    else
      file_.path = places_.find(unquote_path(name));
  }

  [[noreturn]] static void throw_cut(const std::string& what) {
    throw std::runtime_error(fmt::format("The diff is cut off or damaged: no lines follow '{}'.", what));
  }

  void read_names(std::string_view old_line, std::string_view new_line) {
    named_ = true;
    std::optional<std::string> old_name = name_of(old_line), new_name = name_of(new_line);
    if (!new_name) {
      file_.kind = ChangeKind::Deleted;
      file_.path = old_name ? places_.old_name(*old_name) : "";
      return;
    }
    if (!old_name) file_.kind = ChangeKind::Added;
    if (file_.path.empty()) file_.path = places_.find(*new_name);
    if (!fs::exists(fs::symlink_status(fs::path(root_) / file_.path)))
      throw std::runtime_error(fmt::format("The diff names '{}', which is not in this working tree.", file_.path));
  }

  void read_hunk() {
    has_hunks_ = true;
    if (!file_.is_regular) return parse_hunk(lines_, &file_, [&](int32_t, std::string_view text) { check_link(text); });
    if (file_.kind == ChangeKind::Deleted) return parse_hunk(lines_, &file_);
    if (!content_) content_.emplace((fs::path(root_) / file_.path).string());
    auto has_to_be_there = [&](int32_t line, std::string_view text) {
      if (content_->has(line, text)) return;
      throw std::runtime_error(fmt::format(
          "The diff is of another version of '{}': its line {} is not what the diff says.", file_.path, line));
    };
    auto removed = [&](int32_t line, std::string_view text) {
      all_removed_are_there_ = all_removed_are_there_ && content_->has(line, text);
      removes_text_ = removes_text_ || text.find_first_not_of(" \t\r\f") != std::string_view::npos;
    };
    parse_hunk(lines_, &file_, has_to_be_there, removed);
  }

  /// Compares the target of a link with the text that the diff has for it.
  void check_link(std::string_view text) const {
    const fs::path path = fs::path(root_) / file_.path;
    std::error_code error;
    if (fs::is_symlink(path, error) && fs::read_symlink(path, error).string() != text)
      throw std::runtime_error(fmt::format(
          "The diff is of another version of '{}': it is a link that does not lead where the diff says.", file_.path));
  }

  void finish_file() {
    if (open_ && !has_hunks_ && !file_.is_binary &&
        (named_ || (wants_lines_ && !has_modes_ && file_.kind != ChangeKind::Deleted)))
      throw_cut(head_);
    // Without a new line, nothing else tells a diff of old to new from one of new to old.
    if (removes_text_ && all_removed_are_there_ && file_.added.empty())
      throw std::runtime_error(fmt::format(
          "The diff removes lines of '{}' that are there: it is of another version, or of new to old.", file_.path));
    if (open_ && !file_.path.empty()) add_file();
    file_ = {};
    content_.reset();
    open_ = named_ = told_ = has_hunks_ = wants_lines_ = has_modes_ = is_binary_patch_ = removes_text_ = false;
    all_removed_are_there_ = true;
  }

  void add_file() {
    const bool again = file_.kind != ChangeKind::Deleted && !paths_.insert(file_.path).second;
    if (again)  // each line would count twice
      throw std::runtime_error(
          fmt::format("The diff has two parts about '{}': give one diff of all changes.", file_.path));
    files_.push_back(std::move(file_));
  }

  TextLines lines_;
  std::string root_;
  Places places_;
  std::vector<ChangedFile> files_;
  ChangedFile file_;
  std::optional<FileLines> content_;
  std::string head_;       // first line of the part about the file
  size_t n_sections_ = 0;  // number of files in the diff
  bool open_ = false;      // within the part about a file
  bool named_ = false;     // its names are known: hunks may follow
  bool told_ = false;      // a header line names the kind of change
  bool has_hunks_ = false, wants_lines_ = false, has_modes_ = false, is_binary_patch_ = false;
  bool removes_text_ = false, all_removed_are_there_ = true;
  std::set<std::string> paths_;  // of the files that are not deleted
};

}  // namespace

std::vector<ChangedFile> parse_diff_file(std::string_view text, const std::string& root, const std::string& folder) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw std::runtime_error(
        "The diff is in UTF-16: write it with 'git diff --output=FILE', which leaves the encoding alone.");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return {};
  return Reader(text, root, folder).read();
}

}  // namespace qd::report
