// The table of builtins and the lookups in it.
#include "runtime/frontend/constants/builtins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace qd::frontend {
namespace {

template <class Op>
constexpr uint8_t operation(Op op) {
  return static_cast<uint8_t>(op);
}

#define QD_OPERATION_None(value) 0
#define QD_OPERATION_Unary(value) operation(ir::UnaryOp::value)
#define QD_OPERATION_Binary(value) operation(ir::BinaryOp::value)
#define QD_OPERATION_Atomic(value) operation(ir::AtomicOp::value)
#define QD_OPERATION_Library(value) operation(LibraryFile::value)

constexpr auto kBuiltins = [] {
  std::array rows = {
#define QD_BUILTIN(name, kind, table, value) BuiltinInfo{name, BuiltinKind::kind, QD_OPERATION_##table(value)},
#include "runtime/frontend/constants/builtins.def"
#undef QD_BUILTIN
  };
  std::ranges::sort(rows, {}, &BuiltinInfo::name);
  return rows;
}();

constexpr std::string_view kPythonBuiltins[] = {
    "abs", "min",       "max", "pow", "round", "int",    "float",    "bool",  "len",  "print",   "range",
    "zip", "enumerate", "sum", "any", "all",   "sorted", "reversed", "tuple", "list", "getattr", "super"};

// Names of Python's math module whose kernel form is a builtin of the same name.
constexpr std::string_view kOfPythonsMath[] = {
#define QD_FUNCTION(name, function, derivative) #function,
#include "runtime/ir/operators.def"
    "sqrt", "floor", "ceil", "fabs", "isnan", "isinf", "pow", "atan2", "radians", "degrees", "log2", "exp2"};

struct NumberConstant {
  std::string_view name;
  double value;
};
constexpr NumberConstant kMathNumbers[] = {
    {"pi", std::numbers::pi},
    {"e", std::numbers::e},
    {"tau", 2 * std::numbers::pi},
    {"inf", std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
};

std::optional<Value> math_number(std::string_view name) {
  for (const NumberConstant& number : kMathNumbers) {
    if (number.name == name) return Value(number.value);
  }
  return std::nullopt;
}

// Vector and matrix types of qd.math: vec3, ivec2, mat4 and their like.
std::optional<Value> math_type(std::string_view name) {
  if (name.size() < 4) return std::nullopt;
  const int32_t n = name.back() - '0';
  std::string_view kind = name.substr(0, name.size() - 1);
  if (n < 2 || n > 4) return std::nullopt;
  if (kind == "mat") return CompoundType{std::nullopt, {n, n}, nullptr, NumbersOf::DefaultFloat};
  if (kind == "vec") return CompoundType{std::nullopt, {n}, nullptr, NumbersOf::DefaultFloat};
  if (kind == "ivec") return CompoundType{std::nullopt, {n}, nullptr, NumbersOf::DefaultInt};
  if (kind == "uvec") return CompoundType{std::nullopt, {n}, nullptr, NumbersOf::DefaultUnsigned};
  if (kind == "dvec") return CompoundType{ir::Type::F64, {n}};
  return std::nullopt;
}

// numpy's long names are names of the language too.
constexpr std::pair<std::string_view, ir::Type> kLongTypeNames[] = {
    {"int8", ir::Type::I8},    {"int16", ir::Type::I16},   {"int32", ir::Type::I32},   {"int64", ir::Type::I64},
    {"uint1", ir::Type::U1},   {"uint8", ir::Type::U8},    {"uint16", ir::Type::U16},  {"uint32", ir::Type::U32},
    {"uint64", ir::Type::U64}, {"float16", ir::Type::F16}, {"float32", ir::Type::F32}, {"float64", ir::Type::F64},
};

std::optional<ir::Type> dtype(std::string_view name) {
  if (name == "void") return std::nullopt;
  if (auto type = ir::type_from_name(name)) return type;
  for (const auto& [text, type] : kLongTypeNames) {
    if (text == name) return type;
  }
  return std::nullopt;
}

using Names = std::span<const std::string_view>;

/// The names of the parameters of a builtin, in their order; none for one whose keyword arguments have rules of their
/// own.
Names parameter_names(const BuiltinInfo& info) {
  static constexpr std::string_view kOne[] = {"x"};
  static constexpr std::string_view kTwo[] = {"x1", "x2"};
  static constexpr std::string_view kPow[] = {"base", "exponent"};
  static constexpr std::string_view kMod[] = {"x", "y"};
  static constexpr std::string_view kRounding[] = {"x", "dtype"};
  static constexpr std::string_view kFindSetBit[] = {"mask", "base", "offset"};
  static constexpr std::string_view kCast[] = {"obj", "dtype"};
  static constexpr std::string_view kSelect[] = {"cond", "x1", "x2"};
  static constexpr std::string_view kRandn[] = {"dt"};
  static constexpr std::string_view kTarget[] = {"target"};
  static constexpr std::string_view kAtomic[] = {"x", "y"};
  static constexpr std::string_view kAtomicCas[] = {"x", "expected", "desired"};
  static constexpr std::string_view kPromise[] = {"val", "base", "low", "high"};
  static constexpr std::string_view kUnique[] = {"val"};
  static constexpr std::string_view kAssert[] = {"cond", "msg"};
  switch (info.kind) {
    case BuiltinKind::FloatFunction:
    case BuiltinKind::NumberFunction:
    case BuiltinKind::Predicate:
    case BuiltinKind::BitCount:
    case BuiltinKind::BitNot:
    case BuiltinKind::LogicalNot:
    case BuiltinKind::Radians:
    case BuiltinKind::Degrees:
    case BuiltinKind::Log2:
    case BuiltinKind::Exp2:
    case BuiltinKind::Frexp:
    case BuiltinKind::Zero:
    case BuiltinKind::One:
    case BuiltinKind::StopGrad: return kOne;
    case BuiltinKind::Rounding: return kRounding;
    case BuiltinKind::BinaryFunction:
      return info.name == "pow" ? Names(kPow) : info.name == "mod" ? Names(kMod) : Names(kTwo);
    case BuiltinKind::FloatBinary: return kTwo;
    case BuiltinKind::FindSetBit: return kFindSetBit;
    case BuiltinKind::Cast:
    case BuiltinKind::BitCast: return kCast;
    case BuiltinKind::Select: return kSelect;
    case BuiltinKind::Randn: return kRandn;
    case BuiltinKind::VolatileLoad: return kTarget;
    case BuiltinKind::Atomic: return kAtomic;
    case BuiltinKind::AtomicCas: return kAtomicCas;
    case BuiltinKind::Same: return info.name == "loop_unique" ? Names(kUnique) : Names(kPromise);
    case BuiltinKind::StaticAssert: return kAssert;
    default: return {};
  }
}

}  // namespace

PlacedCall::PlacedCall(const BuiltinInfo& info, const syntax::Call& e) : written_(e) {
  if (e.keywords.empty()) return;
  args_.assign(e.args.begin(), e.args.end());
  keywords_.assign(e.keywords.begin(), e.keywords.end());
  const auto names = parameter_names(info);
  const bool starred = std::ranges::any_of(
      e.args, [](syntax::ExprPtr argument) { return std::holds_alternative<syntax::Starred>(argument->node); });
  for (size_t at = args_.size(); at < names.size() && !starred; ++at) {
    const auto found = std::ranges::find(keywords_, names[at], &syntax::Keyword::arg);
    if (found == keywords_.end()) break;
    args_.push_back(found->value);
    keywords_.erase(found);
  }
  placed_ = syntax::Call{e.func, args_, keywords_};
}

const BuiltinInfo* find_builtin(std::string_view name) {
  const auto* info = std::ranges::lower_bound(kBuiltins, name, {}, &BuiltinInfo::name);
  if (info != kBuiltins.end() && info->name == name) return info;
  if (name.starts_with("math.")) return find_builtin(name.substr(5));
  return nullptr;
}

std::optional<Value> language_value(std::string_view path) {
  if (auto type = dtype(path.starts_with("types.") ? path.substr(6) : path)) return Value(*type);
  if (path.starts_with("math.")) {
    if (auto number = math_number(path.substr(5))) return number;
    if (auto type = math_type(path.substr(5))) return type;
  }
  if (find_builtin(path)) return Value(Builtin{std::string(path)});
  return std::nullopt;
}

std::optional<Value> python_builtin(std::string_view name) {
  if (std::ranges::find(kPythonBuiltins, name) == std::end(kPythonBuiltins)) return std::nullopt;
  return Value(Builtin{std::string(name)});
}

std::optional<Value> python_math(std::string_view name) {
  if (auto number = math_number(name)) return number;
  if (std::ranges::find(kOfPythonsMath, name) == std::end(kOfPythonsMath)) return std::nullopt;
  return Value(Builtin{"math." + std::string(name)});
}

}  // namespace qd::frontend
