// The state of one compilation: the kernel being built, the functions being lowered, and the operations on them. Each
// group of members has its own .cpp file.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "runtime/frontend/builtins.h"
#include "runtime/frontend/diagnostics.h"
#include "runtime/frontend/item.h"
#include "runtime/frontend/static_eval.h"
#include "runtime/ir/builder.h"

namespace qd::frontend {

class Lowering {
 public:
  /// A text with places for values.
  struct Text {
    std::vector<std::string> pieces{std::string()};
    std::vector<std::string> specs;
    std::vector<Item> values;
    std::vector<syntax::Range> ranges;
    void add(std::string_view text) { pieces.back() += text; }
    void add_value(Item item, std::string spec, const syntax::Range& range);
  };

  Lowering(const Options& options, std::vector<Warning>* warnings) : options_(options), warnings_(warnings) {}

  ir::Kernel lower(const FunctionSource& source, Environment& environment, std::span<const Argument> arguments);
  TemplateReads& reads() { return reads_.rows(); }

 private:
  friend class KernelScope;
  using Expr = syntax::Expr;
  using Stmt = syntax::Stmt;
  using Range = syntax::Range;
  using Body = syntax::List<syntax::StmtPtr>;

  // --- lower.cpp, parameters.cpp: the kernel, functions, errors
  void bind_parameters(const Signature& signature, std::span<const Argument> arguments);
  Binding bind_leaf(const Signature& signature, std::span<const Argument> arguments, size_t index);
  Binding leaf_binding(const ParameterTree& tree, const Signature& signature, std::span<const Argument> arguments);
  Item parameter_item(const ParameterTree& tree, const Signature& signature, std::span<const Argument> arguments);
  void lower_results(const syntax::Return& s, const Stmt& stmt);
  bool result_numbers(const ResultTree& tree, const Item& item, const Range& range, std::vector<ir::InstId>& numbers);
  void enter_function(const FunctionSource& source, Environment& environment, Frame& frame);
  Frame& frame() { return frames_.back(); }
  Poison error(ErrorKind kind, const Range& range, std::string message);
  /// The error of a call, whose func's frame is there already.
  Poison caller_error(ErrorKind kind, const Range& call, std::string message);
  /// `of_this_process`: see Warning.
  void warn(const Range& range, const std::string& message, bool of_this_process = false);
  int32_t line_of(const Range& range) { return range.line + frame().source->line_offset; }

  // --- emit.cpp: instructions at the end of the current block
  ir::InstId constant(ir::Type type, const Value& number);
  uint32_t location(const Range& range);
  /// Emits `make()` into a block of its own.
  template <class Make>
  auto in_new_block(ir::BlockId& block, Make&& make) {
    block = kernel_.add_block();
    const ir::Builder::Scope inside(build_, block);
    return make();
  }
  bool at_top_level() const { return build_.block() == kernel_.body; }
  /// Whether a block may run where its condition does not hold: cheap, and without effects or faults.
  bool speculatable(ir::BlockId block) const;
  /// Moves a block's instructions to the end of the current one; without speculation it would run only where `test` is
  /// `when`.
  void splice(ir::BlockId block, ir::InstId test, bool when);

  // --- conversion.cpp: items as numbers
  ir::Type type_of_value(const Value& number) const;
  /// The type that an item has as a number; nothing after an error.
  std::optional<ir::Type> number_type(const Item& item, const Range& range);
  /// An item as a number of a type; nothing after an error. Literals are converted at once, without a detour over their
  /// own type.
  std::optional<ir::InstId> coerce(const Item& item, ir::Type type, const Range& range);
  /// As coerce, for a call of a type: an integer that is known has to fit it.
  std::optional<ir::InstId> converted(const Item& item, ir::Type type, const Range& range);
  /// The types of two operands; nothing after an error.
  std::optional<std::pair<ir::Type, ir::Type>> operand_types(const Item& a, const Item& b, const Range& range);
  std::optional<Number> number(const Item& item, const Range& range);
  std::optional<ir::InstId> condition(const Item& item, const Range& range) {
    return coerce(item, ir::Type::U1, range);
  }
  /// An expression of which only the truth is asked for.
  std::optional<ir::InstId> test(const Expr& expr);
  /// As coerce, for a value that is stored: warns when the type loses precision.
  std::optional<ir::InstId> coerce_stored(const Item& item, ir::Type type, const Range& range);
  std::optional<ir::Type> dtype_argument(const Item& item, const Range& range);
  static bool poisoned(const Item& item) { return std::holds_alternative<Poison>(item); }
  std::string describe_item(const Item& item) const;

