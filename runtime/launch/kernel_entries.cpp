// The variants of a kernel: found by arguments, compiled when they are new, released when they are outlived.
#include "runtime/launch/kernel_entries.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "runtime/autodiff/autodiff.h"
#include "runtime/launch/derivative_lines.h"
#include "runtime/launch/gradient_stacks.h"
#include "runtime/launch/kernel_cache.h"
#include "runtime/launch/tape_reads.h"
#include "runtime/passes/pipeline.h"

namespace qd {
namespace {

/// The first error, in one line. It has only the name of the file, so that it reads the same wherever the project lies.
std::string first_message(const frontend::KernelCompilationError& error, const std::string& kernel) {
  if (error.diagnostics.empty()) return error.what();
  const frontend::Diagnostic& first = error.diagnostics.front();
  std::string message = first.message.substr(0, first.message.find('\n'));
  if (!first.function.empty() && first.function != kernel) message += fmt::format(" (in {})", first.function);
  return fmt::format("{}:{}: {}", std::filesystem::path(first.file).filename().string(), first.line, message);
}

/// Throws KernelCompilationError for an instruction of a kernel; without one, for the kernel.
[[noreturn]] void refuse(const ir::Kernel& kernel, ir::InstId inst, std::string message) {
  frontend::Diagnostic diagnostic;
  const ir::Location* location = inst == ir::InstId::None ? nullptr : &kernel.locations[kernel[inst].location];
  const ir::Function& function = kernel.functions[location ? location->function : 0];
  diagnostic.message = std::move(message);
  diagnostic.file = function.file;
  diagnostic.function = function.name;
  diagnostic.line = location ? location->line : function.first_line;
  diagnostic.col = location ? location->col : 0;
  diagnostic.end_col = diagnostic.col + 1;
  throw frontend::KernelCompilationError({diagnostic});
}

/// Throws KernelCompilationError for a kernel that the device cannot run.
void refuse_missing(const ir::Kernel& kernel, const device::Capabilities& device) {
  if (const std::optional<ir::Missing> missing = ir::missing_feature(kernel, device.features))
    refuse(kernel, missing->inst, fmt::format("arch={} has no {}", device.arch, ir::name(missing->feature)));
  if (const std::optional<ir::Excess> excess = ir::beyond(kernel, device.blocks))
    refuse(kernel, excess->inst, fmt::format("arch={} {}", device.arch, excess->message));
}

/// Changes the kernel of the front end into that of a mode. Throws KernelCompilationError for an operation without a
/// derivative. Returns the record that the mode writes or reads.
std::vector<autodiff::ElementRecord> differentiate(ir::Kernel& kernel, ir::AutodiffMode mode,
                                                   autodiff::Options options) {
  if (mode == ir::AutodiffMode::Primal) return {};
  passes::simplify_variables(kernel);
  std::vector<autodiff::ElementRecord> records;
  try {
    records = autodiff::differentiate(kernel, mode, options);
  } catch (const autodiff::NoDerivative& error) {
    refuse(kernel, error.inst, fmt::format("{} {}", autodiff::description(kernel, error.inst), error.reason));
  }
  ir::require_valid(kernel, "differentiate");
  return records;
}

/// Calls `compile` and returns its result. Tells the observer of a failure.
template <class Compile>
auto observed(const Program::State& program, LaunchObserver* observer, const ir::Function& kernel, Compile compile) {
  try {
    return compile();
  } catch (const frontend::KernelCompilationError& error) {
    if (observer) observer->compile_failed(kernel, first_message(error, kernel.name), program.config.arch);
    throw;
  }
}

/// Whether launches in a mode tell the observer of lines. A gradient's have run in the primal.
bool counts_lines(ir::AutodiffMode mode) { return ir::is_as_written(mode) || mode == ir::AutodiffMode::Forward; }

bool same_key(const VariantKey& a, const VariantKey& b) {
  if (a.mode != b.mode) return false;
  for (size_t i = 0; i < a.arguments.size(); ++i) {
    if (const auto* array = std::get_if<frontend::ArrayType>(&a.arguments[i])) {
      if (*array != std::get<frontend::ArrayType>(b.arguments[i])) return false;
    }
    if (const auto* value = std::get_if<frontend::Value>(&a.arguments[i])) {
      if (!frontend::same_value(*value, std::get<frontend::Value>(b.arguments[i]))) return false;
    }
  }
  return true;
}

frontend::Options options_of(Program& program, const LaunchObserver* observer, const KernelOptions& kernel) {
  frontend::Options options;
#define QD_FRONT_END_OPTION(type, name, ...) options.name = program.config().name;
#include "runtime/options/options.def"
  options.check_out_of_bound |= options.debug;
  options.instruments = observer ? observer->instruments() : 0;
  options.pure = kernel.fastcache;
  options.graph = kernel.graph;
  options.checkpoints = kernel.checkpoints;
  options.subgroup_size = program.subgroup_size();
  return options;
}

}  // namespace

uint64_t KernelEntry::next_number() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

bool KernelEntry::outlived() const {
  return !variant->fields_are_there() || std::ranges::any_of(reads, [](const frontend::TemplateRead& read) {
    return read.witness && read.witness->gone();
  });
}

bool KernelEntry::reads_hold(std::span<const Argument> arguments, frontend::TemplateLeaves& leaves,
                             BoundArguments* bound) const {
  if (!reader) return true;
  if (bound && bound->templates) {
    leaves.launch = bound->templates;
    if (const std::optional<bool> answer = reader->hold_again(leaves)) return *answer;
    leaves.launch = nullptr;
  }
  std::vector<const frontend::Value*> roots;
  roots.reserve(arguments.size());
  for (const Argument& argument : arguments) roots.push_back(std::get_if<frontend::Value>(&argument));
  const bool hold = reader->hold(roots, leaves);
  if (hold && bound) bound->templates = leaves.launch;
  return hold;
}

KernelEntries::KernelEntries(Program& program, frontend::FunctionSource source,
                             std::shared_ptr<frontend::Environment> environment, const KernelOptions& kernel_options)
    : program_(program.state()),
      source_(std::move(source)),
      environment_(std::move(environment)),
      observer_(source_.library ? nullptr : program_.observer),
      options_(options_of(program, observer_, kernel_options)),
      name_(source_.function().name),
      signature_(observed(program_, observer_, function(),
                          [&] { return frontend::signature(source_, *environment_, options_); })) {}

std::vector<frontend::ArgumentType> KernelEntries::lowered_arguments(const VariantKey& key) const {
  std::vector<frontend::ArgumentType> types = key.arguments;
  for (size_t i = 0; i < types.size() && !has_gradients(key.mode); ++i) {
    auto* array = std::get_if<frontend::ArrayType>(&types[i]);
    if (array && !signature_.parameters[i].needs_grad.value_or(false)) array->gradient.reset();
  }
  return types;
}

KernelEntry* KernelEntries::find(const VariantKey& key, std::span<const Argument> arguments) {
  std::vector<KernelEntry*> candidates;
  {
    std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) {
      if (same_key(entry->key, key) && entry->variant->fields_are_there()) candidates.push_back(entry.get());
    }
  }
  // The latest variant is tried first. The lock is not held, because the host may want one of its own.
  for (size_t i = candidates.size(); i-- > 0;) {
    frontend::TemplateLeaves leaves;
    if (candidates[i]->reads_hold(arguments, leaves)) return candidates[i];
  }
  return nullptr;
}

