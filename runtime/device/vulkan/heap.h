// Memory of a device in large blocks, of which pieces are given away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/device/vulkan/volk.h"

namespace qd::device::vulkan {

/// Where a piece lies.
enum class Place : uint8_t {
  Shared,  // the host reaches it, too; in the device's own memory where it has such
  Own,     // in the device's own memory; `host` is null, unless the host reaches all of it
};

/// A buffer with memory of its own.
struct Block {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceAddress address = 0;
  std::byte* host = nullptr;  // mapped for as long as the block lives
  size_t size = 0;
  Place place = Place::Shared;
  std::map<size_t, size_t> gaps;  // offset, size of what is free
};

/// A part of a block, aligned to 256 bytes. Nothing is known of its contents.
struct Piece {
  Block* block = nullptr;
  size_t offset = 0;
  size_t size = 0;

  VkDeviceAddress address() const { return block->address + offset; }
  std::byte* host() const { return block->host ? block->host + offset : nullptr; }
};

/// The device has no room, or no piece of its memory may be as large; says so.
struct OutOfDeviceMemory : std::bad_alloc {
  explicit OutOfDeviceMemory(std::string text) : text(std::move(text)) {}
  const char* what() const noexcept override { return text.c_str(); }
  const std::string text;
};

/// Thread-safe.
class Heap {
 public:
  Heap(const VolkDeviceTable& vk, VkDevice device, VkPhysicalDevice physical);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Throws OutOfDeviceMemory.
  Piece allocate(size_t size, Place place);
  void free(const Piece& piece);
  /// What lies behind an address, up to the end of its block; nothing when the address is none of this heap's.
  std::optional<Piece> find(VkDeviceAddress address);
  /// Whether the host reaches all of the device's own memory.
  bool host_reaches_all() const { return own_type_ == shared_type_; }
  /// The blocks are not freed at the end.
  void leave_behind() { left_ = true; }

 private:
  std::unique_ptr<Block> make_block(size_t size, Place place);
  void destroy(Block& block);
  /// Takes the piece out of a block; false when there is no gap of the size.
  static bool take(Block& block, size_t size, Piece& piece);

  const VolkDeviceTable& vk_;
  const VkDevice device_;
  uint32_t shared_type_ = 0;  // the memory types
  uint32_t own_type_ = 0;
  size_t largest_ = 0;  // the largest piece
  uint32_t most_ = 0;   // how many pieces of memory the driver gives
  size_t total_ = 0;    // of the heap that own_type_ is of
  bool left_ = false;
  std::mutex mutex_;  // of what follows
  std::vector<std::unique_ptr<Block>> blocks_;
  std::map<VkDeviceAddress, Block*> by_address_;
};

}  // namespace qd::device::vulkan
