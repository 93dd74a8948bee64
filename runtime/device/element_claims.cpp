// Hash table of addresses, in parts with a lock each.
#include "runtime/device/element_claims.h"

#include <algorithm>

namespace qd::device {

using ir::Access;

void ElementClaims::clear() {
  for (Shard& shard : shards_) shard.claims.clear();
}

int32_t ElementClaims::claim(uint64_t address, uint32_t section, uint32_t format, Access access) {
  if (section == 0) return 0;
  // Neighbours are mostly used by the same thread: eight elements or so share a part.
  Shard& shard = shards_[address / 64 % shards_.size()];
  std::lock_guard lock(shard.mutex);
  std::vector<Claim>& claims = shard.claims[address];
  for (const Claim& other : claims) {
    if (other.section != section && (other.access != access || access == Access::Write))
      return static_cast<int32_t>(other.format) + 1;
  }
  const bool known =
      std::ranges::any_of(claims, [&](const Claim& c) { return c.section == section && c.access == access; });
  if (!known) claims.push_back({section, format, access});
  return 0;
}

}  // namespace qd::device
