// What is read of a diff:
//
//   diff --git a/f.py b/g.py                             git's own head of a file, which other tools do not write
//   new file mode 100644, deleted file mode, rename from f.py, rename to g.py, Binary files ... differ
//   --- a/f.py                                           names, of all tools; /dev/null for a file that is not there
//   +++ b/g.py
//   @@ -2,7 +2,9 @@ anything                             hunks
//
// Anything between files is a mail's text, or what a tool has to say.
#include "report/diff/diff_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "report/data/file_content.h"
#include "report/diff/patch.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

/// "--- a/f.py<tab>2026-01-01": what is left of it without the mark and the time; nothing for /dev/null.
std::optional<std::string> name_of(std::string_view line) {
  line.remove_prefix(4);
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::string name = unquote_path(line.starts_with('"') ? line.substr(0, line.rfind('"') + 1) : line.substr(0, line.find('\t')));
  if (name == "/dev/null") return std::nullopt;
  return name;
}

/// Finds the file that a name of a diff means: with or without the prefix that git puts before it.
class Places {
 public:
  Places(const std::string& root, const std::string& folder) : root_(root) {
    std::error_code error;
    inner_ = fs::relative(folder, root, error).generic_string();
    if (error || inner_ == "." || inner_.starts_with("..")) inner_.clear();
  }

  /// The path under the root; the likeliest when there is no such file.
  std::string find(const std::string& name) const {
    std::string stripped = without_prefix(name);
    for (const std::string& candidate : {stripped, name, in_folder(stripped), in_folder(name)})
      if (!candidate.empty() && fs::exists(fs::path(root_) / checked(candidate))) return candidate;
    return checked(stripped);
  }

  std::string old_name(const std::string& name) const { return without_prefix(name); }

 private:
  static std::string without_prefix(const std::string& name) {
    bool prefixed = name.size() > 2 && name[1] == '/' && std::string_view("abciow").find(name[0]) != std::string_view::npos;
    return prefixed ? name.substr(2) : name;
  }
  std::string in_folder(const std::string& name) const { return inner_.empty() ? "" : inner_ + "/" + name; }

  static const std::string& checked(const std::string& path) {
    for (const fs::path& part : fs::path(path))
      if (part == ".." || part == "/") throw std::runtime_error(fmt::format("The diff names '{}', which is not in this working tree.", path));
    return path;
  }

  std::string root_, inner_;
};

/// The lines of a file of the working tree, as git counts them.
class FileLines {
 public:
  explicit FileLines(const std::string& path) {
    text_ = read_bytes(path).value_or("");
    for (TextLines lines(text_); !lines.done();) lines_.push_back(lines.next());
  }

  /// Whether a line is what the diff says; line ends of Windows, which mail and editors change, do not matter.
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

class Reader {
 public:
  Reader(std::string_view text, const std::string& root, const std::string& folder) : lines_(text), root_(root), places_(root, folder) {}

  std::vector<ChangedFile> read() {
    while (!lines_.done()) read_line();
    finish_file();
    return std::move(files_);
  }

 private:
  void read_line() {
    std::string_view line = lines_.peek();
    if (line.starts_with("@@ ") && named_) return read_hunk();
    if (line.starts_with("@@@ "))
      throw std::runtime_error("The diff is one of a merge with all of its parents: make it with 'git diff BASE...HEAD'.");
    lines_.next();
    if (line.starts_with("diff ")) {
      finish_file();
      open_ = true;
    } else if (line.starts_with("--- ") && lines_.peek().starts_with("+++ ")) {
      if (named_) finish_file();
      open_ = true;
      read_names(line, lines_.next());
    } else if (open_ && line.starts_with("rename from ")) {
      file_.old_path = unquote_path(line.substr(12));
    } else if (open_ && line.starts_with("rename to ")) {
      file_.kind = ChangeKind::Renamed;
      file_.path = places_.find(unquote_path(line.substr(10)));
    } else if (open_ && line.starts_with("copy from ")) {
      file_.old_path = unquote_path(line.substr(10));
    } else if (open_ && line.starts_with("copy to ")) {
      file_.kind = ChangeKind::Copied;
      file_.path = places_.find(unquote_path(line.substr(8)));
    } else if (open_ && line.starts_with("new file mode ")) {
      file_.kind = ChangeKind::Added;
      file_.is_regular = line.starts_with("new file mode 100");
    }
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
    if (!fs::exists(fs::path(root_) / file_.path))
      throw std::runtime_error(fmt::format("The diff names '{}', which is not in this working tree.", file_.path));
  }

  void read_hunk() {
    if (!file_.is_regular) return parse_hunk(lines_, nullptr);
    if (file_.kind == ChangeKind::Deleted) return parse_hunk(lines_, &file_);
    if (!content_) content_.emplace((fs::path(root_) / file_.path).string());
    parse_hunk(lines_, &file_, [&](int32_t line, std::string_view text) {
      if (content_->has(line, text)) return;
      throw std::runtime_error(fmt::format("The diff is of another version of '{}': its line {} is not what the diff says.", file_.path, line));
    });
  }

  void finish_file() {
    if (open_ && !file_.path.empty()) files_.push_back(std::move(file_));
    file_ = {};
    content_.reset();
    open_ = named_ = false;
  }

  TextLines lines_;
  std::string root_;
  Places places_;
  std::vector<ChangedFile> files_;
  ChangedFile file_;
  std::optional<FileLines> content_;
  bool open_ = false;   // within what is said of a file
  bool named_ = false;  // its names are known: hunks may follow
};

}  // namespace

std::vector<ChangedFile> parse_diff_file(std::string_view text, const std::string& root, const std::string& folder) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    throw std::runtime_error("The diff is in UTF-16: write it with 'git diff --output=FILE', which leaves the encoding alone.");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return {};
  bool is_diff = text.starts_with("diff ") || text.starts_with("--- ") || text.find("\ndiff --git ") != std::string_view::npos ||
                 text.find("\n--- ") != std::string_view::npos;
  if (!is_diff) throw std::runtime_error("This is no unified diff: make one with 'git diff BASE...HEAD'.");
  return Reader(text, root, folder).read();
}

}  // namespace qd::report
