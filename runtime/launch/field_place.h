// Place of a field in memory, for the code of kernels: its user need not keep the field itself.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "runtime/abi/array_slot.h"
#include "runtime/device/device.h"

namespace qd {

/// The place. Thread-safe. The memory lives as long as the field, a hold, or a launch that uses it.
class FieldPlace {
 public:
  FieldPlace(const ArraySlot& slot, const std::shared_ptr<device::Memory>& memory) : slot_(slot), memory_(memory) {}

  const ArraySlot& slot() const { return slot_; }
  /// The memory; null when it has been freed.
  std::shared_ptr<device::Memory> memory() const { return memory_.lock(); }
  /// Whether no launch may use the field any more: it has been destroyed, or all references to it are gone.
  bool gone() const { return gone_.load(std::memory_order_acquire); }
  /// The number of fields of this process that are gone. It rises behind gone(): a field that is there after a call of
  /// this is there until the number changes.
  static uint64_t endings() { return endings_.load(std::memory_order_acquire); }
  /// Keeps the memory of a field that a kernel has captured for as long as the result lives, or until destroy().
  std::shared_ptr<const void> hold() {
    std::lock_guard lock(mutex_);
    std::shared_ptr<Hold> known = hold_.lock();
    if (!known) hold_ = known = std::make_shared<Hold>(Hold{memory()});
    return known;
  }
  /// Notes that the field itself is no more.
  void field_ended() {
    std::lock_guard lock(mutex_);
    if (hold_.expired()) end();
  }
  /// Hides the field from later launches. Returns the memory that holds have kept, for launches that have found it.
  std::shared_ptr<device::Memory> destroy() {
    std::lock_guard lock(mutex_);
    end();
    const std::shared_ptr<Hold> known = hold_.lock();
    return known ? std::move(known->memory) : nullptr;
  }

 private:
  struct Hold {
    std::shared_ptr<device::Memory> memory;
  };
  void end() {
    gone_.store(true, std::memory_order_release);
    endings_.fetch_add(1, std::memory_order_release);
  }

  static inline std::atomic<uint64_t> endings_ = 0;
  const ArraySlot slot_;
  const std::weak_ptr<device::Memory> memory_;
  std::atomic<bool> gone_ = false;
  std::mutex mutex_;  // guards the members below
  std::weak_ptr<Hold> hold_;
};

}  // namespace qd
