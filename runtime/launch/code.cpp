// Compiles the front end's kernel and loads the code.
#include "runtime/launch/code.h"

#include <fmt/format.h>

#include <atomic>

#include "runtime/codegen/compile_guard.h"
#include "runtime/launch/code_cache.h"
#include "runtime/launch/kernel_copies.h"
#include "runtime/launch/program.h"
#include "runtime/passes/pipeline.h"

namespace qd {
namespace {

std::atomic<uint64_t> next_id = 1;

codegen::Options codegen_options(const Config& config) {
  codegen::Options options;
#define QD_CODE_OPTION(type, name, ...) options.name = config.name;
#include "runtime/options/options.def"
  return options;
}

void print_pass(std::string_view pass, const ir::Kernel& kernel) {
  fmt::print(stderr, "# {}\n{}\n", pass, ir::print(kernel));
}

/// Prints the kernel after each pass, in its form without coverage.
void print_passes_without_probes(ir::Kernel kernel, const passes::Plan& plan, int subgroup_size) {
  kernel = without_probes(std::move(kernel));
  passes::PassOptions options;
  options.plan = plan;
  options.subgroup_size = subgroup_size;
  options.after_pass = print_pass;
  passes::run(kernel, options);
}

}  // namespace

KernelCode::KernelCode(ir::Kernel kernel, const Config& config, device::Device& device, const LowerProbes& lower_probes,
                       const std::shared_ptr<CodeCache>& cache)
    : id_(next_id++), device_(device), kernel_(std::move(kernel)) {
  passes::PassOptions options;
  options.plan = device.target().plan();
  options.subgroup_size = config.cpu_subgroup_size;
  options.lower_probes = lower_probes;
  const bool print = config.print_ir && kernel_.body != ir::BlockId::None;
  if (print && lower_probes) {
    print_passes_without_probes(kernel_, options.plan, options.subgroup_size);
  } else if (print) {
    options.after_pass = print_pass;
  }
  passes::run(kernel_, options);
  const codegen::Target& target = device.target();
  ir::Kernel bare = target.wants_lines() ? kernel_ : bare_kernel(kernel_);
  const codegen::CompileGuard not_over;
  const codegen::Options code_options = codegen_options(config);
  const codegen::Binary binary =
      cache ? cache->compile(target, bare, code_options, &found_) : target.compile(bare, code_options);
  executable_ = device.load(binary, kernel_);
  if (!binary.unsure.empty())
    other_forms_ = std::make_shared<OtherLoopForms>(std::move(bare), code_options, target, executable_, cache);
  if (config.print_kernel_asm) fmt::print(stderr, "# assembly of {}\n{}\n", kernel_.name, assembly(config));
}

std::string KernelCode::assembly(const Config& config) const {
  codegen::Options options = codegen_options(config);
  options.assembly = true;
  return device_.target().compile(kernel_, options).assembly;
}

}  // namespace qd
