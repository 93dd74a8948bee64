// The recursive-descent parser over a module's tokens. Its parts are in parser_*.cpp, which alone use this header.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/syntax/arena.h"
#include "runtime/syntax/ast.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/symbols.h"
#include "runtime/syntax/tokenizer.h"

namespace qd::syntax {

/// Thrown at the first text that is no Python; caught in parse().
struct ParseFailure {
  SyntaxError error;
  bool is_indentation = false;  // no later error in the source can be the better one to report
};

class Parser {
 public:
  Parser(const std::vector<Token>& tokens, Arena& arena) : arena_(arena), first_(tokens.data()), cur_(tokens.data()) {}

  List<StmtPtr> parse_file();
  int minor_version() const { return minor_version_; }
  /// The last token that was looked at, after a failure.
  const Token& furthest() const { return *std::max(cur_, furthest_); }

 private:
  // --- tokens ---
  Symbol symbol() const { return cur_->symbol; }
  bool at(Symbol symbol) const { return cur_->symbol == symbol; }
  bool next_is(Symbol symbol) const { return !at_end() && cur_[1].symbol == symbol; }
  bool at_end() const { return cur_->kind == TokenKind::EndMarker; }
  bool at_word(std::string_view word) const { return at(Symbol::Name) && cur_->text == word; }
  const Token* advance() { return cur_++; }
  bool accept(Symbol symbol) {
    if (cur_->symbol != symbol) return false;
    ++cur_;
    return true;
  }
  void expect(Symbol symbol) {
    if (!accept(symbol)) fail();
  }
  Identifier expect_name();
  /// The range from `start` to the last token read that is no line end or indentation.
  Range range_from(const Token* start) const;
  Range inner_range(const Token* start) const {
    return {start->range.line, start->range.col, cur_[-1].range.end_line, cur_[-1].range.end_col};
  }
  template <class Node>
  Expr* make(const Token* start, Node node) {
    return arena_.make<Expr>(inner_range(start), std::move(node));
  }
  template <class Node>
  StmtPtr make_stmt(const Token* start, Node node) {
    return arena_.make<Stmt>(range_from(start), std::move(node));
  }
  void need_version(int minor) { minor_version_ = std::max(minor_version_, minor); }

  // --- failures (parser_errors.cpp) ---
  [[noreturn]] void fail_at(Range range, std::string message) const;
  [[noreturn]] void fail_here(std::string message) const { fail_at(cur_->range, std::move(message)); }
  [[noreturn]] void fail_indentation(std::string message) const;
  /// Fails at the current token, with the best message that CPython would give there, or else "invalid syntax".
  [[noreturn]] void fail();
  void explain_neighbours();
  void explain_equal_sign();
  /// Tries to read with `parse` from the current token, and then goes back to that token. Null when it fails. When it
  /// fails because the tokens end, that is the failure of the parser.
  Expr* probe(Expr* (Parser::*parse)(), const Token** end = nullptr);
  Expr* probe_bitwise() { return operators(kBitOr); }
  bool is_in_brackets() const;

  // --- limits ---
  /// Limits the recursion of the parser.
  struct Nesting {
    explicit Nesting(Parser& parser) : depth(parser.depth_) {
      if (++depth > kMaxDepth) parser.fail_here("too many nested expressions or statements");
    }
    ~Nesting() { --depth; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    int& depth;
  };
  /// Collects the heights of a node's children, and limits the height of the tree. Left-recursive chains make the tree
  /// higher without recursion here.
  struct Height {
    int value = 0;
    void add(const Parser& parser) { value = std::max(value, parser.height_); }
  };
  void set_height(Height children) {
    height_ = children.value + 1;
    if (height_ > kMaxHeight) fail_here("too many nested expressions");
  }
  static constexpr int kMaxDepth = 1000;
  static constexpr int kMaxHeight = 3000;  // the limit of CPython 3.11's ast
  friend struct Nesting;

  // --- expressions (parser_expressions.cpp, parser_atoms.cpp) ---
  Expr* star_expressions();
  Expr* star_expression();
  Expr* star_named_expression();
  Expr* named_expression();
  bool at_walrus() const { return at(Symbol::Name) && next_is(Symbol::ColonEqual); }
  Expr* expression();
  Expr* yield_expression();
  Expr* yield_or_star_expressions() { return at(Symbol::Yield) ? yield_expression() : star_expressions(); }
  Expr* disjunction() { return operators(1); }
  static constexpr int kBitOr = 5;  // precedence of the loosest operator in a bitwise expression
  Expr* operators(int lowest);
  Expr* prefixed(int lowest);
  Expr* comparison(const Token* start, Expr* left);
  Expr* bool_operation(const Token* start, Expr* left, BoolOperator op);
  Expr* primary();
  Expr* trailers(const Token* start, Expr* value);
  Expr* atom();
  Expr* parenthesised();
  Expr* list_display();
  Expr* brace_display();
  Expr* dict_display(const Token* start, ExprPtr first_key, ExprPtr first_value);
  Expr* number();
  Expr* lambda();
  Expr* slices();
  Expr* slice();
  Expr* tuple_rest(const Token* start, Expr* first, Expr* (Parser::*element)());
  bool at_comprehension() const { return at(Symbol::For) || (at(Symbol::Async) && next_is(Symbol::For)); }
  List<Comprehension> comprehension_clauses();
  bool starts_expression() const;

