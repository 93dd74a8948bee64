#include "runtime/mathematics/software.h"

#include <stdexcept>

#include "runtime/mathematics/notation.h"

namespace qd::software {
namespace {

using ir::BinaryOp;
using ir::Op;
using ir::Type;
using mathematics::from_bits;
using mathematics::Notation;
using mathematics::select;
using mathematics::Value;

Value binary(BinaryOp op, Value a, Value b) {
  return a.notation().inst(Op::Binary, a.type(), {a.id(), b.id()}, static_cast<uint32_t>(op));
}
Value unary(ir::UnaryOp op, Value a) {
  return a.notation().inst(Op::Unary, a.type(), {a.id()}, static_cast<uint32_t>(op));
}
// Shifts. A count of the width or more shifts everything out.
Value shl(Value a, Value by) { return binary(BinaryOp::Shl, a, by); }
Value shr(Value a, Value by) { return binary(BinaryOp::LogicalShr, a, by); }
Value least(Value a, Value b) { return binary(BinaryOp::Min, a, b); }
Value leading_zeros(Value a) { return unary(ir::UnaryOp::Clz, a); }
Value no(Value a) {
  return a.notation().inst(Op::Unary, Type::U1, {a.id()}, static_cast<uint32_t>(ir::UnaryOp::LogicalNot));
}
Value cast(Type type, Value a) { return mathematics::convert(type, a); }
Value bit_cast(Type type, Value a) { return a.notation().inst(Op::BitCast, type, {a.id()}); }

/// A variable of the formula.
class Variable {
 public:
  explicit Variable(Value initial) : notation_(initial.notation()), place_(notation_.build().variable(initial.type())) {
    *this = initial;
  }
  void operator=(Value value) { notation_.build().store(place_, value.id()); }
  Value operator*() const { return {notation_, notation_.build().load(place_)}; }

 private:
  Notation& notation_;
  ir::InstId place_;
};

/// A kernel under construction, and the notation that writes the body of its routine.
struct Formula {
  Formula(std::string name, std::vector<Type> params, Type result)
      : kernel(started(name)), notation(kernel, ir::BlockId::None) {
    kernel.routines.push_back({name, std::move(params), {result}, kernel.add_block()});
    notation.build().set_block(kernel.routines[0].body);
  }
  Value parameter(uint32_t i) { return notation.inst(Op::CallArg, kernel.routines[0].params[i], {}, i); }
  Value whole(Type type, int64_t number) { return notation.whole(type, number); }

  template <class Then>
  void when(Value test, Then&& then) {
    notation.build().when(test.id(), then);
  }
  /// Repeats the body as long as the test before it holds.
  template <class Test, class Body>
  void repeat(Test&& test, Body&& body) {
    const ir::InstId loop = notation.build().inst(Op::Loop, Type::Void, {});
    const ir::BlockId inside = kernel.add_block();
    kernel[loop].blocks[0] = inside;
    ir::Builder::Scope scope(notation.build(), inside);
    when(no(test()), [&] { notation.build().inst(Op::Break, Type::Void, {}); });
    body();
  }
  ir::Kernel done(Value result) {
    notation.inst(Op::Return, Type::Void, {result.id()});
    return std::move(kernel);
  }

  ir::Kernel kernel;
  Notation notation;

