// Parses a source: text to tokens, tokens to the tree. Of several errors, reports the one that CPython would report.
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/syntax/arena.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/parser.h"
#include "runtime/syntax/tokenizer.h"

namespace qd::syntax {

Module::Module() = default;
Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

struct ParserAccess {
  static Arena& make_arena(Module& module) {
    module.arena_ = std::make_unique<Arena>();
    return *module.arena_;
  }
};

namespace {

ParseResult failed(SyntaxError error) { return {nullptr, std::move(error)}; }

/// Chooses the error that CPython reports after a parse error: most errors of the tokenizer, wherever they are, come
/// first; then a bracket that was left open on an earlier line.
SyntaxError better_error(const ParseFailure& failure, const Tokenizer& tokenizer, const Token& token) {
  if (token.symbol == Symbol::Error) return *tokenizer.error();
  if (failure.is_indentation) return failure.error;
  if (tokenizer.error() && tokenizer.is_error_loud()) return *tokenizer.error();
  if (!tokenizer.open_brackets().empty()) {
    const Tokenizer::Bracket& open = tokenizer.open_brackets().back();
    if (token.range.line > open.line) return {fmt::format("'{}' was never closed", open.open), open.line, open.col};
  }
  return failure.error;
}

}  // namespace

ParseResult parse(std::string source) {
  if (source.size() > INT32_MAX) return failed({"source is too large", 1, 0});
  if (!source.empty() && source.back() != '\n') source.push_back('\n');
  if (const size_t nul = source.find('\0'); nul != std::string::npos) {
    const auto before = std::string_view(source).substr(0, nul);
    const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    return failed(
        {"source code cannot contain null bytes", static_cast<int32_t>(line), static_cast<int32_t>(nul - line_start)});
  }
  auto module = std::make_unique<Module>();
  module->source = std::move(source);
  Tokenizer tokenizer(module->source, module->tokens);
  tokenizer.run();
  Parser parser(module->tokens, ParserAccess::make_arena(*module));
  try {
    module->body = parser.parse_file();
  } catch (const ParseFailure& failure) {
    return failed(better_error(failure, tokenizer, parser.furthest()));
  }
  module->minor_version = std::max(tokenizer.minor_version(), parser.minor_version());
  return {std::move(module), std::nullopt};
}

ParseResult parse_file(const std::string& path) {
  const auto unreadable = [&] { return failed({fmt::format("{}: {}", path, std::strerror(errno)), 0, 0}); };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return unreadable();
  std::string bytes;
  char buffer[1 << 16];
  while (const size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) bytes.append(buffer, count);
  if (std::ferror(file.get())) return unreadable();
  return parse(decode_source(bytes));
}

}  // namespace qd::syntax
