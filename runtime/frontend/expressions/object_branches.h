// Attributes that objects get in the branches of an `if`: those of all branches go on behind it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/frontend/state/compilation.h"

namespace qd::frontend {

/// The branches of one `if`, which stands in the block that is present when this is made.
class ObjectBranches {
 public:
  explicit ObjectBranches(Compilation& c) : c_(c), around_(c.build.block()) {}

  /// Begins a branch, in its block.
  void begin() { c_.branches.push_back({c_.build.block(), around_}); }
  /// Ends a branch. `left`: control does not come to the code behind the `if`.
  void end(bool left);
  /// Joins the branches behind both: each attribute becomes a place before the `if`, which all branches store to.
  void join(ir::InstId branch, const Range& range);

 private:
  using Name = std::pair<size_t, std::string>;  // the object's row, and the attribute
  struct Ended {
    ir::BlockId block;
    std::map<Name, MadeAttribute> attributes;
  };
  /// The attributes that the branches have under a name, as one; nothing if one has none, or one of another kind.
  std::optional<MadeAttribute> joined(const Name& name, const Range& range);

  Compilation& c_;
  ir::BlockId around_;
  std::vector<Ended> ended_;  // that control leaves by the end
};

}  // namespace qd::frontend
