// Invariants of every result of the parser, for any source: for the tests that throw damaged sources at it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>

#include "runtime/syntax/parse.h"

namespace qd::syntax {

/// Limit on the depth of a tree: a deeper one could overflow the stack of a function that walks it.
inline constexpr int kMaxTreeDepth = 8000;

namespace check {

struct Anything {
  template <class T>
  operator T() const;
};

/// The fields of a plain struct as a tuple of references.
template <class T>
auto fields(const T& node) {
  if constexpr (requires { T{Anything{}, Anything{}, Anything{}, Anything{}, Anything{}, Anything{}, Anything{}}; }) {
    const auto& [a, b, c, d, e, f, g] = node;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (requires { T{Anything{}, Anything{}, Anything{}, Anything{}, Anything{}, Anything{}}; }) {
    const auto& [a, b, c, d, e, f] = node;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (requires { T{Anything{}, Anything{}, Anything{}, Anything{}, Anything{}}; }) {
    const auto& [a, b, c, d, e] = node;
    return std::tie(a, b, c, d, e);
  } else if constexpr (requires { T{Anything{}, Anything{}, Anything{}, Anything{}}; }) {
    const auto& [a, b, c, d] = node;
    return std::tie(a, b, c, d);
  } else if constexpr (requires { T{Anything{}, Anything{}, Anything{}}; }) {
    const auto& [a, b, c] = node;
    return std::tie(a, b, c);
  } else if constexpr (requires { T{Anything{}, Anything{}}; }) {
    const auto& [a, b] = node;
    return std::tie(a, b);
  } else if constexpr (requires { T{Anything{}}; }) {
    const auto& [a] = node;
    return std::tie(a);
  } else {
    return std::tuple<>();
  }
}

inline bool is_before(int32_t line, int32_t col, int32_t other_line, int32_t other_col) {
  return std::tie(line, col) < std::tie(other_line, other_col);
}

/// Walks a tree; `broken` gets the first thing that should not be.
class Walker {
 public:
  std::string broken;

  template <class T>
  void walk(const T& value) {
    if (!broken.empty()) return;
    if constexpr (std::is_same_v<T, std::string_view> || std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                  std::is_same_v<T, Range>) {
      return;
    } else if constexpr (std::is_pointer_v<T>) {
      if (value) walk(*value);
    } else if constexpr (std::is_same_v<T, Expr> || std::is_same_v<T, Pattern> || std::is_same_v<T, Stmt>) {
      enter(value.range);
      ++depth_;
      if (depth_ > kMaxTreeDepth) broken = "the tree is too deep";
      const Range outer = outer_;
      // The range of a definition begins behind its decorators.
      if constexpr (!std::is_same_v<T, Stmt>) outer_ = value.range;
      std::visit([this](const auto& node) { this->walk_fields(node); }, value.node);
      outer_ = outer;
      --depth_;
    } else if constexpr (requires {
                           value.size();
                           value.data();
                         }) {
      for (const auto& item : value) walk(item);
    } else {
      walk_fields(value);
    }
  }

 private:
  template <class T>
  void walk_fields(const T& node) {
    std::apply([this](const auto&... field) { (this->walk(field), ...); }, fields(node));
  }

  void enter(const Range& range) {
    const bool is_ordered =
        range.line >= 1 && range.col >= 0 && !is_before(range.end_line, range.end_col, range.line, range.col);
    const bool is_inside =
        outer_.line == 0 || (!is_before(range.line, range.col, outer_.line, outer_.col) &&
                             !is_before(outer_.end_line, outer_.end_col, range.end_line, range.end_col));
    if (!is_ordered || !is_inside) {
      broken = fmt::format("range {}:{}-{}:{} is not in order or not in {}:{}-{}:{}", range.line, range.col,
                           range.end_line, range.end_col, outer_.line, outer_.col, outer_.end_line, outer_.end_col);
    }
  }

  Range outer_;
  int depth_ = 0;
};

}  // namespace check

/// The first promise that `result` breaks, or nothing.
inline std::string promises_broken(const ParseResult& result) {
  if (!result.module) {
    if (!result.error || result.error->message.empty()) return "neither a module nor an error";
    return result.error->line >= 1 && result.error->col >= 0 ? "" : "the error has no position";
  }
  if (result.error) return "both a module and an error";
  const Module& module = *result.module;
  if (module.tokens.empty() || module.tokens.back().kind != TokenKind::EndMarker) return "no end marker";
  int depth = 0;
  const Token* last = nullptr;
  for (const Token& token : module.tokens) {
    depth += token.kind == TokenKind::Indent ? 1 : token.kind == TokenKind::Dedent ? -1 : 0;
    if (depth < 0) return "more dedents than indents";
    if (last && check::is_before(token.range.line, token.range.col, last->range.line, last->range.col))
      return "tokens out of order";
    const char* const begin = module.source.data();
    if (!token.text.empty() &&
        (token.text.data() < begin || token.text.data() + token.text.size() > begin + module.source.size())) {
      return "a token outside the source";
    }
    last = &token;
  }
  if (depth != 0) return "indents and dedents do not match";
  check::Walker walker;
  walker.walk(module.body);
  return walker.broken;
}

}  // namespace qd::syntax
