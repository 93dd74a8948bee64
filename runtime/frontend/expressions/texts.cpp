// Texts in a kernel's source: f-strings, `%`, str.format; print.
#include "runtime/frontend/expressions/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Range;

namespace {

void add_percent(Compilation& c, Text& text, std::string_view format, const std::vector<Item>& values,
                 const Range& range);
void add_format_call(Compilation& c, Text& text, std::string_view format, const std::vector<Item>& values,
                     const Range& range, const std::vector<std::pair<std::string_view, Item>>& named = {});

/// Number of the arguments without a name that the fields of a format stand for.
size_t positional_fields(std::string_view format) {
  size_t automatic = 0, most = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '{' || format.substr(i, 2) == "{{") {
      i += format[i] == '{';
      continue;
    }
    const std::string_view field = format.substr(i + 1, format.find_first_of(":}", i) - i - 1);
    if (field.empty()) ++automatic;
    size_t number = 0;
    if (std::from_chars(field.data(), field.data() + field.size(), number).ec == std::errc())
      most = std::max(most, number + 1);
  }
  return std::max(automatic, most);
}

std::string format_spec(Compilation& c, syntax::ExprPtr spec) {
  std::string text;
  auto* joined = spec ? std::get_if<syntax::JoinedStr>(&spec->node) : nullptr;
  if (!joined) return text;
  for (const Expr* part : joined->values) {
    auto* constant = std::get_if<syntax::Constant>(&part->node);
    if (constant) {
      text += constant->text;
    } else {
      c.report.error(ErrorKind::Syntax, part->range, "a format that is computed is not supported in kernels");
    }
  }
  return text;
}

/// Adds a field of an f-string or of str.format. A constant without a format has Python's text.
void add_field(Compilation& c, Text& text, const Item& item, std::string_view spec, const Range& range) {
  const bool printf = text.printf;
  text.printf &= !spec.empty() || !std::holds_alternative<Value>(item);
  add_text(c, text, item, spec, range);
  text.printf = printf;
}

void add_fstring(Compilation& c, Text& text, const syntax::JoinedStr& joined) {
  for (const Expr* part : joined.values) {
    if (auto* constant = std::get_if<syntax::Constant>(&part->node)) {
      text.add(constant->text);
    } else if (auto* nested = std::get_if<syntax::JoinedStr>(&part->node)) {
      add_fstring(c, text, *nested);
    } else if (auto* formatted = std::get_if<syntax::FormattedValue>(&part->node)) {
      Item item = evaluate(c, *formatted->value);
      auto* known = std::get_if<Value>(&item);
      if (known && formatted->conversion != -1 && formatted->conversion != 's') item = Value(representation(*known));
      add_field(c, text, item, format_spec(c, formatted->format_spec), formatted->value->range);
    }
  }
}

}  // namespace

// Adds the text of an expression. A literal, an f-string, `%` and .format keep their structure.
bool add_expr(Compilation& c, Text& text, const Expr& expr) {
  if (auto* joined = std::get_if<syntax::JoinedStr>(&expr.node)) {
    add_fstring(c, text, *joined);
    return true;
  }
  auto literal = [](const Expr& e) -> const syntax::Constant* {
    auto* constant = std::get_if<syntax::Constant>(&e.node);
    return constant && constant->kind == syntax::ConstantKind::Str ? constant : nullptr;
  };
  if (auto* operation = std::get_if<syntax::BinOp>(&expr.node); operation && operation->op == syntax::Operator::Mod) {
    if (auto* format = literal(*operation->left)) {
      Item right = evaluate(c, *operation->right);
      auto* items = std::get_if<Items>(&right);
      const bool printf = std::exchange(text.printf, false);  // `%` is Python's own
      add_percent(c, text, format->text, items ? items->list : std::vector<Item>{right}, expr.range);
      text.printf = printf;
      return true;
    }
  }
  if (auto* call = std::get_if<syntax::Call>(&expr.node)) {
    auto* method = std::get_if<syntax::Attribute>(&call->func->node);
    auto* format = method && method->attr == "format" ? literal(*method->value) : nullptr;
    if (format) {
      std::vector<std::pair<std::string_view, Item>> named;
      for (const syntax::Keyword& keyword : call->keywords)
        named.emplace_back(keyword.arg, evaluate(c, *keyword.value));
      Item list = evaluate_display(c, call->args);
      add_format_call(c, text, format->text, std::get<Items>(list).list, expr.range, named);
      return true;
    }
  }
  Item item = evaluate(c, expr);
  add_text(c, text, item, "", expr.range);
  return !poisoned(item);
}

