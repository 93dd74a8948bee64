// Finds the writes of a kernel in its instructions.
#include "runtime/launch/read_only_arrays.h"

#include <fmt/format.h>

#include <filesystem>

namespace qd {
namespace {

/// For each of Kernel::arrays WrittenArray::where; empty: it is only read.
std::vector<std::string> first_writes(const ir::Kernel& kernel) {
  std::vector<std::string> writes(kernel.arrays.size());
  for (const ir::Inst& inst : kernel.insts) {
    if (inst.op != ir::Op::Store && inst.op != ir::Op::AtomicRmw && inst.op != ir::Op::AtomicCas) continue;
    const ir::Inst& pointer = kernel[kernel.operands_of(inst)[0]];
    if (pointer.op != ir::Op::ElementPtr || !writes[pointer.aux].empty()) continue;
    const ir::Location& location = kernel.locations[inst.location];
    const ir::Function& function = kernel.functions[location.function];
    writes[pointer.aux] = fmt::format("{}:{} in {}", std::filesystem::path(function.file).filename().string(),
                                      location.line, function.name);
  }
  return writes;
}

}  // namespace

std::vector<WrittenArray> written_arrays(const ir::Kernel& kernel, const frontend::Signature& signature) {
  std::vector<std::string> writes = first_writes(kernel);
  std::vector<WrittenArray> written;
  size_t row = 0;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    if (signature.parameters[i].kind != frontend::Parameter::Kind::Array) continue;
    std::string& where = writes[row++];
    if (!where.empty()) written.push_back({i, std::move(where)});
  }
  return written;
}

void check_read_only(const std::string& kernel, const frontend::Signature& signature,
                     std::span<const Argument> arguments, const std::vector<WrittenArray>& written) {
  for (const WrittenArray& array : written) {
    const ArrayView* view = std::get_if<ArrayView>(&arguments[array.parameter]);
    if (!view || !view->read_only) continue;
    throw ReadOnlyArrayError(fmt::format("Argument \"{}\" of kernel {}: the array is read-only, and {} writes it",
                                         signature.parameters[array.parameter].name, kernel, array.where));
  }
}

}  // namespace qd
