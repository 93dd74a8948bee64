// Finds keywords (by a perfect hash) and operators (the longest first).
#include "runtime/syntax/symbols.h"

#include <array>
#include <cstddef>

namespace qd::syntax {
namespace {

struct KeywordRow {
  std::string_view word;
  Symbol symbol = Symbol::Name;
};

constexpr KeywordRow kKeywords[] = {
    {"False", Symbol::False},
    {"None", Symbol::None},
    {"True", Symbol::True},
    {"and", Symbol::And},
    {"as", Symbol::As},
    {"assert", Symbol::Assert},
    {"async", Symbol::Async},
    {"await", Symbol::Await},
    {"break", Symbol::Break},
    {"class", Symbol::Class},
    {"continue", Symbol::Continue},
    {"def", Symbol::Def},
    {"del", Symbol::Del},
    {"elif", Symbol::Elif},
    {"else", Symbol::Else},
    {"except", Symbol::Except},
    {"finally", Symbol::Finally},
    {"for", Symbol::For},
    {"from", Symbol::From},
    {"global", Symbol::Global},
    {"if", Symbol::If},
    {"import", Symbol::Import},
    {"in", Symbol::In},
    {"is", Symbol::Is},
    {"lambda", Symbol::Lambda},
    {"nonlocal", Symbol::Nonlocal},
    {"not", Symbol::Not},
    {"or", Symbol::Or},
    {"pass", Symbol::Pass},
    {"raise", Symbol::Raise},
    {"return", Symbol::Return},
    {"try", Symbol::Try},
    {"while", Symbol::While},
    {"with", Symbol::With},
    {"yield", Symbol::Yield},
};

constexpr size_t kTableSize = 128;

constexpr size_t keyword_hash(std::string_view word) {
  return (static_cast<unsigned char>(word[0]) + static_cast<unsigned char>(word[1]) +
          static_cast<unsigned char>(word.back()) + 15 * word.size()) %
         kTableSize;
}

constexpr std::array<KeywordRow, kTableSize> make_keyword_table() {
  std::array<KeywordRow, kTableSize> table{};
  for (const KeywordRow& row : kKeywords) {
    KeywordRow& slot = table[keyword_hash(row.word)];
    if (!slot.word.empty())
      throw "the keyword hash is no longer perfect";  // a compile error, as this runs at compile time
    slot = row;
  }
  return table;
}

constexpr std::array<KeywordRow, kTableSize> kKeywordTable = make_keyword_table();

}  // namespace

Symbol keyword_symbol(std::string_view word) {
  if (word.size() < 2 || word.size() > 8) return Symbol::Name;
  const KeywordRow& row = kKeywordTable[keyword_hash(word)];
  return row.word == word ? row.symbol : Symbol::Name;
}

OperatorMatch match_operator(const char* text) {
  const auto followed = [&](Symbol plain, Symbol with_equal) -> OperatorMatch {
    if (text[1] == '=') return {with_equal, 2};
    return {plain, 1};
  };
  const auto doubled = [&](Symbol plain, Symbol plain_equal, Symbol twice, Symbol twice_equal) -> OperatorMatch {
    if (text[1] != text[0]) return followed(plain, plain_equal);
    if (text[2] == '=') return {twice_equal, 3};
    return {twice, 2};
  };
  switch (text[0]) {
    case '(': return {Symbol::LPar, 1};
    case ')': return {Symbol::RPar, 1};
    case '[': return {Symbol::LSqb, 1};
    case ']': return {Symbol::RSqb, 1};
    case '{': return {Symbol::LBrace, 1};
    case '}': return {Symbol::RBrace, 1};
    case ',': return {Symbol::Comma, 1};
    case ';': return {Symbol::Semi, 1};
    case '~': return {Symbol::Tilde, 1};
    case ':': return followed(Symbol::Colon, Symbol::ColonEqual);
    case '=': return followed(Symbol::Equal, Symbol::EqEqual);
    case '!': return followed(Symbol::Exclamation, Symbol::NotEqual);
    case '+': return followed(Symbol::Plus, Symbol::PlusEqual);
    case '%': return followed(Symbol::Percent, Symbol::PercentEqual);
    case '&': return followed(Symbol::Amper, Symbol::AmperEqual);
    case '|': return followed(Symbol::VBar, Symbol::VBarEqual);
    case '^': return followed(Symbol::Circumflex, Symbol::CircumflexEqual);
    case '@': return followed(Symbol::At, Symbol::AtEqual);
    case '-': return text[1] == '>' ? OperatorMatch{Symbol::Arrow, 2} : followed(Symbol::Minus, Symbol::MinusEqual);
    case '*': return doubled(Symbol::Star, Symbol::StarEqual, Symbol::DoubleStar, Symbol::DoubleStarEqual);
    case '/': return doubled(Symbol::Slash, Symbol::SlashEqual, Symbol::DoubleSlash, Symbol::DoubleSlashEqual);
    case '>': return doubled(Symbol::Greater, Symbol::GreaterEqual, Symbol::RightShift, Symbol::RightShiftEqual);
    case '<':
      if (text[1] == '>')
        return {Symbol::NotEqual, 2};  // only `from __future__ import barry_as_FLUFL` takes it; the parser refuses it
      return doubled(Symbol::Less, Symbol::LessEqual, Symbol::LeftShift, Symbol::LeftShiftEqual);
    case '.':
      if (text[1] == '.' && text[2] == '.') return {Symbol::Ellipsis, 3};
      return {Symbol::Dot, 1};
    default: return {Symbol::Error, 0};
  }
}

}  // namespace qd::syntax
