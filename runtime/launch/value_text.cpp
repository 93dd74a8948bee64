// Values and types of arguments in words.
#include "runtime/launch/value_text.h"

#include <fmt/format.h>

#include "runtime/frontend/known/compound_types.h"
#include "runtime/syntax/ast.h"

namespace qd {
namespace {

using syntax::overloaded;

}  // namespace

std::string array_text(std::optional<ir::Type> type, std::optional<int32_t> rank, const std::vector<int32_t>& element) {
  std::string number = type ? std::string(ir::name(*type)) + " " : "";
  std::string dimensions = rank ? fmt::format("{} dimension{}", *rank, *rank == 1 ? "" : "s") : "";
  if (element.empty()) return fmt::format("{}ndarray{}{}", number, rank ? " of " : "", dimensions);
  std::string kind = element.size() == 1 ? fmt::format("vector of {}", element[0])
                                         : fmt::format("{}x{} matrix", element[0], element[1]);
  return fmt::format("ndarray of {}{}{}{}", number, kind, rank ? " with " : "", dimensions);
}

std::string array_text(const frontend::ArrayType& array) {
  return array_text(array.type, array.rank, array.element_shape);
}

std::string value_text(const frontend::Value& value) {
  return std::visit(
      overloaded{
          [](const frontend::None&) -> std::string { return "None"; },
          [](bool b) -> std::string { return b ? "bool True" : "bool False"; },
          [](int64_t i) { return fmt::format("int {}", i); },
          [](const frontend::BigInteger& i) { return "int " + i.text(); },
          [](double d) { return fmt::format("float {}", d); },
          [](const std::string& s) { return fmt::format("str '{}'", s); },
          [](ir::Type t) { return fmt::format("type {}", ir::name(t)); },
          [](const frontend::HostField& f) {
            return fmt::format("{} field of {} dimensions", ir::name(f.type), f.shape.size());
          },
          [](const frontend::Func&) -> std::string { return "qd.func"; },
          [](const frontend::Builtin& b) { return "qd." + b.name; },
          [](const frontend::HostObject& o) { return o.description; },
          [](const frontend::Tuple& t) {
            return fmt::format("{} of {}", t.is_list ? "list" : "tuple", t.items.size());
          },
          [](const frontend::CompoundType& t) { return frontend::describe(t); },
          [](const frontend::ConstantTensor& t) { return frontend::describe(frontend::CompoundType{t.type, t.shape}); },
          [](const frontend::ConstantStruct& t) {
            return fmt::format("{}struct {}", t.is_field ? "field of " : "", t.type->name);
          },
          [](const frontend::Dict& d) { return fmt::format("dict of {}", d.keys.size()); },
          [](const frontend::HostArray& a) { return array_text(a.type); },
      },
      static_cast<const frontend::Value::variant&>(value));
}

}  // namespace qd
