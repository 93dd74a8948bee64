// Differentiates a copy of the primal in each mode that its arrays allow, and notes the lines of its probes.
#include "runtime/launch/derivative_lines.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "runtime/autodiff/autodiff.h"
#include "runtime/ir/derivative_probe.h"
#include "runtime/launch/kernel_copies.h"
#include "runtime/passes/pipeline.h"

namespace qd {
namespace {

/// The companions of an array.
struct Companions {
  bool gradient = false, dual = false;
};

/// Those of the arrays of a kernel, by their rows.
std::vector<Companions> companions(const ir::Kernel& kernel, const VariantKey& key,
                                   const frontend::TemplateReads& reads, Program::State& program) {
  std::vector<Companions> rows(kernel.arrays.size());
  size_t next = 0;
  for (const frontend::ArgumentType& argument : key.arguments) {
    if (const auto* array = std::get_if<frontend::ArrayType>(&argument))
      rows[next++].gradient = array->gradient.has_value();
  }
  for (const frontend::TemplateRead& read : reads) {
    const auto* array = std::get_if<frontend::HostArray>(&read.value);
    if (array && read.array >= 0) rows[static_cast<size_t>(read.array)].gradient = array->type.gradient.has_value();
  }
  std::lock_guard lock(program.mutex);
  for (size_t row = 0; row < rows.size(); ++row) {
    if (kernel.arrays[row].kind != ir::Array::Kind::Field) continue;
    const auto field = program.fields.find(kernel.arrays[row].field);
    if (field == program.fields.end()) continue;
    const frontend::HostField value = field->second->value();
    rows[row] = {value.grad != nullptr, value.dual != nullptr};
  }
  return rows;
}

using Lines = std::set<std::pair<uint32_t, int32_t>>;  // function, line

/// Adds the lines of the derivative probes that the kernel of a mode has.
void add_lines(ir::Kernel kernel, ir::AutodiffMode mode, Lines& lines) {
  try {
    autodiff::differentiate(kernel, mode, {.probes = true});
  } catch (const autodiff::NoDerivative&) {
    return;
  }
  for (const ir::Probe& probe : kernel.probes) lines.insert({probe.function, probe.to});
}

}  // namespace

void add_derivative_lines(ir::Kernel& primal, const VariantKey& key, const frontend::TemplateReads& reads,
                          Program::State& program) {
  const std::vector<Companions> rows = companions(primal, key, reads, program);
  const bool gradients = std::ranges::any_of(rows, &Companions::gradient);
  const bool duals = std::ranges::any_of(rows, &Companions::dual);
  if (!gradients && !duals) return;
  ir::Kernel simple = without_probes(primal);
  passes::simplify_variables(simple);
  // Each array stands for its own companion: these kernels never run.
  for (uint32_t row = 0; row < rows.size(); ++row) {
    simple.arrays[row].gradient = rows[row].gradient ? row : ir::Array::kNone;
    simple.arrays[row].dual = rows[row].dual ? row : ir::Array::kNone;
  }
  Lines lines;
  if (gradients) add_lines(simple, ir::AutodiffMode::RecordedReverse, lines);
  if (duals) add_lines(simple, ir::AutodiffMode::Forward, lines);
  for (const auto& [function, line] : lines) primal.probes.push_back({function, ir::kDerivative, line});
}

}  // namespace qd