  // --- names.cpp: names, scopes
  Binding* find_local(std::string_view name);
  Item name(const Expr& expr);
  Item read(Binding& binding);
  std::optional<Value> outer_name(std::string_view name, const Range& range);
  void push_scope() { frame().scopes.emplace_back(); }
  void pop_scope(const Range& block);
  void bind(std::string_view name, Binding binding);
  void declare_loop_variable(std::string_view name, Binding binding, const Range& range);

  // --- purity.cpp: what kernels with fastcache=True may read from outside; errors and warnings otherwise
  void check_pure(std::string_view name, const Value& value, const Range& range, bool is_static);
  void check_pure(const HostObject& object, std::string_view name, const Value& value, const Range& range,
                  bool is_static);

  // --- expressions.cpp
  /// The value of an expression, loaded.
  Item eval(const Expr& expr);
  /// As eval; of what has a place, the place.
  Item eval_place(const Expr& expr);
  Item eval_node(const Expr& expr);
  Item attribute(const syntax::Attribute& e, const Expr& expr);
  Item subscript(const syntax::Subscript& e, const Expr& expr);
  Item element_of(const Items& items, const Expr& slice, const Range& range);
  Item axis_of(const ArrayRef& array, const Expr& slice);
  Item display(syntax::List<syntax::ExprPtr> elements);
  Item walrus(const syntax::NamedExpr& e, const Expr& expr);
  Item static_value(const Expr& expr);
  const BuiltinInfo* builtin_of(const Expr& callee);
  /// The argument of qd.static(...) when an expression is such a call.
  const syntax::Call* static_call(const Expr& expr);

  // --- places.cpp: what can be loaded and stored
  /// The places and values in an item, loaded.
  Item loaded(Item item);
  /// A new variable that holds a compound value.
  CompoundVariable new_variable(const Item& value);
  Item new_place(const Item& value, bool shared);
  /// The place of a variable of a value's type, without the value.
  Item empty_place(const Item& example, bool shared = false);
  void fill(const Item& place, const Item& value);
  Item as_shared(Item place, bool shared);
  ir::InstId pointer(const TensorPlace& place, size_t component);
  NumberPlace number_place(const TensorPlace& place, size_t component) {
    return {pointer(place, component), place.type, place.shared};
  }
  /// The place that an expression names; Poison after an error.
  Item target_place(const Expr& target);
  /// Stores a value into a place. `broadcast`: a number goes to every component.
  void store_item(const Item& place, const Item& value, const Range& range, bool broadcast);

  // --- arrays.cpp: elements of arrays and fields
  std::optional<uint32_t> array_index(const Item& item);
  static bool is_array(const Item& item);
  static const std::vector<int32_t>& element_shape_of(const Item& array);
  Item shape_of(const Item& array);
  std::optional<ir::InstId> index_operand(const Item& item, const ir::Array& array, size_t axis, int32_t first,
                                          bool clamp, const Range& range);
  /// The indices between the brackets, vectors and tuples as their parts; nothing after an error.
  std::optional<std::vector<Item>> index_list(const Expr& slice);
  /// The place of an element; Poison after an error.
  Item element_place(const Item& array, const std::vector<Item>& indices, const Expr& slice, const Range& range);
  /// The indices of an element as numbers, checked once: an element of an array of structs has them in the array of
  /// each member. Nothing after an error.
  std::optional<std::vector<ir::InstId>> element_indices(const Item& array, const std::vector<Item>& indices,
                                                         const Expr& slice, const Range& range);
  /// boundary="clamp": moves indices into the array.
  void clamp_indices(uint32_t array, std::span<ir::InstId> indices);

