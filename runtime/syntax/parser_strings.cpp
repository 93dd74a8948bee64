// Parses string literals: adjacent ones are joined, f-strings and t-strings have replacement fields.
#include <cstring>

#include "runtime/syntax/literals.h"
#include "runtime/syntax/parser.h"

namespace qd::syntax {

// The parts of adjacent literals: formatted values, and the text between them, joined as it comes.
struct Parser::StringParts {
  explicit StringParts(Parser& parser) : parser(parser), values(parser.exprs_) {}

  void add_text(std::string_view text, Range range) {
    if (text_count++ == 0) {
      first_text = text;
      text_range = range;
      return;
    }
    if (text_count == 2) joined.assign(first_text);
    joined.append(text);
    text_range.end_line = range.end_line;
    text_range.end_col = range.end_col;
  }

  std::string_view text() const {
    if (text_count < 2) return first_text;
    char* const place = parser.arena_.characters(joined.size());
    joined.copy(place, joined.size());
    return {place, joined.size()};
  }

  void flush_text() {
    const std::string_view all = text();
    if (!all.empty()) values.push(parser.arena_.make<Expr>(text_range, Constant{ConstantKind::Str, all}));
    first_text = {};
    text_count = 0;
  }

  void add_value(ExprPtr value) {
    flush_text();
    values.push(value);
    height.add(parser);
  }

