// Hashes of sources.
#include "report/data/source_hash.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "report/data/file_content.h"

namespace qd::report {

std::string source_hash(std::string_view bytes) {
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  while (!bytes.empty()) {
    size_t end = std::min(bytes.find("\r\n"), bytes.size());
    XXH3_128bits_update(state.get(), bytes.data(), end);
    bytes.remove_prefix(std::min(bytes.size(), end + 1));
  }
  XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string source_hash_of_file(const std::string& path) {
  std::optional<std::string> bytes = read_bytes(path);
  return bytes ? source_hash(*bytes) : "";
}

}  // namespace qd::report
