// Python's operations on tuples, dicts and strings that are known while a kernel is compiled.
#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

using syntax::CmpOperator;
using syntax::Operator;

namespace {

constexpr size_t kLongest = 1000000;

/// Whether a byte of a UTF-8 text is the first of its character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

}  // namespace

std::optional<size_t> TupleClass::index(std::string_view field) const {
  const auto found = std::ranges::find(fields, field);
  return found == fields.end() ? std::nullopt : std::optional(static_cast<size_t>(found - fields.begin()));
}

std::string_view TupleClass::name() const {
  const std::string_view text = cls.description;  // class 'P'
  const size_t begin = text.find('\'') + 1;
  return text.substr(begin, text.rfind('\'') - begin);
}

bool same_class(const std::shared_ptr<const TupleClass>& a, const std::shared_ptr<const TupleClass>& b) {
  return a == b || (a && b && a->cls.id == b->cls.id);
}

std::optional<std::vector<size_t>> slice_positions(size_t size, const Value& lower, const Value& upper,
                                                   const Value& step) {
  const auto length = static_cast<int64_t>(size);
  auto known = [](const Value& v) { return std::holds_alternative<None>(v) || as_integer(v).has_value(); };
  if (!known(lower) || !known(upper) || !known(step)) return std::nullopt;
  const int64_t by = std::clamp(as_integer(step).value_or(1), -length - 1, length + 1);  // no sum overflows
  if (by == 0) return std::nullopt;
  auto bound = [&](const Value& v, int64_t usual) {
    auto at = as_integer(v);
    if (!at) return usual;
    int64_t i = *at < 0 ? *at + length : *at;
    return std::clamp<int64_t>(i, by < 0 ? -1 : 0, by < 0 ? length - 1 : length);
  };
  std::vector<size_t> positions;
  const int64_t begin = bound(lower, by < 0 ? length - 1 : 0), end = bound(upper, by < 0 ? -1 : length);
  for (int64_t i = begin; by < 0 ? i > end : i < end; i += by) positions.push_back(static_cast<size_t>(i));
  return positions;
}

Outcome slice(const Value& sequence, const Value& lower, const Value& upper, const Value& step) {
  auto* tuple = std::get_if<Tuple>(&sequence);
  const auto items = std::holds_alternative<Dict>(sequence) ? std::nullopt : iterated(sequence);
  if (!items) return Outcome::failed(fmt::format("{} has no slices", describe(sequence)));
  auto positions = slice_positions(items->size(), lower, upper, step);
  if (!positions) return Outcome::failed("the bounds of a slice are integers, and its step is not 0");
  Tuple part;
  part.is_list = tuple && tuple->is_list;
  std::string text;
  for (size_t i : *positions) {
    if (tuple)
      part.items.push_back((*items)[i]);
    else
      text += std::get<std::string>((*items)[i]);
  }
  return tuple ? Value(std::move(part)) : Value(std::move(text));
}

std::optional<int64_t> length(const Value& value) {
  if (auto* tuple = std::get_if<Tuple>(&value)) return static_cast<int64_t>(tuple->items.size());
  if (auto* dict = std::get_if<Dict>(&value)) return static_cast<int64_t>(dict->keys.size());
  auto* text = std::get_if<std::string>(&value);
  if (!text) return std::nullopt;
  return std::ranges::count_if(*text, [](char c) { return begins_character(c); });
}

std::optional<size_t> repetitions(size_t size, int64_t times) {
  const auto count = static_cast<size_t>(std::max<int64_t>(times, 0));
  if (size == 0) return 0;
  return count > kLongest / size ? std::nullopt : std::optional(count);
}

std::optional<std::vector<Value>> iterated(const Value& value) {
  if (auto* tuple = std::get_if<Tuple>(&value)) return tuple->items;
  if (auto* dict = std::get_if<Dict>(&value)) return dict->keys;
  auto* text = std::get_if<std::string>(&value);
  if (!text) return std::nullopt;
  std::vector<Value> characters;
  for (size_t i = 0; i < text->size();) {
    size_t next = i + 1;
    while (next < text->size() && !begins_character((*text)[next])) ++next;
    characters.emplace_back(text->substr(i, next - i));
    i = next;
  }
  return characters;
}

Outcome formatted(const Value& value, std::string_view spec) {
  try {
    const std::string format = fmt::format("{{:{}}}", spec);
    if (auto* b = std::get_if<bool>(&value))
      return spec.empty() ? Value(to_text(*b)) : Value(fmt::format(fmt::runtime(format), int64_t{*b}));
    if (auto* i = std::get_if<int64_t>(&value)) {
      const bool as_float = !spec.empty() && std::string_view("eEfFgG%").find(spec.back()) != std::string_view::npos;
      return as_float ? Value(fmt::format(fmt::runtime(format), static_cast<double>(*i)))
                      : Value(fmt::format(fmt::runtime(format), *i));
    }
    if (auto* d = std::get_if<double>(&value); d && !spec.empty()) return Value(fmt::format(fmt::runtime(format), *d));
    return spec.empty() ? Value(to_text(value)) : Value(fmt::format(fmt::runtime(format), to_text(value)));
  } catch (const fmt::format_error&) {
    return Outcome::failed(fmt::format("the format `{}` does not work on {}", spec, describe(value)));
  }
}

