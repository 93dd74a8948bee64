// Symbols: every keyword and operator of Python by name, so that the parser compares one byte a token.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/syntax/parse.h"

namespace qd::syntax {

enum class Symbol : uint8_t {
  // Tokens that are neither keyword nor operator.
  Name,
  Number,
  String,
  FStringStart,
  FStringMiddle,
  FStringEnd,
  Newline,
  Indent,
  Dedent,
  EndMarker,
  Unknown,  // a printable ASCII character that is no part of Python
  Error,    // the tokenizer stopped here; the module's tokens end with it
  // Keywords.
  False,
  None,
  True,
  And,
  As,
  Assert,
  Async,
  Await,
  Break,
  Class,
  Continue,
  Def,
  Del,
  Elif,
  Else,
  Except,
  Finally,
  For,
  From,
  Global,
  If,
  Import,
  In,
  Is,
  Lambda,
  Nonlocal,
  Not,
  Or,
  Pass,
  Raise,
  Return,
  Try,
  While,
  With,
  Yield,
  // Operators and delimiters.
  LPar,
  RPar,
  LSqb,
  RSqb,
  LBrace,
  RBrace,
  Colon,
  Comma,
  Semi,
  Dot,
  Ellipsis,
  Arrow,
  At,
  Equal,
  ColonEqual,
  Exclamation,
  Plus,
  Minus,
  Star,
  Slash,
  DoubleSlash,
  Percent,
  DoubleStar,
  LeftShift,
  RightShift,
  Amper,
  VBar,
  Circumflex,
  Tilde,
  EqEqual,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  PlusEqual,
  MinusEqual,
  StarEqual,
  SlashEqual,
  DoubleSlashEqual,
  PercentEqual,
  DoubleStarEqual,
  LeftShiftEqual,
  RightShiftEqual,
  AmperEqual,
  VBarEqual,
  CircumflexEqual,
  AtEqual,
};

inline bool is_keyword(Symbol symbol) { return symbol >= Symbol::False && symbol <= Symbol::Yield; }

/// The symbol of a keyword, or Symbol::Name.
Symbol keyword_symbol(std::string_view word);

/// The longest operator at the start of `text`, which ends with a NUL somewhere: its symbol (Symbol::Error when there
/// is none) and its length.
struct OperatorMatch {
  Symbol symbol;
  uint8_t length;
};
OperatorMatch match_operator(const char* text);

}  // namespace qd::syntax
