// Finds out which places two iterations of a parallel loop have touched against the rules.
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
  /// An iteration has touched what iterations share, through this pointer.
  void touch(uint64_t address, ir::InstId pointer, int64_t iteration, bool atomic, bool write);
  void end_loop();

  /// A line for each place that two iterations of a loop touched, one of them writing and one not atomically.
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
