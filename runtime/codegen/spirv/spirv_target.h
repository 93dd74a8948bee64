// The target of devices that take SPIR-V in the dialect of Vulkan 1.2.
#pragma once

#include <string>

#include "runtime/codegen/target.h"
#include "runtime/ir/features.h"

namespace qd::codegen {

/// Properties of a device on which its code depends. All devices must have: Vulkan 1.2, bufferDeviceAddress,
/// shaderInt64, storageBuffer8BitAccess (a u1 is a byte in memory).
struct SpirvDevice {
  std::string name;  // the device and its driver with their versions: part of the key of every cache
  /// The features of kernels. F64 needs shaderFloat64; WideAtomics shaderBufferInt64Atomics; F16 and SmallIntegers
  /// storageBuffer16BitAccess; Subgroups the subgroup operations basic, ballot and shuffle, in compute shaders, with 64
  /// lanes at most. FloatAtomics, Calls and Blocks are always there, Recursion never.
  ir::Features features = ir::kAllFeatures & static_cast<ir::Features>(~ir::features(ir::Feature::Recursion));
  /// Invocations of a group of a loop without blocks. A driver that runs on the processor runs the vectors of a group
  /// one after the other, so for it a group is one vector, which goes through a piece of memory; kernels have no say.
  uint32_t local_size = 64;
  bool is_processor = false;   // the driver runs on the processor of the host, as lavapipe does
  uint32_t subgroup_size = 0;  // 0: unknown
  bool subgroup_sums = false;  // subgroup arithmetic in compute shaders, also of 64 bits (shaderSubgroupExtendedTypes)
  uint32_t max_invocations = 128;     // of a group: maxComputeWorkGroupInvocations and maxComputeWorkGroupSize[0]
  uint32_t max_shared_bytes = 16384;  // maxComputeSharedMemorySize
  bool wide_shared_atomics = false;   // shaderSharedInt64Atomics: of numbers of 64 bits in shared memory
  bool f32_atomic_add = false;        // VK_EXT_shader_atomic_float, shaderBufferFloat32AtomicAdd
  bool f64_atomic_add = false;        // as f32_atomic_add: shaderBufferFloat64AtomicAdd
  /// Number of arrays that a task reaches through storage buffers (descriptors); the others, and all of a device that
  /// has 0 here, are reached by their addresses.
  uint32_t bound_arrays = 0;
  bool clock = false;  // VK_KHR_shader_clock, shaderSubgroupClock; without it Op::Clock is 0
  /// Whether Fma of GLSL.std.450 rounds once. Otherwise, as in Mesa's lavapipe, code computes it in another way.
  bool fused_f32 = false;
  bool fused_f64 = false;
  /// Whether Floor, Ceil and RoundEven of f64 are right. In Mesa's lavapipe they are not on processors without AVX-512:
  /// a number above 2^24 stays as it is, and a zero loses its sign.
  bool whole_f64 = true;
  /// The driver's limit of rounds of all loops of an invocation together, those of the other invocations of its
  /// subgroup included. Beyond it the driver ends loops without an error, as Mesa's lavapipe does; 0: no limit. Code
  /// for such a device tells that this has happened (kLoopsEnded).
  uint32_t loop_limit = 0;
  // VkPhysicalDeviceFloatControlsProperties:
  bool denormals_f32 = false;  // shaderDenormPreserveFloat32
  bool denormals_f64 = false;
  bool nearest_f32 = false;  // shaderRoundingModeRTEFloat32
  bool nearest_f64 = false;
  bool signed_zero_f32 = false;  // shaderSignedZeroInfNanPreserveFloat32
  bool signed_zero_f64 = false;
};

/// Compiles for Vulkan. Binary::code is a container (container.h) of a module for each task, and Binary::assembly the
/// modules as printed by spirv-dis. If the environment variable QD_SPIRV_VALIDATE is set, or in a debug build, each
/// module is validated; compile() throws std::logic_error with the validator's message when one is wrong. If
/// QD_SPIRV_OPTIMISE is set, modules go through spirv-opt's passes for speed.
class SpirvTarget : public Target {
 public:
  explicit SpirvTarget(SpirvDevice device);
  const std::string& compiler() const override { return compiler_; }
  const std::string& processor() const override { return processor_; }
  const passes::Plan& plan() const override;
  Binary compile(const ir::Kernel& kernel, const Options& options) const override;

 private:
  SpirvDevice device_;
  std::string compiler_, processor_;
};

}  // namespace qd::codegen
