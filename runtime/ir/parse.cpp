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

uint32_t value_number(const Token& token) { return static_cast<uint32_t>(std::stoul(token.text)); }

class Parser : TokenReader {
 public:
  explicit Parser(std::string_view text) : TokenReader(text) {
    uint32_t named = 0;
    for (const Token& token : tokens()) {
      if (token.kind == Token::Kind::Value) named = std::max(named, value_number(token) + 1);
    }
    // A much larger number of values than of tokens can only be a mistake, and would need memory without limit.
    if (named > 64 * tokens().size()) error("value numbers are too large");
    // Instructions without a name get the numbers after the last one that is used.
    kernel_.insts.resize(named);
    defined_.resize(named);
  }

  Kernel run() {
    struct Part {
      std::string_view keyword;
      void (Parser::*read)();
    };
    static constexpr Part kParts[] = {
        {"param", &Parser::param},
        {"array", &Parser::array},
        {"result", &Parser::result},
        {"function", &Parser::function},
        {"location", &Parser::location},
        {"loop", &Parser::loop},
        {"format", &Parser::format},
        {"variant", &Parser::variant},
        {"probe", &Parser::probe},
        {"decision", &Parser::decision},
        {"condition", &Parser::condition},
        {"temps", &Parser::count<&Kernel::global_temps>},
        {"kept_temps", &Parser::count<&Kernel::kept_temps>},
        {"checkpoint", &Parser::checkpoint},
        {"counters", &Parser::count<&Kernel::counters>},
        {"end_probes", &Parser::end_probes},
        {"begin_counter", &Parser::count<&Kernel::begin_counter>},
        {"end_counter", &Parser::count<&Kernel::end_counter>},
        {"body", &Parser::body},
        {"routine", &Parser::routine},
        {"task", &Parser::task},
        {"schedule", &Parser::schedule},
    };
    expect_word("kernel");
    kernel_.name = text();
    while (!at_end()) {
      const auto part = std::ranges::find(kParts, peek().text, &Part::keyword);
      if (!is(Token::Kind::Word) || part == std::end(kParts)) unexpected("a table, a body or a task");
      next();
      (this->*part->read)();
    }
    if (!scheduled_) kernel_.schedule = in_order(kernel_.tasks.size());
    return std::move(kernel_);
  }

 private:
  /// Reads the name of an enumerator.
  template <class Enum>
  Enum named(std::optional<Enum> (*from_name)(std::string_view), const char* what) {
    const std::optional<Enum> value = is(Token::Kind::Word) ? from_name(peek().text) : std::nullopt;
    if (!value) unexpected(what);
    next();
    return *value;
  }
  Type type() { return named(type_from_name, "a type"); }
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
  InstId value() { return static_cast<InstId>(value_number(take(Token::Kind::Value, "a value"))); }

  Vectorize vectorize() {
    if (!accept_word("vectorize")) return Vectorize::Chosen;
    if (accept_word("yes")) return Vectorize::Yes;
    expect_word("no");
    return Vectorize::No;
  }

