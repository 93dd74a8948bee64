// A notation for formulas of kernel IR: operators of C++ on values make the instructions.
#pragma once

#include <initializer_list>
#include <limits>
#include <span>

#include "runtime/ir/builder.h"

namespace qd::mathematics {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

class Notation;

/// A value of the formula: a float, an integer or a truth.
class Value {
 public:
  Value(Notation& notation, ir::InstId id) : notation_(&notation), id_(id) {}
  ir::InstId id() const { return id_; }
  Notation& notation() const { return *notation_; }
  ir::Type type() const;
  /// A constant of this value's type.
  Value same(double number) const;
  Value whole(int64_t number) const;

 private:
  Notation* notation_;
  ir::InstId id_;
};

/// Builder of a formula: the place for its instructions, and its kernel.
class Notation {
 public:
  /// `alone`: as in mathematics::formula.
  Notation(ir::Kernel& kernel, ir::BlockId block, bool alone = false)
      : kernel_(kernel), build_(kernel, block), alone_(alone) {}

  Value constant(ir::Type type, double number);
  Value whole(ir::Type type, int64_t number);
  Value inst(ir::Op op, ir::Type type, std::initializer_list<ir::InstId> operands, uint32_t aux = 0) {
    return {*this, build_.inst(op, type, operands, aux)};
  }
  /// Replaces `usual` if the test holds, which it rarely does. `compute` gives as many values as there are.
  template <class Compute>
  std::vector<Value> rarely(Value test, std::vector<Value> usual, Compute&& compute) {
    std::vector<ir::InstId> places;
    for (Value value : usual) {
      places.push_back(build_.variable(value.type()));
      build_.store(places.back(), value.id());
    }
    build_.when(test.id(), [&] {
      const std::vector<Value> found = compute();
      for (size_t i = 0; i < found.size(); i++) build_.store(places[i], found[i].id());
    });
    std::vector<Value> out;
    for (ir::InstId place : places) out.emplace_back(*this, build_.load(place));
    return out;
  }
  /// One of two values of a type, each computed only if it is needed. The test mostly holds. Only alone.
  template <class Usual, class Otherwise>
  Value branch(ir::Type type, Value test, Usual&& usual, Otherwise&& otherwise) {
    const ir::InstId place = build_.variable(type);
    build_.choose(
        test.id(), [&] { build_.store(place, Value(usual()).id()); },
        [&] { build_.store(place, Value(otherwise()).id()); });
    return {*this, build_.load(place)};
  }
  bool alone() const { return alone_; }
  /// The number of a table with this index; the last one when the table is shorter.
  Value pick(Value index, ir::Type type, std::span<const double> table);

  ir::Builder& build() { return build_; }
  const ir::Kernel& kernel() const { return kernel_; }

 private:
  ir::Kernel& kernel_;
  ir::Builder build_;
  const bool alone_;
};

Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator/(Value a, Value b);
Value operator-(Value a);
inline Value operator+(Value a, double b) { return a + a.same(b); }
inline Value operator-(Value a, double b) { return a - a.same(b); }
inline Value operator*(Value a, double b) { return a * a.same(b); }
inline Value operator/(double a, Value b) { return b.same(a) / b; }
inline Value operator-(double a, Value b) { return b.same(a) - b; }
/// a * b + c, rounded once.
Value fma(Value a, Value b, Value c);
inline Value fma(Value a, double b, Value c) { return fma(a, a.same(b), c); }
inline Value fma(Value a, Value b, double c) { return fma(a, b, a.same(c)); }
inline Value fma(Value a, double b, double c) { return fma(a, a.same(b), a.same(c)); }
Value abs(Value a);
Value sqrt(Value a);
/// The nearest whole number, ties to even.
Value rint(Value a);

Value operator<(Value a, Value b);
Value operator>(Value a, Value b);
Value operator==(Value a, Value b);
Value operator!=(Value a, Value b);
inline Value operator<(Value a, double b) { return a < a.same(b); }
inline Value operator>(Value a, double b) { return a > a.same(b); }
inline Value operator==(Value a, double b) { return a == a.same(b); }
Value select(Value test, Value yes, Value no);
/// A choice whose test rarely holds. Alone it is a branch, so that later code need not wait for the test.
Value unlikely(Value test, Value yes, Value no);
/// The same for a test that mostly holds.
Value likely(Value test, Value yes, Value no);
inline Value unlikely(Value test, double yes, Value no) { return unlikely(test, no.same(yes), no); }
inline Value select(Value test, double yes, Value no) { return select(test, no.same(yes), no); }
inline Value select(Value test, Value yes, double no) { return select(test, yes, yes.same(no)); }
inline Value select_of(Value like, Value test, double yes, double no) {
  return select(test, like.same(yes), like.same(no));
}

// Operators on integers, and on truths if that makes sense.
Value operator&(Value a, Value b);
Value operator|(Value a, Value b);
Value operator^(Value a, Value b);
Value operator<<(Value a, int count);
/// Shifts right logically: zeros come in.
Value operator>>(Value a, int count);

/// The bits of a float as an integer of its width, and back.
Value bits(Value real);
Value from_bits(Value integer);
Value convert(ir::Type type, Value a);

// Functions of numbers of a float type.
inline bool is_double(Value x) { return x.type() == ir::Type::F64; }
/// The sign bit, and no other.
Value sign_of(Value x);
/// A magnitude that is not negative, with the sign bit of another number.
Value with_sign(Value magnitude, Value sign_bit);
/// Takes the first of these coefficients of an f32, the second of an f64.
std::span<const double> coefficients(Value x, std::span<const double> singles, std::span<const double> doubles);
/// The sum of terms[n] * x**n. By pairs of terms when it is long, and pairs of these when it is longer (Estrin's
/// scheme), so that fewer steps wait for another. Neighbours often have opposite signs, so that the pairs are small.
/// `square` is x * x, or a value in its place.
Value polynomial(Value x, Value square, std::span<const double> terms);
inline Value polynomial(Value x, std::span<const double> terms) { return polynomial(x, x * x, terms); }
/// The least size of numbers of x's type whose square is something beside 1.
inline double least_beside_one(Value x) { return is_double(x) ? 0x1p-29 : 0x1p-14; }
/// The square x * x; 0 where x is smaller than `least`. Processors take long for denormal numbers.
Value square_of(Value x, double least);
inline Value square_of(Value x) { return square_of(x, least_beside_one(x)); }

// Double-double arithmetic: a number as the sum of two, which has twice the digits.

struct Pair {
  Value high;
  Value low;  // the remainder beside `high`, below an ulp of it
};

}  // namespace qd::mathematics