namespace {

void add_percent(Compilation& c, Text& text, std::string_view format, const std::vector<Item>& values,
                 const Range& range) {
  size_t used = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text.add(format.substr(i, 1));
      continue;
    }
    size_t end = format.find_first_not_of("-+ #0123456789.", i + 1);
    if (end == std::string_view::npos) {
      c.report.error(ErrorKind::Type, range, "incomplete format");
      return;
    }
    char kind = format[end];
    std::string flags(format.substr(i + 1, end - i - 1));
    i = end;
    if (kind == '%') {
      text.add("%");
      continue;
    }
    if (std::string_view("diusrfFeEgGxXoc").find(kind) == std::string_view::npos) {
      c.report.error(ErrorKind::Type, range, fmt::format("the format character `{}` is not supported", kind));
      return;
    }
    if (used == values.size()) {
      c.report.error(ErrorKind::Type, range, "not enough arguments for the format");
      return;
    }
    Item item = values[used++];
    bool left = !flags.empty() && flags[0] == '-';
    std::string spec = left ? fmt::format("<{}", flags.substr(1)) : flags;
    if (kind == 's' || kind == 'r') {
      if (!spec.empty() && !left) spec = fmt::format(">{}", spec);
    } else if (kind == 'd' || kind == 'i' || kind == 'u') {
      auto type = number_type(c, item, range);
      if (type && ir::is_float(*type)) item = Number{*coerce(c, item, Type::I64, range), Type::I64};
      spec += 'd';
    } else {
      spec += kind;
      auto type = number_type(c, item, range);
      bool is_float = std::string_view("fFeEgG").find(kind) != std::string_view::npos;
      if (type && is_float && !ir::is_float(*type)) item = Number{*coerce(c, item, Type::F64, range), Type::F64};
    }
    add_text(c, text, item, spec, range);
  }
  if (used != values.size()) c.report.error(ErrorKind::Type, range, "not all arguments are used by the format");
}

void add_format_call(Compilation& c, Text& text, std::string_view format, const std::vector<Item>& values,
                     const Range& range, const std::vector<std::pair<std::string_view, Item>>& named) {
  size_t automatic = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    char ch = format[i];
    bool doubled = i + 1 < format.size() && format[i + 1] == ch;
    if ((ch == '{' || ch == '}') && doubled) {
      text.add(format.substr(i++, 1));
      continue;
    }
    if (ch != '{') {
      text.add(format.substr(i, 1));
      continue;
    }
    size_t end = format.find('}', i);
    if (end == std::string_view::npos) {
      c.report.error(ErrorKind::Type, range, "a `{` of the format is not closed");
      return;
    }
    std::string_view field = format.substr(i + 1, end - i - 1);
    size_t colon = field.find(':');
    std::string_view number = field.substr(0, colon);
    std::string_view spec = colon == std::string_view::npos ? std::string_view() : field.substr(colon + 1);
    size_t position = 0;
    auto by_name = std::ranges::find_if(named, [&](const auto& one) { return one.first == number; });
    if (by_name != named.end()) {
      add_field(c, text, by_name->second, spec, range);
      i = end;
      continue;
    }
    if (number.empty()) {
      position = automatic++;
    } else if (number.find_first_not_of("0123456789") == std::string_view::npos && number.size() < 4) {
      position = static_cast<size_t>(std::stoi(std::string(number)));
    } else {
      const bool name = number.find_first_of(".[!") == std::string_view::npos;
      c.report.error(ErrorKind::Syntax, range,
                     name ? fmt::format("Keyword '{}' not found: the format has no such argument", number)
                          : fmt::format("the field `{}` of the format is not supported in kernels", number));
      return;
    }
    if (position >= values.size()) {
      c.report.error(ErrorKind::Syntax, range,
                     fmt::format("Expected {} positional argument(s), but received {} instead",
                                 positional_fields(format), values.size()));
      return;
    }
    add_field(c, text, values[position], spec, range);
    i = end;
  }
}

}  // namespace

void lower_print(Compilation& c, const syntax::Call& e, const Expr& expr) {
  std::string separator = " ", ending = "\n";
  for (const syntax::Keyword& keyword : e.keywords) {
    std::string* option = keyword.arg == "sep" ? &separator : keyword.arg == "end" ? &ending : nullptr;
    if (!option) {
      c.report.error(ErrorKind::Syntax, keyword.range,
                     fmt::format("`print` takes no keyword argument `{}` in kernels", keyword.arg));
      continue;
    }
    Item item = static_value(c, *keyword.value);
    if (poisoned(item)) continue;
    auto* value = std::get_if<Value>(&item);
    if (auto* text = std::get_if<std::string>(value)) {
      *option = *text;
    } else if (!std::holds_alternative<None>(*value)) {
      c.report.error(ErrorKind::Type, keyword.range, fmt::format("`{}` must be a string", keyword.arg));
    }
  }
  Text text;
  text.printf = c.options.printf_formats;
  bool first = true;
  for (const Expr* argument : e.args) {
    if (auto* starred = std::get_if<syntax::Starred>(&argument->node)) {
      Item list = evaluate_display(c, syntax::List<syntax::ExprPtr>(&argument, 1));
      for (const Item& item : std::get<Items>(list).list) {
        if (!std::exchange(first, false)) text.add(separator);
        add_text(c, text, item, "", starred->value->range);
      }
      continue;
    }
    if (!std::exchange(first, false)) text.add(separator);
    add_expr(c, text, *argument);
  }
  text.add(ending);
  std::vector<InstId> operands;
  if (auto format = add_format(c, text, operands)) c.build.inst(Op::Print, Type::Void, operands, *format);
}

}  // namespace qd::frontend
