// Group witness: tells whether a signal was sent to this process alone, or to all processes of its group.
#pragma once

#include <signal.h>
#include <unistd.h>

namespace qd::cli {

/// A process in the group of this one that blocks all signals, so that those which the whole group got stay pending in
/// it. It ends with its owner.
class GroupWitness {
 public:
  GroupWitness() { start(); }
  ~GroupWitness() { end(); }
  GroupWitness(const GroupWitness&) = delete;
  GroupWitness& operator=(const GroupWitness&) = delete;

  /// Whether the signal that this process has just fetched went to the terminal's foreground group, or to its group by
  /// kill(): the other processes of the group have it, too.
  bool shares(const siginfo_t& signal);

 private:
  void start();
  void end();

  pid_t process_ = 0;
};

}  // namespace qd::cli
