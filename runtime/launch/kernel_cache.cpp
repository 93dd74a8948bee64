// The key is what is known before the front end runs; an entry says what it asked then, and what came of it, for a few sets of answers.
#include "runtime/launch/kernel_cache.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

#include "runtime/ir/pack.h"
#include "runtime/launch/bytes.h"
#include "runtime/launch/code_cache.h"
#include "runtime/launch/environment_trace.h"

namespace qd {
namespace {

using frontend::Value;

/// Sets of answers that one entry remembers: kernels of one source whose captured values differ.
constexpr size_t kMostForms = 8;

/// Whether a template's value means the same in each process.
bool is_plain(const Value& value) {
  if (auto* tuple = std::get_if<frontend::Tuple>(&value)) return std::ranges::all_of(tuple->items, is_plain);
  return std::holds_alternative<frontend::None>(value) || std::holds_alternative<bool>(value) || std::holds_alternative<int64_t>(value) ||
         std::holds_alternative<double>(value) || std::holds_alternative<std::string>(value) || std::holds_alternative<ir::Type>(value) ||
         std::holds_alternative<frontend::Builtin>(value);
}

void put(BytesOut& out, const frontend::Options& options) {
  const auto& [default_int, default_float, debug, bounds, probes, conditions, short_circuit, unrolling_limit, pure] = options;
  out.text(fmt::format("{} {} {} {} {} {} {} {} {}", ir::name(default_int), ir::name(default_float), debug, bounds, probes, conditions, short_circuit,
                       unrolling_limit, pure));
}

void put(BytesOut& out, const std::vector<int32_t>& numbers) {
  out.number(numbers.size());
  for (int32_t number : numbers) out.number(static_cast<uint64_t>(number));
}

bool put(BytesOut& out, const frontend::Argument& argument, TraceNumbers& numbers) {
  out.number(argument.index());
  if (auto* type = std::get_if<ir::Type>(&argument)) {
    out.number(static_cast<uint64_t>(*type));
  } else if (auto* array = std::get_if<frontend::ArrayType>(&argument)) {
    const auto& [type_of_elements, rank, element_shape, layout] = *array;
    const auto& [components, stride, component_stride, order] = layout;
    out.number(static_cast<uint64_t>(type_of_elements));
    put(out, {rank});
    put(out, element_shape);
    out.text(fmt::format("{} {} {}", components, stride, component_stride));
    put(out, std::vector<int32_t>(order.begin(), order.end()));
  } else {
    const Value& value = std::get<Value>(argument);
    const auto bytes = is_plain(value) ? numbers.bytes_of(value) : std::nullopt;
    if (!bytes) return false;
    out.text(*bytes);
  }
  return true;
}

std::optional<EntryFiles::Key> key_of(const frontend::FunctionSource& source, frontend::Environment& environment, std::span<const frontend::Argument> arguments,
                                      const frontend::Options& options) {
  BytesOut out;
  out.text(build_and_processor());
  for (uint64_t word : source_hash(source)) out.number(word);
  put(out, options);
  TraceNumbers numbers(source, environment);
  for (const frontend::Argument& argument : arguments) {
    if (!put(out, argument, numbers)) return std::nullopt;
  }
  const XXH128_hash_t hash = XXH3_128bits(out.bytes().data(), out.bytes().size());
  return EntryFiles::Key{hash.high64, hash.low64};
}

/// Lines of a kernel are those of the functions where they were; here these begin elsewhere.
void move_to(ir::Kernel& kernel, const std::vector<TraceNumbers::Function>& now) {
  std::vector<int32_t> shift;
  for (size_t i = 0; i < kernel.functions.size(); ++i) {
    shift.push_back(now[i].first_line - kernel.functions[i].first_line);
    kernel.functions[i] = {now[i].file, now[i].name, now[i].first_line};
  }
  for (ir::Location& location : kernel.locations) location.line += shift[location.function];
  for (ir::Probe& probe : kernel.probes) {
    // In coverage.py's arcs, the negative number of a function's first line is its entry and its exit.
    for (int32_t* line : {&probe.from, &probe.to}) *line += *line < 0 ? -shift[probe.function] : shift[probe.function];
  }
  auto move = [](ir::SourceRange& range, int32_t lines) {
    range.line += lines;
    range.end_line += lines;
  };
  for (ir::Decision& decision : kernel.decisions) {
    move(decision.range, shift[decision.function]);
    for (ir::Decision::Condition& condition : decision.conditions) move(condition.range, shift[decision.function]);
  }
}

/// A warning without its place: which of the kernel's functions, which line of it.
struct Warning {
  uint64_t function = 0;
  int32_t line = 0;
  std::string text;
};

std::optional<Warning> placeless(const std::string& text, const ir::Kernel& kernel) {
  std::optional<Warning> found;
  int32_t latest = 0;
  for (size_t i = 0; i < kernel.functions.size(); ++i) {
    const ir::Function& function = kernel.functions[i];
    if (!text.starts_with(function.file + ":")) continue;
    const std::string rest = text.substr(function.file.size() + 1);
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || digits > 9) continue;
    const int32_t line = std::stoi(rest.substr(0, digits));
    if (line < function.first_line || function.first_line < latest) continue;
    latest = function.first_line;
    found = Warning{i, line - function.first_line, rest.substr(digits)};
  }
  return found;
}

/// What the front end gave for one set of answers. Nothing when it cannot be kept: then it is of this process alone.
std::optional<std::string> form_of(const TraceRecorder& recorder, const ir::Kernel& kernel, const std::vector<std::string>& warnings) {
  const std::vector<TraceStep>* steps = recorder.steps();
  if (!steps) return std::nullopt;
  BytesOut out;
  out.number(steps->size());
  for (const TraceStep& step : *steps) {
    out.number(static_cast<uint64_t>(step.kind));
    out.number(step.environment);
    out.number(step.object);
    out.text(step.name);
    out.text(step.answer);
  }
  out.number(kernel.functions.size());
  for (const ir::Function& function : kernel.functions) {
    const auto& known = recorder.numbers().functions();
    const auto at = std::ranges::find_if(known, [&](const auto& k) { return k.file == function.file && k.first_line == function.first_line && k.name == function.name; });
    if (at == known.end()) return std::nullopt;
    out.number(static_cast<uint64_t>(at - known.begin()));
    // A place in a text would be that of this process.
    for (const ir::Format& format : kernel.formats) {
      for (const std::string& piece : format.pieces) {
        if (piece.find(function.file) != std::string::npos) return std::nullopt;
      }
    }
  }
  out.number(warnings.size());
  for (const std::string& text : warnings) {
    const std::optional<Warning> warning = placeless(text, kernel);
    if (!warning) return std::nullopt;
    out.number(warning->function);
    out.number(static_cast<uint64_t>(warning->line));
    out.text(warning->text);
  }
  out.text(ir::pack(kernel));
  return out.bytes();
}

/// A form whose answers are those of this process. Nothing when they are not, or when the form is none.
std::optional<ir::Kernel> kernel_of(std::string_view form, const frontend::FunctionSource& source, frontend::Environment& environment,
                                    std::vector<std::string>& warnings, CacheObservations& observed) {
  BytesIn in(form);
  std::vector<TraceStep> steps;
  for (uint64_t i = in.number(); i > 0 && in.good(); --i) {
    TraceStep step;
    step.kind = static_cast<TraceStep::Kind>(in.number());
    step.environment = static_cast<uint32_t>(in.number());
    step.object = static_cast<uint32_t>(in.number());
    step.name = in.text();
    step.answer = in.text();
    steps.push_back(std::move(step));
  }
  if (!in.good()) return std::nullopt;
  const std::optional<TraceNumbers> numbers = ask_again(steps, source, environment);
  if (!numbers) return std::nullopt;
  observed.validated = true;
  std::vector<TraceNumbers::Function> functions;
  for (uint64_t i = in.number(); i > 0 && in.good(); --i) {
    const uint64_t number = in.number();
    if (number >= numbers->functions().size()) return std::nullopt;
    functions.push_back(numbers->functions()[number]);
  }
  std::vector<std::string> kept_warnings;
  for (uint64_t i = in.number(); i > 0 && in.good(); --i) {
    const uint64_t function = in.number();
    const auto line = static_cast<int32_t>(in.number());
    if (function >= functions.size()) return std::nullopt;
    kept_warnings.push_back(fmt::format("{}:{}{}", functions[function].file, functions[function].first_line + line, in.text()));
  }
  std::optional<ir::Kernel> kernel = ir::unpack(in.text());
  if (!in.good() || !kernel || kernel->functions.size() != functions.size() || !ir::verify(*kernel).empty()) return std::nullopt;
  move_to(*kernel, functions);
  warnings.insert(warnings.end(), kept_warnings.begin(), kept_warnings.end());
  observed.loaded = true;
  return kernel;
}

}  // namespace

