// Text of the inputs of a func's code: types and templates, never a number that is passed by value. So a literal and a
// variable of the same type are one variant, and a loop that is unrolled makes as many as it has templates.
#include "runtime/frontend/functions/func_arguments.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/constants/value_text.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::overloaded;

namespace {

constexpr size_t kMostParts = 8;  // of a tuple

std::string tensor_text(ir::Type type, const std::vector<int32_t>& shape) {
  return describe(CompoundType{type, shape, nullptr});
}

/// Text of an argument. `by_value`: a number that is known counts for its type alone.
std::string item_text(Compilation& c, const Item& item, bool by_value) {
  return std::visit(
      overloaded{
          [](const Poison&) -> std::string { return "…"; },
          [](const Number& n) { return std::string(ir::name(n.type)); },
          [&](const ArrayRef& a) {
            const ir::Array& array = c.kernel.arrays[a.index];
            return array_text(array.type, array.rank, a.element_shape);
          },
          [&](const Items& items) {
            std::string text;
            for (size_t i = 0; i < items.list.size() && i < kMostParts; ++i)
              text += (i > 0 ? ", " : "") + item_text(c, items.list[i], by_value);
            if (items.list.size() > kMostParts) text += ", …";
            return (items.is_list ? "[" : "(") + text + (items.is_list ? "]" : ")");
          },
          [](const Tensor& t) { return tensor_text(t.type, t.shape); },
          [](const TensorPlace& t) { return tensor_text(t.type, t.shape); },
          [](const NumberPlace& n) { return std::string(ir::name(n.type)); },
          [](const Record& r) { return fmt::format("{}struct {}", r.is_array ? "array of " : "", r.type->name); },
          [&](const View& v) { return fmt::format("BufferView of {}", ir::name(c.kernel.arrays[v.array.index].type)); },
          [](const BoundMethod& m) { return std::string(m.func.source->function().name); },
          [](const SharedArray& a) { return fmt::format("SharedArray of {}", ir::name(a.type)); },
          [&](const MadeObject& o) { return c.objects[o.index].cls.description; },
          [](const Super&) -> std::string { return "super()"; },
          [&](const Value& value) -> std::string {
            if (!by_value || !known_number(item)) return short_text(value);
            const ir::Type type = type_of_value(c, value);
            return type == ir::Type::Void ? "int" : std::string(ir::name(type));
          },
      },
      static_cast<const Item::variant&>(item));
}

/// Text of a template argument that is a variable of the caller.
std::string binding_text(Compilation& c, const Binding& binding) {
  return std::visit(overloaded{
                        [](const Variable& v) { return std::string(ir::name(v.type)); },
                        [&](const ParamRef& p) { return std::string(ir::name(c.kernel.params[p.index].type)); },
                        [](const LoopIndexRef&) -> std::string { return "index"; },
                        [&](const Item& item) { return item_text(c, item, false); },
                        [&](const CompoundVariable& v) { return item_text(c, *v.place, false); },
                    },
                    binding.what);
}

/// Whether the annotation of a parameter, which is no template, leaves no choice of types.
bool is_fixed(const syntax::Arg& parameter, Environment& environment) {
  if (!parameter.annotation) return false;
  std::optional<Value> annotation = defined_annotation(parameter.arg, environment);
  if (!annotation) annotation = quiet_value(*parameter.annotation, environment);
  if (!annotation) return true;
  if (const auto array = read_array_annotation(*annotation)) return (array->type || array->element) && array->rank;
  if (const auto view = read_view_annotation(*annotation)) return view->type.has_value();
  return true;
}

}  // namespace

std::string func_variant_text(Compilation& c, const Func& func, const std::vector<const syntax::Arg*>& parameters,
                              const std::vector<BoundArgument>& bound) {
  std::string text;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const bool by_value = !is_template(*parameters[i], *func.environment);
    if (by_value && is_fixed(*parameters[i], *func.environment)) continue;
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : ", ", parameters[i]->arg,
                    bound[i].variable ? binding_text(c, *bound[i].variable) : item_text(c, bound[i].item, by_value));
  }
  return text;
}

}  // namespace qd::frontend
