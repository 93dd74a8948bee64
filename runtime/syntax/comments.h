// Comments of a source: texts between tokens that begin with '#'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::syntax {

struct Comment {
  int32_t line = 0;    // from 1
  int32_t col = 0;     // from 0, in UTF-8 bytes
  bool alone = false;  // nothing but blanks before it on its line
  std::string text;    // from '#' to the end of the line
};

/// All comments, in order, of a text from decode_source. When the text is no valid Python, those before the tokenizer's
/// error.
std::vector<Comment> find_comments(std::string_view source);

}  // namespace qd::syntax