  // --- calls and parameters (parser_arguments.cpp) ---
  struct CallArguments {
    List<ExprPtr> args;
    List<Keyword> keywords;
  };
  CallArguments call_arguments();
  Arguments* parameters(Symbol closing, bool has_annotations);

  // --- strings (parser_strings.cpp) ---
  struct StringParts;
  Expr* strings();
  void plain_string(StringParts& parts);
  void formatted_string(StringParts& parts);
  void fstring_text(StringParts& parts, bool is_raw, bool in_format);
  void replacement_field(StringParts& parts, bool is_raw, bool is_template);
  void refuse_lambda_before_format(const std::string& label);
  std::string_view without_comments(std::string_view text, const Token* open, const Token* end);
  ExprPtr format_specifier(bool is_raw);

  // --- targets (parser_targets.cpp) ---
  /// Turns an expression into one that is stored to or deleted, or fails as CPython does.
  void set_context(const Expr* expr, ExprContext context);
  void check_assign_target(Expr* expr, const Token* start, bool is_first);
  static bool can_be_mistaken_for_target(const Expr* expr);
  Expr* star_targets(bool is_in_comprehension);
  Expr* star_target();
  Expr* star_target_candidate();
  static const char* expression_name(const Expr* expr);

  // --- statements (parser_statements.cpp, parser_blocks.cpp) ---
  void statement(ListBuilder<StmtPtr>& into);
  void simple_statements(ListBuilder<StmtPtr>& into);
  StmtPtr simple_statement();
  StmtPtr expression_statement();
  StmtPtr annotated_assignment(const Token* start, Expr* target);
  StmtPtr delete_statement();
  StmtPtr assert_statement();
  StmtPtr raise_statement();
  StmtPtr import_statement();
  StmtPtr import_from_statement();
  StmtPtr type_alias();
  List<Identifier> names();
  Identifier dotted_name();
  Identifier import_alias();

  StmtPtr compound_statement();
  List<StmtPtr> block(std::string_view after, const Token* keyword);
  /// Reads a ':'. `is_certain`: nothing else can stand here, so CPython says that it expected one. Otherwise CPython
  /// says so only at the end of the line.
  void expect_colon(bool is_certain = false);
  StmtPtr if_statement();
  StmtPtr while_statement();
  StmtPtr for_statement(const Token* start, bool is_async);
  StmtPtr with_statement(const Token* start, bool is_async);
  bool has_parenthesised_items() const;
  WithItem with_item();
  StmtPtr try_statement();
  ExceptHandler except_handler(bool& is_star, bool is_first);
  StmtPtr function_definition(const Token* start, List<ExprPtr> decorators, bool is_async);
  StmtPtr class_definition(const Token* start, List<ExprPtr> decorators);
  bool at_plain_decorator() const;
  StmtPtr decorated();
  List<TypeParam> type_parameters();
  List<StmtPtr> else_block();

  // --- patterns (parser_patterns.cpp) ---
  bool at_match_statement() const;
  StmtPtr match_statement();
  PatternPtr patterns();
  PatternPtr as_pattern();
  PatternPtr maybe_star_pattern();
  PatternPtr or_pattern();
  PatternPtr closed_pattern();
  PatternPtr sequence_pattern(Symbol closing);
  PatternPtr mapping_pattern();
  PatternPtr class_pattern(const Token* start, Expr* cls);
  Expr* literal_number();
  Expr* pattern_value();
  template <class Node>
  PatternPtr make_pattern(const Token* start, Node node) {
    return arena_.make<Pattern>(inner_range(start), std::move(node));
  }

  Arena& arena_;
  const Token* const first_;
  const Token* cur_;
  const Token* furthest_ = nullptr;  // looked at by a probe
  int depth_ = 0;
  int height_ = 0;  // of the expression read last
  int minor_version_ = 8;
  bool is_probing_ = false;  // looking for a better message; failures must not look for one of their own
  struct {
    const Token* start = nullptr;
    const Token* end = nullptr;
    const Expr* expr = nullptr;
  } last_expression_;  // for messages only

  std::vector<ExprPtr> exprs_;
  std::vector<ExprPtr> more_exprs_;
  std::vector<StmtPtr> stmts_;
  std::vector<PatternPtr> patterns_;
  std::vector<PatternPtr> more_patterns_;
  std::vector<Identifier> identifiers_;
  std::vector<Keyword> keywords_;
  std::vector<Arg> args_;
  std::vector<Comprehension> comprehensions_;
  std::vector<CmpOperator> cmp_operators_;
  std::vector<Alias> aliases_;
  std::vector<WithItem> with_items_;
  std::vector<ExceptHandler> handlers_;
  std::vector<MatchCase> cases_;
  std::vector<TypeParam> type_params_;
};

}  // namespace qd::syntax
