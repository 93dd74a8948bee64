// Names and promotion of the scalar types.
#include "runtime/ir/type.h"

#include <array>

namespace qd::ir {
namespace {

constexpr std::array<std::string_view, 13> kNames{"void", "u1",  "i8",  "i16", "i32", "i64", "u8",
                                                  "u16",  "u32", "u64", "f16", "f32", "f64"};

}  // namespace

std::string_view name(Type t) { return kNames[static_cast<size_t>(t)]; }

std::optional<Type> type_from_name(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); i++) {
    if (kNames[i] == name) return static_cast<Type>(i);
  }
  return std::nullopt;
}

Type promote(Type a, Type b) {
  if (is_float(a) != is_float(b)) return is_float(a) ? a : b;
  if (bit_width(a) != bit_width(b)) return bit_width(a) > bit_width(b) ? a : b;
  return is_unsigned(a) ? a : b;
}

}  // namespace qd::ir
