// Cache entries of kernels: each has one of its own in the program's cache, under the PTX, the GPU and the driver.
#include "runtime/device/cuda/cubin.h"

#include <array>

#include <fmt/format.h>

namespace qd::device::gpu {
namespace {

// Numbers of CUjit_option and CUjitInputType.
constexpr int kErrorLog = 5;
constexpr int kErrorLogSize = 6;
constexpr int kPtx = 1;

constexpr std::string_view kElf = "\177ELF";

class Linker {
 public:
  explicit Linker(const Driver& driver) : driver_(driver) {
    std::array options{kErrorLog, kErrorLogSize};
    std::array<void*, 2> values{log_.data(), reinterpret_cast<void*>(log_.size() - 1)};
    require("linker_create", driver_.linker_create(options.size(), options.data(), values.data(), &handle_));
  }
  ~Linker() { driver_.linker_destroy(handle_); }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;

  std::string link(const std::string& ptx) {
    void* text = const_cast<char*>(ptx.c_str());
    require("linker_add", driver_.linker_add(handle_, kPtx, text, ptx.size() + 1, "kernel", 0, nullptr, nullptr));
    void* image = nullptr;
    size_t size = 0;
    require("linker_complete", driver_.linker_complete(handle_, &image, &size));
    return {static_cast<const char*>(image), size};
  }

 private:
  void require(const char* field, Result result) const {
    if (result != kSuccess) throw CallFailed(driver_, field, result, log_.data());
  }

  const Driver& driver_;
  std::array<char, 4096> log_{};
  Handle handle_ = nullptr;
};

}  // namespace

std::string cubin(const Driver& driver, const Properties& properties, const KeptBytes& kept, const std::string& ptx) {
  if (!driver.linker_create || !driver.linker_add || !driver.linker_complete || !driver.linker_destroy) return ptx;
  int version = 0;
  driver.driver_version(&version);
  const std::string key = fmt::format("cubin {} {} {}\n{}", version, properties.processor, properties.name, ptx);
  if (kept.find) {
    std::optional<std::string> found = kept.find(key);
    if (found && found->starts_with(kElf)) return *found;
  }
  std::string image = Linker(driver).link(ptx);
  if (kept.put && image.starts_with(kElf)) kept.put(key, image);
  return image;
}

}  // namespace qd::device::gpu
