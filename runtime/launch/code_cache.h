// Cache of machine code, from one run to the next.
#pragma once

#include "runtime/codegen/target.h"
#include "runtime/launch/entry_files.h"

namespace qd {

/// Finds code by all of its inputs: the bare kernel, the options of code generation, the target's
/// processor and compiler, and the build. Thread-safe.
class CodeCache {
 public:
  CodeCache(const CacheOptions& options, const codegen::Target& target);

  /// Compiles as target.compile(kernel, options), or takes the code from the cache. `kernel` must be a bare_kernel
  /// unless the target wants lines, and options.assembly off. `found` is set to whether the cache had it.
  codegen::Binary compile(const codegen::Target& target, const ir::Kernel& kernel, const codegen::Options& options,
                          bool* found = nullptr);

  /// Finds a driver's compilation of code (device::KeptBytes).
  std::optional<std::string> find_of_driver(std::string_view key);
  void put_of_driver(std::string_view key, std::string_view bytes);

  EntryFiles& files() { return files_; }

 private:
  EntryFiles files_;
};

/// The build of the runtime and the target's compiler. Entries of another version are never seen.
std::string version_of(const codegen::Target& target);

}  // namespace qd
