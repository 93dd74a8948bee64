// From the front end's kernel to loaded code.
#include "runtime/launch/code.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/calls.h"
#include "runtime/launch/bare_kernel.h"
#include "runtime/launch/code_cache.h"
#include "runtime/launch/program.h"
#include "runtime/launch/without_probes.h"
#include "runtime/passes/pipeline.h"

namespace qd {
namespace {

codegen::CodegenOptions codegen_options(const Config& config) {
  codegen::CodegenOptions options;
  options.fast_math = config.fast_math;
  return options;
}

/// The kernel after each pass, as a program without coverage prints it.
void print_passes(ir::Kernel kernel) {
  kernel = without_probes(std::move(kernel));
  passes::PassOptions options;
  options.after_pass = [](std::string_view pass, const ir::Kernel& now) { fmt::print(stderr, "# {}\n{}\n", pass, ir::print(now)); };
  passes::run(kernel, options);
}

}  // namespace

Code::Code(ir::Kernel kernel, const Config& config, std::vector<ArraySlot> fields, const LowerProbes& lower_probes, CodeCache* cache)
    : kernel_(std::move(kernel)), fields_(std::move(fields)) {
  if (config.print_ir) print_passes(kernel_);
  passes::PassOptions options;
  options.lower_probes = lower_probes;
  passes::run(kernel_, options);
  load(config, cache);
}

Code::Code(ir::Kernel lowered, const Config& config, const Code& like, CodeCache* cache) : kernel_(std::move(lowered)), fields_(like.fields_) {
  passes::run(kernel_);
  load(config, cache);
}

void Code::load(const Config& config, CodeCache* cache) {
  for (size_t i = 0; i < kernel_.arrays.size(); ++i) {
    if (kernel_.arrays[i].kind == ir::Array::Kind::Field) field_rows_.push_back(i);
  }
  warned_ = std::make_unique<std::atomic<bool>[]>(kernel_.formats.size());
  const ir::Kernel bare = bare_kernel(kernel_);
  codegen::CompiledObject object = cache ? cache->compile(bare, codegen_options(config), &found_) : codegen::compile(bare, codegen_options(config));
  code_ = device::load(object.object, object.symbols);
  routine_counters_ = ir::routine_counters(kernel_, ir::Op::Count);
  routine_records_ = ir::routine_counters(kernel_, ir::Op::Record);
  for (size_t i = 0; i < kernel_.tasks.size(); ++i) {
    const ir::Task& task = kernel_.tasks[i];
    Task compiled;
    compiled.function = code_->functions()[i];
    compiled.cost = std::max<int64_t>(1, task.cost);
    compiled.counters = ir::counters_of(kernel_, task, ir::Op::Count);
    compiled.records = ir::counters_of(kernel_, task, ir::Op::Record);
    auto look = [&](ir::InstId id) {
      const ir::Op op = kernel_[id].op;
      compiled.random |= op == ir::Op::Random;
      compiled.uniform &= op != ir::Op::For && op != ir::Op::Loop;
      compiled.loops |= op == ir::Op::For || op == ir::Op::Loop || op == ir::Op::Call;
    };
    ir::walk(kernel_, task.prologue, look);
    ir::walk(kernel_, task.body, look);
    ir::walk_reached(kernel_, task, [&](ir::InstId id) {
      look(id);
      const ir::Op op = kernel_[id].op;
      compiled.uniform &= op != ir::Op::Call;
      compiled.calls |= ir::has_effect(op, ir::kCounts);
      compiled.recursive |= op == ir::Op::StackLeft;
    });
    tasks_.push_back(compiled);
  }
}

std::string Code::assembly(const Config& config) const {
  codegen::CodegenOptions options = codegen_options(config);
  options.assembly = true;
  return codegen::compile(kernel_, options).assembly;
}

}  // namespace qd