ir::Kernel lower_or_find(EntryFiles& files, const frontend::FunctionSource& source, frontend::Environment& environment, std::span<const frontend::Argument> arguments,
                         const frontend::Options& options, std::vector<std::string>& warnings, frontend::TemplateReads& reads, CacheObservations& observed) {
  const std::optional<EntryFiles::Key> key = key_of(source, environment, arguments, options);
  if (!key) return frontend::lower(source, environment, arguments, options, &warnings, &reads);
  observed.key_generated = true;
  const std::string kept = files.find(*key, EntryFiles::Kind::Kernel).value_or("");
  std::vector<std::string_view> forms;
  for (BytesIn in(kept); in.good() && !in.at_end() && forms.size() < kMostForms;) forms.push_back(in.text());
  for (std::string_view form : forms) {
    if (auto kernel = kernel_of(form, source, environment, warnings, observed)) return *std::move(kernel);
  }
  TraceRecorder recorder(source, environment);
  ir::Kernel kernel = frontend::lower(source, recorder.environment(), arguments, options, &warnings, &reads);
  if (const std::optional<std::string> form = form_of(recorder, kernel, warnings); form && reads.empty()) {
    BytesOut out;
    out.text(*form);
    for (size_t i = 0; i < forms.size() && i + 1 < kMostForms; ++i) out.text(forms[i]);
    files.put(*key, EntryFiles::Kind::Kernel, out.bytes());
    observed.stored = true;
  }
  return kernel;
}

}  // namespace qd
