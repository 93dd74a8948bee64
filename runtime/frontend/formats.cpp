// Text with values in it: print, f-strings, str.format, %, and the messages of assert.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Range;

void Lowering::Text::add_value(Item item, std::string spec, const Range& range) {
  pieces.emplace_back();
  specs.push_back(std::move(spec));
  values.push_back(std::move(item));
  ranges.push_back(range);
}

void Lowering::add_text(Text& text, const Item& item, std::string_view spec, const Range& range) {
  if (poisoned(item)) return;
  if (std::holds_alternative<Number>(item)) {
    text.add_value(item, std::string(spec), range);
    return;
  }
  auto* value = std::get_if<Value>(&item);
  auto* items = std::get_if<Items>(&item);
  if (is_tensor(item)) {
    Tensor tensor = *as_tensor(item, range);
    const int32_t width = tensor.shape.back();
    if (tensor.shape.size() == 2) text.add("[");
    for (size_t i = 0; i < tensor.numbers.size(); ++i) {
      const auto column = static_cast<int32_t>(i) % width;
      if (i > 0) text.add(", ");
      if (column == 0) text.add("[");
      text.add_value(component_item(tensor, i), std::string(spec), range);
      if (column + 1 == width) text.add("]");
    }
    if (tensor.shape.size() == 2) text.add("]");
    return;
  }
  if (auto* record = std::get_if<Record>(&item); record && !record->is_array) {
    text.add("{");
    for (size_t i = 0; i < record->members.size(); ++i) {
      text.add(fmt::format("{}{}: ", i ? ", " : "", record->type->names[i]));
      add_text(text, record->members[i], spec, range);
    }
    text.add("}");
    return;
  }
  if (value && is_number(*value) && !spec.empty()) {
    text.add_value(item, std::string(spec), range);
  } else if (!spec.empty()) {
    error(ErrorKind::Type, range,
          fmt::format("the format `{}` works on numbers only, not on {}", spec, describe_item(item)));
  } else if (value) {
    text.add(to_text(*value));
  } else if (items) {
    const bool dict = !items->keys.empty();
    text.add(dict ? "{" : items->is_list ? "[" : "(");
    for (size_t i = 0; i < items->list.size(); ++i) {
      if (i > 0) text.add(", ");
      if (dict) text.add(representation(items->keys[i]) + ": ");
      auto* known = std::get_if<Value>(&items->list[i]);
      if (known && std::holds_alternative<std::string>(*known)) {
        text.add(representation(*known));
      } else {
        add_text(text, items->list[i], "", range);
      }
    }
    text.add(dict ? "}" : items->is_list ? "]" : items->list.size() == 1 ? ",)" : ")");
  } else {
    error(ErrorKind::Type, range, fmt::format("{} cannot be printed in a kernel", describe_item(item)));
  }
}

std::string Lowering::format_spec(syntax::ExprPtr spec) {
  std::string text;
  auto* joined = spec ? std::get_if<syntax::JoinedStr>(&spec->node) : nullptr;
  if (!joined) return text;
  for (const Expr* part : joined->values) {
    auto* constant = std::get_if<syntax::Constant>(&part->node);
    if (constant) {
      text += constant->text;
    } else {
      error(ErrorKind::Syntax, part->range, "a format that is computed is not supported in kernels");
    }
  }
  return text;
}

void Lowering::add_fstring(Text& text, const syntax::JoinedStr& joined) {
  for (const Expr* part : joined.values) {
    if (auto* constant = std::get_if<syntax::Constant>(&part->node)) {
      text.add(constant->text);
    } else if (auto* nested = std::get_if<syntax::JoinedStr>(&part->node)) {
      add_fstring(text, *nested);
    } else if (auto* formatted = std::get_if<syntax::FormattedValue>(&part->node)) {
      Item item = eval(*formatted->value);
      auto* known = std::get_if<Value>(&item);
      if (known && formatted->conversion != -1 && formatted->conversion != 's') item = Value(representation(*known));
      add_text(text, item, format_spec(formatted->format_spec), formatted->value->range);
    }
  }
}