  Parser& parser;
  ListBuilder<ExprPtr> values;
  Height height;
  std::string_view first_text;
  std::string joined;
  Range text_range;
  size_t text_count = 0;
};

namespace {

struct Prefix {
  bool is_raw = false;
  bool is_bytes = false;
  bool is_template = false;
  size_t size = 0;
};

Prefix read_prefix(std::string_view text) {
  Prefix prefix;
  for (; text[prefix.size] != '\'' && text[prefix.size] != '"'; ++prefix.size) {
    const char letter = static_cast<char>(text[prefix.size] | 0x20);
    prefix.is_raw |= letter == 'r';
    prefix.is_bytes |= letter == 'b';
    prefix.is_template |= letter == 't';
  }
  return prefix;
}

std::string_view between_quotes(std::string_view text, size_t prefix_size) {
  text.remove_prefix(prefix_size);
  const size_t quotes = text.size() >= 6 && text[1] == text[0] && text[2] == text[0] ? 3 : 1;
  return text.substr(quotes, text.size() - 2 * quotes);
}

}  // namespace

Expr* Parser::strings() {
  const Token* const start = cur_;
  bool has_bytes = false;
  bool has_text = false;
  bool has_fstring = false;
  bool has_template = false;
  bool is_only_templates = true;
  StringParts parts(*this);
  for (;;) {
    if (at(Symbol::String)) {
      (read_prefix(cur_->text).is_bytes ? has_bytes : has_text) = true;
      is_only_templates = false;
      plain_string(parts);
    } else if (at(Symbol::FStringStart)) {
      has_text = true;
      const bool is_template = read_prefix(cur_->text).is_template;
      (is_template ? has_template : has_fstring) = true;
      is_only_templates &= is_template;
      formatted_string(parts);
    } else {
      break;
    }
  }
  if (has_bytes && has_text) fail_at(inner_range(start), "cannot mix bytes and nonbytes literals");
  if (has_template && !is_only_templates)
    fail_at(inner_range(start), "cannot mix t-string literals with string or bytes literals");
  if (!has_fstring && !has_template) {
    height_ = 1;
    return make(start, Constant{has_bytes ? ConstantKind::Bytes : ConstantKind::Str, parts.text()});
  }
  parts.flush_text();
  set_height(parts.height);
  const List<ExprPtr> values = parts.values.finish(arena_);
  return has_template ? make(start, TemplateStr{values}) : make(start, JoinedStr{values});
}

void Parser::plain_string(StringParts& parts) {
  const Token* const token = advance();
  const Prefix prefix = read_prefix(token->text);
  const std::string_view raw = between_quotes(token->text, prefix.size);
  if (prefix.is_bytes) {
    for (const char c : raw) {
      if (static_cast<unsigned char>(c) >= 0x80)
        fail_at(token->range, "bytes can only contain ASCII literal characters");
    }
  }
  std::string error;
  const std::string_view text = decode_literal(raw, {prefix.is_raw, prefix.is_bytes, false}, arena_, error);
  if (!error.empty()) fail_at(token->range, std::move(error));
  parts.add_text(text, token->range);
}

void Parser::formatted_string(StringParts& parts) {
  const Prefix prefix = read_prefix(advance()->text);
  while (!at(Symbol::FStringEnd)) {
    if (at(Symbol::FStringMiddle)) {
      fstring_text(parts, prefix.is_raw, false);
    } else if (at(Symbol::LBrace)) {
      replacement_field(parts, prefix.is_raw, prefix.is_template);
    } else {
      fail();
    }
  }
  advance();
}

void Parser::fstring_text(StringParts& parts, bool is_raw, bool in_format) {
  const Token* const token = advance();
  std::string error;
  const std::string_view text = decode_literal(token->text, {is_raw, false, !in_format}, arena_, error);
  if (!error.empty()) fail_at(token->range, std::move(error));
  parts.add_text(text, token->range);
}

void Parser::replacement_field(StringParts& parts, bool is_raw, bool is_template) {
  const Nesting nesting(*this);
  const std::string label = is_template ? "t-string: " : "f-string: ";
  const Token* const open = advance();
  if (!starts_expression() && !at(Symbol::Star) && !at(Symbol::Yield)) {
    if (at(Symbol::RBrace)) fail_at(cur_->range, label + "valid expression required before '}'");
    if (at(Symbol::Equal)) fail_at(cur_->range, label + "valid expression required before '='");
    if (at(Symbol::Exclamation)) fail_at(cur_->range, label + "valid expression required before '!'");
    if (at(Symbol::Colon)) fail_at(cur_->range, label + "valid expression required before ':'");
    if (at(Symbol::Error)) fail();
    fail_here(label + "expecting a valid expression after '{'");
  }
  if (at(Symbol::Lambda)) refuse_lambda_before_format(label);
  Expr* const value = yield_or_star_expressions();
  Height height{height_};
  const char* const text_begin = open->text.data() + 1;
  const Token* const behind_expression = cur_;
  const char* const expression_end = cur_->text.data();
  const bool is_debug = accept(Symbol::Equal);
  const char* const debug_end = cur_->text.data();
  const Token* const behind_debug = cur_;

  int32_t conversion = -1;
  if (at(Symbol::Exclamation)) {
    const Token* const mark = advance();
    if (at(Symbol::Colon) || at(Symbol::RBrace)) fail_at(cur_->range, label + "missing conversion character");
    if (!at(Symbol::Name)) fail_at(cur_->range, label + "invalid conversion character");
    if (cur_->text.data() != mark->text.data() + 1)
      fail_at(cur_->range, label + "conversion type must come right after the exclamation mark");
    const std::string_view name = cur_->text;
    if (name != "s" && name != "r" && name != "a") {
      fail_at(cur_->range,
              label + "invalid conversion character '" + std::string(name) + "': expected 's', 'r', or 'a'");
    }
    conversion = name[0];
    advance();
  }
  ExprPtr format = nullptr;
  if (at(Symbol::Colon)) {
    format = format_specifier(is_raw);
    height.add(*this);
  }
  if (!at(Symbol::RBrace)) {
    if (at(Symbol::Error)) fail();
    if (last_expression_.end == cur_ && starts_expression()) explain_neighbours();
    if (behind_debug == cur_ && !is_debug) fail_here(label + "expecting '=', or '!', or ':', or '}'");
    fail_here(label + (format            ? "expecting '}', or format specs"
                       : conversion >= 0 ? "expecting ':' or '}'"
                                         : "expecting '!', or ':', or '}'"));
  }
  advance();

  if (is_debug) {
    const Range range{open->range.line, open->range.col + 1, behind_debug->range.line, behind_debug->range.col};
    const std::string_view text(text_begin, static_cast<size_t>(debug_end - text_begin));
    parts.add_text(without_comments(text, open, behind_debug), range);
    if (conversion < 0 && !format) conversion = 'r';
  }
  set_height(height);
  if (is_template) {
    std::string_view text(text_begin, static_cast<size_t>(expression_end - text_begin));
    text = without_comments(text, open, behind_expression);
    while (!text.empty() && std::strchr(" \t\f\n", text.back())) text.remove_suffix(1);
    parts.add_value(make(open, Interpolation{value, text, conversion, format}));
  } else {
    parts.add_value(make(open, FormattedValue{value, conversion, format}));
  }
}

// Refuses a ':' of a lambda directly in a field: it begins a format specifier instead of the lambda's body.
void Parser::refuse_lambda_before_format(const std::string& label) {
  const Token* const start = cur_;
  int level = 0;
  for (const Token* token = start; token->kind != TokenKind::EndMarker && level >= 0; ++token) {
    switch (token->symbol) {
      case Symbol::LPar:
      case Symbol::LSqb:
      case Symbol::LBrace: ++level; break;
      case Symbol::RPar:
      case Symbol::RSqb:
      case Symbol::RBrace: --level; break;
      case Symbol::Colon:
        if (level == 0) fail_at(start->range, label + "lambda expressions are not allowed without parentheses");
        break;
      default: break;
    }
  }
}

// The text of a '=' field from after `open` to `end`; a text outside of tokens that begins with '#' is a comment and
// left out.
std::string_view Parser::without_comments(std::string_view text, const Token* open, const Token* end) {
  if (text.find('#') == std::string_view::npos || text.find('\n') == std::string_view::npos) return text;
  char* const place = arena_.characters(text.size());
  char* out = place;
  for (const Token* token = open; token < end; ++token) {
    if (token > open) {
      std::memcpy(out, token->text.data(), token->text.size());
      out += token->text.size();
    }
    bool is_comment = false;
    for (const char* p = token->text.data() + token->text.size(); p < token[1].text.data(); ++p) {
      is_comment = *p == '#' || (is_comment && *p != '\n');
      if (!is_comment) *out++ = *p;
    }
  }
  return {place, static_cast<size_t>(out - place)};
}

ExprPtr Parser::format_specifier(bool is_raw) {
  const Token* const colon = advance();
  StringParts parts(*this);
  for (;;) {
    if (at(Symbol::FStringMiddle)) {
      fstring_text(parts, is_raw, true);
    } else if (at(Symbol::LBrace)) {
      replacement_field(parts, is_raw, false);
    } else {
      break;
    }
  }
  parts.flush_text();
  set_height(parts.height);
  return make(colon, JoinedStr{parts.values.finish(arena_)});
}

}  // namespace qd::syntax
