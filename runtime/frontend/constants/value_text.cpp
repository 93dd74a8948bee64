// Values and types of arguments in words.
#include "runtime/frontend/constants/value_text.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/syntax/ast.h"

namespace qd::frontend {
namespace {

using syntax::overloaded;

constexpr size_t kMostOfText = 40;  // bytes of a str
constexpr size_t kMostItems = 8;    // of a tuple

/// The beginning of a UTF-8 text, cut between characters.
std::string beginning(const std::string& text) {
  if (text.size() <= kMostOfText) return text;
  size_t end = kMostOfText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

std::string array_text(std::optional<ir::Type> type, std::optional<int32_t> rank, const std::vector<int32_t>& element) {
  std::string number = type ? std::string(ir::name(*type)) + " " : "";
  std::string dimensions = rank ? fmt::format("{} dimension{}", *rank, *rank == 1 ? "" : "s") : "";
  if (element.empty()) return fmt::format("{}ndarray{}{}", number, rank ? " of " : "", dimensions);
  if (element[0] < 0)
    return fmt::format("ndarray of {}{}{}{}", number, element.size() == 1 ? "vectors" : "matrices",
                       rank ? " with " : "", dimensions);
  std::string kind = element.size() == 1 ? fmt::format("vector of {}", element[0])
                                         : fmt::format("{}x{} matrix", element[0], element[1]);
  return fmt::format("ndarray of {}{}{}{}", number, kind, rank ? " with " : "", dimensions);
}

std::string array_text(const ArrayType& array) { return array_text(array.type, array.rank, array.element_shape); }

std::string value_text(const Value& value) {
  return std::visit(
      overloaded{
          [](const None&) -> std::string { return "None"; },
          [](bool b) -> std::string { return b ? "bool True" : "bool False"; },
          [](int64_t i) { return fmt::format("int {}", i); },
          [](const BigInteger& i) { return "int " + i.text(); },
          [](double d) { return fmt::format("float {}", d); },
          [](const std::string& s) { return fmt::format("str '{}'", s); },
          [](ir::Type t) { return fmt::format("type {}", ir::name(t)); },
          [](const HostField& f) { return fmt::format("{} field of {} dimensions", ir::name(f.type), f.shape.size()); },
          [](const Func&) -> std::string { return "qd.func"; },
          [](const Builtin& b) { return "qd." + b.name; },
          [](const HostObject& o) { return o.description; },
          [](const Tuple& t) { return fmt::format("{} of {}", t.is_list ? "list" : "tuple", t.items.size()); },
          [](const CompoundType& t) { return describe(t); },
          [](const ConstantTensor& t) { return describe(CompoundType{t.type, t.shape}); },
          [](const ConstantStruct& t) {
            return fmt::format("{}struct {}", t.is_field ? "field of " : "", t.type->name);
          },
          [](const Dict& d) { return fmt::format("dict of {}", d.keys.size()); },
          [](const HostArray& a) { return array_text(a.type); },
      },
      static_cast<const Value::variant&>(value));
}

std::string short_text(const Value& value) {
  if (const bool* b = std::get_if<bool>(&value)) return *b ? "True" : "False";
  if (const int64_t* i = std::get_if<int64_t>(&value)) return fmt::to_string(*i);
  if (const double* d = std::get_if<double>(&value)) return fmt::to_string(*d);
  if (const std::string* s = std::get_if<std::string>(&value)) return "'" + beginning(*s) + "'";
  if (const ir::Type* type = std::get_if<ir::Type>(&value)) return std::string(ir::name(*type));
  if (const Func* func = std::get_if<Func>(&value); func && func->source)
    return std::string(func->source->function().name);
  if (const Tuple* tuple = std::get_if<Tuple>(&value)) {
    std::string items;
    for (size_t i = 0; i < tuple->items.size() && i < kMostItems; ++i)
      items += (i > 0 ? ", " : "") + short_text(tuple->items[i]);
    if (tuple->items.size() > kMostItems) items += ", …";
    return (tuple->is_list ? "[" : "(") + items + (tuple->is_list ? "]" : ")");
  }
  return value_text(value);
}

}  // namespace qd::frontend
