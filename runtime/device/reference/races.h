// Race detector: finds places that two iterations of a parallel loop have touched although they must not.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::device::reference {

class Races {
 public:
  void begin_loop() { touches_.clear(); }
  /// Notes that an iteration has touched shared memory through this pointer.
  void touch(uint64_t address, ir::InstId pointer, int64_t iteration, bool atomic, bool write);
  void end_loop();

  /// A line of text for each place that two iterations of a loop touched, at least one of them writing and at least one
  /// not atomically.
  const std::vector<std::string>& found() const { return found_; }

 private:
  struct Touch {
    ir::InstId pointer;
    int64_t iteration = 0;
    bool several = false;
    bool plain = false;
    bool write = false;
  };
  std::unordered_map<uint64_t, Touch> touches_;
  std::vector<std::string> found_;
};

}  // namespace qd::device::reference
