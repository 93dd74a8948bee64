// Values that a kernel knows while it is compiled: constants, types, fields, funcs, and objects of the host.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/frontend/constants/big_integer.h"
#include "runtime/ir/layout.h"
#include "runtime/ir/type.h"
#include "runtime/syntax/parse.h"

namespace qd::frontend {

class Environment;

/// The name of every lambda.
inline constexpr std::string_view kLambda = "<lambda>";

/// One function of a source file. `module` keeps the tree alive.
struct FunctionSource {
  std::shared_ptr<const syntax::Module> module;
  const syntax::Stmt* def = nullptr;  // a FunctionDef
  std::string file;                   // absolute and resolved, in the form that coverage.py writes
  int32_t line_offset = 0;            // added to every line of the tree (sources that are a piece of a file)
  bool real = false;                  // a qd.real_func: it may return from inside of ifs and loops
  bool top_level = false;             // may be called where a kernel's outermost loops stand, and nowhere else
  bool library = false;               // of the language itself: its code counts for the line that calls it
  bool checks = false;                // of the library: its asserts are compiled without debug mode, too
  bool python = false;                // a qd.pyfunc: under qd.static the host calls it
  bool plain = false;   // a Python function that is not decorated: tests that are known are decided at compile time
  bool method = false;  // of a class: the first parameter may be the object, without an annotation

  const syntax::FunctionDef& function() const { return std::get<syntax::FunctionDef>(def->node); }
  /// coverage.py's co_firstlineno: the first decorator, or `def`.
  int32_t first_line() const;
};

struct None {
  bool operator==(const None&) const = default;
};
struct HostField {
  uint64_t id = 0;                 // the launcher's identity of its memory
  ir::Type type = ir::Type::Void;  // of the numbers in its elements
  std::vector<int32_t> shape;      // of the indices
  std::string name;
  std::vector<int32_t> element_shape = {};  // empty: numbers; (n): vectors; (n, m): matrices
  ir::Layout layout = {};
  std::vector<int32_t> offset = {};                 // the first index of each axis; empty: 0
  std::shared_ptr<const HostField> grad = nullptr;  // its gradient, where that has memory
  std::shared_ptr<const HostField> dual = nullptr;  // its dual, if that has memory
  /// The field whose component this one is, with its memory; else null.
  std::shared_ptr<const HostField> whole = nullptr;
  int32_t component = 0;

  int32_t first_index(size_t axis) const { return offset.empty() ? 0 : offset[axis]; }
};
struct ArrayType {
  ir::Type type = ir::Type::Void;
  int32_t rank = 0;                         // of the indices
  std::vector<int32_t> element_shape = {};  // as a Field's
  ir::Layout layout = {};
  std::optional<ir::Layout> gradient = {};  // of its gradient, where the kernel may use that; nothing: there is none

  bool operator==(const ArrayType&) const = default;
};
/// An ndarray that a kernel finds in a template: its type is known at compile time, its memory at each launch.
struct HostArray {
  uint64_t id = 0;  // the launcher's identity of its memory
  ArrayType type;
  int32_t read = -1;  // as a HostObject's
};
struct Value;
/// A qd.func. Two values with the same source, environment and object are the same func.
struct Func {
  std::shared_ptr<const FunctionSource> source;
  std::shared_ptr<Environment> environment;
  std::shared_ptr<const Value> self = nullptr;  // of a method of an object: its first argument. Null for others
};
/// A name of the language itself, without its module: "range", "sin", "static", "types.ndarray", "loop_config".
struct Builtin {
  std::string name;
};
/// An object that only the host can read (a module, a class, an instance); `id` is the host's.
struct HostObject {
  /// Kind for fastcache=True and messages. Constants: a module that holds nothing else (qd, math, numpy); NotYet: a
  /// name of the language that is not supported.
  enum class Kind : uint8_t {
    Other,
    Module,
    Constants,
    Class,
    Function,
    Kernel,
    Enumeration,
    EnumerationMember,
    Array,  // of numpy
    NotYet
  };
  uint64_t id = 0;
  std::string description;  // for messages alone: "module 'numpy'"
  Kind kind = Kind::Other;
  uint64_t cls = 0;    // of an object whose attributes a kernel reads: its class. 0: only its identity counts
  int32_t read = -1;   // its place in a template: a row of TemplateReads. -1: not from a template
  bool lifts = false;  // its numbers are known at run time only (template_primitives=False)
};

/// A class of named tuples, as collections.namedtuple makes them.
struct TupleClass {
  HostObject cls;
  std::vector<std::string> fields;

