// The objects that a kernel makes of classes of the host: each is its class and its attributes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/frontend/state/item.h"

namespace qd::frontend {

/// An attribute. A value with numbers is a place, as a variable is; everything else is known at compile time.
struct MadeAttribute {
  Item what;
  bool shared = false;                    // made outside of every parallel loop: iterations see the same one
  ir::BlockId block = ir::BlockId::None;  // where it got its first value; without a place, its last
  std::optional<Value> known =
      std::nullopt;    // of a number: the constant that is its value, as long as no other one is assigned
  bool asked = false;  // qd.static(...) has seen that constant: it may not change any more
};

using MadeAttributes = std::map<std::string, MadeAttribute, std::less<>>;

/// `a if test else b`: one of two objects of a class, which is known at run time.
struct ChosenObject {
  ir::InstId test = ir::InstId::None;  // U1
  MadeObject yes, no;
};

struct MadeState {
  HostObject cls;
  ir::BlockId block = ir::BlockId::None;  // where it was made
  MadeAttributes attributes = {};
  std::map<std::string, int32_t, std::less<>> gone = {};  // attributes of one branch of an `if`, by the line of that
  std::optional<ChosenObject> chosen = std::nullopt;      // then it has no attributes of its own
};

using MadeObjects = std::vector<MadeState>;

/// A branch of an `if` that is being lowered. Attributes that get their first value in all branches go on after it.
struct Branch {
  ir::BlockId block = ir::BlockId::None;
  ir::BlockId around = ir::BlockId::None;
};

}  // namespace qd::frontend
