// Process mark: tells readers on any machine whether the process that writes a file still runs.
#pragma once

#include <cstdint>
#include <string>

#include "report/data/bytes.h"

namespace qd::report {

/// Readers that see the lock which a process holds on its file.
enum class LockReach : uint32_t {
  None,        // the file system has no locks
  Machine,     // those on its machine
  AllMachines  // those on all machines that share the file system
};

/// A process, as its files name it. Two containers may have equal host names and numbers; their namespaces differ. Two
/// machines may have equal host names; their boot ids differ.
struct ProcessMark {
  std::string host;            // for messages
  std::string boot;            // empty in files of older versions, which have no mark
  uint64_t pid_namespace = 0;  // inode of the namespace
  uint32_t pid = 0;
  uint64_t started = 0;  // clock ticks since the boot
  LockReach lock = LockReach::None;

  /// Mark of this process, which holds a lock on its file as far as `lock` says.
  static ProcessMark present(LockReach lock);

  void put_to(std::string& bytes) const;
  /// Reads a mark; an empty one where there is none.
  static ProcessMark read(ByteReader& bytes);
};

enum class ProcessState {
  Runs,
  Ended,
  Unknown  // of another machine, or another container, whose locks cannot be seen from here
};

/// Locks an open file until this process ends, and tells who sees that.
LockReach lock_for_life(int file);

/// State of the process that writes an open file, by its lock and its mark.
ProcessState state_of_writer(int file, const ProcessMark& writer);

/// Name of this host.
std::string host_name();

/// End of the name of a process's file, as coverage.py makes it in parallel mode: ".host.pid123.Xabcdefx". No two
/// processes have the same, on whichever machines and in whichever containers.
std::string process_suffix();

}  // namespace qd::report
