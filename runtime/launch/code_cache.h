// Machine code from one run to the next.
#pragma once

#include "runtime/codegen/target.h"
#include "runtime/launch/entry_files.h"

namespace qd {

/// Finds code by all that it depends on: the bare kernel, the options of code generation, the target's processor and
/// compiler, the build. Thread-safe.
class CodeCache {
 public:
  CodeCache(const CacheOptions& options, const codegen::Target& target);

  /// target.compile(kernel, options), from the files where they have it. `kernel` is a bare_kernel; options.assembly is
  /// off. `found`: it was there.
  codegen::Binary compile(const codegen::Target& target, const ir::Kernel& kernel, const codegen::Options& options,
                          bool* found = nullptr);

  EntryFiles& files() { return files_; }

 private:
  EntryFiles files_;
};

/// The build of the runtime and the target's compiler: entries of others are not seen.
std::string version_of(const codegen::Target& target);

}  // namespace qd
