// The syntax tree of a Python module: the node names and fields of Python's own `ast`, as plain structs in an arena.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "runtime/source/source_range.h"

namespace qd::syntax {

/// Position of a node in the source.
using Range = SourceRange;

/// A list in the arena of its module. Views stay valid as long as the Module lives.
template <class T>
using List = std::span<const T>;

struct Expr;
struct Stmt;
struct Pattern;
struct Arguments;

using ExprPtr = const Expr*;  // null if Python's field is optional and absent
using StmtPtr = const Stmt*;
using PatternPtr = const Pattern*;
using Identifier = std::string_view;  // NFKC is not applied; empty for Python's None

enum class ExprContext : uint8_t { Load, Store, Del };
enum class BoolOperator : uint8_t { And, Or };
enum class Operator : uint8_t {
  Add,
  Sub,
  Mult,
  MatMult,
  Div,
  Mod,
  Pow,
  LShift,
  RShift,
  BitOr,
  BitXor,
  BitAnd,
  FloorDiv,
};
enum class UnaryOperator : uint8_t { Invert, Not, UAdd, USub };
enum class CmpOperator : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE, Is, IsNot, In, NotIn };
enum class ConstantKind : uint8_t { None, True, False, Ellipsis, Int, Float, Complex, Str, Bytes };

// --- parts that are neither statement nor expression -----------------------------------------------------------------

struct Keyword {
  Identifier arg;  // empty: **value
  ExprPtr value;
  Range range;
};

struct Arg {
  Identifier arg;
  ExprPtr annotation;
  Range range;
};

struct Arguments {
  List<Arg> posonlyargs;
  List<Arg> args;
  const Arg* vararg;
  List<Arg> kwonlyargs;
  List<ExprPtr> kw_defaults;  // null for an argument without a default
  const Arg* kwarg;
  List<ExprPtr> defaults;
};

struct Comprehension {
  ExprPtr target;
  ExprPtr iter;
  List<ExprPtr> ifs;
  bool is_async;
};

struct Alias {
  Identifier name;
  Identifier asname;
  Range range;
};

struct WithItem {
  ExprPtr context_expr;
  ExprPtr optional_vars;
};

struct ExceptHandler {
  ExprPtr type;
  Identifier name;
  List<StmtPtr> body;
  Range range;
};

struct MatchCase {
  PatternPtr pattern;
  ExprPtr guard;
  List<StmtPtr> body;
};

enum class TypeParamKind : uint8_t { TypeVar, ParamSpec, TypeVarTuple };

struct TypeParam {
  TypeParamKind kind;
  Identifier name;
  ExprPtr bound;  // TypeVar only
  ExprPtr default_value;
  Range range;
};

// --- expressions -----------------------------------------------------------------------------------------------------

struct BoolOp {
  BoolOperator op;
  List<ExprPtr> values;
};
struct NamedExpr {
  ExprPtr target;
  ExprPtr value;
};
struct BinOp {
  ExprPtr left;
  Operator op;
  ExprPtr right;
};
struct UnaryOp {
  UnaryOperator op;
  ExprPtr operand;
};
struct Lambda {
  const Arguments* args;
  ExprPtr body;
};
struct IfExp {
  ExprPtr test;
  ExprPtr body;
  ExprPtr orelse;
};
struct Dict {
  List<ExprPtr> keys;
  List<ExprPtr> values;
};  // a null key: **value
struct Set {
  List<ExprPtr> elts;
};
struct ListComp {
  ExprPtr elt;
  List<Comprehension> generators;
};
struct SetComp {
  ExprPtr elt;
  List<Comprehension> generators;
};
struct DictComp {
  ExprPtr key;
  ExprPtr value;
  List<Comprehension> generators;
};
struct GeneratorExp {
  ExprPtr elt;
  List<Comprehension> generators;
};
struct Await {
  ExprPtr value;
};
struct Yield {
  ExprPtr value;
};
struct YieldFrom {
  ExprPtr value;
};
struct Compare {
  ExprPtr left;
  List<CmpOperator> ops;
  List<ExprPtr> comparators;
};
struct Call {
  ExprPtr func;
  List<ExprPtr> args;
  List<Keyword> keywords;
};
struct FormattedValue {
  ExprPtr value;
  int32_t conversion;
  ExprPtr format_spec;
};  // conversion: -1 or 's', 'r', 'a'
struct Interpolation {
  ExprPtr value;
  std::string_view str;
  int32_t conversion;
  ExprPtr format_spec;
};
struct JoinedStr {
  List<ExprPtr> values;
};
struct TemplateStr {
  List<ExprPtr> values;
};
/// `text`: Int, Float, Complex as written (underscores kept); Str as decoded UTF-8 (lone surrogates as three bytes
/// each), Bytes as raw bytes.
struct Constant {
  ConstantKind kind;
  std::string_view text;
};
struct Attribute {
  ExprPtr value;
  Identifier attr;
  ExprContext ctx;
};
struct Subscript {
  ExprPtr value;
  ExprPtr slice;
  ExprContext ctx;
};
struct Starred {
  ExprPtr value;
  ExprContext ctx;
};
struct Name {
  Identifier id;
  ExprContext ctx;
};
struct ListExpr {
  List<ExprPtr> elts;
  ExprContext ctx;
};  // Python's `List`
struct Tuple {
  List<ExprPtr> elts;
  ExprContext ctx;
};
struct Slice {
  ExprPtr lower;
  ExprPtr upper;
  ExprPtr step;
};

struct Expr {
  Range range;
  std::variant<BoolOp, NamedExpr, BinOp, UnaryOp, Lambda, IfExp, Dict, Set, ListComp, SetComp, DictComp, GeneratorExp,
               Await, Yield, YieldFrom, Compare, Call, FormattedValue, Interpolation, JoinedStr, TemplateStr, Constant,
               Attribute, Subscript, Starred, Name, ListExpr, Tuple, Slice>
      node;
};

