// One command buffer and one timeline semaphore, used again for each submission.
#include "runtime/device/vulkan/command_recorder.h"

#include <algorithm>
#include <utility>

#include "runtime/device/vulkan/results.h"

namespace qd::device::vulkan {
namespace {

/// Poll interval of a wait, see CommandRecorder::Watch.
constexpr std::chrono::milliseconds kBetweenLooks{50};

constexpr VkPipelineStageFlags kWriters = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkPipelineStageFlags kStages = kWriters | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags kAccesses = kWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                                    VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT;

}  // namespace

CommandRecorder::CommandRecorder(std::shared_ptr<Gpu> gpu, uint32_t number) : gpu_(std::move(gpu)), number_(number) {
  const VolkDeviceTable& vk = gpu_->vk;
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
  pool.queueFamilyIndex = gpu_->physical().queue_family;
  require("vkCreateCommandPool", vk.vkCreateCommandPool(gpu_->device(), &pool, nullptr, &pool_));
  VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  commands.commandPool = pool_;
  commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  commands.commandBufferCount = 1;
  require("vkAllocateCommandBuffers", vk.vkAllocateCommandBuffers(gpu_->device(), &commands, &commands_));
  VkSemaphoreTypeCreateInfo timeline{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
  timeline.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &timeline};
  require("vkCreateSemaphore", vk.vkCreateSemaphore(gpu_->device(), &semaphore, nullptr, &over_));
}

CommandRecorder::~CommandRecorder() {
  if (!gpu_->usable()) return;
  const VolkDeviceTable& vk = gpu_->vk;
  vk.vkDestroyQueryPool(gpu_->device(), queries_, nullptr);
  vk.vkDestroySemaphore(gpu_->device(), over_, nullptr);
  vk.vkDestroyCommandPool(gpu_->device(), pool_, nullptr);
}

void CommandRecorder::begin() {
  if (recording_) return;
  require("vkResetCommandPool", gpu_->vk.vkResetCommandPool(gpu_->device(), pool_, 0));
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  require("vkBeginCommandBuffer", gpu_->vk.vkBeginCommandBuffer(commands_, &info));
  recording_ = first_ = true;
  flags_.clear();
  ticks_ = 0;
}

void CommandRecorder::barrier(VkAccessFlags to, VkPipelineStageFlags stages) {
  if (std::exchange(first_, false)) return;
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = kWrites;
  barrier.dstAccessMask = to;
  gpu_->vk.vkCmdPipelineBarrier(commands_, kWriters, stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  for (const Flag& flag : flags_) gpu_->vk.vkCmdFillBuffer(commands_, flag.buffer, flag.offset, sizeof(uint32_t), 1);
  flags_.clear();
}

void CommandRecorder::prepare(const Program& program, const void* push_constants, uint32_t size, Order order) {
  begin();
  if (order == Order::Behind) barrier(kAccesses, kStages);
  gpu_->vk.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline);
  gpu_->vk.vkCmdPushConstants(commands_, program.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, size, push_constants);
  if (program.buffers.empty()) return;
  writes_.clear();
  for (const VkDescriptorBufferInfo& buffer : program.buffers) {
    VkWriteDescriptorSet& write = writes_.emplace_back(VkWriteDescriptorSet{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET});
    write.dstBinding = static_cast<uint32_t>(writes_.size() - 1);
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &buffer;
  }
  gpu_->vk.vkCmdPushDescriptorSetKHR(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout, 0,
                                     static_cast<uint32_t>(writes_.size()), writes_.data());
}

void CommandRecorder::dispatch(const Program& program, uint32_t groups, const void* push_constants, uint32_t size,
                               Order order) {
  prepare(program, push_constants, size, order);
  gpu_->vk.vkCmdDispatch(commands_, groups, 1, 1);
}

void CommandRecorder::dispatch_indirect(const Program& program, const Piece& piece, size_t offset,
                                        const void* push_constants, uint32_t size, Order order) {
  prepare(program, push_constants, size, order);
  gpu_->vk.vkCmdDispatchIndirect(commands_, piece.block->buffer, piece.offset + offset);
}

void CommandRecorder::set_flag(const Piece& piece, size_t offset) {
  begin();
  flags_.push_back({piece.block->buffer, piece.offset + offset});
}

void CommandRecorder::copy(const Piece& piece, size_t from, std::span<const size_t> to) {
  begin();
  barrier(kAccesses, kStages);
  std::vector<VkBufferCopy> regions;
  for (size_t offset : to) regions.push_back({piece.offset + from, piece.offset + offset, sizeof(uint32_t)});
  gpu_->vk.vkCmdCopyBuffer(commands_, piece.block->buffer, piece.block->buffer, static_cast<uint32_t>(regions.size()),
                           regions.data());
}

uint32_t CommandRecorder::note_time() {
  begin();
  if (!queries_) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kTicks;
    require("vkCreateQueryPool", gpu_->vk.vkCreateQueryPool(gpu_->device(), &info, nullptr, &queries_));
  }
  if (ticks_ == 0) gpu_->vk.vkCmdResetQueryPool(commands_, queries_, 0, kTicks);
  gpu_->vk.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, ticks_);
  return ticks_++;
}

