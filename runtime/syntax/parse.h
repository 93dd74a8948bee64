// Parser of Python source: bytes to text, text to tokens, tokens to the syntax tree.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/syntax/ast.h"

namespace qd::syntax {

enum class TokenKind : uint8_t {
  Name,
  Number,
  String,
  FStringStart,
  FStringMiddle,
  FStringEnd,
  Op,
  Newline,
  Indent,
  Dedent,
  EndMarker,
};

/// The keyword or operator of a token (symbols.h).
enum class Symbol : uint8_t;

/// A token. Comments, blank lines and line joins are none. `text` is a view of the module's source (empty for Indent,
/// Dedent, EndMarker).
struct Token {
  TokenKind kind;
  Symbol symbol;
  Range range;
  std::string_view text;
};

/// The syntax error of a source, in CPython's words if it has them. Line from 1; column from 0, in UTF-8 bytes.
struct SyntaxError {
  std::string message;
  int32_t line = 0;
  int32_t col = 0;
};

class Arena;

/// A parsed source. Owns the text, the tokens and the arena that the tree lives in; every view and pointer dies with
/// it.
class Module {
 public:
  Module();
  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  std::string source;  // UTF-8, line ends are '\n', ends with '\n' unless empty
  std::vector<Token> tokens;
  List<StmtPtr> body;
  int minor_version = 8;  // the oldest Python 3.x whose grammar takes this source

 private:
  friend struct ParserAccess;
  std::unique_ptr<Arena> arena_;
};

struct ParseResult {
  std::unique_ptr<Module> module;  // null on error
  std::optional<SyntaxError> error;
};

/// Decodes the bytes of a source file to UTF-8 text: byte-order mark, PEP 263 declaration (undecodable bytes become
/// U+FFFD), line ends to ' '.
std::string decode_source(std::string_view bytes);

/// Parses a text from decode_source. Accepts Python 3.8 to 3.14; never throws on bad source, never recurses without
/// limit.
ParseResult parse(std::string source);

/// Parses a file: parse(decode_source(contents of the file)); an unreadable file is an error with line 0.
ParseResult parse_file(const std::string& path);

/// The integer value of an Int constant, or nothing when it does not fit.
std::optional<int64_t> int_value(const Constant& constant);
/// The value of a Float constant.
double float_value(const Constant& constant);
/// The value of a decimal number such as `-1.5e3`, whatever the locale: infinity when it is too large.
double decimal_value(const std::string& digits);

}  // namespace qd::syntax
