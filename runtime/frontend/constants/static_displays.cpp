// Tuples, lists, dicts, comprehensions and f-strings at compile time.
#include "runtime/frontend/constants/evaluator.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {

using syntax::Expr;

namespace {

constexpr size_t kMostIterations = 1'000'000;

}  // namespace

std::optional<Value> Evaluator::sequence(syntax::List<syntax::ExprPtr> elements, bool is_list) {
  Tuple tuple;
  tuple.is_list = is_list;
  for (const Expr* element : elements) {
    if (auto* starred = std::get_if<syntax::Starred>(&element->node)) {
      auto inner = value(*starred->value);
      if (!inner) return std::nullopt;
      auto* items = std::get_if<Tuple>(&*inner);
      if (!items) return fail(ErrorKind::Type, element->range, fmt::format("{} cannot be unpacked", describe(*inner)));
      tuple.items.insert(tuple.items.end(), items->items.begin(), items->items.end());
      continue;
    }
    auto item = value(*element);
    if (!item) return std::nullopt;
    tuple.items.push_back(std::move(*item));
  }
  return Value(std::move(tuple));
}

const Value* Evaluator::local_of(const Expr& expr) const {
  auto* name = std::get_if<syntax::Name>(&expr.node);
  for (size_t i = locals_.size(); name && i-- > 0;) {
    if (locals_[i].first == name->id) return &locals_[i].second;
  }
  return nullptr;
}

bool Evaluator::bind(const Expr& target, const Value& item) {
  if (auto* name = std::get_if<syntax::Name>(&target.node)) {
    locals_.emplace_back(name->id, item);
    return true;
  }
  auto* several = std::get_if<syntax::Tuple>(&target.node);
  auto parts = several ? iterated(item) : std::nullopt;
  if (!parts || parts->size() != several->elts.size()) {
    fail(ErrorKind::Type, target.range, fmt::format("{} cannot be unpacked like this", describe(item)));
    return false;
  }
  for (size_t i = 0; i < parts->size(); ++i) {
    if (!bind(*several->elts[i], (*parts)[i])) return false;
  }
  return true;
}

bool Evaluator::iterate(syntax::List<syntax::Comprehension> generators, const std::function<bool()>& each) {
  if (generators.empty()) return each();
  const syntax::Comprehension& generator = generators[0];
  auto over = value(*generator.iter);
  if (!over) return false;
  auto items = iterated(listed(*over));
  if (!items) {
    fail(ErrorKind::Type, generator.iter->range, fmt::format("{} cannot be iterated at compile time", describe(*over)));
    return false;
  }
  const size_t outer = locals_.size();
  bool good = true;
  for (const Value& item : *items) {
    if (++iterations_ > kMostIterations) {
      fail(ErrorKind::Compilation, generator.iter->range, "the comprehension has more than a million iterations");
      return false;
    }
    good = bind(*generator.target, item);
    bool wanted = true;
    for (const Expr* filter : generator.ifs) {
      if (!good || !wanted) break;
      auto test = value(*filter);
      const auto known = test ? known_truth(*test, filter->range, scope_) : std::nullopt;
      good = known.has_value();
      wanted = known.value_or(false);
    }
    if (good && wanted) good = iterate(generators.subspan(1), each);
    locals_.resize(outer);
    if (!good) break;
  }
  return good;
}

std::optional<Value> Evaluator::comprehension(syntax::List<syntax::Comprehension> generators, const Expr& element) {
  Tuple tuple;
  tuple.is_list = true;
  bool good = iterate(generators, [&] {
    auto item = value(element);
    if (item) tuple.items.push_back(std::move(*item));
    return item.has_value();
  });
  return good ? std::optional<Value>(std::move(tuple)) : std::nullopt;
}

void Evaluator::put(Dict& dict, Value key, Value item) {
  for (size_t i = 0; i < dict.keys.size(); ++i) {
    if (!equal(dict.keys[i], key)) continue;
    dict.values[i] = std::move(item);
    return;
  }
  dict.keys.push_back(std::move(key));
  dict.values.push_back(std::move(item));
}

std::optional<Value> Evaluator::dict_comprehension(const syntax::DictComp& e) {
  Dict dict;
  bool good = iterate(e.generators, [&] {
    auto key = value(*e.key);
    auto item = key ? value(*e.value) : std::nullopt;
    if (item) put(dict, std::move(*key), std::move(*item));
    return item.has_value();
  });
  return good ? std::optional<Value>(std::move(dict)) : std::nullopt;
}

std::optional<Value> Evaluator::dict(const syntax::Dict& e) {
  Dict dict;
  for (size_t i = 0; i < e.keys.size(); ++i) {
    auto key = e.keys[i] ? value(*e.keys[i]) : std::optional<Value>(None{});
    auto item = key ? value(*e.values[i]) : std::nullopt;
    if (!item) return std::nullopt;
    auto* other = e.keys[i] ? nullptr : std::get_if<Dict>(&*item);
    if (!e.keys[i] && !other)
      return fail(ErrorKind::Type, e.values[i]->range, fmt::format("{} is no dict", describe(*item)));
    for (size_t k = 0; other && k < other->keys.size(); ++k) put(dict, other->keys[k], other->values[k]);
    if (!other) put(dict, std::move(*key), std::move(*item));
  }
  return Value(std::move(dict));
}

std::optional<Value> Evaluator::joined(const syntax::JoinedStr& e) {
  std::string text;
  for (const Expr* part : e.values) {
    if (auto* constant = std::get_if<syntax::Constant>(&part->node)) {
      text += constant->text;
      continue;
    }
    auto* nested = std::get_if<syntax::JoinedStr>(&part->node);
    auto* field = std::get_if<syntax::FormattedValue>(&part->node);
    auto item = nested ? joined(*nested) : field ? value(*field->value) : std::nullopt;
    if (!item) return std::nullopt;
    const bool of_object = std::holds_alternative<HostObject>(*item);
    const char conversion = field ? static_cast<char>(field->conversion) : '\0';
    if (of_object && (conversion == 'r' || conversion == 's')) {
      item = checked(call_host({*item, conversion == 'r' ? "__repr__" : "__str__", {}, {}}, scope_), part->range);
      if (!item) return std::nullopt;
    } else if (conversion == 'r') {
      item = Value(representation(*item));
    }
    std::optional<Value> spec = Value(std::string());
    if (field && field->format_spec) spec = value(*field->format_spec);
    if (!spec) return std::nullopt;
    // Only Python knows the texts of objects, and all formats of numbers.
    Outcome outcome = formatted(*item, std::get<std::string>(*spec));
    if (!outcome.value || std::holds_alternative<HostObject>(*item)) {
      Outcome asked = call_host({*item, "__format__", {*spec}, {}}, scope_);
      if (asked.value) outcome = std::move(asked);
    }
    item = checked(std::move(outcome), part->range);
    if (!item) return std::nullopt;
    text += std::get<std::string>(*item);
  }
  return Value(std::move(text));
}

}  // namespace qd::frontend