  // --- parts ---
  void param() {
    row(kernel_.params.size());
    Param param{text(), Type::Void};
    param.type = type();
    kernel_.params.push_back(std::move(param));
  }
  void result() { kernel_.results.push_back(type()); }
  void function() {
    row(kernel_.functions.size());
    Function function;
    function.file = string();
    function.name = text();
    function.first_line = number<int32_t>();
    kernel_.functions.push_back(std::move(function));
  }
  void location() {
    row(kernel_.locations.size());
    Location location;
    location.function = labelled<uint32_t>("function");
    location.line = labelled<int32_t>("line");
    location.col = labelled<int32_t>("col");
    if (accept_word("caller")) location.caller = number<uint32_t>();
    kernel_.locations.push_back(location);
  }
  void loop() {
    row(kernel_.loops.size());
    LoopInfo loop;
    loop.parallel = accept_word("parallel");
    if (!loop.parallel) expect_word("serial");
    if (accept_word("block_dim")) loop.block_dim = number<int32_t>();
    loop.vectorize = vectorize();
    if (accept_word("name")) loop.name = text();
    kernel_.loops.push_back(std::move(loop));
  }
  void variant() {
    row(kernel_.variants.size());
    kernel_.variants.push_back(string());
  }
  void probe() {
    row(kernel_.probes.size());
    Probe probe;
    probe.function = labelled<uint32_t>("function");
    probe.from = number<int32_t>();
    expect("->");
    probe.to = number<int32_t>();
    if (accept_word("variant")) probe.variant = number<uint32_t>();
    kernel_.probes.push_back(probe);
  }
  void decision() {
    row(kernel_.decisions.size());
    Decision decision;
    decision.function = labelled<uint32_t>("function");
    decision.kind = text();
    decision.range = range();
    kernel_.decisions.push_back(std::move(decision));
  }
  void condition() {
    if (kernel_.decisions.empty()) error("a condition without a decision");
    row(kernel_.decisions.size() - 1);
    Decision::Condition condition;
    condition.range = range();
    expect("->");
    condition.if_true = decided();
    condition.if_false = decided();
    kernel_.decisions.back().conditions.push_back(condition);
  }
  void checkpoint() {
    const bool labelled = !accept_word("unlabelled");
    kernel_.checkpoints.push_back({labelled, labelled ? number<int64_t>() : 0});
  }
  template <uint32_t Kernel::* kField>
  void count() {
    kernel_.*kField = number<uint32_t>();
  }
  void end_probes() { kernel_.end_probes = list(); }
  void body() {
    if (kernel_.body != BlockId::None) error("a second body");
    kernel_.body = block();
  }
  void schedule() {
    if (scheduled_) error("a second schedule");
    scheduled_ = true;
    kernel_.schedule = steps();
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
    if (is(Token::Kind::Word)) format.kind = named(format_kind_from_name, "a kind of format");
    while (is(Token::Kind::String)) {
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
    const bool typed = is(Token::Kind::Word) && type_from_name(peek().text);
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

  Schedule steps() {
    if (++depth_ > kMaxStepDepth) error("steps nest too deeply");
    Schedule schedule;
    expect("{");
    while (!accept("}")) {
      Step& step = schedule.emplace_back();
      if (accept_word("run")) {
        step.task = number<uint32_t>();
      } else if (accept_word("do_while")) {
        step.kind = Step::Kind::DoWhile;
        step.condition = labelled<uint32_t>("temp");
        step.sections.push_back(steps());
      } else if (accept_word("if")) {
        step.kind = Step::Kind::If;
        step.condition = labelled<uint32_t>("temp");
        step.sections.push_back(steps());
        expect_word("else");
        step.sections.push_back(steps());
      } else if (accept_word("fork")) {
        step.kind = Step::Kind::Fork;
        while (is(Token::Kind::Symbol) && peek().text == "{") step.sections.push_back(steps());
      } else {
        unexpected("a step");
      }
    }
    depth_--;
    return schedule;
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
    back();
    unexpected("an operation");
  }

  uint64_t constant(Type type) {
    if (type == Type::U1) {
      if (accept_word("true")) return 1;
      expect_word("false");
      return 0;
    }
    if (is_float(type)) {
      if (is(Token::Kind::Number) && peek().text.starts_with("0x")) {
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
    if (is(Token::Kind::Value)) {
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
      case Imm::Scope: inst.imm = static_cast<uint64_t>(named(scope_from_name, "a scope")); return;
      case Imm::Dispatch: inst.imm = static_cast<uint64_t>(named(dispatch_from_name, "a number of a dispatch")); return;
      case Imm::Length:
      case Imm::Group:
        if (is(Token::Kind::Number)) inst.imm = number<uint64_t>();
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
        while (is(Token::Kind::Word) && (peek().text == "where" || peek().text == "unless")) {
          if (next().text == "where") inst.imm |= uint64_t{1} << (args.size() & 63);
          args.push_back(value());
        }
        return;
      case Op::Condition: return;  // read with its number
      default: break;
    }
    // The next line may start with a value as well; but there the value is followed by '='.
    while (is(Token::Kind::Value) && peek(1).text != "=") {
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

  int depth_ = 0;
  Kernel kernel_;
  std::vector<bool> defined_;
  bool scheduled_ = false;
};

}  // namespace

Kernel parse(std::string_view text) { return Parser(text).run(); }

}  // namespace qd::ir
