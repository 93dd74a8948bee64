// The scalar types of the kernel language.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace qd::ir {

enum class Type : uint8_t { Void, U1, I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64 };

constexpr bool is_float(Type t) { return t == Type::F16 || t == Type::F32 || t == Type::F64; }
constexpr bool is_signed(Type t) { return t >= Type::I8 && t <= Type::I64; }
constexpr bool is_unsigned(Type t) { return t == Type::U1 || (t >= Type::U8 && t <= Type::U64); }
constexpr bool is_integer(Type t) { return is_signed(t) || is_unsigned(t); }

/// Size of a value in bits. U1 has 1, but takes a byte in memory.
constexpr int bit_width(Type t) {
  switch (t) {
    case Type::Void: return 0;
    case Type::U1: return 1;
    case Type::I8:
    case Type::U8: return 8;
    case Type::I16:
    case Type::U16:
    case Type::F16: return 16;
    case Type::I32:
    case Type::U32:
    case Type::F32: return 32;
    case Type::I64:
    case Type::U64:
    case Type::F64: return 64;
  }
  return 0;
}

/// Size of a number in memory, in bytes.
constexpr int size_in_bytes(Type t) { return t == Type::U1 ? 1 : bit_width(t) / 8; }

/// Printed name of a type: "i32", "f64", "u1", "void".
std::string_view name(Type t);
std::optional<Type> type_from_name(std::string_view name);

/// The type of an operation on two types: a float type wins over an integer type, the wider one over the narrower one,
/// and unsigned over signed of the same width.
Type promote(Type a, Type b);

}  // namespace qd::ir
