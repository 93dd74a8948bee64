// Lookup in two steps. The first key has all that is known before the front end runs. Under it are the questions that
// the front end then asked the environment. Under the first key and their answers is the kernel.
#include "runtime/launch/kernel_cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/pack.h"
#include "runtime/launch/bytes.h"
#include "runtime/launch/code_cache.h"
#include "runtime/launch/environment_trace.h"

namespace qd {
namespace {

using frontend::Value;

/// Largest number of sets of questions that are kept for one key. Different sets occur only if an answer decides what
/// else is compiled.
constexpr size_t kMostQuestions = 8;

/// Whether every process can tell the value of a template. Objects cannot be told: each launch compares them and
/// their contents.
bool is_plain(const Value& value) {
  if (auto* tuple = std::get_if<frontend::Tuple>(&value)) return std::ranges::all_of(tuple->items, is_plain);
  return std::holds_alternative<frontend::None>(value) || std::holds_alternative<bool>(value) ||
         std::holds_alternative<int64_t>(value) || std::holds_alternative<double>(value) ||
         std::holds_alternative<std::string>(value) || std::holds_alternative<ir::Type>(value) ||
         std::holds_alternative<frontend::Builtin>(value) || std::holds_alternative<frontend::BigInteger>(value) ||
         std::holds_alternative<frontend::HostField>(value);
}

std::string_view as_text(ir::Type type) { return ir::name(type); }
int as_text(ir::AutodiffMode mode) { return static_cast<int>(mode); }
template <class T>
const T& as_text(const T& value) {
  return value;
}

/// Writes all options: one that is missing here does not compile.
void put_options(BytesOut& out, const frontend::Options& options) {
  const auto& [
#define QD_FRONT_END_OPTION(type, name, ...) name,
#include "runtime/options/options.def"
      instruments, pure, graph, checkpoints, subgroup_size, mode] = options;
  auto put_all = [&](const auto&... values) { (out.text(fmt::format("{}", as_text(values))), ...); };
  put_all(
#define QD_FRONT_END_OPTION(type, name, ...) name,
#include "runtime/options/options.def"
      instruments, pure, graph, checkpoints, subgroup_size, mode);
}

void put(BytesOut& out, const std::vector<int32_t>& numbers) {
  out.number(numbers.size());
  for (int32_t number : numbers) out.number(static_cast<uint64_t>(number));
}

void put(BytesOut& out, const ir::Layout& layout) {
  const auto& [components, stride, component_stride, order] = layout;
  out.text(fmt::format("{} {} {}", components, stride, component_stride));
  put(out, order);
}

bool put(BytesOut& out, const frontend::ArgumentType& argument, ValueSerializer& numbers) {
  out.number(argument.index());
  if (auto* type = std::get_if<ir::Type>(&argument)) {
    out.number(static_cast<uint64_t>(*type));
  } else if (auto* array = std::get_if<frontend::ArrayType>(&argument)) {
    const auto& [type_of_elements, rank, element_shape, layout, gradient] = *array;
    out.number(static_cast<uint64_t>(type_of_elements));
    out.number(static_cast<uint64_t>(rank));
    put(out, element_shape);
    put(out, layout);
    out.number(gradient.has_value());
    if (gradient) put(out, *gradient);
  } else {
    const Value& value = std::get<Value>(argument);
    const auto bytes = is_plain(value) ? numbers.bytes_of(value) : std::nullopt;
    if (!bytes) return false;
    out.text(*bytes);
  }
  return true;
}

/// The first key: a hash of all that is known before the front end runs. `numbers` gets the values in the arguments.
std::optional<EntryFiles::Key> key_of(const frontend::FunctionSource& source,
                                      std::span<const frontend::ArgumentType> arguments,
                                      const frontend::Options& options, ValueSerializer& numbers) {
  BytesOut out;
  for (uint64_t word : source_hash(source)) out.number(word);
  put_options(out, options);
  for (const frontend::ArgumentType& argument : arguments) {
    if (!put(out, argument, numbers)) return std::nullopt;
  }
  return EntryFiles::key_of(out.bytes());
}

EntryFiles::Key key_of_answers(const EntryFiles::Key& key, std::string_view questions, std::string_view answers) {
  BytesOut out;
  for (uint64_t word : key) out.number(word);
  out.text(questions);
  out.text(answers);
  return EntryFiles::key_of(out.bytes());
}

/// Moves the lines of a kernel. They are those that its functions had when it was kept; in this process the functions
/// may begin at other lines.
void move_to(ir::Kernel& kernel, const std::vector<ValueSerializer::Function>& now) {
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
  auto move = [](SourceRange& range, int32_t lines) {
    range.line += lines;
    range.end_line += lines;
  };
  for (ir::Decision& decision : kernel.decisions) {
    move(decision.range, shift[decision.function]);
    for (ir::Decision::Condition& condition : decision.conditions) move(condition.range, shift[decision.function]);
  }
}

/// The function of a warning: the last of the kernel's functions in the warning's file that begins before the warning's
/// line. Nothing when there is none.
std::optional<size_t> function_of(const frontend::Warning& warning, const ir::Kernel& kernel) {
  std::optional<size_t> found;
  for (size_t i = 0; i < kernel.functions.size(); ++i) {
    const ir::Function& function = kernel.functions[i];
    if (function.file != warning.file || function.first_line > warning.line) continue;
    if (!found || function.first_line >= kernel.functions[*found].first_line) found = i;
  }
  return found;
}

/// The front end's result as bytes. Nothing when it has a meaning in this process only.
std::optional<std::string> form_of(const ValueSerializer& numbers, const ir::Kernel& kernel,
                                   const std::vector<frontend::Warning>& warnings) {
  BytesOut out;
  out.text(ir::pack(kernel));
  for (const ir::Function& function : kernel.functions) {
    const auto& known = numbers.functions();
    const auto at = std::ranges::find_if(known, [&](const auto& k) {
      return k.file == function.file && k.first_line == function.first_line && k.name == function.name;
    });
    if (at == known.end()) return std::nullopt;
    out.number(static_cast<uint64_t>(at - known.begin()));
  }
  for (const ir::Array& array : kernel.arrays) {
    if (array.kind != ir::Array::Kind::Field) continue;
    const auto at = std::ranges::find(numbers.fields(), array.field);
    if (at == numbers.fields().end()) return std::nullopt;
    out.number(static_cast<uint64_t>(at - numbers.fields().begin()));
  }
  out.number(warnings.size());
  for (const frontend::Warning& warning : warnings) {
    const std::optional<size_t> function = function_of(warning, kernel);
    if (!function || warning.kind == frontend::Warning::Kind::OfThisProcess) return std::nullopt;
    out.number(*function);
    out.number(static_cast<uint64_t>(warning.line - kernel.functions[*function].first_line));
    out.number(static_cast<uint64_t>(warning.kind));
    out.text(warning.text);
  }
  return out.bytes();
}

/// The kernel of these bytes, in this process. Nothing when the bytes are not of form_of().
std::optional<ir::Kernel> kernel_of(std::string_view form, const ValueSerializer& numbers,
                                    std::vector<frontend::Warning>& warnings) {
  BytesIn in(form);
  std::optional<ir::Kernel> kernel = ir::unpack(in.text());
  if (!kernel || !ir::verify(*kernel).empty()) return std::nullopt;
  std::vector<ValueSerializer::Function> functions;
  for (size_t i = 0; i < kernel->functions.size(); ++i) {
    const uint64_t number = in.number();
    if (!in.good() || number >= numbers.functions().size()) return std::nullopt;
    functions.push_back(numbers.functions()[number]);
  }
  for (ir::Array& array : kernel->arrays) {
    if (array.kind != ir::Array::Kind::Field) continue;
    const uint64_t number = in.number();
    if (!in.good() || number >= numbers.fields().size()) return std::nullopt;
    array.field = numbers.fields()[number];
  }
  std::vector<frontend::Warning> kept_warnings;
  for (uint64_t i = in.number(); i > 0 && in.good(); --i) {
    const uint64_t function = in.number();
    const auto line = static_cast<int32_t>(in.number());
    const uint64_t kind = in.number();
    if (function >= functions.size() || kind > static_cast<uint64_t>(frontend::Warning::Kind::Deprecated))
      return std::nullopt;
    kept_warnings.push_back({functions[function].file, functions[function].first_line + line, std::string(in.text()),
                             static_cast<frontend::Warning::Kind>(kind)});
  }
  if (!in.good()) return std::nullopt;
  move_to(*kernel, functions);
  warnings.insert(warnings.end(), kept_warnings.begin(), kept_warnings.end());
  return kernel;
}

}  // namespace

ir::Kernel lower_or_find(EntryFiles& files, const frontend::FunctionSource& source, frontend::Environment& environment,
                         std::span<const frontend::ArgumentType> arguments, const frontend::Options& options,
                         std::vector<frontend::Warning>& warnings, frontend::TemplateReads& reads,
                         CacheObservations& observed) {
  ValueSerializer numbers(source, environment);
  const std::optional<EntryFiles::Key> key = key_of(source, arguments, options, numbers);
  if (!key) return frontend::lower(source, environment, arguments, options, &warnings, &reads);
  observed.key_generated = true;
  const std::string kept = files.find(*key, EntryFiles::Kind::Questions).value_or("");
  std::vector<std::string_view> lists;
  for (BytesIn in(kept); in.good() && !in.at_end() && lists.size() < kMostQuestions;) lists.push_back(in.text());
  for (std::string_view questions : lists) {
    ValueSerializer now = numbers;
    const std::optional<std::string> answers = ask_again(questions, now);
    if (!answers) continue;
    const std::optional<std::string> form =
        files.find(key_of_answers(*key, questions, *answers), EntryFiles::Kind::Kernel);
    if (!form) continue;
    observed.validated = true;
    auto kernel = kernel_of(*form, now, warnings);
    if (!kernel) continue;
    observed.loaded = true;
    return *std::move(kernel);
  }
  TraceRecorder recorder(std::move(numbers));
  ir::Kernel kernel = frontend::lower(source, recorder.environment(), arguments, options, &warnings, &reads);
  const std::optional<std::string> form =
      recorder.usable() && reads.empty() ? form_of(recorder.numbers(), kernel, warnings) : std::nullopt;
  if (!form) return kernel;
  const std::string questions = recorder.questions();
  files.put(key_of_answers(*key, questions, recorder.answers()), EntryFiles::Kind::Kernel, *form);
  if (std::ranges::find(lists, questions) == lists.end()) {
    BytesOut out;
    out.text(questions);
    for (size_t i = 0; i < lists.size() && i + 1 < kMostQuestions; ++i) out.text(lists[i]);
    files.put(*key, EntryFiles::Kind::Questions, out.bytes());
  }
  observed.stored = true;
  return kernel;
}

}  // namespace qd
