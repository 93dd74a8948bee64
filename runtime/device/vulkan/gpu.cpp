// Opens the device with all features that it has and code may use.
#include "runtime/device/vulkan/gpu.h"

#include <algorithm>
#include <utility>

#include "runtime/abi/device_launch.h"
#include "runtime/abi/task_arguments.h"
#include "runtime/device/host_threads.h"
#include "runtime/device/vulkan/instance.h"
#include "runtime/device/vulkan/results.h"

namespace qd::device::vulkan {
namespace {

constexpr uint32_t kMostQueues = 8;

}  // namespace

std::shared_ptr<Gpu> Gpu::open(const DeviceOptions& options) {
  FeatureChain features;
  PhysicalDevice physical = choose_device(options.device, features);
  physical.queues = std::min(physical.queues, kMostQueues);
  const std::vector<float> priorities(physical.queues, 1.0f);
  VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queues.queueFamilyIndex = physical.queue_family;
  queues.queueCount = physical.queues;
  queues.pQueuePriorities = priorities.data();
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features.core};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = static_cast<uint32_t>(physical.extensions.size());
  info.ppEnabledExtensionNames = physical.extensions.data();
  VkDevice device;
  // Drivers start threads here, which must not handle the program's signals.
  SignalsBlocked blocked;
  const VkResult result = vkCreateDevice(physical.handle, &info, nullptr, &device);
  if (result != VK_SUCCESS) throw NotAvailable(physical.name + ": vkCreateDevice failed: " + vulkan::name(result));
  VolkDeviceTable table;
  volkLoadDeviceTable(&table, device);
  std::shared_ptr<Gpu> gpu(new Gpu(std::move(physical), device, table, options.kept));
  require_valid_use();
  return gpu;
}

Gpu::Gpu(PhysicalDevice physical, VkDevice device, const VolkDeviceTable& table, KeptBytes kept)
    : vk(table), physical_(std::move(physical)), device_(device), kept_(std::move(kept)), forks_(fork_count()) {
  for (uint32_t i = 0; i < physical_.queues; ++i)
    vk.vkGetDeviceQueue(device_, physical_.queue_family, i, &queues_.emplace_back().handle);
  heap_ = std::make_unique<Heap>(vk, device_, physical_.handle);

  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT | VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = physical_.queue_family;
  require("vkCreateCommandPool", vk.vkCreateCommandPool(device_, &pool, nullptr, &copy_pool_));
  VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  commands.commandPool = copy_pool_;
  commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  commands.commandBufferCount = 1;
  require("vkAllocateCommandBuffers", vk.vkAllocateCommandBuffers(device_, &commands, &copy_commands_));
  const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  require("vkCreateFence", vk.vkCreateFence(device_, &fence, nullptr, &copy_over_));
}

Gpu::~Gpu() {
  if (!usable()) {
    if (heap_) heap_->leave_behind();
    return;
  }
  vk.vkDestroyFence(device_, copy_over_, nullptr);
  vk.vkDestroyCommandPool(device_, copy_pool_, nullptr);
  for (const auto& [buffers, layout] : layouts_) {
    vk.vkDestroyPipelineLayout(device_, layout.pipeline, nullptr);
    vk.vkDestroyDescriptorSetLayout(device_, layout.set, nullptr);
  }
  heap_.reset();
  vk.vkDestroyDevice(device_, nullptr);
}

VkPipelineLayout Gpu::layout(size_t buffers) {
  std::lock_guard lock(layout_mutex_);
  Layout& layout = layouts_[buffers];
  if (layout.pipeline) return layout.pipeline;
  if (buffers > 0 && !layout.set) {
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t i = 0; i < buffers; ++i)
      bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    info.bindingCount = static_cast<uint32_t>(bindings.size());
    info.pBindings = bindings.data();
    require("vkCreateDescriptorSetLayout", vk.vkCreateDescriptorSetLayout(device_, &info, nullptr, &layout.set));
  }
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(TaskArguments)};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = buffers > 0 ? 1 : 0;
  info.pSetLayouts = &layout.set;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  require("vkCreatePipelineLayout", vk.vkCreatePipelineLayout(device_, &info, nullptr, &layout.pipeline));
  return layout.pipeline;
}

void Gpu::submit(uint32_t number, const VkSubmitInfo& info) {
  Queue& queue = queues_[number % queues_.size()];
  std::lock_guard lock(*queue.mutex);
  require("vkQueueSubmit", vk.vkQueueSubmit(queue.handle, 1, &info, VK_NULL_HANDLE));
}

void Gpu::run_now(const std::function<void(VkCommandBuffer)>& record) {
  if (!usable()) return;
  std::lock_guard lock(copy_mutex_);
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  require("vkBeginCommandBuffer", vk.vkBeginCommandBuffer(copy_commands_, &begin));
  record(copy_commands_);
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  vk.vkCmdPipelineBarrier(copy_commands_, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                          nullptr, 0, nullptr);
  require("vkEndCommandBuffer", vk.vkEndCommandBuffer(copy_commands_));
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &copy_commands_;
  require("vkResetFences", vk.vkResetFences(device_, 1, &copy_over_));
  {
    std::lock_guard queue_lock(*queues_[0].mutex);
    require("vkQueueSubmit", vk.vkQueueSubmit(queues_[0].handle, 1, &info, copy_over_));
  }
  require("vkWaitForFences", vk.vkWaitForFences(device_, 1, &copy_over_, VK_TRUE, UINT64_MAX));
}

void Gpu::copy(const Piece& from, const Piece& to, size_t size) {
  if (size == 0) return;
  run_now([&](VkCommandBuffer commands) {
    const VkBufferCopy region{from.offset, to.offset, size};
    vk.vkCmdCopyBuffer(commands, from.block->buffer, to.block->buffer, 1, &region);
  });
}

void Gpu::clear(const Piece& piece, size_t size) {
  run_now([&](VkCommandBuffer commands) {
    vk.vkCmdFillBuffer(commands, piece.block->buffer, piece.offset, (size + 3) / 4 * 4, 0);
  });
}

void Gpu::lose(const std::string& reason) {
  std::lock_guard lock(lost_mutex_);
  if (lost_.empty()) lost_ = reason;
  is_lost_.store(true);
}

std::string Gpu::lost() const {
  std::lock_guard lock(lost_mutex_);
  return lost_;
}

std::string Gpu::lost_error() const {
  const std::string reason = lost();
  if (reason.empty()) return "Vulkan does not outlive a fork";
  return "the device is lost, and with it what its arrays held: " + reason + "; qd.init starts anew";
}

bool Gpu::usable() const { return !is_lost_.load() && forks_ == fork_count(); }

}  // namespace qd::device::vulkan
