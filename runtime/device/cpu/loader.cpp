// Tries our own loader first, then ORC's LLJIT, with one session for the process and one dylib for each object.
#include "runtime/device/cpu/loader.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/TargetSelect.h>

namespace qd::device {
namespace {

template <class T>
T checked(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error("cannot load compiled code: " + llvm::toString(value.takeError()));
  return static_cast<T&&>(*value);
}

void checked(llvm::Error error) {
  if (error) throw std::runtime_error("cannot load compiled code: " + llvm::toString(std::move(error)));
}

/// Never destroyed: code may run until the process ends.
llvm::orc::LLJIT& session() {
  static llvm::orc::LLJIT* jit = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // This library is absent on systems without glibc's vector mathematics; code that is compiled there does not need
    // it.
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
    dlopen("libmvec.so.1", RTLD_NOW | RTLD_GLOBAL);
    return checked(llvm::orc::LLJITBuilder().create()).release();
  }();
  return *jit;
}

class OrcObject : public LoadedObject {
 public:
  OrcObject(const std::string& object, const std::vector<std::string>& symbols, OwnFunctions own) {
    static std::atomic<uint64_t> count = 0;
    llvm::orc::LLJIT& jit = session();
    std::string name = "object." + std::to_string(count++);
    dylib_ = &checked(jit.createJITDylib(name));
    try {
      llvm::orc::SymbolMap known;
      for (auto [own_name, address] : own)
        known[jit.mangleAndIntern(own_name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                llvm::JITSymbolFlags::Exported};
      if (!known.empty()) checked(dylib_->define(llvm::orc::absoluteSymbols(std::move(known))));
      dylib_->addGenerator(checked(
          llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit.getDataLayout().getGlobalPrefix())));
      checked(jit.addObjectFile(*dylib_, llvm::MemoryBuffer::getMemBufferCopy(object, name)));
      for (const std::string& symbol : symbols)
        functions_.push_back(checked(jit.lookup(*dylib_, symbol)).toPtr<TaskFunction>());
      if (!functions_.empty()) find_code(reinterpret_cast<uint64_t>(functions_[0]));
    } catch (...) {
      unload();
      throw;
    }
  }
  ~OrcObject() override { unload(); }

 private:
  /// Finds the memory mapping that a function lies in. Everything in that mapping is code of such objects.
  void find_code(uint64_t function) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      unsigned long begin = 0, end = 0;
      if (std::sscanf(line.c_str(), "%lx-%lx", &begin, &end) != 2 || function < begin || function >= end) continue;
      code_begin_ = begin;
      code_size_ = end - begin;
      return;
    }
  }
  void unload() { llvm::consumeError(session().getExecutionSession().removeJITDylib(*dylib_)); }

  llvm::orc::JITDylib* dylib_ = nullptr;
};

}  // namespace

std::unique_ptr<LoadedObject> load(const std::string& object, const std::vector<std::string>& symbols,
                                   OwnFunctions own) {
  std::unique_ptr<LoadedObject> loaded = load_elf(object, symbols, own);
  return loaded ? std::move(loaded) : load_by_orc(object, symbols, own);
}

std::unique_ptr<LoadedObject> load_by_orc(const std::string& object, const std::vector<std::string>& symbols,
                                          OwnFunctions own) {
  return std::make_unique<OrcObject>(object, symbols, own);
}

}  // namespace qd::device
