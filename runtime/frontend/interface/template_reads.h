// Reads of templates: the attributes and items of objects that a kernel has read while it was compiled, with their
// values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// One value from a template. A variant of a kernel fits a launch when all of its reads would give the same again.
struct TemplateRead {
  int32_t object = -1;    // row of the object or container that it was read of; -1: it is an argument itself
  uint32_t argument = 0;  // then: of which parameter
  std::string attribute;  // else: the attribute; empty: an item of a tuple, or a member of an array of structs
  uint32_t item = 0;      // its position
  Value value;
  bool method = false;  // the attribute is the class's; `value` is then the identity of its function
  bool baked = false;   // the code depends on the value, not on its type alone
  bool same = false;    // of an object: the code depends on its identity, not on its class alone
  std::shared_ptr<const Witness> witness = nullptr;  // then: of that object; may be null
  int32_t array = -1;                                // into Kernel::arrays: bound at each launch
  int32_t param = -1;                                // into Kernel::params: a number that is passed at each launch
};

using TemplateReads = std::vector<TemplateRead>;

/// The log of reads of one compilation.
class TemplateLog {
 public:
  /// The value of a template parameter. Values in it remember their origin.
  Value argument(uint32_t parameter, Value value);
  /// Reads object.name, once: nothing when the host has no such attribute. `baked`: the code depends on the value.
  std::optional<Value> attribute(const HostObject& object, std::string_view name, Environment& environment, bool baked);
  /// Notes that the code depends on the identity of this object.
  void identify(const HostObject& object, Environment& environment);
  /// The row of object.name, which attribute() has read; null for methods and objects of no template.
  TemplateRead* row(const HostObject& object, std::string_view name);
  TemplateReads& rows() { return rows_; }
  const TemplateReads& rows() const { return rows_; }

 private:
  void add_method(const HostObject& object, std::string_view name, const HostObject& function,
                  Environment& environment);
  /// A value with the row that it is in; makes rows for values in it.
  Value placed(Value value, int32_t row);
  /// The same for a value whose rows are there.
  Value restored(Value value, int32_t row) const;

  TemplateReads rows_;
};

/// Whether two values of a template compile to the same code, as far as the values alone say: objects whose attributes
/// are read are compared by their class, arrays by their type.
bool same_value(const Value& a, const Value& b);

/// Adds the ids of all fields in a value, their gradients and duals among them.
void add_fields(const Value& value, std::vector<uint64_t>& ids);

}  // namespace qd::frontend