  std::optional<size_t> index(std::string_view field) const;
  /// "P", without its module.
  std::string_view name() const;
};
/// Whether two tuples have the same names, or none.
bool same_class(const std::shared_ptr<const TupleClass>& a, const std::shared_ptr<const TupleClass>& b);

struct Tuple {
  std::vector<Value> items;
  bool is_list = false;  // written with brackets; else a tuple
  std::shared_ptr<const TupleClass> named = nullptr;
};

struct Dict {
  std::vector<Value> keys, values;  // in the order of insertion
};

/// Members of a struct type: of a qd.types.struct, of a @qd.dataclass with its methods, or of a Python dataclass whose
/// members are passed one by one.
struct StructType;
/// Origin of the type of a vector's numbers: the vector's own type, or an option (qd.math.vec3, ivec3, uvec3).
enum class NumbersOf : uint8_t { Type, DefaultFloat, DefaultInt, DefaultUnsigned };
/// A type that is no scalar: vectors (shape (n)) and matrices (shape (n, m)) of numbers, or a struct.
struct CompoundType {
  std::optional<ir::Type> type;  // of a tensor's numbers; nothing: those of the values in it, unless:
  std::vector<int32_t> shape;    // empty: a struct
  std::shared_ptr<const StructType> structure = nullptr;
  NumbersOf numbers = NumbersOf::Type;
};
/// A vector or matrix whose numbers are known, row by row.
struct ConstantTensor {
  ir::Type type = ir::Type::Void;
  std::vector<int32_t> shape;
  std::vector<Value> numbers;
};
/// A struct of known values; of fields when it is a field of structs.
struct ConstantStruct {
  std::shared_ptr<const StructType> type;
  std::vector<Value> members;  // in the order of the type
  bool is_field = false;
};

struct Value : std::variant<None, bool, int64_t, double, std::string, ir::Type, HostField, Func, Builtin, HostObject,
                            Tuple, Dict, HostArray, CompoundType, ConstantTensor, ConstantStruct, BigInteger> {
  using variant::variant;

  /// The member of an enumeration (IntEnum, StrEnum, ...) that this number or text is. Null for other values, and for
  /// results of operators.
  std::shared_ptr<const HostObject> member = nullptr;
};

struct StructType {
  std::string name;  // for messages
  std::vector<std::string> names;
  std::vector<Value> types;  // of the members, as annotations: a dtype, a CompoundType, an array's annotation...
  std::vector<std::pair<std::string, Func>> methods;
  std::vector<std::optional<Value>> defaults;  // of the members; empty, or nothing: 0
  bool dataclass = false;  // a class of Python's dataclasses: its members are parameters of their own
  uint64_t id = 0;         // the host's; 0: made in a kernel

