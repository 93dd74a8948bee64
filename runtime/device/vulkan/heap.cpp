// Blocks of 64 MiB for small pieces; large pieces have a block of their own.
#include "runtime/device/vulkan/heap.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "runtime/device/vulkan/results.h"

namespace qd::device::vulkan {
namespace {

constexpr size_t kAlignment = 256;
constexpr size_t kBlock = size_t{64} << 20;

constexpr VkMemoryPropertyFlags kForHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

/// The first type that has most of the flags that are wanted, all of those that are needed, and a heap of at least this
/// size; -1: there is none.
int find_type(const VkPhysicalDeviceMemoryProperties& types, VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wanted,
              VkDeviceSize size) {
  int best = -1, best_count = -1;
  for (uint32_t i = 0; i < types.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = types.memoryTypes[i].propertyFlags;
    if ((flags & needed) != needed || types.memoryHeaps[types.memoryTypes[i].heapIndex].size < size) continue;
    const int count = std::popcount(flags & wanted);
    if (count > best_count) best = static_cast<int>(i), best_count = count;
  }
  return best;
}

}  // namespace

Heap::Heap(const VolkDeviceTable& vk, VkDevice device, VkPhysicalDevice physical) : vk_(vk), device_(device) {
  VkPhysicalDeviceMaintenance3Properties limits{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
  VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &limits};
  vkGetPhysicalDeviceProperties2(physical, &properties);
  VkPhysicalDeviceMaintenance4Properties buffers{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES};
  if (properties.properties.apiVersion >= VK_API_VERSION_1_3) {
    limits.pNext = &buffers;
    vkGetPhysicalDeviceProperties2(physical, &properties);
  }
  largest_ = limits.maxMemoryAllocationSize;
  most_ = properties.properties.limits.maxMemoryAllocationCount;
  if (buffers.maxBufferSize > 0) largest_ = std::min<size_t>(largest_, buffers.maxBufferSize);
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(physical, &types);
  VkDeviceSize largest = 0;
  for (uint32_t i = 0; i < types.memoryHeapCount; ++i) {
    if (types.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      largest = std::max(largest, types.memoryHeaps[i].size);
  }
  // The memory that the host reaches is all of the device's, or some of it, or none: then the device uses the host's.
  const int all =
      find_type(types, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kForHost, VK_MEMORY_PROPERTY_HOST_CACHED_BIT, largest);
  const int some =
      find_type(types, kForHost, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 0);
  const int own = find_type(types, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, largest);
  if (some < 0 || own < 0) throw std::runtime_error("the device has no memory that the host reaches");
  shared_type_ = static_cast<uint32_t>(all >= 0 ? all : some);
  own_type_ = static_cast<uint32_t>(all >= 0 ? all : own);
  total_ = types.memoryHeaps[types.memoryTypes[own_type_].heapIndex].size;
  // For tests of the copies between the two on a device that does not need them.
  if (const char* staging = std::getenv("QD_VULKAN_STAGING"); staging && std::strcmp(staging, "1") == 0) {
    const int hidden = find_type(types, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0, 0);
    own_type_ = static_cast<uint32_t>(hidden) == shared_type_ ? UINT32_MAX : static_cast<uint32_t>(hidden);
  }
}

Heap::~Heap() {
  if (left_) return;
  for (const std::unique_ptr<Block>& block : blocks_) destroy(*block);
}

std::unique_ptr<Block> Heap::make_block(size_t size, MemoryKind kind) {
  auto block = std::make_unique<Block>();
  block->size = size;
  block->kind = kind;
  VkBufferCreateInfo buffer{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer.size = size;
  buffer.usage = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  require("vkCreateBuffer", vk_.vkCreateBuffer(device_, &buffer, nullptr, &block->buffer));
  VkMemoryRequirements needs;
  vk_.vkGetBufferMemoryRequirements(device_, block->buffer, &needs);
  VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
  info.allocationSize = needs.size;
  const bool own = kind == MemoryKind::Own && own_type_ != UINT32_MAX;
  info.memoryTypeIndex = own ? own_type_ : shared_type_;
  try {
    require("vkAllocateMemory", vk_.vkAllocateMemory(device_, &info, nullptr, &block->memory));
    require("vkBindBufferMemory", vk_.vkBindBufferMemory(device_, block->buffer, block->memory, 0));
    if (kind == MemoryKind::Shared || host_reaches_all()) {
      void* host = nullptr;
      require("vkMapMemory", vk_.vkMapMemory(device_, block->memory, 0, VK_WHOLE_SIZE, 0, &host));
      block->host = static_cast<std::byte*>(host);
    }
  } catch (...) {
    destroy(*block);
    throw;
  }
  VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
  address.buffer = block->buffer;
  block->address = vk_.vkGetBufferDeviceAddress(device_, &address);
  block->gaps[0] = size;
  return block;
}

void Heap::destroy(Block& block) {
  vk_.vkDestroyBuffer(device_, block.buffer, nullptr);
  vk_.vkFreeMemory(device_, block.memory, nullptr);
}

bool Heap::take(Block& block, size_t size, Piece& piece) {
  for (auto gap = block.gaps.begin(); gap != block.gaps.end(); ++gap) {
    if (gap->second < size) continue;
    piece = {&block, gap->first, size};
    const size_t rest = gap->second - size;
    block.gaps.erase(gap);
    if (rest > 0) block.gaps[piece.offset + size] = rest;
    return true;
  }
  return false;
}

Piece Heap::allocate(size_t size, MemoryKind kind) {
  if (size > largest_ - kAlignment)
    throw OutOfDeviceMemory(
        fmt::format("{} bytes are more than the {} that a piece of the device's memory can have "
                    "(maxMemoryAllocationSize, maxBufferSize)",
                    size, largest_ - kAlignment));
  size = std::max<size_t>(1, (size + kAlignment - 1) / kAlignment) * kAlignment;
  if (host_reaches_all()) kind = MemoryKind::Shared;
  std::lock_guard lock(mutex_);
  Piece piece;
  if (size <= kBlock / 4) {
    for (const std::unique_ptr<Block>& block : blocks_) {
      if (block->kind == kind && take(*block, size, piece)) return piece;
    }
  }
  const size_t block = size <= kBlock / 4 ? kBlock : size;
  try {
    blocks_.push_back(make_block(block, kind));
  } catch (const CallFailed& error) {
    if (error.result != VK_ERROR_TOO_MANY_OBJECTS) throw;
    throw OutOfDeviceMemory(
        fmt::format("the driver gives no more than {} pieces of memory (maxMemoryAllocationCount), "
                    "and each array of more than 16 MiB needs one",
                    most_));
  } catch (const std::bad_alloc&) {
    size_t used = 0;
    for (const std::unique_ptr<Block>& other : blocks_) used += other->size;
    throw OutOfDeviceMemory(fmt::format("the device has no room for {} bytes more: {} of {} are taken by this program",
                                        block, used, total_));
  }
  by_address_[blocks_.back()->address] = blocks_.back().get();
  take(*blocks_.back(), size, piece);
  return piece;
}

std::optional<Piece> Heap::find(VkDeviceAddress address) {
  std::lock_guard lock(mutex_);
  const auto behind = by_address_.upper_bound(address);
  if (behind == by_address_.begin()) return std::nullopt;
  const auto& [begin, block] = *std::prev(behind);
  const size_t offset = address - begin;
  if (offset >= block->size) return std::nullopt;
  return Piece{block, offset, block->size - offset};
}

void Heap::free(const Piece& piece) {
  std::lock_guard lock(mutex_);
  std::map<size_t, size_t>& gaps = piece.block->gaps;
  auto gap = gaps.emplace(piece.offset, piece.size).first;
  if (const auto next = std::next(gap); next != gaps.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    gaps.erase(next);
  }
  if (gap != gaps.begin()) {
    const auto before = std::prev(gap);
    if (before->first + before->second == gap->first) {
      before->second += gap->second;
      gaps.erase(gap);
      gap = before;
    }
  }
  // A block of a large piece is freed with it; the others are kept for later pieces.
  if (gap->second != piece.block->size || piece.block->size == kBlock) return;
  by_address_.erase(piece.block->address);
  const auto block = std::ranges::find(blocks_, piece.block, &std::unique_ptr<Block>::get);
  destroy(**block);
  blocks_.erase(block);
}

}  // namespace qd::device::vulkan