  /// The place of an element whose indices are known to be as many as the axes.
  Item element_at(const Item& array, std::vector<ir::InstId> indices);

  // --- views.cpp: parts of arrays
  Item view_attribute(const View& view, std::string_view name, const Range& range);
  /// An offset or a size: an i32; nothing after an error.
  std::optional<ir::InstId> view_number(const Item& item, const Range& range);
  /// Reports a number of a part that is known to be negative.
  bool known_negative(const Item& item, const Range& range);
  ir::InstId not_negative(ir::InstId number);
  ir::InstId clipped(ir::InstId bound, ir::InstId end);
  Item view_part(const View& view, ir::InstId offset, ir::InstId size, const Range& range);
  Item view_slice(const View& view, const syntax::Slice& slice, const Range& range);
  Item view_subscript(const View& view, const Expr& slice, const Range& range);
  std::optional<std::vector<Item>> view_arguments(const syntax::Call& e, const Range& range, std::string_view what,
                                                  std::span<const std::string_view> names);
  Item subview(const View& view, const syntax::Call& e, const Range& range);
  Item make_view(const syntax::Call& e, const Range& range);

  // --- tensors.cpp: vectors and matrices
  static bool is_compound(const Item& item);
  /// A number, at run time or known.
  static bool is_a_number(const Item& item);
  static bool is_tensor(const Item& item);
  /// `f` on each component of those of the arguments that are tensors; the others go to each as they are. `f` gives a
  /// Number or Poison.
  template <class F>
  Item elementwise(std::span<const Item> args, const Range& range, F&& f);
  /// A list of numbers, or of lists of numbers, or known numbers, as a vector or matrix; nothing when it is none.
  std::optional<Tensor> as_tensor(const Item& item, const Range& range);
  std::optional<Tensor> tensor_of(const std::vector<Item>& numbers, std::vector<int32_t> shape,
                                  std::optional<ir::Type> type, const Range& range);
  Item convert_tensor(const Tensor& tensor, ir::Type type);
  Item component_item(const Tensor& tensor, size_t i) { return Number{tensor.numbers[i], tensor.type}; }
  Item select_components(const Item& tensor, std::vector<int32_t> shape, std::vector<Component> components);
  Item tensor_subscript(const Item& tensor, const Expr& slice, const Range& range);
  std::optional<Component> component_index(const Item& index, int32_t extent, const Item& tensor, const Range& range);
  Item swizzle(const Item& tensor, std::string_view name, const Range& range);
  Item matrix_product(const Item& a, const Item& b, const Range& range);

  // --- tensor_functions.cpp: their methods and functions
  bool is_tensor_method(std::string_view name) const;
  Item tensor_function(std::string_view name, const std::vector<Item>& args, const Range& range);
  Item sum_of(const std::vector<Item>& numbers, const Range& range);
  Item dot(const Tensor& a, const Tensor& b, const Range& range);
  Item determinant(const std::vector<Item>& m, int32_t n, const Range& range);
  Item inverse(const Tensor& m, const Range& range);
  Item multiply(const Item& a, const Item& b, const Range& range) {
    return apply_binary(ir::BinaryOp::Mul, a, b, "*", range);
  }
  Item add(const Item& a, const Item& b, const Range& range) {
    return apply_binary(ir::BinaryOp::Add, a, b, "+", range);
  }
  Item subtract(const Item& a, const Item& b, const Range& range) {
    return apply_binary(ir::BinaryOp::Sub, a, b, "-", range);
  }
  Item divide(const Item& a, const Item& b, const Range& range) {
    return apply_binary(ir::BinaryOp::Div, a, b, "/", range);
  }

