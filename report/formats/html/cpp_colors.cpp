// Lexer of C++ for colours. Only comments and raw strings go on over line ends.
#include <algorithm>
#include <array>
#include <string_view>

#include "report/data/ascii.h"
#include "report/formats/html/source_colors.h"

namespace qd::report {

namespace {

constexpr std::array<std::string_view, 100> kKeywords = {
    "__device__",
    "__global__",
    "__host__",
    "__shared__",
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));

bool is_keyword(std::string_view word) { return std::binary_search(kKeywords.begin(), kKeywords.end(), word); }

class CppColorer {
 public:
  std::vector<ColorSpan> line(std::string_view text) {
    text_ = text;
    at_ = 0;
    spans_.clear();
    if (!in_comment_ && raw_end_.empty()) directive();
    while (at_ < text_.size()) {
      if (in_comment_)
        comment(at_);
      else if (!raw_end_.empty())
        raw_string(at_);
      else
        token();
    }
    return std::move(spans_);
  }

 private:
  void add(size_t begin, char name) {
    if (begin < at_) spans_.push_back({static_cast<int32_t>(begin), static_cast<int32_t>(at_), name});
  }
  bool here(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  /// Colours a preprocessor line: #include <...>, #define NAME
  void directive() {
    size_t first = text_.find_first_not_of(" \t");
    if (first == std::string_view::npos || text_[first] != '#') return;
    at_ = text_.find_first_not_of(" \t", first + 1);
    if (at_ == std::string_view::npos) at_ = text_.size();
    size_t word = at_;
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    std::string_view name = text_.substr(word, at_ - word);
    add(first, 'k');
    if (name != "include") return;
    size_t open = text_.find('<', at_), close = text_.find('>', at_);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return;
    at_ = close + 1;
    add(open, 's');
  }

  void comment(size_t begin) {
    size_t end = text_.find("*/", at_);
    in_comment_ = end == std::string_view::npos;
    at_ = in_comment_ ? text_.size() : end + 2;
    add(begin, 'h');
  }

  void raw_string(size_t begin) {
    size_t end = text_.find(raw_end_, at_);
    at_ = end == std::string_view::npos ? text_.size() : end + raw_end_.size();
    if (end != std::string_view::npos) raw_end_.clear();
    add(begin, 's');
  }

  void quoted(size_t begin) {
    char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    add(begin, 's');
  }

  void token() {
    size_t begin = at_;
    char c = text_[at_];
    if (here("//")) {
      at_ = text_.size();
      add(begin, 'h');
    } else if (here("/*")) {
      at_ += 2;
      comment(begin);
    } else if (c == '"' || c == '\'') {
      quoted(begin);
    } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
      number(begin);
    } else if (is_in_name(c)) {
      word(begin);
    } else {
      ++at_;
    }
  }

  void number(size_t begin) {
    while (at_ < text_.size()) {
      char c = text_[at_];
      bool sign = (c == '+' || c == '-') && at_ > begin &&
                  std::string_view("eEpP").find(text_[at_ - 1]) != std::string_view::npos &&
                  !text_.substr(begin).starts_with("0x");
      bool separator = c == '\'' && at_ + 1 < text_.size() && is_in_name(text_[at_ + 1]);
      if (!is_in_name(c) && c != '.' && !sign && !separator) break;
      ++at_;
    }
    add(begin, 'i');
  }

  void word(size_t begin) {
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    std::string_view name = text_.substr(begin, at_ - begin);
    bool string_follows = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
    bool prefix = name == "L" || name == "u" || name == "U" || name == "u8" || name == "R" || name == "LR" ||
                  name == "uR" || name == "UR" || name == "u8R";
    if (string_follows && prefix && name.ends_with('R') && text_[at_] == '"') {
      size_t open = text_.find('(', at_);
      if (open != std::string_view::npos && open - at_ <= 17) {
        raw_end_ = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        at_ = open + 1;
        return raw_string(begin);
      }
    }
    if (string_follows && prefix) return quoted(begin);
    if (is_keyword(name)) add(begin, 'k');
  }

  std::string_view text_;
  size_t at_ = 0;
  bool in_comment_ = false;
  std::string raw_end_;  // end of the open raw string
  std::vector<ColorSpan> spans_;
};

}  // namespace

bool is_cpp_name(const std::string& path) {
  constexpr std::array<std::string_view, 21> kEndings = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".h",   ".hh",
                                                         ".hpp", ".hxx", ".h++", ".inl", ".inc", ".ipp", ".tpp",
                                                         ".tcc", ".ixx", ".m",   ".mm",  ".cu",  ".cuh", ".hip"};
  size_t dot = path.rfind('.');
  if (dot == std::string::npos) return false;
  std::string ending = path.substr(dot);
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

std::vector<std::vector<ColorSpan>> cpp_colors(const std::vector<std::string>& lines) {
  CppColorer colorer;
  std::vector<std::vector<ColorSpan>> result;
  for (const std::string& line : lines) result.push_back(colorer.line(line));
  return result;
}

std::vector<std::vector<ColorSpan>> source_colors(const std::string& path, const std::vector<std::string>& lines) {
  return is_cpp_name(path) ? cpp_colors(lines) : python_colors(lines);
}

}  // namespace qd::report
