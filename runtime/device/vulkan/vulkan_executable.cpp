// Makes pipelines of the modules of a container.
#include "runtime/device/vulkan/vulkan_executable.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "runtime/codegen/spirv/container.h"
#include "runtime/device/host_threads.h"
#include "runtime/device/vulkan/instance.h"
#include "runtime/device/vulkan/pipeline_cache.h"
#include "runtime/device/vulkan/results.h"

namespace qd::device::vulkan {

VulkanExecutable::VulkanExecutable(std::shared_ptr<Gpu> gpu, const codegen::Binary& binary, const ir::Kernel& kernel)
    : gpu_(std::move(gpu)), kernel_(kernel), arrays_(kernel.arrays) {
  if (!gpu_->usable()) throw std::runtime_error(gpu_->lost_error());
  const auto [code, tables] = codegen::spirv::unpack(binary.code);
  if (code.size() != kernel.tasks.size()) throw std::runtime_error("the code has another number of tasks");
  const SignalsBlocked blocked;  // drivers start threads
  PipelineCache cache(*gpu_, binary.code);
  by_addresses_.resize(code.size());
  for (size_t i = 0; i < code.size(); ++i) {
    LoadedTask& known = tasks_.emplace_back();
    known.local_size = code[i].local_size;
    known.draws = code[i].draws;
    known.bound = code[i].bound;
    if (!known.bound.empty()) by_addresses_[i].words = code[i].words;
    binds_ |= !known.bound.empty();
    known.layout = gpu_->layout(known.bound.size());
    known.pipeline = make_pipeline(code[i].usual_words(), known.layout, cache.handle());
  }
  cache.keep();
  if (!tables.empty()) {
    tables_ = gpu_->heap().allocate(tables.size() * sizeof(uint32_t), MemoryKind::Shared);
    std::memcpy(tables_.host(), tables.data(), tables.size() * sizeof(uint32_t));
  }
  require_valid_use();
}

VulkanExecutable::~VulkanExecutable() {
  if (!gpu_->usable()) return;
  for (const LoadedTask& task : tasks_) gpu_->vk.vkDestroyPipeline(gpu_->device(), task.pipeline, nullptr);
  for (const ByAddresses& task : by_addresses_) gpu_->vk.vkDestroyPipeline(gpu_->device(), task.pipeline, nullptr);
  for (const Piece& buffer : buffers_) gpu_->heap().free(buffer);
  if (tables_.block) gpu_->heap().free(tables_);
}

VkPipeline VulkanExecutable::make_pipeline(const std::vector<uint32_t>& words, VkPipelineLayout layout,
                                           VkPipelineCache cache) const {
  VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  code.codeSize = words.size() * sizeof(uint32_t);
  code.pCode = words.data();
  VkShaderModule module;
  require("vkCreateShaderModule", gpu_->vk.vkCreateShaderModule(gpu_->device(), &code, nullptr, &module));
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = gpu_->vk.vkCreateComputePipelines(gpu_->device(), cache, 1, &info, nullptr, &pipeline);
  gpu_->vk.vkDestroyShaderModule(gpu_->device(), module, nullptr);
  require("vkCreateComputePipelines", result, "kernel " + kernel_.name() + ": ");
  return pipeline;
}

VkPipeline VulkanExecutable::by_addresses(size_t task) const {
  const std::lock_guard lock(by_addresses_mutex_);
  ByAddresses& known = by_addresses_[task];
  if (known.pipeline) return known.pipeline;
  const SignalsBlocked blocked;  // drivers start threads
  const std::string_view code(reinterpret_cast<const char*>(known.words.data()), known.words.size() * sizeof(uint32_t));
  PipelineCache cache(*gpu_, code);
  known.pipeline = make_pipeline(known.words, gpu_->layout(0), cache.handle());
  cache.keep();
  return known.pipeline;
}

std::optional<VkDescriptorBufferInfo> VulkanExecutable::buffer_of(uint32_t array, const ArraySlot& slot) const {
  const PhysicalDevice& device = gpu_->physical();
  const auto address = reinterpret_cast<VkDeviceAddress>(slot.data);
  if (address % device.bound_alignment != 0) return std::nullopt;
  const ir::Array& known = arrays_[array];
  const ir::Layout& layout = known.layout;
  const int64_t number = ir::size_in_bytes(known.type);
  const int64_t apart = layout.component_stride ? layout.component_stride : number;
  const int64_t stride = layout.stride ? layout.stride : number * layout.components;
  int64_t elements = 1;
  for (int32_t axis = 0; axis < known.rank; ++axis) {
    const auto i = static_cast<size_t>(axis);
    elements *= std::max(0, i < known.shape.size() ? known.shape[i] : slot.shape[i]);
    if (elements > device.max_bound_bytes) return std::nullopt;
  }
  const int64_t bytes = std::max<int64_t>(0, elements - 1) * stride + (layout.components - 1) * apart + number;
  if (bytes > device.max_bound_bytes) return std::nullopt;
  const std::optional<Piece> piece = gpu_->heap().find(address);
  if (!piece) return std::nullopt;
  // Atomic operations on small numbers use words of 4 bytes.
  const uint64_t range = std::min<uint64_t>((static_cast<uint64_t>(bytes) + 3) / 4 * 4, piece->size);
  return VkDescriptorBufferInfo{piece->block->buffer, piece->offset, range};
}

std::string VulkanExecutable::loops_ended_error() const {
  const PhysicalDevice& device = gpu_->physical();
  return fmt::format(
      "{} ends the loops of the iterations that it runs side by side after {} rounds in all, "
      "and the launch wanted more: what it has written is wrong",
      device.name, device.code.loop_limit);
}

Piece VulkanExecutable::take_buffer() const {
  {
    std::lock_guard lock(mutex_);
    if (!buffers_.empty()) {
      const Piece buffer = buffers_.back();
      buffers_.pop_back();
      return buffer;
    }
  }
  return gpu_->heap().allocate(kernel_.buffer_layout().size, MemoryKind::Shared);
}

void VulkanExecutable::give_back(const Piece& buffer) const {
  std::lock_guard lock(mutex_);
  buffers_.push_back(buffer);
}

}  // namespace qd::device::vulkan
