// Constants that code looks up by a number that is known at run time only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::codegen::spirv {

/// The tables of a kernel: the constants of each Pick with many of them. They lie in the memory of the device, at
/// DeviceLaunch::tables, because drivers handle a module with as many constants badly, or its compilation fails.
class ConstantTables {
 public:
  /// No tables.
  ConstantTables() = default;
  /// The kernel must outlive this.
  explicit ConstantTables(const ir::Kernel& kernel);

  /// Offset of the constants of a Pick, in bytes; nothing for other instructions, and for those of another kernel. Each
  /// has a word of 32 bits, or of 64 if the type has as many. In a word an f16 lies as the f32 that holds it.
  std::optional<uint32_t> offset(const ir::Kernel& kernel, ir::InstId pick) const;
  const std::vector<uint32_t>& words() const { return words_; }

 private:
  const ir::Kernel* kernel_ = nullptr;
  std::map<ir::InstId, uint32_t> offsets_;
  std::vector<uint32_t> words_;
};

}  // namespace qd::codegen::spirv
