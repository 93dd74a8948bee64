// Features of devices: abilities that a kernel may need and that not every device has.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/ir/kernel.h"

namespace qd::ir {

enum class Feature : uint8_t {
  F16,
  F64,
  I64,
  SmallIntegers,
  FloatAtomics,
  WideAtomics,
  Calls,
  Recursion,
  Blocks,
  Subgroups,
};

/// A set of features: bit n for feature n.
using Features = uint16_t;
constexpr Features features(auto... list) {
  return static_cast<Features>((0u | ... | (1u << static_cast<unsigned>(list))));
}
constexpr Features kAllFeatures =
    features(Feature::F16, Feature::F64, Feature::I64, Feature::SmallIntegers, Feature::FloatAtomics,
             Feature::WideAtomics, Feature::Calls, Feature::Recursion, Feature::Blocks, Feature::Subgroups);

/// Name of a feature in messages: "64-bit floats (f64)".
std::string_view name(Feature feature);

/// Name of a feature in lists: "f64".
std::string_view word(Feature feature);

struct Missing {
  Feature feature;
  InstId inst;  // the first instruction that needs it; None: an array or a parameter does
};

/// The first thing that a kernel needs and a device with these features lacks; nothing when the kernel can run there.
/// For kernels at any stage.
std::optional<Missing> missing_feature(const Kernel& kernel, Features present);

}  // namespace qd::ir
