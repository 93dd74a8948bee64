// Item: the meaning of an expression or a name of a kernel while the kernel is lowered.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "runtime/frontend/constants/value.h"
#include "runtime/ir/kernel.h"

namespace qd::frontend {

/// Value after an error that was reported: uses of it report nothing more.
struct Poison {};
/// A number at run time.
struct Number {
  ir::InstId id = ir::InstId::None;
  ir::Type type = ir::Type::Void;
};
/// An array by its index into Kernel::arrays. Fields stay Values until an element is reached.
struct ArrayRef {
  uint32_t index = 0;
  std::vector<int32_t> element_shape = {};  // empty: numbers
  bool clamp = false;                       // indices are moved into the array
};
/// An array of the block (qd.simt.block.SharedArray). Its numbers stand in the order of the indices, then of the
/// components of an element.
struct SharedArray {
  ir::InstId place = ir::InstId::None;
  ir::Type type = ir::Type::Void;
  std::vector<int32_t> shape;
  std::vector<int32_t> element_shape = {};  // empty: numbers
};
struct Item;
/// A tuple, a list, or a dict whose values are computed at run time.
struct Items {
  std::vector<Item> list;
  std::vector<Value> keys = {};  // of a dict, one an item
  bool is_list = false;          // print shows it with brackets
  std::shared_ptr<const TupleClass> named = nullptr;
};
/// A vector or matrix at run time, its numbers row by row.
struct Tensor {
  ir::Type type = ir::Type::Void;
  std::vector<int32_t> shape;  // (n) or (n, m)
  std::vector<ir::InstId> numbers;
};
/// The place of a number: a variable, an element, a component or a member of them.
struct NumberPlace {
  ir::InstId pointer = ir::InstId::None;
  ir::Type type = ir::Type::Void;
  bool shared = false;  // other iterations reach it too
};
/// Position of a component among those of a variable or an element.
struct Component {
  int32_t known = 0;
  ir::InstId index = ir::InstId::None;  // I32; not None: `known` is unused
};
/// The place of a vector or matrix, or of some of its components: nothing of it is read before it is known which parts
/// are used.
struct TensorPlace {
  ir::Type type = ir::Type::Void;
  std::vector<int32_t> shape;
  std::vector<Component> components;
  bool shared = false;
  bool clamp = false;  // of an array with boundary="clamp": indices of components are moved into it, too
  ir::InstId local = ir::InstId::None;  // a local array (or, of one number, a variable); None: an element
  int32_t local_size = 0;
  uint32_t array = 0;               // of the element, into Kernel::arrays
  std::vector<ir::InstId> indices;  // of the element
};
/// A struct: of values, of places, or of arrays.
struct Record {
  std::shared_ptr<const StructType> type;
  std::vector<Item> members;
  bool is_array = false;  // the members are arrays: an index gives a struct
};
/// A part of an array of one axis: a BufferView.
struct View {
  ArrayRef array;
  ir::InstId offset = ir::InstId::None;  // I32
  ir::InstId size = ir::InstId::None;    // I32
};
/// A method, and the object that it is called on.
struct BoundMethod {
  Func func;
  std::shared_ptr<const Item> self;
};
/// An object that the kernel has made of a class of the host: a row of Compilation::objects. Names that are assigned it
/// stand for the same object, as in Python.
struct MadeObject {
  uint32_t index = 0;
};
/// super(): an object without the members of its class up to and with `after`.
struct Super {
  HostObject after;
  std::shared_ptr<const Item> self;
};
/// The meaning of an expression: numbers at run time, places, arrays, tuples, objects, methods, or values that are
/// known at compile time.
struct Item : std::variant<Poison, Number, ArrayRef, Items, Value, Tensor, Record, NumberPlace, TensorPlace, View,
                           BoundMethod, SharedArray, MadeObject, Super> {
  using variant::variant;
};

/// The value that an item has at compile time, when that is a T; else null.
template <class T>
const T* known_as(const Item& item) {
  auto* value = std::get_if<Value>(&item);
  return value ? std::get_if<T>(value) : nullptr;
}
/// The number that an item has at compile time; null when it is none then.
const Value* known_number(const Item& item);
/// Whether both are one object that the kernel has made.
inline bool same_object(const Item& a, const Item& b) {
  auto *x = std::get_if<MadeObject>(&a), *y = std::get_if<MadeObject>(&b);
  return x && y && x->index == y->index;
}
inline bool poisoned(const Item& item) { return std::holds_alternative<Poison>(item); }
/// Whether an item, or one in a list or tuple that it is, is what an error left.
bool has_failed(const Item& item);
/// Whether an item is a number, at run time or known.
bool is_a_number(const Item& item);
/// Whether an item is a vector or a matrix: its value, its place, or known numbers.
bool is_tensor(const Item& item);
/// Whether an item is a vector, a matrix or a struct of such and of numbers.
bool is_compound(const Item& item);
/// Whether an item is an array, a field, an array of the block, or a struct of arrays or fields.
bool is_array(const Item& item);
/// Whether an item is an array, or a part of one: a name for it is an alias, not a variable.
inline bool stands_for_memory(const Item& item) { return is_array(item) || std::holds_alternative<View>(item); }

}  // namespace qd::frontend
