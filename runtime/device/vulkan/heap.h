// Heap of a device: memory in large blocks, of which pieces are given away.
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

/// Kind of memory of a piece.
enum class MemoryKind : uint8_t {
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
  MemoryKind kind = MemoryKind::Shared;
  std::map<size_t, size_t> gaps;  // offset and size of the free parts
};

/// A part of a block, aligned to 256 bytes. Its contents are undefined.
struct Piece {
  Block* block = nullptr;
  size_t offset = 0;
  size_t size = 0;

  VkDeviceAddress address() const { return block->address + offset; }
  std::byte* host() const { return block->host ? block->host + offset : nullptr; }
};

/// Error of a device without room, or of a piece larger than it may be; the message tells which.
struct OutOfDeviceMemory : std::bad_alloc {
  explicit OutOfDeviceMemory(std::string text) : text(std::move(text)) {}
  const char* what() const noexcept override { return text.c_str(); }
  const std::string text;
};

/// Allocator of pieces. Thread-safe.
class Heap {
 public:
  Heap(const VolkDeviceTable& vk, VkDevice device, VkPhysicalDevice physical);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Allocates a piece. Throws OutOfDeviceMemory.
  Piece allocate(size_t size, MemoryKind kind);
  void free(const Piece& piece);
  /// The memory from an address to the end of its block; nothing when the address is none of this heap's.
  std::optional<Piece> find(VkDeviceAddress address);
  /// Whether the host reaches all of the device's own memory.
  bool host_reaches_all() const { return own_type_ == shared_type_; }
  /// Leaves the blocks behind: they are not freed at the end.
  void leave_behind() { left_ = true; }

 private:
  std::unique_ptr<Block> make_block(size_t size, MemoryKind kind);
  void destroy(Block& block);
  /// Takes the piece out of a block; false when there is no gap of the size.
  static bool take(Block& block, size_t size, Piece& piece);

  const VolkDeviceTable& vk_;
  const VkDevice device_;
  uint32_t shared_type_ = 0;  // the memory types
  uint32_t own_type_ = 0;
  size_t largest_ = 0;  // the largest piece
  uint32_t most_ = 0;   // number of blocks that the driver allows
  size_t total_ = 0;    // of the heap that own_type_ is of
  bool left_ = false;
  std::mutex mutex_;  // guards the members below
  std::vector<std::unique_ptr<Block>> blocks_;
  std::map<VkDeviceAddress, Block*> by_address_;
};

}  // namespace qd::device::vulkan
