// INI reader by the rules of Python's configparser (strict, no interpolation, no inline comments).
#include <fmt/format.h>

#include <climits>
#include <set>

#include "report/config/config_file.h"
#include "report/regex/python_text.h"

namespace qd::report {

namespace {

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// A section while it is being read: each option's value as lines.
struct OpenSection {
  std::string name;
  std::vector<std::pair<std::string, std::vector<std::string>>> options;
};

class IniReader {
 public:
  explicit IniReader(const std::string& path) : path_(path) {}

  void read(const std::string& text) {
    int number = 0;
    for (size_t start = 0; start < text.size();) {
      size_t end = std::min(text.find('\n', start), text.size());
      read_line(text.substr(start, end - start), ++number, end < text.size());
      start = end + 1;
    }
    if (!errors_.empty()) throw InvalidFile(fmt::format("Source contains parsing errors: '{}'{}", path_, errors_));
  }

  /// Returns the sections with the options of [DEFAULT] added.
  std::vector<ConfigSection> sections() const {
    std::vector<ConfigSection> result;
    for (const OpenSection& open : sections_) {
      ConfigSection section{open.name, {}, 0};
      add_options(section, open);
      const size_t n = section.options.size();
      add_options(section, defaults_);
      section.n_inherited = section.options.size() - n;
      result.push_back(std::move(section));
    }
    return result;
  }

 private:
  static void add_options(ConfigSection& section, const OpenSection& open) {
    for (const auto& [name, lines] : open.options) {
      if (section.find(name)) continue;
      std::string value = fmt::format("{}", fmt::join(lines, "\n"));
      size_t content = python_strip("|" + value).size() - 1;  // strips the end alone
      value.resize(content);
      section.options.emplace_back(name, ConfigValue{value});
    }
  }

  void read_line(const std::string& line, int number, bool has_end) {
    std::string value = python_strip(line);
    bool is_comment = value.starts_with('#') || value.starts_with(';');
    if (value.empty() || is_comment) {
      // An empty line may be part of a value; a comment never is.
      if (value.empty() && in_option_) current().options.back().second.emplace_back();
      return;
    }
    int indent = static_cast<int>(line.size() - python_strip(line + "|").size()) + 1;
    if (in_option_ && indent > indent_) {
      current().options.back().second.push_back(value);
      return;
    }
    indent_ = indent;
    size_t close = value.rfind(']');
    if (value[0] == '[' && close != std::string::npos && close > 1)
      open_section(value.substr(1, close - 1), number);
    else if (!has_section_)
      throw InvalidFile(fmt::format("File contains no section headers.\nfile: '{}', line: {}\n{}", path_, number,
                                    ConfigValue{line + (has_end ? "\n" : "")}.repr()));
    else
      open_option(value, line + (has_end ? "\n" : ""), number);
  }

  void open_section(const std::string& name, int number) {
    in_option_ = false;
    has_section_ = true;
    in_defaults_ = name == "DEFAULT";
    if (in_defaults_) return;
    for (const OpenSection& section : sections_)
      if (section.name == name)
        throw InvalidFile(
            fmt::format("While reading from '{}' [line {:2d}]: section '{}' already exists", path_, number, name));
    sections_.push_back({name, {}});
  }

  void open_option(const std::string& value, const std::string& line, int number) {
    size_t delimiter = value.find_first_of("=:");
    std::string name = delimiter == std::string::npos ? "" : lower(python_strip(value.substr(0, delimiter)));
    if (name.empty()) {
      if (delimiter != std::string::npos) in_option_ = false;  // ends the option: the next line cannot continue it
      errors_ += fmt::format("\n\t[line {:2d}]: {}", number, ConfigValue{line}.repr());
      return;
    }
    for (const auto& [other, lines] : current().options)
      if (other == name)
        throw InvalidFile(
            fmt::format("While reading from '{}' [line {:2d}]: option '{}' in section '{}' already exists", path_,
                        number, name, in_defaults_ ? "DEFAULT" : current().name));
    current().options.push_back({name, {python_strip(value.substr(delimiter + 1))}});
    in_option_ = true;
  }

  OpenSection& current() { return in_defaults_ ? defaults_ : sections_.back(); }

  std::string path_;
  std::vector<OpenSection> sections_;
  OpenSection defaults_{"DEFAULT", {}};
  bool has_section_ = false, in_defaults_ = false, in_option_ = false;
  int indent_ = 0;
  std::string errors_;
};

}  // namespace

std::optional<ConfigFile> read_ini(const std::string& path, bool our_file, const ReadText& read) {
  std::optional<std::string> text = read(path);
  if (!text) return std::nullopt;
  IniReader reader(path);
  reader.read(*text);
  ConfigFile file;
  file.prefixes = our_file ? std::vector<std::string>{"coverage:", ""} : std::vector<std::string>{"coverage:"};
  file.sections = reader.sections();
  return file;
}

}  // namespace qd::report