void KernelEntries::drop_outlived() {
  std::vector<std::unique_ptr<KernelEntry>> dropped;  // ends behind the lock: the host may be called
  std::vector<KernelEntry*> all;
  {
    std::lock_guard lock(mutex_);
    for (const auto& entry : entries_) all.push_back(entry.get());
  }
  std::erase_if(all, [](const KernelEntry* entry) { return !entry->outlived(); });
  std::lock_guard lock(mutex_);
  for (auto& entry : entries_) {
    if (std::ranges::find(all, entry.get()) == all.end()) continue;
    outlived_.push_back(std::move(entry));
  }
  std::erase(entries_, nullptr);
  for (const auto& entry : outlived_) {
    std::atomic<KernelEntry*>& last = latest_in(entry->key.mode);
    if (last == entry.get()) last = nullptr;
  }
  // Users of entries that begin from now on find none of these.
  if (users_ == 1) dropped.swap(outlived_);
}

ir::Kernel KernelEntries::lower(const VariantKey& key, frontend::TemplateReads& reads,
                                std::vector<autodiff::ElementRecord>& records, CacheObservations& seen) {
  frontend::Options wanted = options_;
  wanted.mode = key.mode;
  if (!counts_lines(key.mode)) wanted.instruments = 0;
  const std::vector<frontend::ArgumentType> types = lowered_arguments(key);
  std::vector<frontend::Warning> warnings;
  ir::Kernel kernel =
      program_.cache && program_.config.src_ll_cache
          ? lower_or_find(program_.cache->files(), source_, *environment_, types, wanted, warnings, reads, seen)
          : frontend::lower(source_, *environment_, types, wanted, &warnings, &reads);
  program_.show_warnings(warnings);
  const passes::Plan& plan = program_.launcher.device()->target().plan();
  records = differentiate(kernel, key.mode, {.probes = derivatives(), .tiles = plan.chunks && !plan.blocks});
  if (derivatives() && ir::is_as_written(key.mode)) add_derivative_lines(kernel, key, reads, program_);
  return kernel;
}