// --- patterns --------------------------------------------------------------------------------------------------------

struct MatchValue {
  ExprPtr value;
};
struct MatchSingleton {
  ConstantKind value;
};
struct MatchSequence {
  List<PatternPtr> patterns;
};
struct MatchMapping {
  List<ExprPtr> keys;
  List<PatternPtr> patterns;
  Identifier rest;
};
struct MatchClass {
  ExprPtr cls;
  List<PatternPtr> patterns;
  List<Identifier> kwd_attrs;
  List<PatternPtr> kwd_patterns;
};
struct MatchStar {
  Identifier name;
};
struct MatchAs {
  PatternPtr pattern;
  Identifier name;
};
struct MatchOr {
  List<PatternPtr> patterns;
};

struct Pattern {
  Range range;
  std::variant<MatchValue, MatchSingleton, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr> node;
};

// --- statements ------------------------------------------------------------------------------------------------------

struct FunctionDef {
  Identifier name;
  const Arguments* args;
  List<StmtPtr> body;
  List<ExprPtr> decorator_list;
  ExprPtr returns;
  List<TypeParam> type_params;
  bool is_async;  // Python's AsyncFunctionDef
};
struct ClassDef {
  Identifier name;
  List<ExprPtr> bases;
  List<Keyword> keywords;
  List<StmtPtr> body;
  List<ExprPtr> decorator_list;
  List<TypeParam> type_params;
};
struct Return {
  ExprPtr value;
};
struct Delete {
  List<ExprPtr> targets;
};
struct Assign {
  List<ExprPtr> targets;
  ExprPtr value;
};
struct TypeAlias {
  ExprPtr name;
  List<TypeParam> type_params;
  ExprPtr value;
};
struct AugAssign {
  ExprPtr target;
  Operator op;
  ExprPtr value;
};
struct AnnAssign {
  ExprPtr target;
  ExprPtr annotation;
  ExprPtr value;
  bool simple;
};
struct For {
  ExprPtr target;
  ExprPtr iter;
  List<StmtPtr> body;
  List<StmtPtr> orelse;
  bool is_async;
};
struct While {
  ExprPtr test;
  List<StmtPtr> body;
  List<StmtPtr> orelse;
};
struct If {
  ExprPtr test;
  List<StmtPtr> body;
  List<StmtPtr> orelse;
};
struct With {
  List<WithItem> items;
  List<StmtPtr> body;
  bool is_async;
};
struct Match {
  ExprPtr subject;
  List<MatchCase> cases;
};
struct Raise {
  ExprPtr exc;
  ExprPtr cause;
};
struct Try {
  List<StmtPtr> body;
  List<ExceptHandler> handlers;
  List<StmtPtr> orelse;
  List<StmtPtr> finalbody;
  bool is_star;  // Python's TryStar
};
struct Assert {
  ExprPtr test;
  ExprPtr msg;
};
struct Import {
  List<Alias> names;
};
struct ImportFrom {
  Identifier module;
  List<Alias> names;
  int32_t level;
};
struct Global {
  List<Identifier> names;
};
struct Nonlocal {
  List<Identifier> names;
};
struct ExprStmt {
  ExprPtr value;
};  // Python's statement `Expr`
struct Pass {};
struct Break {};
struct Continue {};

struct Stmt {
  Range range;
  std::variant<FunctionDef, ClassDef, Return, Delete, Assign, TypeAlias, AugAssign, AnnAssign, For, While, If, With,
               Match, Raise, Try, Assert, Import, ImportFrom, Global, Nonlocal, ExprStmt, Pass, Break, Continue>
      node;
};

/// Node of one of several types, for a visitor that treats them alike: `[](const OneOf<Global, Nonlocal> auto&) {}`.
/// Lambdas of one visitor must not overlap, unless one takes a type itself.
template <class Node, class... Types>
concept OneOf = (std::same_as<Node, Types> || ...);

/// Visitor for `std::visit(overloaded{...}, node)`.
template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

// --- visits of statements --------------------------------------------------------------------------------------------

/// Groups of statements: those with suites, jumps, and those behind which control goes on. Each node is in one of them.
template <class Node>
concept CompoundStatement = OneOf<Node, FunctionDef, ClassDef, For, While, If, With, Match, Try>;
template <class Node>
concept Jump = OneOf<Node, Return, Raise, Break, Continue>;
template <class Node>
concept PlainStatement = OneOf<Node, Delete, Assign, TypeAlias, AugAssign, AnnAssign, Assert, Import, ImportFrom,
                               Global, Nonlocal, ExprStmt, Pass>;
template <class Node>
concept SimpleStatement = Jump<Node> || PlainStatement<Node>;

template <class... Nodes>
constexpr bool each_in_one_group(const std::variant<Nodes...>*) {
  return ((CompoundStatement<Nodes> + Jump<Nodes> + PlainStatement<Nodes> == 1) && ...);
}
static_assert(each_in_one_group(static_cast<decltype(Stmt::node)*>(nullptr)), "a statement without a group");

/// Visitor for `std::visit(exhaustive{...}, stmt.node)`. It takes no type that it does not name, so that a new node
/// does not compile until each visit has decided on it.
template <class... Ts>
struct exhaustive : Ts... {
  using Ts::operator()...;
  struct NewNode {};
  static_assert(!std::is_invocable_v<overloaded<Ts...>, const NewNode&>, "a generic lambda would take new nodes");
};
template <class... Ts>
exhaustive(Ts...) -> exhaustive<Ts...>;

}  // namespace qd::syntax
