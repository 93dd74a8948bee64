// Loader of compiled objects into this process.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/abi/launch_context.h"

namespace qd::device {

/// Code of one object; it stays in memory as long as this lives.
class LoadedObject {
 public:
  virtual ~LoadedObject() = default;
  /// The functions of the symbols that load() was asked for, in the same order.
  const std::vector<TaskFunction>& functions() const { return functions_; }
  /// Whether an address is in the code.
  bool contains(uint64_t address) const { return address - code_begin_ < code_size_; }

 protected:
  std::vector<TaskFunction> functions_;
  uint64_t code_begin_ = 0;
  uint64_t code_size_ = 0;
};

/// Functions by names, which code may call besides those of this process.
using OwnFunctions = std::span<const std::pair<std::string_view, void*>>;

/// Links an ELF object against libm, libmvec and this process. Throws std::runtime_error with the linker's message.
/// Thread-safe.
std::unique_ptr<LoadedObject> load(const std::string& object, const std::vector<std::string>& symbols,
                                   OwnFunctions own = {});
/// The same with LLVM's loader, which knows every object, but is slow. load() uses it when our own loader does not know
/// a feature of the object.
std::unique_ptr<LoadedObject> load_by_orc(const std::string& object, const std::vector<std::string>& symbols,
                                          OwnFunctions own = {});

// A small loader for the ELF objects that code generation writes, some hundred times as fast as LLVM's general one.

/// Links an x86-64 object into this process, as load() does. Returns null when the object has a feature or symbol that
/// this loader does not know; then LLVM's loader loads the object, or reports the error. Thread-safe.
std::unique_ptr<LoadedObject> load_elf(const std::string& object, const std::vector<std::string>& symbols,
                                       OwnFunctions own = {});

}  // namespace qd::device