// Adds what an expression says as text. A literal, an f-string, `%` and .format keep their structure.
bool Lowering::add_expr(Text& text, const Expr& expr) {
  if (auto* joined = std::get_if<syntax::JoinedStr>(&expr.node)) {
    add_fstring(text, *joined);
    return true;
  }
  auto literal = [](const Expr& e) -> const syntax::Constant* {
    auto* constant = std::get_if<syntax::Constant>(&e.node);
    return constant && constant->kind == syntax::ConstantKind::Str ? constant : nullptr;
  };
  if (auto* operation = std::get_if<syntax::BinOp>(&expr.node); operation && operation->op == syntax::Operator::Mod) {
    if (auto* format = literal(*operation->left)) {
      Item right = eval(*operation->right);
      auto* items = std::get_if<Items>(&right);
      add_percent(text, format->text, items ? items->list : std::vector<Item>{right}, expr.range);
      return true;
    }
  }
  if (auto* call = std::get_if<syntax::Call>(&expr.node)) {
    auto* method = std::get_if<syntax::Attribute>(&call->func->node);
    auto* format = method && method->attr == "format" ? literal(*method->value) : nullptr;
    if (format) {
      std::vector<std::pair<std::string_view, Item>> named;
      for (const syntax::Keyword& keyword : call->keywords) named.emplace_back(keyword.arg, eval(*keyword.value));
      Item list = display(call->args);
      add_format_call(text, format->text, std::get<Items>(list).list, expr.range, named);
      return true;
    }
  }
  Item item = eval(expr);
  add_text(text, item, "", expr.range);
  return !poisoned(item);
}

void Lowering::add_percent(Text& text, std::string_view format, const std::vector<Item>& values, const Range& range) {
  size_t used = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text.add(format.substr(i, 1));
      continue;
    }
    size_t end = format.find_first_not_of("-+ #0123456789.", i + 1);
    if (end == std::string_view::npos) {
      error(ErrorKind::Type, range, "incomplete format");
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
      error(ErrorKind::Type, range, fmt::format("the format character `{}` is not supported", kind));
      return;
    }
    if (used == values.size()) {
      error(ErrorKind::Type, range, "not enough arguments for the format");
      return;
    }
    Item item = values[used++];
    bool left = !flags.empty() && flags[0] == '-';
    std::string spec = left ? fmt::format("<{}", flags.substr(1)) : flags;
    if (kind == 's' || kind == 'r') {
      if (!spec.empty() && !left) spec = fmt::format(">{}", spec);
    } else if (kind == 'd' || kind == 'i' || kind == 'u') {
      auto type = number_type(item, range);
      if (type && ir::is_float(*type)) item = Number{*coerce(item, Type::I64, range), Type::I64};
      spec += 'd';
    } else {
      spec += kind;
      auto type = number_type(item, range);
      bool is_float = std::string_view("fFeEgG").find(kind) != std::string_view::npos;
      if (type && is_float && !ir::is_float(*type)) item = Number{*coerce(item, Type::F64, range), Type::F64};
    }
    add_text(text, item, spec, range);
  }
  if (used != values.size()) error(ErrorKind::Type, range, "not all arguments are used by the format");
}

void Lowering::add_format_call(Text& text, std::string_view format, const std::vector<Item>& values, const Range& range,
                               const std::vector<std::pair<std::string_view, Item>>& named) {
  size_t automatic = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    char c = format[i];
    bool doubled = i + 1 < format.size() && format[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      text.add(format.substr(i++, 1));
      continue;
    }
    if (c != '{') {
      text.add(format.substr(i, 1));
      continue;
    }
    size_t end = format.find('}', i);
    if (end == std::string_view::npos) {
      error(ErrorKind::Type, range, "a `{` of the format is not closed");
      return;
    }
    std::string_view field = format.substr(i + 1, end - i - 1);
    size_t colon = field.find(':');
    std::string_view number = field.substr(0, colon);
    std::string_view spec = colon == std::string_view::npos ? std::string_view() : field.substr(colon + 1);
    size_t position = 0;
    auto by_name = std::ranges::find_if(named, [&](const auto& one) { return one.first == number; });
    if (by_name != named.end()) {
      add_text(text, by_name->second, spec, range);
      i = end;
      continue;
    }
    if (number.empty()) {
      position = automatic++;
    } else if (number.find_first_not_of("0123456789") == std::string_view::npos && number.size() < 4) {
      position = static_cast<size_t>(std::stoi(std::string(number)));
    } else {
      error(ErrorKind::Syntax, range, fmt::format("the field `{}` of the format is not supported in kernels", number));
      return;
    }
    if (position >= values.size()) {
      error(ErrorKind::Type, range, "not enough arguments for the format");
      return;
    }
    add_text(text, values[position], spec, range);
    i = end;
  }
}

