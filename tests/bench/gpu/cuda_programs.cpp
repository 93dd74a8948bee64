#include "tests/bench/gpu/cuda_programs.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "runtime/device/cuda/cuda_device.h"

namespace bench {

namespace gpu = qd::device::gpu;

CudaPrograms::CudaPrograms(const std::string& image)
    : gpu_(gpu::Gpu::open(qd::device::cuda_kind(), {})), driver_(gpu_->driver()) {
  if (driver_.simulated_target) throw std::runtime_error("there is no GPU here, but a simulated driver");
  std::ifstream file(image, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (bytes.empty()) throw std::runtime_error("cannot read " + image);
  const gpu::Gpu::Current current(*gpu_);
  gpu_->require("module_load", driver_.module_load(&module_, bytes.data(), 0, nullptr, nullptr), image);
  gpu_->require("stream_create", driver_.stream_create(&stream_, gpu::kNonBlockingStream, 0));
}

CudaPrograms::~CudaPrograms() {
  for (const auto& [buffer, size] : buffers_) gpu_->free(buffer, size);
  const gpu::Gpu::Current current(*gpu_);
  driver_.stream_destroy(stream_);
  driver_.module_unload(module_);
}

CudaPrograms::Buffer CudaPrograms::buffer(std::span<const std::byte> bytes) {
  const Buffer made = gpu_->allocate(bytes.size());
  buffers_.emplace_back(made, bytes.size());
  gpu_->copy_now(made, bytes.data(), bytes.size());
  return made;
}

void CudaPrograms::read(Buffer from, std::span<std::byte> to) { gpu_->copy_now(to.data(), from, to.size()); }

void CudaPrograms::launch(const char* kernel, const Shape& shape, std::vector<void*> arguments) {
  const gpu::Gpu::Current current(*gpu_);
  auto found = std::ranges::find(kernels_, kernel, &Known::name);
  if (found == kernels_.end()) {
    gpu::Handle function = nullptr;
    gpu_->require("function_get", driver_.function_get(&function, module_, kernel), kernel);
    found = kernels_.insert(found, {kernel, function});
  }
  gpu_->require("launch",
                driver_.launch(found->function, shape.groups[0], shape.groups[1], 1, shape.threads[0], shape.threads[1],
                               1, 0, stream_, arguments.data(), nullptr),
                kernel);
}

void CudaPrograms::copy(Buffer to, Buffer from, size_t size) {
  const gpu::Gpu::Current current(*gpu_);
  gpu_->require("copy_on_device", driver_.copy_on_device(to, from, size, stream_));
}

void CudaPrograms::wait() {
  const gpu::Gpu::Current current(*gpu_);
  gpu_->require("stream_synchronize", driver_.stream_synchronize(stream_));
}

}  // namespace bench
