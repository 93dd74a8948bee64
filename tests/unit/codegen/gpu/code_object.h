// Metadata of a code object of AMD's GPUs, read with LLVM's library.
#pragma once

#include <string>
#include <vector>

namespace qd::codegen::amdgpu::testing {

struct CodeObject {
  std::string error;                 // why LLVM cannot read it; empty when it can
  bool is_shared = false;            // ET_DYN
  std::string processor;             // "gfx906"
  std::vector<std::string> symbols;  // of the dynamic table, in order of their names
  std::string metadata;              // the note of the kernels and their arguments, as YAML
  /// Differences, for each kernel, between the begin of its code by its descriptor and by its symbol.
  std::vector<int64_t> entry_errors;
  int unloaded_symbols = 0;  // symbols that lie in no loaded segment
};

CodeObject read(const std::string& bytes);

}  // namespace qd::codegen::amdgpu::testing