  std::optional<size_t> index(std::string_view member) const;
};
/// Two types are the same when all their parts are; classes of the host when they are one.
bool same_type(const CompoundType& a, const CompoundType& b);
bool same_type(const StructType& a, const StructType& b);

struct TemplateRead;
/// Values of the arrays and run-time numbers among the reads of templates at a launch, in the order of their rows.
struct TemplateLeaves {
  std::shared_ptr<const std::vector<Value>> values;
  std::shared_ptr<const void> alive;   // keeps them until the launch is done
  std::shared_ptr<const void> launch;  // what the reader has kept of the launch; null: nothing
};

/// Reads the templates of a variant again, at its launches.
class TemplateReader {
 public:
  virtual ~TemplateReader() = default;
  /// Whether all reads would give the same values as when the variant was compiled; `roots` are the arguments of this
  /// launch, one a parameter. Called by several threads at a time.
  virtual bool hold(const std::vector<const Value*>& roots, TemplateLeaves& leaves) = 0;
  /// The same with the arguments of an earlier launch, whose `launch` the leaves have. Nothing: hold() has to tell.
  virtual std::optional<bool> hold_again(TemplateLeaves& leaves) = 0;
};

/// A call of callee(arguments), or callee.method(arguments), with keyword arguments behind the others.
struct HostCall {
  Value callee;
  std::string method = {};  // empty: the callee itself is called
  std::vector<Value> arguments = {};
  std::vector<std::pair<std::string, Value>> named = {};
  bool folds = false;  // it stands in the code of a kernel, not under qd.static: elements of arrays are no constants
};
/// Result of a call of the host.
struct HostResult {
  std::optional<Value> value = {};
  std::string raised = {};  // no value: "ValueError: bad n"; empty: the host cannot make such a call
  bool is_code = false;     // raised by a use of what kernels alone have: of elements, of a func
};

/// Form of a func that is made of a Python function in a kernel.
enum class FuncForm : uint8_t {
  Func,   // qd.func(function)
  Real,   // qd.real_func(function)
  Plain,  // a function or a method that is not decorated, called with values of the run
};

/// Base of the host's errors that end the program (Ctrl-C), and do not answer the compiler's question. Code that takes
/// errors of the host for answers lets it pass.
struct HostInterrupted {
  virtual ~HostInterrupted() = default;
};

/// Witness of an object of the host: knows whether it still exists. If not, another one may have its identity.
struct Witness {
  virtual ~Witness() = default;
  virtual bool gone() const = 0;
};

/// Member of a class, found under a name by its objects.
struct ClassMember {
  enum class Kind : uint8_t {
    Constant,  // the value itself
    Method,    // a Func that gets the object
    Static,    // a Func that gets nothing besides its arguments
    OfClass,   // a Func that gets the class
    Property,  // a Func that gets the object, called where the name is read
  };
  Kind kind = Kind::Constant;
  Value value;
  std::optional<Value> setter = {};  // of a property, if it has one
};

/// The names that a function's body finds outside itself: closure, globals, builtins. The host implements it.
class Environment {
 public:
  virtual ~Environment() = default;
  /// The value of a name. Nothing when there is no such name.
  virtual std::optional<Value> lookup(std::string_view name) = 0;
  virtual std::optional<Value> attribute(const HostObject& object, std::string_view name) = 0;
  /// Evaluates object[index]; nothing when the host cannot. A slice is in the form of slice_of.
  virtual std::optional<Value> subscript(const HostObject& object, const Value& index) = 0;
  /// The one of `names` that a mistyped one was probably meant to be; empty where none is near. For messages.
  virtual std::string near(std::string_view, const std::vector<std::string>& /*names*/) { return {}; }
  /// The same for a name of a function: of its own variables, or of the names that lookup() knows.
  virtual std::string near_name(std::string_view, const std::vector<std::string>& /*own*/) { return {}; }
  /// The same for an attribute of an object.
  virtual std::string near_attribute(const HostObject&, std::string_view) { return {}; }
  /// A call on the host, while the kernel is compiled.
  virtual HostResult call(const HostCall&) { return {}; }
  /// The member of a class, or of one that it inherits from, for kernels that make objects of it; `after` is a class of
  /// that order, behind which the search begins (super). Functions need not be decorated. Nothing when there is no such
  /// member.
  virtual std::optional<ClassMember> member(const HostObject& /*cls*/, std::string_view /*name*/,
                                            const HostObject* /*after*/) {
    return std::nullopt;
  }
  /// The func that a function of the host becomes in a kernel. `raised` is the reason why it cannot become one; empty
  /// when the object is no function with a source.
  virtual HostResult as_func(const HostObject&, FuncForm) { return {}; }
  /// Prints a line of qd.static_print, at compile time.
  virtual void print(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
  }
  /// Whether object.name is a member of an enumeration, of integers too.
  virtual bool is_enumeration_member(const HostObject&, std::string_view) { return false; }
  /// The function of a method, which object.name is by its class alone; nothing for other attributes. Its identity is
  /// 0 when the class does not show it.
  virtual std::optional<HostObject> method(const HostObject&, std::string_view) { return std::nullopt; }
  /// Witness for code that depends on the identity of this object; null: it keeps it as long as the program lives.
  virtual std::shared_ptr<const Witness> witness(const HostObject&) { return nullptr; }
  /// Keeps alive the objects that the host shows from now on, as long as the result: while a kernel is compiled.
  virtual std::shared_ptr<const void> compiling() { return nullptr; }
  /// The reader of a variant with these reads, which the caller keeps as long; null: they always hold.
  virtual std::unique_ptr<TemplateReader> reader(const std::vector<TemplateRead>&) { return nullptr; }
};

}  // namespace qd::frontend
