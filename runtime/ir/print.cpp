// Prints a kernel as text. Values are named by their InstId, so that a value keeps its name from pass to pass.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <iterator>

#include "runtime/ir/half.h"
#include "runtime/ir/kernel.h"
#include "runtime/ir/names.h"

namespace qd::ir {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 0x20) {
      out += fmt::format("\\x{:02x}", c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + "\"";
}

/// Prints an identifier as it is, and everything else in quotes.
std::string printed_word(std::string_view text) {
  bool plain = !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0]));
  for (unsigned char c : text) plain = plain && (std::isalnum(c) || c == '_') && c < 0x80;
  return plain ? std::string(text) : in_quotes(text);
}

std::string constant(Type type, uint64_t bits) {
  if (type == Type::U1) return bits ? "true" : "false";
  if (type == Type::F16) {
    const double value = double_from_half(static_cast<uint16_t>(bits));
    return std::isfinite(value) ? fmt::format("{}", value) : fmt::format("{:#x}", bits);
  }
  if (type == Type::F32) {
    float value = std::bit_cast<float>(static_cast<uint32_t>(bits));
    return std::isfinite(value) ? fmt::format("{}", value) : fmt::format("{:#x}", bits);
  }
  if (type == Type::F64) {
    double value = std::bit_cast<double>(bits);
    return std::isfinite(value) ? fmt::format("{}", value) : fmt::format("{:#x}", bits);
  }
  return is_signed(type) ? fmt::format("{}", static_cast<int64_t>(bits)) : fmt::format("{}", bits);
}

std::string bound(const Bound& bound) {
  const std::string type = bound.type == Type::I32 ? "" : fmt::format("{} ", name(bound.type));
  switch (bound.kind) {
    case Bound::Kind::Const: return type + constant(bound.type, static_cast<uint64_t>(bound.value));
    case Bound::Kind::Temp: return fmt::format("{}temp {}", type, bound.value);
    case Bound::Kind::Shape: return fmt::format("{}shape {} {}", type, bound.value, bound.axis);
    case Bound::Kind::Param: return fmt::format("{}param {}", type, bound.value);
  }
  return {};
}

std::string range(const SourceRange& range) {
  return fmt::format("{} {} {} {}", range.line, range.col, range.end_line, range.end_col);
}

/// Prints the successor of a condition: another condition, or the outcome.
std::string next(uint32_t condition) {
  if (condition == Decision::kTrue) return "true";
  return condition == Decision::kFalse ? "false" : fmt::format("{}", condition);
}

