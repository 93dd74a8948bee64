// From the front end's kernel to loaded code.
#include "runtime/launch/code.h"

#include <fmt/format.h>

#include "runtime/ir/walk.h"
#include "runtime/launch/bare_kernel.h"
#include "runtime/launch/code_cache.h"
#include "runtime/launch/program.h"
#include "runtime/launch/without_probes.h"
#include "runtime/passes/pipeline.h"

namespace qd {
namespace {

/// How often a loop inside an iteration is thought to run, and what an instruction costs, in tenths of nanoseconds.
constexpr int64_t kAssumedTrips = 16;
constexpr int64_t kInstCost = 3;
constexpr int64_t kLibraryCallCost = 30;
constexpr int64_t kMaxCost = 1'000'000'000;

int64_t cost(const ir::Kernel& kernel, ir::BlockId block) {
  if (block == ir::BlockId::None) return 0;
  int64_t sum = 0;
  for (ir::InstId id : kernel[block]) {
    const ir::Inst& inst = kernel[id];
    if (ir::only_observes(inst.op)) continue;
    int64_t nested = cost(kernel, inst.blocks[0]) + cost(kernel, inst.blocks[1]);
    const bool loop = inst.op == ir::Op::For || inst.op == ir::Op::Loop;
    sum += kInstCost + (loop ? kAssumedTrips * nested : nested);
    if (inst.op == ir::Op::Unary && inst.aux >= static_cast<uint32_t>(ir::UnaryOp::Sin) && inst.aux <= static_cast<uint32_t>(ir::UnaryOp::Log)) {
      sum += kLibraryCallCost;
    }
  }
  return std::min(sum, kMaxCost);
}

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
  for (size_t i = 0; i < kernel_.arrays.size(); ++i) {
    if (kernel_.arrays[i].kind == ir::Array::Kind::Field) field_rows_.push_back(i);
  }
  warned_ = std::make_unique<std::atomic<bool>[]>(kernel_.formats.size());
  std::vector<int64_t> costs;
  passes::PassOptions options;
  options.lower_probes = lower_probes;
  options.after_pass = [&](std::string_view pass, const ir::Kernel& now) {
    // Before there are counters: coverage changes no chunk of a range, and so no random number.
    if (pass == "split_tasks") {
      for (const ir::Task& task : now.tasks) costs.push_back(std::max<int64_t>(1, cost(now, task.body)));
    }
  };
  passes::run(kernel_, options);
  const ir::Kernel bare = bare_kernel(kernel_);
  codegen::CompiledObject object = cache ? cache->compile(bare, codegen_options(config), &found_) : codegen::compile(bare, codegen_options(config));
  code_ = device::load(object.object, object.symbols);
  for (size_t i = 0; i < kernel_.tasks.size(); ++i) {
    const ir::Task& task = kernel_.tasks[i];
    Task compiled;
    compiled.function = code_->functions()[i];
    compiled.cost = costs[i];
    compiled.counters = ir::counters_of(kernel_, task, ir::Op::Count);
    compiled.records = ir::counters_of(kernel_, task, ir::Op::Record);
    auto look = [&](ir::InstId id) {
      const ir::Op op = kernel_[id].op;
      compiled.random |= op == ir::Op::Random;
      compiled.uniform &= op != ir::Op::For && op != ir::Op::Loop;
    };
    ir::walk(kernel_, task.prologue, look);
    ir::walk(kernel_, task.body, look);
    tasks_.push_back(compiled);
  }
}

std::string Code::assembly(const Config& config) const {
  codegen::CodegenOptions options = codegen_options(config);
  options.assembly = true;
  return codegen::compile(kernel_, options).assembly;
}

}  // namespace qd
