// Claims of elements by the sections of a fork, for devices that run on the host.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "runtime/ir/op.h"

namespace qd::device {

/// Notes the Claims of a fork, and finds those that may not stand side by side: claims of one element by two sections,
/// unless both only read it or both only change it atomically. Thread-safe but for clear().
class ElementClaims {
 public:
  /// Forgets all claims, at the begin of a fork.
  void clear();
  /// Result of a Claim (ir/op.def). `section`: counted from 1; 0 (no section) claims nothing.
  int32_t claim(uint64_t address, uint32_t section, uint32_t format, ir::Access access);

 private:
  struct Claim {
    uint32_t section;
    uint32_t format;
    ir::Access access;
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::vector<Claim>> claims;  // by address: the first of each section and access
  };
  std::array<Shard, 64> shards_;
};

}  // namespace qd::device
