// Memory of a launch that compiled code and the host share, on a device with memory of its own: arguments of all tasks,
// and messages to the host. All addresses are those of the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qd {

/// Arguments of a launch, the same for all of its tasks.
struct DeviceLaunch {
  uint64_t arrays;    // ArraySlot[], whose `data` are device addresses
  uint64_t params;    // a word for each scalar: integers extended, floats as their own bits
  uint64_t results;   // as params
  uint64_t temps;     // words
  uint64_t counters;  // words; 0: the kernel has none
  uint64_t messages;  // a DeviceMessages
  uint64_t tables;    // constants of the code; 0: the host gives none
  uint64_t output;    // all that a launch leaves for the host: from here up to the end of DeviceMessages
  /// The host's copy of the output, in memory of the host; 0: the host copies it. The last group of the launch writes
  /// it, and at last a 1 to its first 32 bits. It clears results, temps and counters for the next launch, which has the
  /// same arguments then.
  uint64_t left;
  uint32_t groups_over;  // of the last task, so far
  uint32_t unused;
};

/// Messages of tasks to the host. `words` follow it in memory: `capacity` words for prints and warnings, and then
/// kFailWords for the failed assert.
///
/// A print or a warning takes 1 + v words: kind | format << 8 | v << 40, and v values. They follow each other from
/// words[0] on, up to words[min(next, capacity)], or up to a word that is kNoMessage.
/// The failed assert stands at words[capacity], if `failed` is set: first as above, then the number c of calls, then v
/// values, then c places of calls (Inst::imm of each Call), innermost first.
struct DeviceMessages {
  uint32_t failed;    // kAssertFailed, kLoopsEnded, kStopped; unless it is 0, tasks that start later do nothing
  uint32_t lost;      // number of prints and warnings that found no room
  uint32_t next;      // the first free word; may be beyond the capacity
  uint32_t capacity;  // in words
};

enum class DeviceMessageKind : uint64_t { Print = 0, Warn = 1, Fail = 2 };

/// Bits of DeviceMessages::failed.
inline constexpr uint32_t kAssertFailed = 1;
inline constexpr uint32_t kLoopsEnded = 2;  // the driver may have ended a loop early (SpirvDevice::loop_limit)

inline constexpr uint32_t kStopped = 4;  // by the host, which wants the launch to end

/// End mark, in place of the first word of a message: there is no message here, and none behind it.
inline constexpr uint64_t kNoMessage = UINT64_MAX;
/// Largest size of a failed assert, in words.
inline constexpr uint32_t kFailWords = 4096;

static_assert(sizeof(DeviceLaunch) == 80 && sizeof(DeviceMessages) == 16);

}  // namespace qd