  // --- constructors.cpp: values of compound types
  Item call_compound_type(const CompoundType& type, const syntax::Call& e, const Expr& expr);
  /// An item as a value of a type, converted; Poison after an error.
  Item convert_item(const Item& item, const Value& type, const Range& range);
  Item make_tensor(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
  Item constant_tensor(const ConstantTensor& tensor);
  Item constant_struct(const ConstantStruct& known);
  Item zero_of(const Value& type, const Range& range);
  Item struct_of_members(const syntax::Call& e, const Expr& expr);
  Item make_struct(const StructType& type, const syntax::Call& e, const Expr& expr,
                   std::shared_ptr<const StructType> shared);

  // --- operators.cpp
  Item binop(const syntax::BinOp& e, const Expr& expr);
  Item apply(syntax::Operator op, const Item& a, const Item& b, const Range& range);
  Item apply_binary(ir::BinaryOp op, const Item& a, const Item& b, std::string_view text, const Range& range);
  /// What the operator gives for two numbers that are known, as exact as they are. Nothing when one is not, or Python
  /// gives nothing but a kernel does.
  std::optional<Item> fold_binary(ir::BinaryOp op, const Item& a, const Item& b, const Range& range);
  Item unaryop(const syntax::UnaryOp& e, const Expr& expr);
  Item signed_value(syntax::UnaryOperator op, const Item& operand, const Range& range);
  Item bit_not(const Item& operand, const Range& range);

  // --- conditions.cpp: what evaluates lazily
  Item boolop(const syntax::BoolOp& e);
  Item either(bool is_and, const Item& first, const Expr& part, const Range& range);
  std::optional<ir::InstId> truth_of(const syntax::BoolOp& e);
  Item join(bool is_and, ir::InstId test, Number first, ir::BlockId block, Number second, bool may_speculate);
  Item comparison(const syntax::Compare& e, const Expr& expr);
  Item compare_chain(const syntax::Compare& e, size_t i, const Item& left, const Expr& expr);
  std::optional<ir::InstId> compare_pair(syntax::CmpOperator op, const Item& a, const Item& b, const Range& range);
  Item compare_tensors(syntax::CmpOperator op, const Item& a, const Item& b, const Range& range);
  Item ternary(const syntax::IfExp& e, const Expr& expr);
  Item choose(ir::InstId condition, const Expr& yes, const Expr& no, const Range& range);
  Item choose_compound(ir::InstId condition, const ir::BlockId (&blocks)[2], Item (&items)[2], const Range& range);
  /// `first and rest()` or `first or rest()`; `rest` gives a u1.
  template <class Rest>
  Item short_circuit(bool is_and, ir::InstId first, Rest&& rest);

  // --- calls.cpp, builtin_calls.cpp
  Item call(const syntax::Call& e, const Expr& expr);
  Item call_builtin(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
  Item call_dtype(ir::Type type, const syntax::Call& e, const Expr& expr);
  Item call_range_like(const BuiltinInfo& info, const Expr& expr);
  /// Evaluated positional arguments; nothing after an error or when their number is not from `least` to `most`.
  std::optional<std::vector<Item>> arguments(const syntax::Call& e, const Expr& expr, std::string_view name,
                                             size_t least, size_t most);
  Item float_function(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
  Item rounding(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
  Item fold(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
  Item composed(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
  Item bit_cast(const std::vector<Item>& args, const Range& range);
  Item select(const std::vector<Item>& args, const Range& range);
  Item random(const std::vector<Item>& args, const Range& range);
  Item atomic(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
  Item atomic_on(const BuiltinInfo& info, const Item& place, const std::vector<Item>& operands, const Range& range);
  Item length(const std::vector<Item>& args, const Range& range);
  void loop_config(const syntax::Call& e, const Expr& expr);
  void static_assert_call(const syntax::Call& e, const Expr& expr);
  void static_print(const syntax::Call& e);

  // --- containers.cpp: tuples, lists and dicts whose shape is known at compile time
  /// What iterating over an item gives; nothing when it cannot be iterated at compile time.
  std::optional<std::vector<Item>> iterated_items(const Item& item, const Range& range);
  Item comprehension(syntax::List<syntax::Comprehension> generators, const Expr& element);
  Item dict_comprehension(const syntax::DictComp& e);
  Item dict_display(const syntax::Dict& e);
  Item item_slice(const Item& items, const syntax::Slice& slice, const Range& range);
  Item container_call(const BuiltinInfo& info, const syntax::Call& e, const Expr& expr);
  /// A method of a string, tuple or dict. Nothing when the callee is something else.
  std::optional<Item> container_method(const syntax::Call& e, const Expr& expr);
  std::optional<Item> container_operator(syntax::Operator op, const Item& a, const Item& b);
  template <class Each>
  bool iterate(syntax::List<syntax::Comprehension> generators, Each&& each);
  void bind_local(const Expr& target, const Item& item);
  static void put(Items& dict, Value key, Item item);

  // --- more_functions.cpp
  Item more_functions(const BuiltinInfo& info, const std::vector<Item>& args, const Range& range);
  Item frexp(const Number& number);
  Item find_set_bit(const std::vector<Item>& args, const Range& range);
  Item normal_random(ir::Type type);

  // --- templates.cpp: what kernels find in templates
  /// A value as kernels use it: an array of a template is an array of the kernel.
  Item template_item(Item item, const Range& range);
  /// object.name as a number at run time, where the object's class says so. Nothing otherwise.
  std::optional<Item> lifted_number(const HostObject& object, std::string_view name);
  std::string template_path(int32_t read) const;

  // --- inline_func.cpp
  /// `self`: the object of a method, the first argument.
  /// Whether every statement around the present one, in this function and in those that called it, is decided at
  /// compile time.
  bool unconditional() const;
  Item call_func(const Func& func, const syntax::Call& e, const Expr& expr, const Item* self = nullptr);
  struct BoundArgument {
    Item item;
    const Expr* expr = nullptr;       // null: a default
    std::optional<Binding> variable;  // set when a template argument is a variable or another place
  };
  bool bind_arguments(const Func& func, const syntax::Call& e, const Expr& expr, const Item* self,
                      std::vector<BoundArgument>& bound);
  /// The types of a func's results, from its annotation; nothing when it has none, or one of something else than
  /// numbers and compounds.
  struct ResultTypes {
    std::vector<Value> types;
    bool tuple = false;
  };
  /// The body of the func of the present frame, where it is called.
  Item inlined_body(const Func& func, std::span<const syntax::Arg* const> parameters, std::vector<BoundArgument>& bound,
                    const Range& call);
  std::optional<ResultTypes> result_types(const FunctionSource& source);
  /// A func's result in the types of its annotation.
  Item typed_result(const FunctionSource& source, Item result);
  /// Places for the results of a qd.real_func; nothing after an error.
  std::optional<EarlyReturns> early_returns(const FunctionSource& source, const Range& call);
  /// The body of a qd.real_func.
  Item early_returning_body(const FunctionSource& source, EarlyReturns early);
  Flow early_return(const Item& value, const syntax::Return& s, const Stmt& stmt);
  /// After a loop of a function: leaves the function when a return in the loop did. Gives the block of what follows
  /// when none did.
  ir::BlockId leave_after_loop(const LoopContext& loop);
  /// An argument in the type of its parameter.
  Item typed_argument(const syntax::Arg& parameter, Item item, Environment& environment);
  void bind_func_parameter(const syntax::Arg& parameter, BoundArgument& argument, Frame& callee);

  // --- routines.cpp: calls of a qd.real_func
  /// What a call passes: numbers at run time; the rest is part of the routine, and of its key.
  struct Passed {
    std::string key;
    std::vector<ir::InstId> numbers;
  };
  struct RoutineState {
    Func func;                  // keeps the source
    std::vector<Item> results;  // as a call puts them together; their ids mean nothing
    bool tuple = false;
    bool open = true;     // the body is being lowered
    bool failed = false;  // there were errors in it
    uint32_t location = 0;
  };
  /// The item as the routine sees it, with its numbers in `passed`; nothing when it can only be part of the caller's
  /// code.
  std::optional<Item> pass(const Item& item, bool by_value, const Range& range, Passed& passed);
  std::optional<std::vector<Item>> pass_all(std::span<const Item> items, bool by_value, const Range& range,
                                            Passed& passed);
  /// The item with other numbers, in the order of pass().
  template <class Next>
  static Item with_numbers(Item item, Next&& next);
  /// Calls the func of the present frame, whose parameters are not bound yet. Nothing when it has to be inlined.
  std::optional<Item> call_routine(const Func& func, std::span<const syntax::Arg* const> parameters,
                                   const std::vector<BoundArgument>& bound, const Range& call, uint32_t location);
  uint32_t lower_routine(const Func& func, std::span<const syntax::Arg* const> parameters, std::span<const Item> items,
                         const Range& call, const Passed& passed);
  /// Recursion that uses up the stack fails like an assert.
  void guard_recursion();

  // --- checks.cpp: debug mode
  /// Adds the line that names the thread.
  void add_thread(Text& text, const Range& range);
  /// `op` (Assert, Warn) with a text.
  void check(ir::Op op, ir::InstId holds, const Text& text, const Range& range, ir::Format::Kind kind);
  /// An assert with the call stack; warns where that is long.
  void check_view(ir::InstId holds, const Text& text, const Range& range);
  bool surely_inside(ir::InstId index, uint32_t array, uint32_t axis, int32_t first) const;
  /// Before an ElementPtr, with its indices without the component: those that are checked may change.
  void check_indices(uint32_t array, std::span<ir::InstId> indices, const std::vector<int32_t>& first,
                     const Range& range);
  size_t argument_number(std::string_view name) const;
  void check_components(const std::vector<int32_t>& shape, const std::vector<Component>& indices, const Range& range);
  void check_view_index(const View& view, ir::InstId index, const Range& range);
  /// Of a view that is made: [offset, offset + size) lies in what it is made of.
  enum class PartOf { Ndarray, View };
  void check_part(ir::InstId offset, ir::InstId size, ir::InstId whole, PartOf what, const Range& range);
  Item thread_number();
  void check_integers(ir::BinaryOp op, ir::Type type, ir::InstId x, ir::InstId y, const Range& range);
  void check_atomic(ir::AtomicOp op, ir::Type type, ir::InstId old, ir::InstId operand, const Range& range);
  ir::InstId power_fits(ir::Type type, ir::InstId x, ir::InstId y);

  // --- formats.cpp: text with values
  void add_text(Text& text, const Item& item, std::string_view spec, const Range& range);
  bool add_expr(Text& text, const Expr& expr);
  void add_fstring(Text& text, const syntax::JoinedStr& joined);
  void add_percent(Text& text, std::string_view format, const std::vector<Item>& values, const Range& range);
  void add_format_call(Text& text, std::string_view format, const std::vector<Item>& values, const Range& range,
                       const std::vector<std::pair<std::string_view, Item>>& named = {});
  std::string format_spec(syntax::ExprPtr spec);
  std::optional<uint32_t> add_format(const Text& text, std::vector<ir::InstId>& operands);
  void print(const syntax::Call& e, const Expr& expr);
  void assertion(const syntax::Assert& s, const Stmt& stmt);

  // --- only_checked.cpp
  /// An assert that is not compiled: its errors are found, nothing of it stays in the kernel.
  void only_check(const syntax::Assert& s);

  // --- statements.cpp, assignments.cpp
  Flow body(Body statements, int32_t next);
  Flow statement(const Stmt& stmt, int32_t next);
  void dead_statements(Body statements, int32_t next);
  struct TooLarge {};  // thrown after a diagnostic: there is no use in going on
  void limit_size(const Stmt& stmt);
  Flow return_statement(const syntax::Return& s, const Stmt& stmt);
  Flow break_statement(const Stmt& stmt);
  Flow continue_statement(const Stmt& stmt);
  Flow if_statement(const syntax::If& s, const Stmt& stmt, int32_t next);
  Flow runtime_if(const syntax::If& s, ir::InstId condition, const Stmt& stmt, int32_t next);
  /// Whether the suite of a header follows its colon on the same line. Asked for probes alone.
  bool on_header_line(Body statements, const Stmt& header);
  /// The statements under a header; `next` is where control goes after them.
  Flow suite(Body statements, const Stmt& header, int32_t next);
  Flow unsupported(const Stmt& stmt, int32_t next);
  void expression_statement(const syntax::ExprStmt& s, const Stmt& stmt);
  /// The compile-time truth of an `if` test that is one: qd.static(...), `is None`. Nothing for runtime tests.
  struct StaticTest {
    bool is_static = false;
    std::optional<bool> value;  // nothing after an error
  };
  StaticTest static_test(const Expr& test);
  void assign(const syntax::Assign& s);
  void assign_to(const Expr& target, const Item& item, const Range& range, bool compile_time);
  void assign_name(std::string_view name, const Item& item, const Range& target, const Range& range, bool compile_time);
  void unpack(syntax::List<syntax::ExprPtr> targets, const Item& item, const Range& range, bool compile_time);
  void annotated_assign(const syntax::AnnAssign& s, const Stmt& stmt);
  void store_in(const Expr& target, const Item& item, const Range& range);
  void augmented_assign(const syntax::AugAssign& s, const Stmt& stmt);
  /// `to op= value` on a number.
  void update(const NumberPlace& to, syntax::Operator op, const Item& value, const syntax::AugAssign& s,
              const Stmt& stmt);

  // --- loops.cpp, static_loops.cpp
  Flow for_statement(const syntax::For& s, const Stmt& stmt, int32_t next);
  Flow while_statement(const syntax::While& s, const Stmt& stmt, int32_t next);
  struct Axes {
    std::vector<ir::InstId> bounds;  // begin, end of each axis, the outermost first
    bool grouped = false;
    std::vector<uint32_t> order = {};  // which index each axis of the loop is; empty: 0, 1, 2...
  };
  std::optional<Axes> axes_of(const Expr& iter);
  bool range_bounds(const syntax::Call& e, const Expr& expr, Axes& axes);
  bool ndrange_bounds(const syntax::Call& e, const Expr& expr, Axes& axes);
  /// ndrange(..., axes=...): which axis is the outermost, which comes next.
  bool order_axes(const syntax::Keyword& keyword, Axes& axes);
  bool array_bounds(const Item& array, const Range& range, Axes& axes);
  /// A bound as an i32, with a warning when it is none; nothing after an error.
  std::optional<ir::InstId> bound(const Item& item, const Range& range);
  void bind_loop_targets(const syntax::For& s, ir::InstId loop, const Axes& axes);
  void poison_targets(const Expr& target);
  void bind_loop_name(const syntax::For& s, const Expr& target, Binding binding);
  ir::LoopInfo take_loop_info(const Stmt& stmt, bool top_level);
  Flow static_for(const syntax::For& s, const syntax::Call& e, const Stmt& stmt, int32_t next);
  void bind_static_target(const syntax::For& s, const Expr& target, const Item& item);
  /// The items that an unrolled loop goes through; nothing after an error.
  std::optional<std::vector<Item>> static_iterable(const Expr& expr);
  std::optional<std::vector<Item>> static_iterable_call(const BuiltinInfo& info, const syntax::Call& e);

  // --- probes.cpp
  void probe(int32_t from, int32_t to);
  void statement_probe(const Stmt& stmt);
  /// Marks the edge from a header into a suite, or to `next` when there is none. A suite on the header's own line is no
  /// line of its own: there the edge is where the suite leads, and suite() or the jump in it marks that.
  void edge(const Stmt& header, Body statements, int32_t next);
  int32_t next_line(Body statements, size_t i, int32_t next);

  // --- decisions.cpp: what conditions were, for coverage
  const Decided* decided_in(const FunctionSource& source);
  bool compile_time_call(const Expr& expr);
  uint32_t decision_row(const syntax::Decision& decision);
  /// Notes the value of an expression, or of a link of a chained comparison, where that is a condition.
  void note_condition(const Expr& expr, uint32_t link, const Item& item);
  /// Notes that an expression has been evaluated, where that is a decision.
  void note_decision(const Expr& expr);
  /// Both, for an expression that has been evaluated. The links of a chain have been noted by then.
  void note_value(const Expr& expr, const Item& item) {
    if (!frame().decided) return;
    auto* chain = std::get_if<syntax::Compare>(&expr.node);
    if (!chain || chain->ops.size() == 1) note_condition(expr, 0, item);
    note_decision(expr);
  }

  const Options& options_;
  std::vector<Warning>* warnings_;
  Diagnostics diagnostics_;
  ir::Kernel kernel_;
  ir::Builder build_{kernel_};
  std::optional<ResultTree> result_;                 // of the kernel
  ir::BlockId statement_block_ = ir::BlockId::None;  // where the current statement stands
  std::deque<Frame> frames_;
  bool covered_ = true;                    // what is lowered counts for coverage
  bool in_parallel_ = false;               // inside a parallel loop of the top level
  int comprehensions_ = 0;                 // around the current expression
  int inlined_ = 0;                        // funcs inlined so far
  size_t n_statements_ = 0;                // lowered so far
  std::optional<ir::LoopInfo> loop_info_;  // from qd.loop_config, for the next loop
  std::map<std::tuple<uint32_t, int32_t, int32_t, uint32_t>, uint32_t> locations_;
  std::map<std::tuple<uint32_t, int32_t, int32_t>, uint32_t> probes_;
  std::map<const Stmt*, Decided> decided_;                     // by function
  std::map<const syntax::Decision*, uint32_t> decision_rows_;  // into Kernel::decisions
  std::map<uint64_t, uint32_t> fields_;
  std::map<std::string, uint32_t> routines_;  // into Kernel::routines
  std::deque<RoutineState> routine_states_;   // likewise
  uint64_t calls_ = 0;                        // places that call routines
  TemplateLog reads_;
  std::vector<std::string> leaf_names_;                           // of the kernel's parameters
  std::pair<ir::BlockId, int32_t> probed_{ir::BlockId::None, 0};  // last statement probe: block and line
  int32_t suite_line_ = 0;  // line of the suite that is being lowered, when its header ends there; else 0
};

/// Whether a known number is one of a type's, exactly.
bool fits(const Value& number, ir::Type type);
/// "an i32", "a u8".
std::string with_article(ir::Type type);
/// Names that a function body assigns anywhere.
std::unordered_set<std::string_view> assigned_names(syntax::List<syntax::StmtPtr> body);
/// Whether a name is assigned anywhere in a list of statements.
bool assigns(syntax::List<syntax::StmtPtr> body, std::string_view name);
/// A function's body after its docstring.
syntax::List<syntax::StmtPtr> without_docstring(syntax::List<syntax::StmtPtr> body);
/// Whether coverage.py sees a constant in a test: a literal, __debug__, or `not`, `and`, `or` of them.
bool is_constant_test(const syntax::Expr& test);

}  // namespace qd::frontend
