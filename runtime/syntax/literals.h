// Value of a string literal, decoded from its text.
#pragma once

#include <string>
#include <string_view>

#include "runtime/syntax/arena.h"

namespace qd::syntax {

struct LiteralForm {
  bool is_raw = false;
  bool is_bytes = false;
  bool doubles_braces = false;  // text of an f-string outside format specifiers: '{{' and '}}' stand for one brace
};

/// The value of the text between the quotes: a view of `text` itself if nothing needs decoding, else in the arena.
/// A bad escape sets `error` to CPython's message.
std::string_view decode_literal(std::string_view text, LiteralForm form, Arena& arena, std::string& error);

}  // namespace qd::syntax
