// Joins the attributes that the branches of an `if` give to objects.
#include "runtime/frontend/expressions/object_branches.h"

#include <algorithm>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

using syntax::Range;

namespace {

/// The form of a place for either of two values; nothing where there is none.
std::optional<Item> common_form(const Item& a, const Item& b) {
  auto *m = std::get_if<Number>(&a), *n = std::get_if<Number>(&b);
  if (m && n) return Number{ir::InstId::None, ir::promote(m->type, n->type)};
  auto *x = std::get_if<Tensor>(&a), *y = std::get_if<Tensor>(&b);
  if (x && y && x->shape == y->shape) return Tensor{ir::promote(x->type, y->type), x->shape, x->numbers};
  auto *r = std::get_if<Record>(&a), *s = std::get_if<Record>(&b);
  return r && s && !r->is_array && same_type(*r->type, *s->type) ? std::optional(a) : std::nullopt;
}

/// Whether both stand for the same without a place.
bool same_known(const Item& a, const Item& b) {
  auto *x = std::get_if<Value>(&a), *y = std::get_if<Value>(&b);
  return same_object(a, b) || (x && y && equal(*x, *y));
}

}  // namespace

void ObjectBranches::end(bool left) {
  Ended ended{c_.build.block(), {}};
  c_.branches.pop_back();
  for (size_t i = 0; i < c_.objects.size(); ++i) {
    MadeState& state = c_.objects[i];
    if (state.block == ended.block) continue;
    std::erase_if(state.attributes, [&](auto& entry) {
      if (entry.second.block != ended.block) return false;
      ended.attributes.emplace(Name(i, entry.first), std::move(entry.second));
      return true;
    });
  }
  if (!left) ended_.push_back(std::move(ended));
}

std::optional<MadeAttribute> ObjectBranches::joined(const Name& name, const Range& range) {
  std::vector<Item> values;
  for (const Ended& branch : ended_) {
    auto found = branch.attributes.find(name);
    if (found == branch.attributes.end()) return std::nullopt;
    const ir::Builder::Scope inside(c_.build, branch.block);
    values.push_back(loaded(c_, found->second.what));
  }
  MadeAttribute both = ended_[0].attributes.at(name);
  both.block = around_;
  both.known.reset();
  if (same_known(values.front(), values.back())) return both;
  auto form = common_form(values.front(), values.back());
  if (!form) return std::nullopt;
  both.what = empty_place(c_, *form);
  for (size_t i = 0; i < values.size(); ++i) {
    const ir::Builder::Scope inside(c_.build, ended_[i].block);
    store_item(c_, both.what, values[i], range, false);
  }
  return both;
}

void ObjectBranches::join(ir::InstId branch, const Range& range) {
  std::map<Name, std::optional<MadeAttribute>> all;
  for (const Ended& ended : ended_) {
    for (const auto& [name, attribute] : ended.attributes) all[name];
  }
  for (auto& [name, attribute] : all) {
    attribute = joined(name, range);
    MadeState& state = c_.objects[name.first];
    if (attribute) {
      state.attributes.insert_or_assign(name.second, *std::move(attribute));
    } else {
      state.gone[name.second] = c_.function().line_of(range);
    }
  }
  std::vector<ir::InstId>& block = c_.kernel[around_];  // places are declared before the `if`
  const auto at = std::ranges::find(block, branch);
  std::rotate(at, at + 1, block.end());
}

}  // namespace qd::frontend
