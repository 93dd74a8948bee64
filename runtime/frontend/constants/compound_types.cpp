// Compound types: their construction, comparison and names.
#include "runtime/frontend/constants/compound_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/static_eval.h"
#include "runtime/ir/kernel.h"
namespace qd::frontend {

std::optional<size_t> StructType::index(std::string_view member) const {
  auto found = std::ranges::find(names, member);
  return found == names.end() ? std::nullopt : std::optional(static_cast<size_t>(found - names.begin()));
}

bool same_type(const StructType& a, const StructType& b) {
  if (&a == &b || (a.id != 0 && a.id == b.id)) return true;
  return a.names == b.names && a.methods.size() == b.methods.size() && std::ranges::equal(a.types, b.types, equal);
}

bool same_type(const CompoundType& a, const CompoundType& b) {
  if (a.type != b.type || a.shape != b.shape || !a.structure != !b.structure) return false;
  return !a.structure || same_type(*a.structure, *b.structure);
}

int32_t count_of(const std::vector<int32_t>& shape) {
  int32_t count = 1;
  for (int32_t extent : shape) count *= extent;
  return count;
}

std::optional<ir::Type> number_type_of(const CompoundType& type, const Options& options) {
  switch (type.numbers) {
    case NumbersOf::Type: return type.type;
    case NumbersOf::DefaultFloat: return options.default_fp;
    case NumbersOf::DefaultInt: return options.default_ip;
    case NumbersOf::DefaultUnsigned: break;
  }
  return ir::bit_width(options.default_ip) == 64 ? ir::Type::U64 : ir::Type::U32;
}

std::string describe(const CompoundType& type) {
  if (type.structure) return fmt::format("struct `{}`", type.structure->name);
  std::string of = type.type ? fmt::format(" of {}", ir::name(*type.type)) : "";
  if (type.shape.size() == 1)
    return fmt::format("vector of {}{}", type.shape[0],
                       type.type ? fmt::format(" {}", ir::name(*type.type)) : " components");
  return fmt::format("{} x {} matrix{}", type.shape[0], type.shape[1], of);
}

Outcome compound_type(std::string_view name, const std::vector<Value>& args,
                      const std::vector<std::pair<std::string, Value>>& keywords, const Options& options) {
  if (name == "struct") {
    auto type = std::make_shared<StructType>();
    type->name = "struct";
    if (!args.empty()) return Outcome::failed("`types.struct` takes its members by name");
    for (const auto& [member, annotation] : keywords) {
      if (!dtype_of(annotation, options) && !std::holds_alternative<CompoundType>(annotation)) {
        return Outcome::failed(fmt::format("the member `{}` of a struct cannot be {}", member, describe(annotation)));
      }
      type->names.push_back(member);
      type->types.push_back(annotation);
    }
    return Value(CompoundType{std::nullopt, {}, std::move(type)});
  }
  const size_t axes = name == "vector" ? 1 : 2;
  CompoundType type;
  std::vector<Value> all = args;
  for (const auto& [keyword, value] : keywords) {
    if (axes == 1 && keyword == "unpacked") continue;  // components of variables always are apart
    const std::string_view names[] = {"n", axes == 1 ? "dtype" : "m", "dtype"};
    auto position = std::ranges::find(names, keyword);
    if (position == std::end(names) || position - std::begin(names) < static_cast<ptrdiff_t>(all.size()))
      return Outcome::failed(fmt::format("`types.{}` takes no argument `{}`", name, keyword));
    all.resize(std::max(all.size(), static_cast<size_t>(position - std::begin(names)) + 1), Value(None{}));
    all[static_cast<size_t>(position - std::begin(names))] = value;
  }
  if (all.size() < axes || all.size() > axes + 1)
    return Outcome::failed(
        fmt::format("`types.{}` takes {} and a dtype", name, axes == 1 ? "a length" : "numbers of rows and columns"));
  int64_t components = 1;
  for (size_t i = 0; i < axes; ++i) {
    auto extent = as_integer(all[i]);
    if (!extent || *extent < 1 || (components *= *extent) > static_cast<int64_t>(ir::kMaxLocalArray)) {
      return Outcome::failed(fmt::format("the size of a {} is a positive integer, at most {} components in all", name,
                                         ir::kMaxLocalArray));
    }
    type.shape.push_back(static_cast<int32_t>(*extent));
  }
  if (all.size() > axes && !std::holds_alternative<None>(all[axes])) {
    type.type = dtype_of(all[axes], options);
    if (!type.type)
      return Outcome::failed(fmt::format("the components of a {} cannot be {}", name, describe(all[axes])));
  }
  return Value(std::move(type));
}

}  // namespace qd::frontend
