// Reads the printed form of a kernel.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "runtime/ir/half.h"
#include "runtime/ir/kernel.h"
#include "runtime/ir/lexer.h"
#include "runtime/ir/names.h"

namespace qd::ir {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokenize(text)) {
    uint32_t named = 0;
    for (const Token& token : tokens_) {
      if (token.kind == Token::Kind::Value) named = std::max(named, value_number(token) + 1);
    }
    // A much larger number of values than of tokens can only be a mistake, and would need memory without limit.
    if (named > 64 * tokens_.size()) error("value numbers are too large");
    // Instructions without a name get the numbers after the last one that is used.
    kernel_.insts.resize(named);
    defined_.resize(named);
  }

  Kernel run() {
    expect_word("kernel");
    kernel_.name = text();
    bool scheduled = false;
    while (!at_end()) {
      const std::string keyword = peek().kind == Token::Kind::Word ? peek().text : "";
      if (keyword == "body") {
        next();
        if (kernel_.body != BlockId::None) error("a second body");
        kernel_.body = block();
      } else if (keyword == "routine") {
        next();
        routine();
      } else if (keyword == "task") {
        next();
        task();
      } else if (keyword == "schedule") {
        next();
        if (scheduled) error("a second schedule");
        scheduled = true;
        kernel_.schedule = schedule();
      } else {
        table(keyword);
      }
    }
    if (!scheduled) kernel_.schedule = in_order(kernel_.tasks.size());
    return std::move(kernel_);
  }

 private:
  // --- tokens ---
  const Token& peek() const { return tokens_[at_]; }
  const Token& next() { return tokens_[peek().kind == Token::Kind::End ? at_ : at_++]; }
  bool at_end() const { return peek().kind == Token::Kind::End; }
  [[noreturn]] void error(const std::string& message) const { parse_error(peek().line, message); }
  [[noreturn]] void unexpected(std::string_view wanted) const {
    error(at_end() ? fmt::format("expected {}, but the text ends", wanted)
                   : fmt::format("expected {}, got '{}'", wanted, peek().text));
  }

  bool is_symbol(std::string_view symbol) const { return peek().kind == Token::Kind::Symbol && peek().text == symbol; }
  bool accept(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    next();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) unexpected(fmt::format("'{}'", symbol));
  }
  bool accept_word(std::string_view word) {
    if (peek().kind != Token::Kind::Word || peek().text != word) return false;
    next();
    return true;
  }
  Vectorize vectorize() {
    if (!accept_word("vectorize")) return Vectorize::Chosen;
    if (accept_word("yes")) return Vectorize::Yes;
    expect_word("no");
    return Vectorize::No;
  }
  void expect_word(std::string_view word) {
    if (!accept_word(word)) unexpected(fmt::format("'{}'", word));
  }
  std::string word() {
    if (peek().kind != Token::Kind::Word) unexpected("a word");
    return next().text;
  }
  /// A name: a word or a string.
  std::string text() {
    if (peek().kind != Token::Kind::Word && peek().kind != Token::Kind::String) unexpected("a name");
    return next().text;
  }
  std::string string() {
    if (peek().kind != Token::Kind::String) unexpected("a string");
    return next().text;
  }
  template <class Number>
  Number number() {
    Number value{};
    if (peek().kind != Token::Kind::Number) unexpected("a number");
    const std::string& text = peek().text;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) unexpected("a number that fits");
    next();
    return value;
  }
  Type type() {
    std::optional<Type> type = peek().kind == Token::Kind::Word ? type_from_name(peek().text) : std::nullopt;
    if (!type) unexpected("a type");
    next();
    return *type;
  }
  void row(size_t rows) {
    if (number<size_t>() != rows) error(fmt::format("rows of a table must be in order: this is row {}", rows));
  }
  std::vector<uint32_t> list() {
    std::vector<uint32_t> out;
    expect("[");
    while (!accept("]")) {
      if (!out.empty()) expect(",");
      out.push_back(number<uint32_t>());
    }
    return out;
  }
  static uint32_t value_number(const Token& token) { return static_cast<uint32_t>(std::stoul(token.text)); }
  InstId value() {
    if (peek().kind != Token::Kind::Value) unexpected("a value");
    return static_cast<InstId>(value_number(next()));
  }

  // --- tables ---
  void table(const std::string& keyword) {
    Kernel& k = kernel_;
    if (keyword.empty()) unexpected("a table, a body or a task");
    next();
    if (keyword == "param") {
      row(k.params.size());
      Param param{text(), Type::Void};
      param.type = type();
      k.params.push_back(std::move(param));
    } else if (keyword == "array") {
      array();
    } else if (keyword == "result") {
      k.results.push_back(type());
    } else if (keyword == "function") {
      row(k.functions.size());
      Function function;
      function.file = string();
      function.name = text();
      function.first_line = number<int32_t>();
      k.functions.push_back(std::move(function));
    } else if (keyword == "location") {
      row(k.locations.size());
      Location location;
      location.function = labelled<uint32_t>("function");
      location.line = labelled<int32_t>("line");
      location.col = labelled<int32_t>("col");
      if (accept_word("caller")) location.caller = number<uint32_t>();
      k.locations.push_back(location);
    } else if (keyword == "loop") {
      row(k.loops.size());
      LoopInfo loop;
      loop.parallel = accept_word("parallel");
      if (!loop.parallel) expect_word("serial");
      if (accept_word("block_dim")) loop.block_dim = number<int32_t>();
      loop.vectorize = vectorize();
      if (accept_word("name")) loop.name = text();
      k.loops.push_back(std::move(loop));
    } else if (keyword == "format") {
      format();
    } else if (keyword == "variant") {
      row(k.variants.size());
      k.variants.push_back(string());
    } else if (keyword == "probe") {
      row(k.probes.size());
      Probe probe;
      probe.function = labelled<uint32_t>("function");
      probe.from = number<int32_t>();
      expect("->");
      probe.to = number<int32_t>();
      if (accept_word("variant")) probe.variant = number<uint32_t>();
      k.probes.push_back(probe);
    } else if (keyword == "decision") {
      row(k.decisions.size());
      Decision decision;
      decision.function = labelled<uint32_t>("function");
      decision.kind = text();
      decision.range = range();
      k.decisions.push_back(std::move(decision));
    } else if (keyword == "condition") {
      if (k.decisions.empty()) error("a condition without a decision");
      row(k.decisions.size() - 1);
      Decision::Condition condition;
      condition.range = range();
      expect("->");
      condition.if_true = decided();
      condition.if_false = decided();
      k.decisions.back().conditions.push_back(condition);
    } else if (keyword == "temps") {
      k.global_temps = number<uint32_t>();
    } else if (keyword == "kept_temps") {
      k.kept_temps = number<uint32_t>();
    } else if (keyword == "checkpoint") {
      const bool labelled = !accept_word("unlabelled");
      k.checkpoints.push_back({labelled, labelled ? number<int64_t>() : 0});
    } else if (keyword == "counters") {
      k.counters = number<uint32_t>();
    } else if (keyword == "end_probes") {
      k.end_probes = list();
    } else if (keyword == "begin_counter") {
      k.begin_counter = number<uint32_t>();
    } else if (keyword == "end_counter") {
      k.end_counter = number<uint32_t>();
    } else {
      at_--;
      unexpected("a table, a body or a task");
    }
  }

  template <class Number>
  Number labelled(std::string_view label) {
    expect_word(label);
    return number<Number>();
  }

  SourceRange range() {
    SourceRange range;
    for (int32_t* part : {&range.line, &range.col, &range.end_line, &range.end_col}) *part = number<int32_t>();
    return range;
  }

  uint32_t decided() {
    if (accept_word("true")) return Decision::kTrue;
    return accept_word("false") ? Decision::kFalse : number<uint32_t>();
  }

  void array() {
    row(kernel_.arrays.size());
    Array array;
    array.name = text();
    array.type = type();
    array.rank = labelled<int32_t>("rank");
    if (accept_word("components")) array.layout.components = number<int32_t>();
    if (accept_word("stride")) array.layout.stride = number<int64_t>();
    if (accept_word("component_stride")) array.layout.component_stride = number<int64_t>();
    if (accept_word("order")) {
      for (uint32_t axis : list()) array.layout.order.push_back(static_cast<int32_t>(axis));
    }
    if (accept_word("gradient")) array.gradient = number<uint32_t>();
    if (accept_word("dual")) array.dual = number<uint32_t>();
    if (accept_word("field")) {
      array.kind = Array::Kind::Field;
      array.field = number<uint64_t>();
      expect_word("shape");
      for (uint32_t length : list()) array.shape.push_back(static_cast<int32_t>(length));
    } else if (accept_word("stack")) {
      array.kind = Array::Kind::Stack;
    } else {
      expect_word("parameter");
    }
    kernel_.arrays.push_back(std::move(array));
  }

  void format() {
    row(kernel_.formats.size());
    Format format;
    if (peek().kind == Token::Kind::Word) {
      const std::optional<Format::Kind> kind = format_kind_from_name(peek().text);
      if (!kind) unexpected("a kind of format");
      format.kind = *kind;
      next();
    }
    while (peek().kind == Token::Kind::String) {
      format.pieces.push_back(string());
      if (!accept("{")) break;
      format.types.push_back(type());
      format.specs.push_back(string());
      expect("}");
    }
    kernel_.formats.push_back(std::move(format));
  }

  // --- routines ---
  std::vector<Type> types() {
    std::vector<Type> list;
    expect("(");
    while (!accept(")")) {
      if (!list.empty()) expect(",");
      list.push_back(type());
    }
    return list;
  }

  void routine() {
    row(kernel_.routines.size());
    Routine routine;
    routine.name = text();
    routine.params = types();
    expect("->");
    routine.results = types();
    routine.body = block();
    kernel_.routines.push_back(std::move(routine));
  }

  // --- tasks ---
  Bound bound() {
    const bool typed = peek().kind == Token::Kind::Word && type_from_name(peek().text);
    const Type counts = typed ? type() : Type::I32;
    if (accept_word("shape")) {
      const int32_t array = number<int32_t>();
      return {Bound::Kind::Shape, array, number<int32_t>(), counts};
    }
    if (accept_word("temp")) return {Bound::Kind::Temp, number<int32_t>(), 0, counts};
    if (accept_word("param")) return {Bound::Kind::Param, number<int32_t>(), 0, counts};
    return {Bound::Kind::Const, static_cast<int64_t>(constant(counts)), 0, counts};
  }

  void task() {
    Task task;
    if (accept_word("parallel")) {
      task.kind = Task::Kind::Parallel;
    } else {
      expect_word("serial");
    }
    task.name = text();
    if (accept_word("loop")) {
      task.loop = value();
      define(task.loop, Inst{.op = Op::For}, peek().line);
    }
    while (accept("[")) {
      task.bounds.push_back(bound());
      expect(",");
      task.bounds.push_back(bound());
      expect(")");
    }
    if (accept_word("block_dim")) task.block_dim = number<int32_t>();
    task.vectorize = vectorize();
    if (accept_word("start_probes")) task.start_probes = list();
    if (accept_word("start_counter")) task.start_counter = number<uint32_t>();
    if (accept_word("trip_counter")) task.trip_counter = number<uint32_t>();
    expect("{");
    if (accept_word("prologue")) task.prologue = block();
    expect_word("body");
    task.body = block();
    if (accept_word("epilogue")) task.epilogue = block();
    expect("}");
    kernel_.tasks.push_back(std::move(task));
  }

  Schedule schedule() {
    if (++depth_ > kMaxStepDepth) error("steps nest too deeply");
    Schedule steps;
    expect("{");
    while (!accept("}")) {
      Step& step = steps.emplace_back();
      if (accept_word("run")) {
        step.task = number<uint32_t>();
      } else if (accept_word("do_while")) {
        step.kind = Step::Kind::DoWhile;
        step.condition = labelled<uint32_t>("temp");
        step.sections.push_back(schedule());
      } else if (accept_word("if")) {
        step.kind = Step::Kind::If;
        step.condition = labelled<uint32_t>("temp");
        step.sections.push_back(schedule());
        expect_word("else");
        step.sections.push_back(schedule());
      } else if (accept_word("fork")) {
        step.kind = Step::Kind::Fork;
        while (is_symbol("{")) step.sections.push_back(schedule());
      } else {
        unexpected("a step");
      }
    }
    depth_--;
    return steps;
  }

  // --- instructions ---
  BlockId block() {
    // A printed kernel nests only as deeply as its source does; deeper text is not a printed kernel.
    if (++depth_ > 1000) error("blocks nest too deeply");
    expect("{");
    BlockId id = kernel_.add_block();
    while (!accept("}")) {
      InstId inst = this->inst();
      kernel_[id].push_back(inst);
    }
    depth_--;
    return id;
  }

  void define(InstId id, const Inst& inst, int line) {
    auto index = static_cast<uint32_t>(id);
    if (defined_[index]) parse_error(line, fmt::format("%{} is defined twice", index));
    defined_[index] = true;
    kernel_[id] = inst;
  }

  Op mnemonic(Inst& inst) {
    std::string text = word();
    auto set = [&](Op op, auto code) {
      inst.aux = static_cast<uint32_t>(code);
      return op;
    };
    if (auto op = unary_from_name(text)) return set(Op::Unary, *op);
    if (auto op = binary_from_name(text)) return set(Op::Binary, *op);
    if (auto op = compare_from_name(text)) return set(Op::Compare, *op);
    if (text == name(Op::AtomicRmw)) {
      auto op = atomic_from_name(word());
      if (op) return set(Op::AtomicRmw, *op);
    } else if (auto op = op_from_name(text)) {
      if (operators(ir::row(*op).aux).empty()) return *op;
    }
    at_--;
    unexpected("an operation");
  }

  uint64_t constant(Type type) {
    if (type == Type::U1) {
      if (accept_word("true")) return 1;
      expect_word("false");
      return 0;
    }
    if (is_float(type)) {
      if (peek().kind == Token::Kind::Number && peek().text.starts_with("0x")) {
        const std::string text = next().text;
        uint64_t bits = 0;
        auto [end, code] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
        if (code != std::errc() || end != text.data() + text.size()) error("a float's bits do not fit");
        return bits;
      }
      if (type == Type::F16) return half_from_double(number<double>());
      return type == Type::F32 ? std::bit_cast<uint32_t>(number<float>()) : std::bit_cast<uint64_t>(number<double>());
    }
    return is_signed(type) ? static_cast<uint64_t>(number<int64_t>()) : number<uint64_t>();
  }

  InstId inst() {
    const int line = peek().line;
    InstId id = InstId::None;
    if (peek().kind == Token::Kind::Value) {
      id = value();
      expect("=");
    }
    Inst inst;
    inst.op = mnemonic(inst);
    const bool named = can_be_named(inst.op);
    if (named != (id != InstId::None))
      parse_error(line, named ? "this operation needs a name: %N = ..." : "this operation has no result to name");
    if (has_value(inst.op)) inst.type = type();
    if (aux_is_inst(inst.op)) {
      inst.aux = static_cast<uint32_t>(value());
    } else if (ir::row(inst.op).aux != Aux::None && operators(ir::row(inst.op).aux).empty()) {
      inst.aux = number<uint32_t>();
    }
    std::vector<InstId> args;
    immediate(inst, args);
    operands(inst, args);
    if (accept("@")) {
      inst.location = number<uint32_t>();
      if (accept(":")) number<int32_t>();  // the line, for readers
    }
    if (ir::row(inst.op).blocks > 0) inst.blocks[0] = block();
    if (inst.op == Op::If) inst.blocks[1] = accept_word("else") ? block() : kernel_.add_block();
    if (inst.op == Op::For && accept_word("exhausted")) inst.blocks[1] = block();

    inst.operand_begin = static_cast<uint32_t>(kernel_.operands.size());
    inst.operand_count = static_cast<uint16_t>(args.size());
    kernel_.operands.insert(kernel_.operands.end(), args.begin(), args.end());
    if (named) {
      define(id, inst, line);
      return id;
    }
    kernel_.insts.push_back(inst);
    return static_cast<InstId>(kernel_.insts.size() - 1);
  }

  /// Reads the name of an enumerator.
  template <class Enum>
  uint64_t named(std::optional<Enum> (*from_name)(std::string_view), const char* what) {
    const std::optional<Enum> value = peek().kind == Token::Kind::Word ? from_name(peek().text) : std::nullopt;
    if (!value) unexpected(what);
    next();
    return static_cast<uint64_t>(*value);
  }

  // Reads the part between the type and the location, as Printer::inst writes it.

  void immediate(Inst& inst, std::vector<InstId>& args) {
    switch (ir::row(inst.op).imm) {
      case Imm::None:
      case Imm::Outcomes: return;
      case Imm::Bits: inst.imm = constant(inst.type); return;
      case Imm::Axis:
      case Imm::Result:
      case Imm::CallPlace:
      case Imm::Access: inst.imm = number<uint64_t>(); return;
      case Imm::Scope: inst.imm = named(scope_from_name, "a scope"); return;
      case Imm::Dispatch: inst.imm = named(dispatch_from_name, "a number of a dispatch"); return;
      case Imm::Length:
      case Imm::Group:
        if (peek().kind == Token::Kind::Number) inst.imm = number<uint64_t>();
        return;
      case Imm::Condition:
        inst.imm = 2 * number<uint64_t>();
        if (accept_word("true")) {
          inst.imm |= 1;
        } else if (!accept_word("false")) {
          args.push_back(value());
        }
        return;
    }
  }

  void operands(Inst& inst, std::vector<InstId>& args) {
    switch (inst.op) {
      case Op::Call: expect("("); return values_until(")", args);
      case Op::ElementPtr: expect("["); return values_until("]", args);
      case Op::For:
        while (accept("[")) {
          args.push_back(value());
          expect(",");
          args.push_back(value());
          expect(")");
        }
        return;
      case Op::Decide:
        while (peek().kind == Token::Kind::Word && (peek().text == "where" || peek().text == "unless")) {
          if (next().text == "where") inst.imm |= uint64_t{1} << (args.size() & 63);
          args.push_back(value());
        }
        return;
      case Op::Condition: return;  // read with its number
      default: break;
    }
    // The next line may start with a value as well; but there the value is followed by '='.
    while (peek().kind == Token::Kind::Value && tokens_[at_ + 1].text != "=") {
      args.push_back(value());
      if (!accept(",")) break;
    }
  }

  void values_until(std::string_view end, std::vector<InstId>& args) {
    while (!accept(end)) {
      if (!args.empty()) expect(",");
      args.push_back(value());
    }
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  Kernel kernel_;
  std::vector<bool> defined_;
};

}  // namespace

Kernel parse(std::string_view text) { return Parser(text).run(); }

}  // namespace qd::ir