namespace {

Outcome call_dict_method(const Dict& dict, std::string_view name, const std::vector<Value>& arguments) {
  if (name == "keys" && arguments.empty()) return Value(Tuple{dict.keys, true});
  if (name == "values" && arguments.empty()) return Value(Tuple{dict.values, true});
  if (name == "items" && arguments.empty()) {
    Tuple items;
    for (size_t i = 0; i < dict.keys.size(); ++i) items.items.emplace_back(Tuple{{dict.keys[i], dict.values[i]}});
    return Value(std::move(items));
  }
  if (name == "get" && (arguments.size() == 1 || arguments.size() == 2)) {
    for (size_t i = 0; i < dict.keys.size(); ++i) {
      if (equal(dict.keys[i], arguments[0])) return dict.values[i];
    }
    return arguments.size() == 2 ? arguments[1] : Value(None{});
  }
  return Outcome::failed(fmt::format("the method `{}` of a dict cannot be called like this at compile time", name));
}

Outcome call_text_method(const std::string& text, std::string_view name, const std::vector<Value>& arguments) {
  auto* other = arguments.size() == 1 ? std::get_if<std::string>(&arguments[0]) : nullptr;
  if (name == "startswith" && other) return Value(text.starts_with(*other));
  if (name == "endswith" && other) return Value(text.ends_with(*other));
  const bool is_ascii = std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if ((name == "upper" || name == "lower") && arguments.empty() && is_ascii) {
    std::string changed = text;
    for (char& c : changed) {
      const char low = name == "upper" ? 'a' : 'A';
      if (c >= low && c < low + 26) c = static_cast<char>(c ^ 32);
    }
    return Value(std::move(changed));
  }
  if (name == "join" && arguments.size() == 1) {
    auto parts = iterated(arguments[0]);
    std::string joined;
    for (size_t i = 0; parts && i < parts->size(); ++i) {
      auto* part = std::get_if<std::string>(&(*parts)[i]);
      if (!part) return Outcome::failed(fmt::format("join() takes strings, not {}", describe((*parts)[i])));
      joined += (i > 0 ? text : "") + *part;
    }
    if (parts) return Value(std::move(joined));
  }
  return Outcome::failed(fmt::format("the method `{}` of a string cannot be called like this at compile time", name));
}

}  // namespace

bool is_known_container(const Value& value) {
  return std::holds_alternative<Dict>(value) || std::holds_alternative<std::string>(value) ||
         std::holds_alternative<Tuple>(value);
}

bool is_method_of_known(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "items",        "keys",    "values",     "get",          "index",      "count",   "startswith", "endswith",
      "upper",        "lower",   "join",       "casefold",     "capitalize", "center",  "expandtabs", "find",
      "format",       "isalnum", "isalpha",    "isascii",      "isdecimal",  "isdigit", "islower",    "isnumeric",
      "isspace",      "isupper", "ljust",      "lstrip",       "partition",  "replace", "rfind",      "rindex",
      "removeprefix", "rjust",   "rpartition", "rsplit",       "rstrip",     "split",   "splitlines", "strip",
      "swapcase",     "title",   "zfill",      "removesuffix", "_replace",   "_asdict"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

Outcome call_method(const Value& object, std::string_view name, const std::vector<Value>& arguments) {
  if (auto* dict = std::get_if<Dict>(&object)) return call_dict_method(*dict, name, arguments);
  if (auto* text = std::get_if<std::string>(&object)) return call_text_method(*text, name, arguments);
  if (name == "index" || name == "count") {
    auto items = iterated(object);
    for (size_t i = 0; name == "index" && items && arguments.size() == 1 && i < items->size(); ++i) {
      if (equal((*items)[i], arguments[0])) return Value(static_cast<int64_t>(i));
    }
    if (name == "count" && items && arguments.size() == 1) {
      return Value(static_cast<int64_t>(
          std::ranges::count_if(*items, [&](const Value& item) { return equal(item, arguments[0]); })));
    }
  }
  return Outcome::failed(
      fmt::format("the method `{}` of {} cannot be called like this at compile time", name, describe(object)));
}

Outcome call_container_function(std::string_view name, const std::vector<Value>& arguments, bool reverse) {
  auto items = arguments.empty() ? std::nullopt : iterated(arguments[0]);
  const size_t most = name == "sum" ? 2 : 1;
  if (arguments.empty() && (name == "tuple" || name == "list")) return Value(Tuple{{}, name == "list"});
  if (!items || arguments.size() > most)
    return Outcome::failed(fmt::format("{}() takes something to iterate over at compile time", name));
  if (name == "tuple" || name == "list") return Value(Tuple{std::move(*items), name == "list"});
  if (name == "reversed") {
    std::ranges::reverse(*items);
    return Value(Tuple{std::move(*items), true});
  }
  if (name == "any" || name == "all") {
    auto none = std::ranges::find_if_not(*items, has_truth);
    if (none != items->end()) return Outcome::failed(no_truth(*none));
  }
  if (name == "any") return Value(std::ranges::any_of(*items, truth));
  if (name == "all") return Value(std::ranges::all_of(*items, truth));
  if (name == "sum") {
    Outcome sum = arguments.size() == 2 ? arguments[1] : Value(int64_t{0});
    for (const Value& item : *items) {
      if (sum.value) sum = binary(Operator::Add, *sum.value, item);
    }
    return sum;
  }
  // Insertion keeps equal items in their order.
  std::vector<Value> sorted;
  for (const Value& item : *items) {
    size_t at = sorted.size();
    for (; at > 0; --at) {
      Outcome before = compare(reverse ? CmpOperator::Gt : CmpOperator::Lt, item, sorted[at - 1]);
      if (!before.value) return before;
      if (!truth(*before.value)) break;
    }
    sorted.insert(sorted.begin() + static_cast<ptrdiff_t>(at), item);
  }
  return Value(Tuple{std::move(sorted), true});
}

}  // namespace qd::frontend
