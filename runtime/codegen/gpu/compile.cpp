#include "runtime/codegen/gpu/compile.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include <fmt/format.h>
#include <llvm/IR/Verifier.h>

#include "runtime/build/build_id.h"
#include "runtime/codegen/compile_guard.h"
#include "runtime/codegen/gpu/emitter.h"
#include "runtime/codegen/gpu/gpu_module.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/ir/calls.h"
#include "runtime/passes/messages.h"

namespace qd::codegen::gpu {
namespace {

/// Name of a kernel: ASCII without dots, because PTX has no others.
std::string symbol(const ir::Kernel& kernel, size_t task) {
  std::string name;
  for (char c : kernel.name) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name + "_" + std::to_string(task);
}

void emit(ir::Kernel kernel, const Options& options, const Hardware& hardware, GpuModule& module) {
  const std::optional<uint32_t> handing = task_that_hands_over(kernel);
  const uint32_t own_routines = passes::messages(kernel);
  const std::vector<passes::ThreadCode> code = passes::thread_rounds(kernel);
  Shared shared(kernel, options, hardware, module.get());
  for (uint32_t i = own_routines; i < kernel.routines.size(); ++i)
    shared.routines.functions[i]->addFnAttr(llvm::Attribute::NoInline);
  for (size_t i = 0; i < kernel.tasks.size(); ++i) {
    llvm::Function* function = module.declare_kernel(symbol(kernel, i), shape_of(kernel, kernel.tasks[i]).group_size);
    Emitter(shared, function).emit_task(kernel.tasks[i], code[i], i == handing);
  }
  for (uint32_t i = 0; i < kernel.routines.size(); ++i) Emitter(shared, shared.routines.functions[i]).emit_routine(i);
}

}  // namespace

Binary compile(const ir::Kernel& kernel, const Options& options, const Hardware& hardware, llvm::CodeGenFileType kind) {
  if (hardware.stack_bytes() == 0 && std::ranges::count(ir::recursive_routines(kernel), true) > 0)
    throw std::runtime_error("functions of this GPU cannot call themselves");
  const CompileGuard not_over;
  GpuModule module(kernel.name, hardware);
  emit(kernel, options, hardware, module);
  Binary result = module.code(kind, options.assembly);
  end_before_variables_of_llvm();
  return result;
}

std::string compiler_version(const char* target) {
  return fmt::format("{}, LLVM {} {} {}", target, LLVM_VERSION_STRING,
                     build_id_of(reinterpret_cast<const void*>(&llvm::verifyModule)),
                     build_id_of(reinterpret_cast<const void*>(&compile)));
}

}  // namespace qd::codegen::gpu
