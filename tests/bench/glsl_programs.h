// Compute shaders that were written by hand in GLSL, run on the device that the runtime takes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/vulkan/gpu.h"
#include "tests/bench/compare.h"

namespace bench {

/// Memory of the device that the host reaches, too.
struct GlslBuffer {
  qd::device::vulkan::Piece piece;
  uint32_t low() const { return static_cast<uint32_t>(piece.address()); }
  uint32_t high() const { return static_cast<uint32_t>(piece.address() >> 32); }
  template <class T>
  std::span<T> span() const {
    return {reinterpret_cast<T*>(piece.host()), piece.size / sizeof(T)};
  }
};

/// Lives as long as the actions that it gave. Throws std::runtime_error where something fails.
class GlslPrograms {
 public:
  explicit GlslPrograms(std::string folder);
  ~GlslPrograms();
  GlslPrograms(const GlslPrograms&) = delete;
  GlslPrograms& operator=(const GlslPrograms&) = delete;

  GlslBuffer buffer(size_t bytes);

  struct Pass {
    std::string shader;               // NAME of NAME.comp
    std::vector<GlslBuffer> buffers;  // bindings 0, 1...
    std::array<uint32_t, 2> groups;
    std::array<uint32_t, 8> constants;
  };
  /// Runs the passes one after the other, and waits.
  Action action(const std::vector<Pass>& passes);

 private:
  struct Pipeline;
  Pipeline& pipeline(const std::string& shader, uint32_t buffers);

  const std::string folder_;
  const std::shared_ptr<qd::device::vulkan::Gpu> gpu_;
  std::vector<std::unique_ptr<Pipeline>> pipelines_;
  VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
  VkCommandPool commands_ = VK_NULL_HANDLE;
  VkSemaphore over_ = VK_NULL_HANDLE;
  uint64_t submissions_ = 0;
};

}  // namespace bench
