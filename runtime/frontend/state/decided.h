// The decisions of a function, by the expressions in them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "runtime/syntax/decisions.h"

namespace qd::frontend {

struct Decided {
  struct ConditionLink {
    const syntax::Decision* decision = nullptr;
    uint32_t condition = 0;
  };
  std::vector<syntax::Decision> list;
  std::map<const syntax::Expr*, const syntax::Decision*> decisions;  // by the whole expression
  std::map<std::pair<const syntax::Expr*, uint32_t>, ConditionLink>
      conditions;  // by expression and link of a chained comparison
};

}  // namespace qd::frontend
