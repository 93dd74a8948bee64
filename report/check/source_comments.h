// Comments and docstrings of a source, with the code that they belong to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace qd::report {

/// Full-line comments below each other, a comment behind code, or a docstring.
struct SourceComment {
  int32_t first = 0, last = 0;     // physical lines
  std::string text;                // as written, lines joined by blanks
  std::vector<std::string> words;  // lower case; never empty
  bool is_docstring = false;
  std::string owner;   // of a docstring: "Class.method", empty for the module
  int32_t anchor = 0;  // of a comment: the line of code that it is about; 0 when there is no code
};

/// A line on which tokens begin.
struct CodeLine {
  int32_t line;
  std::string key;  // its tokens
};

struct SourceComments {
  bool is_python = false;  // false: only the comments that could be read
  int32_t error_line = 1;
  std::string error;
  int32_t n_lines = 0;
  std::vector<SourceComment> comments;  // by first lines
  std::vector<CodeLine> code;           // in order
  /// Definitions by qualified name: the line of `def` or `class`, and of the first decorator.
  struct Position {
    int32_t line = 1, first_line = 1;
  };
  std::map<std::string, Position> definitions;
};

/// Whether a file has Python's comments: a module, a script or a stub.
bool has_python_comments(const std::string& path);

/// Finds the comments of a text that decode_source returned. Directives for tools ("# noqa", "# type: ...") and lines
/// without a letter or digit are not comments.
SourceComments find_source_comments(const std::string& text);

/// Whether a comment (with its '#') is a directive for a tool.
bool is_directive(std::string_view comment);

/// Similarity of two comments, as a fraction from 0 to 1: by words and, when they are short, also by letters.
struct Likeness {
  int64_t same = 0, total = 1;
};
Likeness likeness(const SourceComment& a, const SourceComment& b);

}  // namespace qd::report
