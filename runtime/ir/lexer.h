// Tokens of the printed kernel IR.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::ir {

struct Token {
  enum class Kind : uint8_t { Word, Number, Value, String, Symbol, End };
  Kind kind = Kind::End;
  std::string text;  // Value: the number after %; String: the text without quotes; Symbol: one character, or "->"
  int line = 0;
};

/// The tokens of a text; the last one is End. `#` starts a comment. Throws std::runtime_error that names the line.
std::vector<Token> tokenize(std::string_view text);

[[noreturn]] void parse_error(int line, const std::string& message);

}  // namespace qd::ir
