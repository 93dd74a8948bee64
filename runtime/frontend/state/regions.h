// The regions of the schedule around the statement that is being lowered: they decide which statements are allowed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace qd::frontend {

/// Region in which parallel loops are tasks: the kernel's top level, or a block that the schedule runs.
enum class Region : uint8_t {
  TopLevel,
  DoWhile,          // the body of `while qd.graph.do_while(flag):`
  StreamBlock,      // of `with qd.stream_parallel():`
  ParallelContext,  // of `with qd.graph.parallel_context():`
  ParallelSection,  // of `with qd.graph.parallel():`
  Checkpoint,       // of `with qd.checkpoint(...):`
};

inline constexpr std::string_view kNoSerialLoopInStreams =
    "a loop directly in a `with qd.stream_parallel():` runs in parallel: it cannot have qd.loop_config(serialize=True)";

struct Regions {
  std::vector<Region> around{Region::TopLevel};  // outermost first
  uint64_t groups = 0;                           // of sections, so far
  bool streams_checked = false;  // whether the kernel's top level has been looked at for mixed statements

  Region innermost() const { return around.back(); }
};

}  // namespace qd::frontend
