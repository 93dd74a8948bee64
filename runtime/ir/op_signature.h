// Signature of an operation: its operands and its result, from the text that op.def has for them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace qd::ir {

enum class ResultKind : uint8_t { Value, Pointer, None };

/// The rule for the type of an operand or a result. op.def explains the words.
enum class TypeRule : uint8_t { None, Own, Same, U1, I32, I64, Index, Amount, Count, Any, Width, Integer, Row };

struct Operand {
  TypeRule type = TypeRule::None;
  bool pointer = false;
};

struct OpSignature {
  /// Kind of the operands behind the ones that are always there.
  enum class Rest : uint8_t { None, Many, Optional, Row };

  std::array<Operand, 3> operands{};  // those that are always there, then the one that may be repeated
  uint8_t fixed = 0;                  // number of operands that are always there
  Rest rest = Rest::None;
  ResultKind result = ResultKind::None;
  TypeRule type = TypeRule::None;  // of the result

  /// The rule of operand n. Not for operands whose types are in a list of a row.
  constexpr Operand operand(size_t n) const { return operands[n < fixed ? n : fixed]; }
};

namespace signature_text {

constexpr TypeRule type_rule(std::string_view word) {
  struct Word {
    std::string_view text;
    TypeRule rule;
  };
  constexpr Word kWords[] = {
      {"t", TypeRule::Own},   {"s", TypeRule::Same},      {"u1", TypeRule::U1},         {"i32", TypeRule::I32},
      {"i64", TypeRule::I64}, {"index", TypeRule::Index}, {"amount", TypeRule::Amount}, {"count", TypeRule::Count},
      {"any", TypeRule::Any}, {"width", TypeRule::Width}, {"int", TypeRule::Integer},   {"row", TypeRule::Row},
  };
  for (const Word& known : kWords) {
    if (known.text == word) return known.rule;
  }
  throw "a word that op.def does not explain";
}

constexpr std::string_view trim(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

constexpr Operand operand(std::string_view word) {
  const bool pointer = word.starts_with('&');
  if (pointer) word.remove_prefix(1);
  return {type_rule(word), pointer};
}

}  // namespace signature_text

/// Reads a text such as "(u1, t, t) -> t" at compile time. An invalid text does not compile.
consteval OpSignature signature(std::string_view text) {
  namespace words = signature_text;
  OpSignature out;
  const size_t arrow = text.find("->");
  if (arrow != std::string_view::npos) {
    const Operand result = words::operand(words::trim(text.substr(arrow + 2)));
    out.result = result.pointer ? ResultKind::Pointer : ResultKind::Value;
    out.type = result.type;
  }
  std::string_view list = words::trim(text.substr(0, arrow));
  if (list.empty()) return out;
  if (!list.starts_with('(') || !list.ends_with(')')) throw "operands without parentheses";
  list = list.substr(1, list.size() - 2);
  while (!list.empty()) {
    const size_t comma = list.find(',');
    std::string_view word = words::trim(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    if (word.ends_with("...") || word.ends_with('?')) {
      const bool many = word.ends_with("...");
      out.operands[out.fixed] = words::operand(word.substr(0, word.size() - (many ? 3 : 1)));
      out.rest = !many                                           ? OpSignature::Rest::Optional
                 : out.operands[out.fixed].type == TypeRule::Row ? OpSignature::Rest::Row
                                                                 : OpSignature::Rest::Many;
      if (!list.empty()) throw "operands behind those that may lack";
    } else {
      out.operands[out.fixed++] = words::operand(word);
    }
  }
  return out;
}

}  // namespace qd::ir