std::unique_ptr<KernelEntry> KernelEntries::compile(const VariantKey& key) {
  const std::shared_ptr<const void> host_objects = environment_->compiling();
  frontend::TemplateReads reads;
  CacheObservations now;
  std::vector<autodiff::ElementRecord> records;
  ir::Kernel kernel = lower(key, reads, records, now);
  if (key.mode == ir::AutodiffMode::Recorded && records.empty()) return nullptr;
  LaunchObserver* const told = counts_lines(key.mode) || !kernel.probes.empty() ? observer_ : nullptr;
  autodiff::OverwriteChecks checks;
  if (key.mode == ir::AutodiffMode::Validation && options_.debug) checks = autodiff::check_overwrites(kernel);
  refuse_missing(kernel, program_.launcher.device()->capabilities());
  std::vector<uint64_t> passed;  // the fields in the arguments of this variant's launches
  for (const auto& argument : key.arguments) {
    if (const auto* value = std::get_if<frontend::Value>(&argument)) frontend::add_fields(*value, passed);
  }
  for (const frontend::TemplateRead& read : reads) frontend::add_fields(read.value, passed);
  auto field_of = [&](uint64_t id) -> FieldUse {
    std::lock_guard lock(program_.mutex);
    auto field = program_.fields.find(id);
    if (field == program_.fields.end() || field->second->place()->gone())
      throw KernelRuntimeError("kernel " + name_ +
                               " uses a field that is gone: tree.destroy() or the end of its program has ended it");
    return {field->second->place(), std::ranges::find(passed, id) == passed.end()};
  };
  const std::string text = told && counts_lines(key.mode) ? variant_text(signature_, key, reads) : "";
  std::unique_ptr<KernelEntry> entry(
      new KernelEntry{key, std::move(reads), written_arrays(kernel, signature_), gradient_rows(kernel, signature_),
                      std::move(checks), std::move(records),
                      std::make_shared<Variant>(std::move(kernel), text, program_.config, program_.launcher.device(),
                                                told, field_of, program_.cache)});
  entry->stacks = has_stacks(entry->variant->kernel());
  if (!entry->checks.marks.empty()) entry->first_read = number_reads({entry->variant, &entry->variant->kernel()});
  entry->leaves = leaf_rows(entry->reads);
  if (!entry->reads.empty()) entry->reader = environment_->reader(entry->reads);
  program_.show_warnings({});
  now.code_found = entry->variant->code_found();
  std::lock_guard lock(mutex_);
  cache_seen_ = now;
  return entry;
}

std::unique_ptr<KernelEntry> KernelEntries::like_primal(const VariantKey& key, const KernelEntry& primal) const {
  std::unique_ptr<KernelEntry> made(
      new KernelEntry{key, primal.reads, primal.written, primal.gradients, {}, {}, primal.variant});
  made->leaves = primal.leaves;
  if (!made->reads.empty()) made->reader = environment_->reader(made->reads);
  return made;
}

KernelEntry& KernelEntries::entry(std::span<const Argument> arguments, ir::AutodiffMode mode, bool* was_there) {
  const bool gradients = has_gradients(mode) || (derivatives() && ir::is_as_written(mode));
  const VariantKey key = variant_key(name_, signature_, arguments, program_, mode, gradients);
  KernelEntry* found = find(key, arguments);
  if (was_there) *was_there = found;
  if (!found) {
    drop_outlived();
    LaunchObserver* const told = counts_lines(mode) ? observer_ : nullptr;
    std::unique_ptr<KernelEntry> compiled = observed(program_, told, function(), [&] { return compile(key); });
    if (!compiled) compiled = like_primal(key, entry(arguments));
    found = find(key, arguments);  // another thread may have been faster
    if (!found) {
      std::lock_guard lock(mutex_);
      found = entries_.emplace_back(std::move(compiled)).get();
    }
  }
  latest_in(mode).store(found);
  return *found;
}

KernelEntry* KernelEntries::first_tried(const BoundArguments* bound, ir::AutodiffMode mode) {
  if (!bound || bound->variant == 0) return latest_in(mode).load();
  std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, bound->variant, [](const auto& entry) { return entry->number; });
  return found == entries_.end() ? latest_in(mode).load() : found->get();
}

CacheObservations KernelEntries::cache_observations() {
  std::lock_guard lock(mutex_);
  return cache_seen_;
}

}  // namespace qd
