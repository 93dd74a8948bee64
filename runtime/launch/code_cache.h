// Machine code from one run to the next.
#pragma once

#include "runtime/codegen/llvm/compile.h"
#include "runtime/launch/entry_files.h"

namespace qd {

/// Finds machine code by all that it depends on: the bare kernel, the options of code generation, this computer's processor, the build. Thread-safe.
class CodeCache {
 public:
  explicit CodeCache(const CacheOptions& options);

  /// codegen::compile(kernel, options), from the files where they have it. `kernel` is a bare_kernel; options.assembly is off. `found`: it was there.
  codegen::CompiledObject compile(const ir::Kernel& kernel, const codegen::CodegenOptions& options, bool* found = nullptr);

  EntryFiles& files() { return files_; }

 private:
  EntryFiles files_;
};

/// All that makes this build's code for this processor other than another's.
const std::string& build_and_processor();

}  // namespace qd
