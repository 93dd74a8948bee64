// Prints the syntax trees of the files named on standard input, in the form that ast_dump.py gives to CPython's trees:
// one line a file, `path<TAB>ok<TAB>3.<minor version needed><TAB>tree` or
// `path<TAB>error<TAB>line<TAB>column<TAB>message`. With `--tokens`, the tokens instead, as `KIND line:column` in the
// words of Python's `tokenize`, one a line, and a form feed after each file. With `--sources`, standard input holds
// sources instead, each ended by a NUL; the paths are then their numbers.
#include <fmt/format.h>

#include <bit>
#include <iostream>
#include <string>

#include "runtime/syntax/parse.h"

namespace {

using namespace qd::syntax;

/// An integer literal as lower-case hexadecimal digits.
std::string hexadecimal(std::string_view literal) {
  uint32_t radix = 10;
  if (literal.size() > 2 && literal[0] == '0') {
    const char letter = static_cast<char>(literal[1] | 0x20);
    radix = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (radix != 10) literal.remove_prefix(2);
  }
  std::vector<uint32_t> words{0};
  for (const char c : literal) {
    if (c == '_') continue;
    uint64_t carry = static_cast<uint64_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    for (uint32_t& word : words) {
      carry += uint64_t{word} * radix;
      word = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words.push_back(static_cast<uint32_t>(carry));
  }
  std::string digits = fmt::format("{:x}", words.back());
  for (size_t i = words.size() - 1; i-- > 0;) digits += fmt::format("{:08x}", words[i]);
  return digits;
}

class Dumper {
 public:
  std::string out;

  void module(const Module& module) { list(module.body); }

 private:
  void put(std::string_view text) { out += text; }
  void put(char c) { out += c; }
  void open(const char* name) {
    put(name);
    put('(');
  }
  void open(const char* name, const Range& range) {
    put(name);
    fmt::format_to(std::back_inserter(out), "@{}:{}-{}:{}(", range.line, range.col, range.end_line, range.end_col);
  }

  /// The fields of a node, separated and closed.
  template <class First, class... Rest>
  void fields(const First& first, const Rest&... rest) {
    field(first);
    ((put(','), field(rest)), ...);
    put(')');
  }
  void fields() { put(')'); }

  void field(ExprPtr expr) { expr ? expression(*expr) : put('~'); }
  void field(PatternPtr pattern) { pattern ? this->pattern(*pattern) : put('~'); }
  void field(StmtPtr stmt) { statement(*stmt); }
  void field(Identifier name) { name.empty() ? put('~') : put(name); }
  void field(int32_t number) { put(std::to_string(number)); }
  void field(bool flag) { put(flag ? '1' : '0'); }
  void field(ExprContext context) {
    put(context == ExprContext::Load ? "Load" : context == ExprContext::Store ? "Store" : "Del");
  }
  void field(Operator op) {
    static constexpr const char* kNames[] = {"Add",    "Sub",    "Mult",  "MatMult", "Div",    "Mod",     "Pow",
                                             "LShift", "RShift", "BitOr", "BitXor",  "BitAnd", "FloorDiv"};
    put(kNames[static_cast<int>(op)]);
  }
  void field(UnaryOperator op) {
    static constexpr const char* kNames[] = {"Invert", "Not", "UAdd", "USub"};
    put(kNames[static_cast<int>(op)]);
  }
  void field(CmpOperator op) {
    static constexpr const char* kNames[] = {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn"};
    put(kNames[static_cast<int>(op)]);
  }
  void field(BoolOperator op) { put(op == BoolOperator::And ? "And" : "Or"); }
  void field(const Arguments* args) {
    open("arguments");
    fields(args->posonlyargs, args->args, args->vararg, args->kwonlyargs, args->kw_defaults, args->kwarg,
           args->defaults);
  }
  void field(const Arg* arg) { arg ? field(*arg) : put('~'); }
  void field(const Arg& arg) {
    open("arg", arg.range);
    fields(arg.arg, arg.annotation);
  }
  void field(const Keyword& keyword) {
    open("keyword", keyword.range);
    fields(keyword.arg, keyword.value);
  }
  void field(const Comprehension& clause) {
    open("comprehension");
    fields(clause.target, clause.iter, clause.ifs, clause.is_async);
  }
  void field(const Alias& alias) {
    open("alias", alias.range);
    fields(alias.name, alias.asname);
  }
  void field(const WithItem& item) {
    open("withitem");
    fields(item.context_expr, item.optional_vars);
  }
  void field(const ExceptHandler& handler) {
    open("ExceptHandler", handler.range);
    fields(handler.type, handler.name, handler.body);
  }
  void field(const MatchCase& match_case) {
    open("match_case");
    fields(match_case.pattern, match_case.guard, match_case.body);
  }
  void field(const TypeParam& param) {
    static constexpr const char* kNames[] = {"TypeVar", "ParamSpec", "TypeVarTuple"};
    open(kNames[static_cast<int>(param.kind)], param.range);
    put(param.name);
    if (param.kind == TypeParamKind::TypeVar) {
      put(',');
      field(param.bound);
    }
    if (param.default_value) {
      put(',');
      field(param.default_value);
    }
    put(')');
  }
  template <class T>
  void field(List<T> items) {
    list(items);
  }
  template <class T>
  void list(List<T> items) {
    put('[');
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) put(' ');
      field(items[i]);
    }
    put(']');
  }
  /// Type parameters are left out where there are none, as older Pythons have no field for them.
  void close_with(List<TypeParam> params) {
    if (!params.empty()) {
      put(',');
      list(params);
    }
    put(')');
  }

  void constant(const Constant& constant) {
    const auto number = [&](char kind) {
      fmt::format_to(std::back_inserter(out), "{}{:016x}", kind, std::bit_cast<uint64_t>(float_value(constant)));
    };
    const auto bytes = [&](char kind) {
      static constexpr const char* kDigits = "0123456789abcdef";
      put(kind);
      for (const char c : constant.text) {
        put(kDigits[static_cast<unsigned char>(c) >> 4]);
        put(kDigits[c & 15]);
      }
    };
    switch (constant.kind) {
      case ConstantKind::None: return put("None");
      case ConstantKind::True: return put("True");
      case ConstantKind::False: return put("False");
      case ConstantKind::Ellipsis: return put("...");
      case ConstantKind::Int:
        put('i');
        return int_value(constant) ? put(fmt::format("{:x}", *int_value(constant))) : put(hexadecimal(constant.text));
      case ConstantKind::Float: return number('f');
      case ConstantKind::Complex: return number('j');
      case ConstantKind::Str: return bytes('s');
      case ConstantKind::Bytes: return bytes('b');
    }
  }

  void expression(const Expr& expr) {
    const auto node = [&](const char* name, const auto&... values) {
      open(name, expr.range);
      fields(values...);
    };
    std::visit(overloaded{
                   [&](const BoolOp& n) { node("BoolOp", n.op, n.values); },
                   [&](const NamedExpr& n) { node("NamedExpr", n.target, n.value); },
                   [&](const BinOp& n) { node("BinOp", n.left, n.op, n.right); },
                   [&](const UnaryOp& n) { node("UnaryOp", n.op, n.operand); },
                   [&](const Lambda& n) { node("Lambda", n.args, n.body); },
                   [&](const IfExp& n) { node("IfExp", n.test, n.body, n.orelse); },
                   [&](const Dict& n) { node("Dict", n.keys, n.values); },
                   [&](const Set& n) { node("Set", n.elts); },
                   [&](const ListComp& n) { node("ListComp", n.elt, n.generators); },
                   [&](const SetComp& n) { node("SetComp", n.elt, n.generators); },
                   [&](const DictComp& n) { node("DictComp", n.key, n.value, n.generators); },
                   [&](const GeneratorExp& n) { node("GeneratorExp", n.elt, n.generators); },
                   [&](const Await& n) { node("Await", n.value); },
                   [&](const Yield& n) { node("Yield", n.value); },
                   [&](const YieldFrom& n) { node("YieldFrom", n.value); },
                   [&](const Compare& n) { node("Compare", n.left, n.ops, n.comparators); },
                   [&](const Call& n) { node("Call", n.func, n.args, n.keywords); },
                   [&](const FormattedValue& n) { node("FormattedValue", n.value, n.conversion, n.format_spec); },
                   [&](const Interpolation& n) { node("Interpolation", n.value, n.str, n.conversion, n.format_spec); },
                   [&](const JoinedStr& n) { node("JoinedStr", n.values); },
                   [&](const TemplateStr& n) { node("TemplateStr", n.values); },
                   [&](const Constant& n) {
                     open("Constant", expr.range);
                     constant(n);
                     put(')');
                   },
                   [&](const Attribute& n) { node("Attribute", n.value, n.attr, n.ctx); },
                   [&](const Subscript& n) { node("Subscript", n.value, n.slice, n.ctx); },
                   [&](const Starred& n) { node("Starred", n.value, n.ctx); },
                   [&](const Name& n) { node("Name", n.id, n.ctx); },
                   [&](const ListExpr& n) { node("List", n.elts, n.ctx); },
                   [&](const Tuple& n) { node("Tuple", n.elts, n.ctx); },
                   [&](const Slice& n) { node("Slice", n.lower, n.upper, n.step); },
               },
               expr.node);
  }

  void pattern(const Pattern& pattern) {
    const auto node = [&](const char* name, const auto&... values) {
      open(name, pattern.range);
      fields(values...);
    };
    std::visit(overloaded{
                   [&](const MatchValue& n) { node("MatchValue", n.value); },
                   [&](const MatchSingleton& n) {
                     open("MatchSingleton", pattern.range);
                     constant({n.value, {}});
                     put(')');
                   },
                   [&](const MatchSequence& n) { node("MatchSequence", n.patterns); },
                   [&](const MatchMapping& n) { node("MatchMapping", n.keys, n.patterns, n.rest); },
                   [&](const MatchClass& n) { node("MatchClass", n.cls, n.patterns, n.kwd_attrs, n.kwd_patterns); },
                   [&](const MatchStar& n) { node("MatchStar", n.name); },
                   [&](const MatchAs& n) { node("MatchAs", n.pattern, n.name); },
                   [&](const MatchOr& n) { node("MatchOr", n.patterns); },
               },
               pattern.node);
  }

  void statement(const Stmt& stmt) {
    const auto node = [&](const char* name, const auto&... values) {
      open(name, stmt.range);
      fields(values...);
    };
    const auto node_without_end = [&](const char* name, const auto&... values) {
      node(name, values...);
      out.pop_back();
    };
    std::visit(
        exhaustive{
            [&](const FunctionDef& n) {
              node_without_end(n.is_async ? "AsyncFunctionDef" : "FunctionDef", n.name, n.args, n.body,
                               n.decorator_list, n.returns);
              close_with(n.type_params);
            },
            [&](const ClassDef& n) {
              node_without_end("ClassDef", n.name, n.bases, n.keywords, n.body, n.decorator_list);
              close_with(n.type_params);
            },
            [&](const Return& n) { node("Return", n.value); },
            [&](const Delete& n) { node("Delete", n.targets); },
            [&](const Assign& n) { node("Assign", n.targets, n.value); },
            [&](const TypeAlias& n) {
              node_without_end("TypeAlias", n.name, n.value);
              close_with(n.type_params);
            },
            [&](const AugAssign& n) { node("AugAssign", n.target, n.op, n.value); },
            [&](const AnnAssign& n) { node("AnnAssign", n.target, n.annotation, n.value, n.simple); },
            [&](const For& n) { node(n.is_async ? "AsyncFor" : "For", n.target, n.iter, n.body, n.orelse); },
            [&](const While& n) { node("While", n.test, n.body, n.orelse); },
            [&](const If& n) { node("If", n.test, n.body, n.orelse); },
            [&](const With& n) { node(n.is_async ? "AsyncWith" : "With", n.items, n.body); },
            [&](const Match& n) { node("Match", n.subject, n.cases); },
            [&](const Raise& n) { node("Raise", n.exc, n.cause); },
            [&](const Try& n) { node(n.is_star ? "TryStar" : "Try", n.body, n.handlers, n.orelse, n.finalbody); },
            [&](const Assert& n) { node("Assert", n.test, n.msg); },
            [&](const Import& n) { node("Import", n.names); },
            [&](const ImportFrom& n) { node("ImportFrom", n.module, n.names, n.level); },
            [&](const Global& n) { node("Global", n.names); },
            [&](const Nonlocal& n) { node("Nonlocal", n.names); },
            [&](const ExprStmt& n) { node("Expr", n.value); },
            [&](const Pass&) { node("Pass"); },
            [&](const Break&) { node("Break"); },
            [&](const Continue&) { node("Continue"); },
        },
        stmt.node);
  }
};

void print(const std::string& name, const ParseResult& result) {
  if (result.error) {
    std::cout << fmt::format("{}\terror\t{}\t{}\t{}\n", name, result.error->line, result.error->col,
                             result.error->message);
    return;
  }
  Dumper dumper;
  dumper.module(*result.module);
  std::cout << fmt::format("{}\tok\t{}\t", name, result.module->minor_version) << dumper.out << '\n';
}

void print_tokens(const ParseResult& result) {
  static constexpr const char* kNames[] = {"NAME",        "NUMBER", "STRING",  "FSTRING_START", "FSTRING_MIDDLE",
                                           "FSTRING_END", "OP",     "NEWLINE", "INDENT",        "DEDENT"};
  if (result.module) {
    for (const Token& token : result.module->tokens) {
      if (token.kind == TokenKind::EndMarker) continue;
      std::cout << fmt::format("{} {}:{}\n", kNames[static_cast<int>(token.kind)], token.range.line, token.range.col);
    }
  }
  std::cout << "\f\n";
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::string_view option = argc > 1 ? argv[1] : "";
  const bool reads_sources = option == "--sources";
  std::string item;
  for (size_t count = 0; std::getline(std::cin, item, reads_sources ? '\0' : '\n'); ++count) {
    if (option == "--tokens") {
      print_tokens(parse_file(item));
    } else if (reads_sources) {
      print(std::to_string(count), parse(decode_source(item)));
    } else {
      print(item, parse_file(item));
    }
    std::cout.flush();
  }
}
