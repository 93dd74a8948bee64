// Text with places for values, for print, assert and the checks of debug mode at run time.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/state/compilation.h"
#include "runtime/frontend/values/operators.h"

namespace qd::frontend {

/// A text with places for values. `printf`: its numbers are written as C's printf writes them, and its lists with
/// brackets.
struct Text {
  bool printf = false;
  std::vector<std::string> pieces{std::string()};
  std::vector<std::string> specs;
  std::vector<Item> values;
  std::vector<syntax::Range> ranges;
  void add(std::string_view text) { pieces.back() += text; }
  void add_value(Item item, std::string spec, const syntax::Range& range);
};

/// Adds an item in print's form, with a format specification of Python, or of C where `text.printf`.
void add_text(Compilation& c, Text& text, const Item& item, std::string_view spec, const Range& range);
/// The text as a row of Kernel::formats; its values are added to the operands.
std::optional<uint32_t> add_format(Compilation& c, const Text& text, std::vector<ir::InstId>& operands);

}  // namespace qd::frontend