std::optional<uint32_t> Lowering::add_format(const Text& text, std::vector<InstId>& operands) {
  ir::Format format;
  format.pieces = text.pieces;
  format.specs = text.specs;
  for (size_t i = 0; i < text.values.size(); ++i) {
    auto value = number(text.values[i], text.ranges[i]);
    if (!value) return std::nullopt;
    operands.push_back(value->id);
    format.types.push_back(value->type);
  }
  kernel_.formats.push_back(std::move(format));
  return static_cast<uint32_t>(kernel_.formats.size() - 1);
}

void Lowering::print(const syntax::Call& e, const Expr& expr) {
  std::string separator = " ", ending = "\n";
  for (const syntax::Keyword& keyword : e.keywords) {
    std::string* option = keyword.arg == "sep" ? &separator : keyword.arg == "end" ? &ending : nullptr;
    if (!option) {
      error(ErrorKind::Syntax, keyword.range,
            fmt::format("`print` takes no keyword argument `{}` in kernels", keyword.arg));
      continue;
    }
    Item item = static_value(*keyword.value);
    if (poisoned(item)) continue;
    auto* value = std::get_if<Value>(&item);
    if (auto* text = std::get_if<std::string>(value)) {
      *option = *text;
    } else if (!std::holds_alternative<None>(*value)) {
      error(ErrorKind::Type, keyword.range, fmt::format("`{}` must be a string", keyword.arg));
    }
  }
  Text text;
  bool first = true;
  for (const Expr* argument : e.args) {
    if (auto* starred = std::get_if<syntax::Starred>(&argument->node)) {
      Item list = display(syntax::List<syntax::ExprPtr>(&argument, 1));
      for (const Item& item : std::get<Items>(list).list) {
        if (!std::exchange(first, false)) text.add(separator);
        add_text(text, item, "", starred->value->range);
      }
      continue;
    }
    if (!std::exchange(first, false)) text.add(separator);
    add_expr(text, *argument);
  }
  text.add(ending);
  std::vector<InstId> operands;
  if (auto format = add_format(text, operands)) build_.inst(Op::Print, Type::Void, operands, *format);
}

void Lowering::assertion(const syntax::Assert& s, const syntax::Stmt& stmt) {
  if (!options_.debug) return only_check(s);
  auto test = this->test(*s.test);
  int inlined = inlined_;
  Text text;
  std::vector<InstId> operands;
  std::optional<uint32_t> format;
  BlockId block;
  in_new_block(block, [&] {
    if (s.msg) add_expr(text, *s.msg);
    if (text.values.empty() && text.pieces[0].empty()) text.add("assertion failed");
    add_thread(text, stmt.range);
    format = add_format(text, operands);
  });
  if (!test || !format) return;
  // The values of a message are computed up front where that is harmless, and only after a failure otherwise.
  if (inlined == inlined_ && speculatable(block)) {
    splice(block, *test, false);
    operands.insert(operands.begin(), *test);
    build_.inst(Op::Assert, Type::Void, operands, *format);
    return;
  }
  {
    const ir::Builder::Scope inside(build_, block);
    operands.insert(operands.begin(), constant(Type::U1, Value(false)));
    build_.inst(Op::Assert, Type::Void, operands, *format);
  }
  InstId failed = build_.unary(ir::UnaryOp::LogicalNot, *test);
  InstId branch = build_.inst(Op::If, Type::Void, {failed});
  kernel_[branch].blocks = {block, kernel_.add_block()};
}

}  // namespace qd::frontend
