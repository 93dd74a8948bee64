// Features that an instruction needs, by its types and the table of operations.
#include "runtime/ir/features.h"

#include "runtime/ir/walk.h"

namespace qd::ir {
namespace {

Features needed_for(Type type) {
  switch (type) {
    case Type::F16: return features(Feature::F16);
    case Type::F64: return features(Feature::F64);
    case Type::I64:
    case Type::U64: return features(Feature::I64);
    case Type::I8:
    case Type::I16:
    case Type::U8:
    case Type::U16: return features(Feature::SmallIntegers);
    default: return 0;
  }
}

Features needed_for(const Kernel& kernel, InstId id) {
  const Inst& inst = kernel[id];
  Features needed = needed_for(inst.type);
  for (InstId operand : kernel.operands_of(inst)) needed |= needed_for(kernel[operand].type);
  switch (row(inst.op).needs) {
    case Needs::None: break;
    case Needs::Atomics: {
      const Type type = combine_rule(inst.op) ? kernel[kernel.operands_of(inst)[0]].type : inst.type;
      if (is_float(type)) needed |= features(Feature::FloatAtomics);
      if (bit_width(type) == 64) needed |= features(Feature::WideAtomics);
      break;
    }
    case Needs::Calls: needed |= features(Feature::Calls); break;
    case Needs::Blocks: needed |= features(Feature::Blocks); break;
    case Needs::Subgroups: needed |= features(Feature::Blocks, Feature::Subgroups); break;
    case Needs::Recursion: needed |= features(Feature::Calls, Feature::Recursion); break;
  }
  return needed;
}

Feature lowest(Features set) { return static_cast<Feature>(__builtin_ctz(set)); }

}  // namespace

std::string_view word(Feature feature) {
  switch (feature) {
    case Feature::F16: return "f16";
    case Feature::F64: return "f64";
    case Feature::I64: return "i64";
    case Feature::SmallIntegers: return "small_integers";
    case Feature::FloatAtomics: return "float_atomics";
    case Feature::WideAtomics: return "wide_atomics";
    case Feature::Calls: return "calls";
    case Feature::Recursion: return "recursion";
    case Feature::Blocks: return "blocks";
    case Feature::Subgroups: return "subgroups";
  }
  return "";
}

std::string_view name(Feature feature) {
  switch (feature) {
    case Feature::F16: return "16-bit floats (f16)";
    case Feature::F64: return "64-bit floats (f64)";
    case Feature::I64: return "64-bit integers (i64, u64)";
    case Feature::SmallIntegers: return "integers of 8 and 16 bits";
    case Feature::FloatAtomics: return "atomic operations on floats";
    case Feature::WideAtomics: return "atomic operations on numbers of 64 bits";
    case Feature::Calls: return "functions that are called (qd.real_func)";
    case Feature::Recursion: return "recursion";
    case Feature::Blocks: return "blocks of threads (qd.simt)";
    case Feature::Subgroups: return "operations of subgroups (qd.simt.subgroup)";
  }
  return "";
}

std::optional<Missing> missing_feature(const Kernel& kernel, Features present) {
  if (present == kAllFeatures) return std::nullopt;
  std::optional<Missing> found;
  walk(kernel, [&](InstId id) {
    const Features lacking = needed_for(kernel, id) & ~present;
    if (lacking && !found) found = {lowest(lacking), id};
  });
  Features of_interface = 0;
  for (const Array& array : kernel.arrays) of_interface |= needed_for(array.type);
  for (const Param& param : kernel.params) of_interface |= needed_for(param.type);
  for (Type result : kernel.results) of_interface |= needed_for(result);
  if (const Features lacking = of_interface & ~present; lacking && !found) found = {lowest(lacking), InstId::None};
  return found;
}

}  // namespace qd::ir
