#include "runtime/mathematics/notation.h"

#include <bit>
#include <vector>

#include "runtime/ir/half.h"

namespace qd::mathematics {

using ir::BinaryOp;
using ir::CompareOp;
using ir::Op;
using ir::Type;
using ir::UnaryOp;

namespace {

Value binary(BinaryOp op, Value a, Value b) {
  return a.notation().inst(Op::Binary, a.type(), {a.id(), b.id()}, static_cast<uint32_t>(op));
}

Value unary(UnaryOp op, Value a) { return a.notation().inst(Op::Unary, a.type(), {a.id()}, static_cast<uint32_t>(op)); }

Value compare(CompareOp op, Value a, Value b) {
  return a.notation().inst(Op::Compare, Type::U1, {a.id(), b.id()}, static_cast<uint32_t>(op));
}

}  // namespace

Type Value::type() const { return notation_->kernel()[id_].type; }
Value Value::same(double number) const { return notation_->constant(type(), number); }
Value Value::whole(int64_t number) const { return notation_->whole(type(), number); }

Value Notation::constant(Type type, double number) {
  uint64_t word = std::bit_cast<uint32_t>(static_cast<float>(number));
  if (type == Type::F64) word = std::bit_cast<uint64_t>(number);
  if (type == Type::F16) word = ir::half_from_double(number);
  return {*this, build_.constant(type, word)};
}

Value Notation::whole(Type type, int64_t number) {
  const int64_t own = type == Type::I32 ? static_cast<int32_t>(number) : number;
  return {*this, build_.constant(type, static_cast<uint64_t>(own))};
}

Value Notation::pick(Value index, Type type, std::span<const double> table) {
  std::vector<ir::InstId> operands{index.id()};
  for (double number : table) operands.push_back(constant(type, number).id());
  return {*this, build_.inst(Op::Pick, type, operands)};
}

Value operator+(Value a, Value b) { return binary(BinaryOp::Add, a, b); }
Value operator-(Value a, Value b) { return binary(BinaryOp::Sub, a, b); }
Value operator*(Value a, Value b) { return binary(BinaryOp::Mul, a, b); }
Value operator/(Value a, Value b) { return binary(BinaryOp::Div, a, b); }
Value operator-(Value a) { return unary(UnaryOp::Neg, a); }
Value fma(Value a, Value b, Value c) { return a.notation().inst(Op::Fma, a.type(), {a.id(), b.id(), c.id()}); }
Value abs(Value a) { return unary(UnaryOp::Abs, a); }
Value sqrt(Value a) { return unary(UnaryOp::Sqrt, a); }
Value rint(Value a) { return unary(UnaryOp::Round, a); }

Value operator<(Value a, Value b) { return compare(CompareOp::Lt, a, b); }
Value operator>(Value a, Value b) { return compare(CompareOp::Gt, a, b); }
Value operator==(Value a, Value b) { return compare(CompareOp::Eq, a, b); }
Value operator!=(Value a, Value b) { return compare(CompareOp::Ne, a, b); }
Value select(Value test, Value yes, Value no) {
  return test.notation().inst(Op::Select, yes.type(), {test.id(), yes.id(), no.id()});
}

Value unlikely(Value test, Value yes, Value no) {
  if (!test.notation().alone()) return select(test, yes, no);
  return test.notation().rarely(test, {no}, [&] { return std::vector<Value>{yes}; })[0];
}

Value likely(Value test, Value yes, Value no) {
  if (!test.notation().alone()) return select(test, yes, no);
  return test.notation().branch(yes.type(), test, [&] { return yes; }, [&] { return no; });
}

Value operator&(Value a, Value b) { return binary(BinaryOp::BitAnd, a, b); }
Value operator|(Value a, Value b) { return binary(BinaryOp::BitOr, a, b); }
Value operator^(Value a, Value b) { return binary(BinaryOp::BitXor, a, b); }
Value operator<<(Value a, int count) { return binary(BinaryOp::Shl, a, a.whole(count)); }
Value operator>>(Value a, int count) { return binary(BinaryOp::LogicalShr, a, a.whole(count)); }

Value bits(Value real) {
  return real.notation().inst(Op::BitCast, is_double(real) ? Type::I64 : Type::I32, {real.id()});
}
Value from_bits(Value integer) {
  return integer.notation().inst(Op::BitCast, integer.type() == Type::I64 ? Type::F64 : Type::F32, {integer.id()});
}
Value convert(Type type, Value a) { return a.type() == type ? a : a.notation().inst(Op::Cast, type, {a.id()}); }

Value sign_of(Value x) {
  const Value word = bits(x);
  return word & word.whole(is_double(x) ? INT64_MIN : INT32_MIN);
}
Value with_sign(Value magnitude, Value sign_bit) { return from_bits(bits(magnitude) | sign_bit); }

std::span<const double> coefficients(Value x, std::span<const double> singles, std::span<const double> doubles) {
  return is_double(x) ? doubles : singles;
}

namespace {

/// Half as many sums: each of two neighbours, the second times `power`.
std::vector<Value> by_twos(const std::vector<Value>& sums, Value power) {
  std::vector<Value> out;
  for (size_t i = 0; i < sums.size(); i += 2)
    out.push_back(i + 1 < sums.size() ? fma(sums[i + 1], power, sums[i]) : sums[i]);
  return out;
}

}  // namespace

Value polynomial(Value x, Value square, std::span<const double> terms) {
  std::vector<Value> sums;
  for (double term : terms) sums.push_back(x.same(term));
  if (terms.size() > 3) sums = by_twos(sums, x);
  Value power = terms.size() > 3 ? square : x;
  for (; terms.size() > 7 && sums.size() > 3; power = power * power) sums = by_twos(sums, power);
  Value sum = sums.back();
  for (size_t i = sums.size() - 1; i-- > 0;) sum = fma(sum, power, sums[i]);
  return sum;
}

Value square_of(Value x, double least) {
  const Value seen = unlikely(abs(x) < least, 0.0, x);
  return seen * seen;
}

}  // namespace qd::mathematics
