// The objects that a kernel makes of classes of the host: each is its class and its attributes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/frontend/state/item.h"

namespace qd::frontend {

/// An attribute. What has numbers is a place, as a variable is; everything else is known at compile time.
struct MadeAttribute {
  Item what;
  bool shared = false;                    // made outside of every parallel loop: iterations see the same one
  ir::BlockId block = ir::BlockId::None;  // where it was assigned last, if it has no place
  std::optional<Value> known =
      std::nullopt;    // of a number: the constant that it is as long as nobody assigns another one
  bool asked = false;  // qd.static(...) has seen that constant: it may not change any more
};

struct MadeState {
  HostObject cls;
  ir::BlockId block = ir::BlockId::None;  // where it was made
  std::map<std::string, MadeAttribute, std::less<>> attributes;
};

using MadeObjects = std::vector<MadeState>;

}  // namespace qd::frontend