void CommandRecorder::submit() {
  if (!flags_.empty()) barrier(kAccesses, kStages);
  barrier(VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT);
  require("vkEndCommandBuffer", gpu_->vk.vkEndCommandBuffer(commands_));
  recording_ = false;
  const uint64_t value = ++submissions_;
  VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &value;
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &timeline};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &over_;
  gpu_->submit(number_, info);
}

CommandRecorder::End CommandRecorder::wait_for_end(const Watch& watch) {
  VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
  info.semaphoreCount = 1;
  info.pSemaphores = &over_;
  info.pValues = &submissions_;
  const auto slice = std::chrono::nanoseconds(kBetweenLooks).count();
  auto since = std::chrono::steady_clock::now();
  for (size_t progress = 0;;) {
    const VkResult result = gpu_->vk.vkWaitSemaphores(gpu_->device(), &info, static_cast<uint64_t>(slice));
    if (result == VK_SUCCESS) return End::Over;
    if (result != VK_TIMEOUT) throw CallFailed("vkWaitSemaphores", result);
    if (watch.ends_early && watch.ends_early->load(std::memory_order_relaxed)) return End::Early;
    const auto now = std::chrono::steady_clock::now();
    if (const size_t reached = watch.progress(); reached != progress) progress = reached, since = now;
    if (watch.limit.count() > 0 && now - since > watch.limit) return End::Timeout;
  }
}

void CommandRecorder::read_times() {
  if (ticks_ == 0) return;
  std::vector<uint64_t> ticks(ticks_);
  require("vkGetQueryPoolResults",
          gpu_->vk.vkGetQueryPoolResults(gpu_->device(), queries_, 0, ticks_, ticks_ * sizeof(uint64_t), ticks.data(),
                                         sizeof(uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  times_.clear();
  for (uint64_t tick : ticks)
    times_.push_back(
        static_cast<int64_t>(static_cast<double>(tick & gpu_->physical().tick_mask) * gpu_->physical().tick));
}

CommandRecorder::End CommandRecorder::run(const Watch& watch) {
  if (empty()) return End::Over;
  try {
    submit();
  } catch (const std::exception& error) {
    gpu_->lose(error.what());
    return End::Lost;
  }
  return wait(watch);
}

CommandRecorder::End CommandRecorder::wait(const Watch& watch) {
  try {
    const End end = wait_for_end(watch);
    if (end == End::Over) read_times();
    return end;
  } catch (const std::exception& error) {
    gpu_->lose(error.what());
    return End::Lost;
  }
}

}  // namespace qd::device::vulkan
