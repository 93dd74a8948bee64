#include "tests/gpu_kernels/assembler.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace qd::testing {
namespace {

// nvJitLink.h of CUDA 12 and 13.
using Handle = void*;
constexpr int kInputPtx = 2;
using Create = int (*)(Handle*, uint32_t, const char**);
using AddData = int (*)(Handle, int, const void*, size_t, const char*);
using Complete = int (*)(Handle);
using Destroy = int (*)(Handle*);
using LogSize = int (*)(Handle, size_t*);
using Log = int (*)(Handle, char*);

}  // namespace

Assembler::Assembler() {
  std::vector<std::string> names;
  if (const char* named = std::getenv("QD_NVJITLINK")) names.emplace_back(named);
  for (const char* name : {"libnvJitLink.so.13", "libnvJitLink.so.12"}) names.emplace_back(name);
  for (const char* folder : {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"})
    names.push_back(std::string(folder) + "/libnvJitLink.so");
  for (const std::string& name : names) {
    library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_) return;
  }
  missing_ = "there is no nvJitLink here: install a CUDA toolkit, or name libnvJitLink.so in QD_NVJITLINK";
}

Assembler::~Assembler() {
  if (library_) dlclose(library_);
}

std::string Assembler::errors(const std::string& ptx, const std::string& processor) const {
  auto function = [&](const char* name) { return dlsym(library_, name); };
  const std::string arch = "-arch=" + processor;
  const char* options[] = {arch.c_str(), "-O0"};
  Handle handle = nullptr;
  int failed = reinterpret_cast<Create>(function("nvJitLinkCreate"))(&handle, 2, options);
  if (failed != 0) return "nvJitLinkCreate gives " + std::to_string(failed);
  failed = reinterpret_cast<AddData>(function("nvJitLinkAddData"))(handle, kInputPtx, ptx.c_str(), ptx.size() + 1, "k");
  if (failed == 0) failed = reinterpret_cast<Complete>(function("nvJitLinkComplete"))(handle);
  std::string text;
  if (failed != 0) {
    size_t size = 0;
    reinterpret_cast<LogSize>(function("nvJitLinkGetErrorLogSize"))(handle, &size);
    text.resize(size);
    if (size > 0) reinterpret_cast<Log>(function("nvJitLinkGetErrorLog"))(handle, text.data());
    text = std::string(text.c_str()) + "nvJitLink gives " + std::to_string(failed);
  }
  reinterpret_cast<Destroy>(function("nvJitLinkDestroy"))(&handle);
  return text;
}

}  // namespace qd::testing