 private:
  static ir::Kernel started(const std::string& name) {
    ir::Kernel kernel;
    kernel.name = name;
    kernel.functions.push_back({"", name, 1});
    kernel.locations.push_back({});
    kernel.body = kernel.add_block();
    return kernel;
  }
};

/// Fma of f32: the sum of an exact product in f64 and c, rounded to odd: then the second rounding to f32 is right.
ir::Kernel single_fma() {
  Formula formula("fma32", {Type::F32, Type::F32, Type::F32}, Type::F32);
  const Value product = cast(Type::F64, formula.parameter(0)) * cast(Type::F64, formula.parameter(1));
  const Value addend = cast(Type::F64, formula.parameter(2));
  const Value sum = product + addend;
  // The rounding error of the sum, by Knuth: exact.
  const Value back = sum - product;
  const Value error = (product - (sum - back)) + (addend - back);
  const Value bits = bit_cast(Type::I64, sum);
  const Value away = (error > 0.0) ^ (sum < 0.0);  // the exact sum has the larger magnitude
  const Value odd = (bits & bits.whole(1)) == bits.whole(1);
  const Value finite = mathematics::abs(error) < error.same(0x1p1000);  // no: NaN, as sums of infinities give
  const Value moved = bits + select(away, bits.whole(1), bits.whole(-1));
  const Value inexact = (error != error.same(0.0)) & no(odd) & finite;
  return formula.done(cast(Type::F32, from_bits(select(inexact, moved, bits))));
}

/// Near fma of f32: the product in f64 is exact; the sum is rounded to f64 and then to f32.
ir::Kernel near_single_fma() {
  Formula formula("near_fma32", {Type::F32, Type::F32, Type::F32}, Type::F32);
  auto wide = [&](uint32_t i) { return cast(Type::F64, formula.parameter(i)); };
  return formula.done(cast(Type::F32, wide(0) * wide(1) + wide(2)));
}

/// Near fma of f64: product and sum with their rounding errors, by Dekker and Knuth. A number's upper half is rounded
/// to 26 digits, so that the products of halves are exact.
ir::Kernel near_double_fma() {
  Formula formula("near_fma64", {Type::F64, Type::F64, Type::F64}, Type::F64);
  const Value a = formula.parameter(0), b = formula.parameter(1), c = formula.parameter(2);
  auto upper = [](Value x) {
    const Value bits = bit_cast(Type::I64, x);
    return from_bits((bits + bits.whole(1 << 26)) & bits.whole(-(int64_t{1} << 27)));
  };
  const Value a_high = upper(a), a_low = a - a_high, b_high = upper(b), b_low = b - b_high;
  const Value product = a * b;
  const Value product_lacks = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  const Value sum = product + c;
  const Value back = sum - product;
  const Value sum_lacks = (product - (sum - back)) + (c - back);
  const Value lacks = sum_lacks + product_lacks;
  const Value finite = mathematics::abs(lacks) < sum.same(mathematics::kInfinity);
  return formula.done(select(finite, sum + lacks, sum));
}

struct Wide {
  Value high, low;
};

Value high_product(Value a, Value b) {
  const Value mask = a.whole(0xffffffff);
  const Value a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
  const Value mid = a1 * b0 + ((a0 * b0) >> 32);
  const Value low = (mid & mask) + a0 * b1;
  return a1 * b1 + (mid >> 32) + (low >> 32);
}

/// Shifts right; the lowest bit says whether a bit that is not zero was lost.
Wide shift_right(Wide x, Value by) {
  const Value rest = by.whole(64) - by, more = by - by.whole(64);
  const Value near_low = shr(x.low, by) | shl(x.high, rest);
  const Value near_lost = shl(x.low, rest);
  const Value far_lost = x.low | shl(x.high, by.whole(128) - by);
  const Value is_near = by < by.whole(64);
  const Value zero = by.whole(0);
  const Value lost = select(is_near, near_lost, far_lost) != zero;
  return {select(is_near, shr(x.high, by), zero),
          select(is_near, near_low, shr(x.high, more)) | select(lost, by.whole(1), zero)};
}

Wide choose(Value test, Wide yes, Wide no) { return {select(test, yes.high, no.high), select(test, yes.low, no.low)}; }

/// A finite f64 that is not zero: 53 bits, the highest of which is set, times a power of two.
struct Parts {
  Value digits, exponent;
};
Parts parts(Value bits) {
  const Value field = (bits >> 52) & bits.whole(0x7ff);
  const Value fraction = bits & bits.whole((int64_t{1} << 52) - 1);
  const Value zeros = leading_zeros(fraction) - bits.whole(11);
  const Value is_small = field == bits.whole(0);
  return {select(is_small, shl(fraction, zeros), fraction | bits.whole(int64_t{1} << 52)),
          select(is_small, bits.whole(1) - zeros, field)};
}

/// Fma of f64, in integers of 128 bits. Exponents are u64, too: they wrap, and are compared as i64.
ir::Kernel double_fma() {
  Formula formula("fma64", {Type::F64, Type::F64, Type::F64}, Type::F64);
  const Value a = formula.parameter(0), b = formula.parameter(1), c = formula.parameter(2);
  auto word = [](Value real) { return bit_cast(Type::U64, real); };
  auto whole = [&](int64_t number) { return formula.whole(Type::U64, number); };
  auto below = [](Value x, Value y) { return cast(Type::I64, x) < cast(Type::I64, y); };
  const Value zero = whole(0), one = whole(1);
  // The product's highest bit is bit 124 or 125, that of the addend 124.
  const Parts pa = parts(word(a)), pb = parts(word(b)), pc = parts(word(c));
  const Value high = high_product(pa.digits, pb.digits), low = pa.digits * pb.digits;
  const Wide product{(high << 20) | (low >> 44), low << 20};
  const Wide addend{pc.digits << 8, zero};
  // The value of 128 bits X with exponent e is X * 2^(e - 1075 - 72); of the product: 2^(ea + eb - 2150 - 20).
  const Value product_exponent = pa.exponent + pb.exponent - whole(2150 + 20 - 1075 - 72);
  const Value product_below = below(product_exponent, pc.exponent);
  const Value distance = select(product_below, pc.exponent - product_exponent, product_exponent - pc.exponent);
  const Value by = least(distance, whole(127));
  const Wide x = choose(product_below, shift_right(product, by), product);
  const Wide y = choose(product_below, addend, shift_right(addend, by));
  const Value exponent = select(product_below, pc.exponent, product_exponent);
  const Value product_sign = (word(a) ^ word(b)) >> 63, addend_sign = word(c) >> 63;
  const Value same = product_sign == addend_sign;
  // x + y or x - y, and its magnitude.
  const Value sum_low = x.low + y.low;
  const Wide sum{x.high + y.high + select(sum_low < x.low, one, zero), sum_low};
  const Wide difference{x.high - y.high - select(x.low < y.low, one, zero), x.low - y.low};
  const Value negative = (difference.high >> 63) != zero;
  const Wide opposite{(difference.high ^ whole(-1)) + select(difference.low == zero, one, zero), zero - difference.low};
  const Wide total = choose(same, sum, choose(negative, opposite, difference));
  const Value sign = select(same, product_sign, select(negative, addend_sign, product_sign));
  // The highest bit goes to bit 127.
  const Value short_one = total.high == zero;
  const Wide upper = choose(short_one, {total.low, zero}, total);
  const Value zeros = leading_zeros(upper.high);
  const Wide full{shl(upper.high, zeros) | shr(upper.low, whole(64) - zeros), shl(upper.low, zeros)};
  const Value biased = exponent - zeros - select(short_one, whole(64), zero) + whole(127 - 1075 - 72 + 1023);
  // Numbers below the normal ones lose digits. Then 53 digits are left, rounded to the nearest, ties to even.
  const Value is_small = below(biased, one);
  const Wide shifted = shift_right(full, select(is_small, least(one - biased, whole(127)), zero));
  const Value rest = (shifted.high & whole(0x7ff)) | select(shifted.low != zero, one, zero);
  const Value digits = shifted.high >> 11;
  const Value tie = (rest == whole(0x400)) & ((digits & one) != zero);
  const Value up = select((whole(0x400) < rest) | tie, one, zero);
  const Value finite = ((select(is_small, zero, biased - one) << 52) + digits + up);
  const Value infinite = whole(0x7ff0000000000000);
  const Value bits = select(below(whole(2046), biased), infinite, finite) | (sign << 63);
  const Value nothing = (total.high | total.low) == zero;
  const Value result = bit_cast(Type::F64, select(nothing, zero, bits));
  // Numbers that are not finite, or zero, have no rounding of their own.
  auto special = [&](Value real) {
    const Value field = (word(real) >> 52) & whole(0x7ff);
    return field == whole(0x7ff);
  };
  const Value product_special = special(a) | special(b) | (a == 0.0) | (b == 0.0);
  const Value usual = select(special(c), c, select(c == 0.0, a * b, result));
  return formula.done(select(product_special, a * b + c, usual));
}

/// Remainder (fmod), digit by digit, as by hand.
ir::Kernel remainder(Type type) {
  const bool is_double = type == Type::F64;
  const Type integer = is_double ? Type::U64 : Type::U32;
  const int digits = is_double ? 52 : 23, width = is_double ? 64 : 32;
  Formula formula(is_double ? "fmod64" : "fmod32", {type, type}, type);
  const Value x = formula.parameter(0), y = formula.parameter(1);
  auto whole = [&](int64_t number) { return formula.whole(integer, number); };
  const Value zero = whole(0), one = whole(1), top = whole(int64_t{1} << digits);
  const Value sign_bit = whole(is_double ? INT64_MIN : int64_t{1} << 31);
  const Value field_mask = whole(is_double ? 0x7ff : 0xff);
  const Value x_bits = bit_cast(integer, x), y_bits = bit_cast(integer, y);
  const Value sign = x_bits & sign_bit;
  auto split = [&](Value bits) {
    const Value field = (bits >> digits) & field_mask;
    const Value fraction = bits & (top - one);
    const Value zeros = leading_zeros(fraction) - whole(width - 1 - digits);
    const Value is_small = field == zero;
    return Parts{select(is_small, shl(fraction, zeros), fraction | top), select(is_small, one - zeros, field)};
  };
  const Parts px = split(x_bits), py = split(y_bits);
  const Value x_size = x_bits ^ sign, y_size = y_bits & (sign_bit - one);
  const Value infinity = field_mask << digits;
  const Value undefined = (y_size == zero) | (infinity < y_size) | no(x_size < infinity);
  Variable rest(px.digits), left(px.exponent - py.exponent);
  // If |x| < |y| the result is x; then the exponent's difference may be negative.
  const Value done = undefined | (x_size < y_size);
  formula.when(no(done), [&] {
    formula.repeat([&] { return *left != zero; },
                   [&] {
                     const Value now = *rest;
                     rest = select(now < py.digits, now, now - py.digits) << 1;
                     left = *left - one;
                   });
    const Value now = *rest;
    rest = select(now < py.digits, now, now - py.digits);
  });
  const Value last = *rest;
  // The digits go back to their place, below the normal numbers if they must.
  const Value zeros = leading_zeros(last) - whole(width - 1 - digits);
  // Exponents of divisors below the normal numbers have wrapped: they are below 1.
  const Type signed_type = is_double ? Type::I64 : Type::I32;
  const Value fits = cast(signed_type, zeros) < cast(signed_type, py.exponent);
  const Value as_normal = (shl(last, zeros) ^ top) | ((py.exponent - zeros) << digits);
  const Value below_one = cast(signed_type, py.exponent) < cast(signed_type, one);
  const Value as_small = select(below_one, shr(last, one - py.exponent), shl(last, py.exponent - one));
  const Value found = select(last == zero, zero, select(fits, as_normal, as_small)) | sign;
  const Value real = bit_cast(type, found);
  return formula.done(select(undefined, (x * y) / (x * y), select(x_size < y_size, x, real)));
}

ir::Kernel power(Type type) {
  Formula formula("power", {type, type}, type);
  const Value base = formula.parameter(0), exponent = formula.parameter(1);
  const Value zero = base.whole(0), one = base.whole(1);
  Variable result(one), square(base), rest(exponent);
  if (ir::is_signed(type)) rest = select(exponent < zero, zero, exponent);
  formula.repeat([&] { return *rest != zero; },
                 [&] {
                   const Value now = *rest, factor = *square;
                   formula.when((now & one) != zero, [&] { result = *result * factor; });
                   square = factor * factor;
                   rest = now >> 1;
                 });
  if (!ir::is_signed(type)) return formula.done(*result);
  const Value minus_one = base.whole(-1);
  const Value sign = select((exponent & one) != zero, minus_one, one);
  const Value inverse = select(base == one, one, select(base == minus_one, sign, zero));
  return formula.done(select(exponent < zero, inverse, *result));
}

ir::Kernel round_to_half() {
  Formula formula("round_to_half", {Type::F32}, Type::F32);
  const Value x = formula.parameter(0);
  auto whole = [&](int64_t number) { return formula.whole(Type::U32, number); };
  const Value bits = bit_cast(Type::U32, x);
  const Value sign = bits & whole(0x80000000), size = bits ^ sign;
  // Ten digits of 23 are left. A carry goes to the exponent, which is right.
  const Value rounded = (size + whole(0xfff) + ((size >> 13) & whole(1))) & whole(0xffffe000);
  const Value infinity = whole(0x7f800000);
  const Value normal = select(whole(0x477fffff) < rounded, infinity, rounded);
  // Below 2^-14 all numbers are multiples of 2^-24: that is the last digit of numbers from 0.5 to 1.
  const Value magnitude = bit_cast(Type::F32, size);
  const Value small = bit_cast(Type::U32, (magnitude + 0.5) - 0.5);
  const Value result = select(size < whole(0x38800000), small, select(infinity < size, size, normal));
  return formula.done(bit_cast(Type::F32, result | sign));
}

ir::Kernel half_bits() {
  Formula formula("half_bits", {Type::F32}, Type::U32);
  const Value x = formula.parameter(0);
  auto whole = [&](int64_t number) { return formula.whole(Type::U32, number); };
  const Value bits = bit_cast(Type::U32, x);
  const Value sign = (bits >> 16) & whole(0x8000), size = bits & whole(0x7fffffff);
  const Value normal = (size - whole(0x38000000)) >> 13;
  // A number below the normal ones is a multiple of 2^-24.
  const Value small = cast(Type::U32, bit_cast(Type::F32, size) * 0x1p24);
  // A NaN keeps the digits that fit, but must not become an infinity.
  const Value digits = (size >> 13) & whole(0x3ff);
  const Value is_nan = whole(0x7f800000) < size;
  const Value not_finite = whole(0x7c00) | digits | select(is_nan & (digits == whole(0)), whole(0x200), whole(0));
  return formula.done(sign |
                      select(size < whole(0x38800000), small, select(size < whole(0x7f800000), normal, not_finite)));
}

ir::Kernel from_half() {
  Formula formula("from_half", {Type::U32}, Type::F32);
  const Value word = formula.parameter(0);
  auto whole = [&](int64_t number) { return formula.whole(Type::U32, number); };
  const Value sign = (word & whole(0x8000)) << 16, size = word & whole(0x7fff);
  const Value normal = (size << 13) + whole(0x38000000);
  const Value not_finite = (size << 13) + whole(0x70000000);
  const Value small = bit_cast(Type::U32, cast(Type::F32, size) * 0x1p-24);
  const Value result = select(size < whole(0x400), small, select(size < whole(0x7c00), normal, not_finite));
  return formula.done(bit_cast(Type::F32, result | sign));
}

/// Rounds f64 to odd f32: if the f32 is not exact, it is cut off and its last bit is set, so that rounding it to f16
/// never meets a tie.
ir::Kernel odd_single() {
  Formula formula("odd_single", {Type::F64}, Type::F32);
  const Value x = formula.parameter(0);
  const Value single = cast(Type::F32, x), back = cast(Type::F64, single);
  const Value inexact = (back < x) | (x < back);  // NaN is as it should be
  const Value larger = mathematics::abs(x) < mathematics::abs(back);
  const Value bits = bit_cast(Type::I32, single);
  const Value odd = (bits - select(larger, bits.whole(1), bits.whole(0))) | bits.whole(1);
  return formula.done(from_bits(select(inexact, odd, bits)));
}

ir::Kernel quotient() {
  Formula formula("quotient", {Type::U64, Type::U64}, Type::U64);
  const Value a = formula.parameter(0), b = formula.parameter(1);
  const Value is_wide = ((a | b) >> 32) != a.whole(0);
  auto divide = [](Value x, Value y) { return binary(BinaryOp::RawDiv, x, y); };
  Variable result(cast(Type::U64, divide(cast(Type::U32, a), cast(Type::U32, b))));
  formula.when(is_wide, [&] { result = divide(a, b); });
  return formula.done(*result);
}

}  // namespace

ir::Kernel formula(Function function, Type type) {
  switch (function) {
    case Function::Fma: return type == Type::F32 ? single_fma() : double_fma();
    case Function::NearFma: return type == Type::F32 ? near_single_fma() : near_double_fma();
    case Function::Remainder: return remainder(type);
    case Function::Power: return power(type);
    case Function::HighProduct: {
      Formula formula("high_product", {Type::U64, Type::U64}, Type::U64);
      return formula.done(high_product(formula.parameter(0), formula.parameter(1)));
    }
    case Function::RoundToHalf: return round_to_half();
    case Function::HalfBits: return half_bits();
    case Function::FromHalf: return from_half();
    case Function::OddSingle: return odd_single();
    case Function::Quotient: return quotient();
  }
  throw std::logic_error("no such function");
}

}  // namespace qd::software