class Printer {
 public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel) {}

  std::string run() {
    tables();
    for (size_t i = 0; i < kernel_.routines.size(); i++) routine(i, kernel_.routines[i]);
    if (kernel_.body != BlockId::None) {
      put("\nbody");
      block(kernel_.body, 0);
      put("\n");
    }
    for (const Task& task : kernel_.tasks) this->task(task);
    return std::move(out_);
  }

 private:
  void vectorize(Vectorize choice) {
    if (choice != Vectorize::Chosen) put(" vectorize {}", choice == Vectorize::Yes ? "yes" : "no");
  }
  template <class... Args>
  void put(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
  }

  void tables() {
    const Kernel& k = kernel_;
    put("kernel {}\n", printed_word(k.name));
    for (size_t i = 0; i < k.params.size(); i++)
      put("param {} {} {}\n", i, printed_word(k.params[i].name), name(k.params[i].type));
    for (size_t i = 0; i < k.arrays.size(); i++) {
      const Array& a = k.arrays[i];
      put("array {} {} {} rank {}", i, printed_word(a.name), name(a.type), a.rank);
      if (a.layout.components != 1) put(" components {}", a.layout.components);
      if (a.layout.stride) put(" stride {}", a.layout.stride);
      if (a.layout.component_stride) put(" component_stride {}", a.layout.component_stride);
      if (!a.layout.order.empty()) put(" order [{}]", fmt::join(a.layout.order, ", "));
      if (a.gradient != Array::kNone) put(" gradient {}", a.gradient);
      if (a.dual != Array::kNone) put(" dual {}", a.dual);
      if (a.kind == Array::Kind::Field) {
        put(" field {} shape [{}]\n", a.field, fmt::join(a.shape, ", "));
      } else {
        put(" {}\n", a.kind == Array::Kind::Stack ? "stack" : "parameter");
      }
    }
    for (Type type : k.results) put("result {}\n", name(type));
    for (size_t i = 0; i < k.functions.size(); i++) {
      const Function& f = k.functions[i];
      put("function {} {} {} {}\n", i, in_quotes(f.file), printed_word(f.name), f.first_line);
    }
    for (size_t i = 0; i < k.locations.size(); i++) {
      const Location& l = k.locations[i];
      put("location {} function {} line {} col {}", i, l.function, l.line, l.col);
      if (l.caller != UINT32_MAX) put(" caller {}", l.caller);
      put("\n");
    }
    for (size_t i = 0; i < k.loops.size(); i++) {
      const LoopInfo& l = k.loops[i];
      put("loop {} {}", i, l.parallel ? "parallel" : "serial");
      if (l.block_dim) put(" block_dim {}", l.block_dim);
      vectorize(l.vectorize);
      if (!l.name.empty()) put(" name {}", printed_word(l.name));
      put("\n");
    }
    for (size_t i = 0; i < k.formats.size(); i++) {
      const Format& f = k.formats[i];
      put("format {}", i);
      if (f.kind != Format::Kind::Plain) put(" {}", name(f.kind));
      for (size_t piece = 0; piece < f.pieces.size(); piece++) {
        put(" {}", in_quotes(f.pieces[piece]));
        if (piece < f.types.size())
          put(" {{{} {}}}", name(f.types[piece]), in_quotes(piece < f.specs.size() ? f.specs[piece] : ""));
      }
      put("\n");
    }
    for (size_t i = 0; i < k.variants.size(); i++) put("variant {} {}\n", i, in_quotes(k.variants[i]));
    for (size_t i = 0; i < k.probes.size(); i++) {
      const Probe& p = k.probes[i];
      put("probe {} function {} {} -> {}", i, p.function, p.from, p.to);
      if (p.variant != Probe::kNoVariant) put(" variant {}", p.variant);
      put("\n");
    }
    for (size_t i = 0; i < k.decisions.size(); i++) {
      const Decision& d = k.decisions[i];
      put("decision {} function {} {} {}\n", i, d.function, printed_word(d.kind), range(d.range));
      for (const Decision::Condition& c : d.conditions)
        put("condition {} {} -> {} {}\n", i, range(c.range), next(c.if_true), next(c.if_false));
    }
    if (k.global_temps) put("temps {}\n", k.global_temps);
    if (k.kept_temps) put("kept_temps {}\n", k.kept_temps);
    for (const Checkpoint& c : k.checkpoints) {
      c.labelled ? put("checkpoint {}\n", c.label) : put("checkpoint unlabelled\n");
    }
    if (k.counters) put("counters {}\n", k.counters);
    if (!k.end_probes.empty()) put("end_probes [{}]\n", fmt::join(k.end_probes, ", "));
    if (k.begin_counter != kNoCounter) put("begin_counter {}\n", k.begin_counter);
    if (k.end_counter != kNoCounter) put("end_counter {}\n", k.end_counter);
    if (!is_in_order(k.schedule, k.tasks.size())) {
      put("\nschedule");
      steps(k.schedule, 0);
      put("\n");
    }
  }

  void steps(const Schedule& schedule, int indent) {
    put(" {{\n");
    for (const Step& step : schedule) {
      put("{:{}}", "", indent + 2);
      switch (step.kind) {
        case Step::Kind::Run: put("run {}", step.task); break;
        case Step::Kind::DoWhile: put("do_while temp {}", step.condition); break;
        case Step::Kind::If: put("if temp {}", step.condition); break;
        case Step::Kind::Fork: put("fork"); break;
      }
      for (const Schedule& section : step.sections) {
        if (step.kind == Step::Kind::If && &section != &step.sections[0]) put(" else");
        steps(section, indent + 2);
      }
      put("\n");
    }
    put("{:{}}}}", "", indent);
  }

  static std::string types(const std::vector<Type>& list) {
    std::string text;
    for (Type type : list) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(type));
    return text;
  }

  void routine(size_t index, const Routine& routine) {
    put("\nroutine {} {} ({}) -> ({})", index, printed_word(routine.name), types(routine.params),
        types(routine.results));
    block(routine.body, 0);
    put("\n");
  }

  void task(const Task& task) {
    put("\ntask {} {}", task.kind == Task::Kind::Serial ? "serial" : "parallel", printed_word(task.name));
    if (task.loop != InstId::None) put(" loop {}", value(task.loop));
    for (size_t axis = 0; axis + 1 < task.bounds.size(); axis += 2) {
      put(" [{}, {})", bound(task.bounds[axis]), bound(task.bounds[axis + 1]));
    }
    if (task.block_dim) put(" block_dim {}", task.block_dim);
    vectorize(task.vectorize);
    if (!task.start_probes.empty()) put(" start_probes [{}]", fmt::join(task.start_probes, ", "));
    if (task.start_counter != kNoCounter) put(" start_counter {}", task.start_counter);
    if (task.trip_counter != kNoCounter) put(" trip_counter {}", task.trip_counter);
    put(" {{\n");
    if (task.prologue != BlockId::None) {
      put("  prologue");
      block(task.prologue, 2);
      put("\n");
    }
    put("  body");
    block(task.body, 2);
    if (task.epilogue != BlockId::None) {
      put("\n  epilogue");
      block(task.epilogue, 2);
    }
    put("\n}}\n");
  }

  void block(BlockId id, int indent) {
    put(" {{\n");
    if (id != BlockId::None) {
      for (InstId inst : kernel_[id]) this->inst(inst, indent + 2);
    }
    put("{:{}}}}", "", indent);
  }

  static std::string value(InstId id) {
    return id == InstId::None ? "%none" : fmt::format("%{}", static_cast<uint32_t>(id));
  }

  std::string values(std::span<const InstId> ids) const {
    std::string text;
    for (InstId id : ids) text += (text.empty() ? "" : ", ") + value(id);
    return text;
  }

  void inst(InstId id, int indent) {
    const Inst& i = kernel_[id];
    std::span<const InstId> args = kernel_.operands_of(i);
    put("{:{}}", "", indent);
    const OpRow& row = ir::row(i.op);
    if (can_be_named(i.op)) put("{} = ", value(id));
    // An operator is its own mnemonic: `add i32`, not `binary add i32`.
    const std::span<const OperatorRow> operators = ir::operators(row.aux);
    if (operators.empty() || i.op == Op::AtomicRmw) put("{}", row.name);
    if (!operators.empty()) put("{}{}", i.op == Op::AtomicRmw ? " " : "", operators[i.aux].name);
    if (has_value(i.op)) put(" {}", name(i.type));
    if (aux_is_inst(i.op)) {
      put(" %{}", i.aux);
    } else if (row.aux != Aux::None && operators.empty()) {
      put(" {}", i.aux);
    }
    immediate(i, row.imm);
    operands(i, args);
    if (i.location < kernel_.locations.size()) {
      put(" @{}:{}", i.location, kernel_.locations[i.location].line);
    } else if (i.location > 0) {
      put(" @{}", i.location);  // one that does not exist
    }
    if (row.blocks > 0) block(i.blocks[0], indent);
    if (i.op == Op::If && i.blocks[1] != BlockId::None && !kernel_[i.blocks[1]].empty()) {
      put(" else");
      block(i.blocks[1], indent);
    }
    if (i.op == Op::For && i.blocks[1] != BlockId::None) {
      put(" exhausted");
      block(i.blocks[1], indent);
    }
    put("\n");
  }

  void immediate(const Inst& i, Imm kind) {
    switch (kind) {
      case Imm::None:
      case Imm::Outcomes: return;  // outcomes stand with the operands
      case Imm::Bits: return put(" {}", constant(i.type, i.imm));
      case Imm::Axis:
      case Imm::Result:
      case Imm::CallPlace:
      case Imm::Access: return put(" {}", i.imm);
      case Imm::Scope: return put(" {}", name(i.scope()));
      case Imm::Dispatch: return put(" {}", name(i.dispatch()));
      case Imm::Length:
      case Imm::Group:
        if (i.imm) put(" {}", i.imm);
        return;
      case Imm::Condition:
        put(" {}", i.imm / 2);
        if (i.operand_count == 0) put(" {}", i.imm & 1 ? "true" : "false");
        return;
    }
  }

  void operands(const Inst& i, std::span<const InstId> args) {
    switch (i.op) {
      case Op::Call: return put(" ({})", values(args));
      case Op::ElementPtr: return put(" [{}]", values(args));
      case Op::For:
        for (size_t axis = 0; axis + 1 < args.size(); axis += 2)
          put(" [{}, {})", value(args[axis]), value(args[axis + 1]));
        return;
      case Op::Decide:
        for (size_t k = 0; k < args.size(); k++) put(" {} {}", i.imm >> k & 1 ? "where" : "unless", value(args[k]));
        return;
      default:
        if (!args.empty()) put(" {}", values(args));
    }
  }

  const Kernel& kernel_;
  std::string out_;
};

}  // namespace

std::string print(const Kernel& kernel) { return Printer(kernel).run(); }

}  // namespace qd::ir
