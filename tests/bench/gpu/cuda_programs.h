// Kernels that were written by hand in CUDA, run on the GPU that the runtime takes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/gpu/gpu.h"

namespace bench {

/// Lives as long as the buffers that it gave. Throws std::runtime_error where something fails.
class CudaPrograms {
 public:
  /// `image`: a file that nvcc has made, a cubin, PTX or a fatbin.
  explicit CudaPrograms(const std::string& image);
  ~CudaPrograms();
  CudaPrograms(const CudaPrograms&) = delete;
  CudaPrograms& operator=(const CudaPrograms&) = delete;

  using Buffer = qd::device::gpu::Address;
  /// Filled with a copy of these bytes.
  Buffer buffer(std::span<const std::byte> bytes);
  void read(Buffer from, std::span<std::byte> to);

  struct Shape {
    std::array<uint32_t, 2> groups{1, 1};
    std::array<uint32_t, 2> threads{256, 1};
  };
  /// Enqueues a kernel. `arguments`: where each of them is.
  void launch(const char* kernel, const Shape& shape, std::vector<void*> arguments);
  void copy(Buffer to, Buffer from, size_t size);
  /// Waits for all that was enqueued.
  void wait();
  const qd::device::gpu::Properties& properties() const { return gpu_->properties(); }

 private:
  const std::shared_ptr<qd::device::gpu::Gpu> gpu_;
  const qd::device::gpu::Driver& driver_;
  qd::device::gpu::Handle module_ = nullptr, stream_ = nullptr;
  struct Known {
    std::string name;
    qd::device::gpu::Handle function;
  };
  std::vector<Known> kernels_;
  std::vector<std::pair<Buffer, size_t>> buffers_;
};

}  // namespace bench
