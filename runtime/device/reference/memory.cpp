// Addresses of variables and elements; loads and stores, with their checks.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/device/reference/kernel_interpreter.h"
#include "runtime/device/reference/scalar.h"

namespace qd::device::reference {

using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

uint64_t address_of(const void* place) { return reinterpret_cast<uintptr_t>(place); }

uint64_t read(Type type, uint64_t address) {
  uint64_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(address), static_cast<size_t>(ir::size_in_bytes(type)));
  return type == Type::U1 ? word != 0 : canonical(type, word);
}

void write(Type type, uint64_t address, uint64_t word) {
  std::memcpy(reinterpret_cast<void*>(address), &word, static_cast<size_t>(ir::size_in_bytes(type)));
}

}  // namespace

int64_t KernelInterpreter::extent(uint32_t array, size_t axis) const {
  const ir::Array& info = kernel_.arrays[array];
  return axis < info.shape.size() ? info.shape[axis] : bindings_.arrays[array].shape[axis];
}

KernelInterpreter::Flow KernelInterpreter::declare(InstId id, const Inst& inst) {
  uint64_t* storage = frame_ + layout_.at(id) + 1;
  std::fill_n(storage, std::max<uint32_t>(1, inst.length()), checks_ ? kGarbage : 0);
  // Before split_tasks, all iterations of a parallel loop share the variables that are declared outside of the loop.
  if (checks_) shared_[static_cast<uint32_t>(id)] = !inside_ && kernel_.body != ir::BlockId::None;
  return set(id, address_of(storage));
}

/// The address of an element of a local array; 0 when there is no such element, which is an error only when it is
/// accessed.
uint64_t KernelInterpreter::local_element(const Inst& inst) {
  const auto args = kernel_.operands_of(inst);
  const uint64_t index = get(args[1]);
  return index < kernel_[args[0]].length() ? get(args[0]) + index * sizeof(uint64_t) : 0;
}

uint64_t KernelInterpreter::element(const Inst& inst) {
  const auto args = kernel_.operands_of(inst);
  const ir::Array& info = kernel_.arrays[inst.aux];
  const ir::Layout& layout = info.layout;
  const int64_t size = ir::size_in_bytes(info.type);
  auto in_range = [&](size_t n, int64_t length) {
    const uint64_t index = get(args[n]);
    return index < static_cast<uint64_t>(length);
  };
  int64_t offset = 0;
  for (size_t i = 0; i < static_cast<size_t>(info.rank); i++) {
    const size_t axis = layout.order.empty() ? i : static_cast<size_t>(layout.order[i]);
    const int64_t length = extent(inst.aux, axis);
    if (!in_range(axis, length)) return 0;
    offset = offset * length + static_cast<int64_t>(get(args[axis]));
  }
  offset *= layout.stride ? layout.stride : size * layout.components;
  if (layout.components != 1) {
    if (!in_range(args.size() - 1, layout.components)) return 0;
    offset += static_cast<int64_t>(get(args.back())) * (layout.component_stride ? layout.component_stride : size);
  }
  return address_of(bindings_.arrays[inst.aux].data) + static_cast<uint64_t>(offset);
}

/// The address that a pointer holds; checks the access and notes it for races.
uint64_t KernelInterpreter::reach(InstId pointer, bool atomic, bool write) {
  const uint64_t address = get(pointer);
  if (address == 0) nowhere(pointer);
  if (checks_ && inside_) {
    InstId whole = pointer;
    if (kernel_[whole].op == Op::LocalPtr) whole = kernel_.operands_of(whole)[0];
    if (kernel_[whole].op != Op::Alloca || shared_[static_cast<uint32_t>(whole)])
      races_.touch(address, pointer, iteration_, atomic, write);
  }
  return address;
}

void KernelInterpreter::nowhere(InstId pointer) {
  const Inst& inst = kernel_[pointer];
  std::string text = fmt::format("kernel {}: %{} is out of range: index", kernel_.name, static_cast<uint32_t>(pointer));
  const auto args = kernel_.operands_of(inst).subspan(inst.op == Op::LocalPtr ? 1 : 0);
  for (InstId arg : args) text += fmt::format(" {}", static_cast<int64_t>(get(arg)));
  if (inst.op == Op::ElementPtr) {
    text += fmt::format(" of array {}, whose shape is", kernel_.arrays[inst.aux].name);
    for (int32_t axis = 0; axis < kernel_.arrays[inst.aux].rank; axis++)
      text += fmt::format(" {}", extent(inst.aux, static_cast<size_t>(axis)));
  }
  throw std::runtime_error(text);
}

uint64_t KernelInterpreter::load(InstId pointer) { return read(kernel_[pointer].type, reach(pointer, false, false)); }

void KernelInterpreter::store(InstId pointer, uint64_t word) {
  write(kernel_[pointer].type, reach(pointer, false, true), word);
}

uint64_t KernelInterpreter::atomic(const Inst& inst) {
  const auto args = kernel_.operands_of(inst);
  const uint64_t address = reach(args[0], true, true);
  const uint64_t old = read(inst.type, address);
  if (inst.op == Op::AtomicRmw) {
    write(inst.type, address, atomic_result(inst.atomic_op(), inst.type, old, get(args[1])));
  } else if (old == get(args[1])) {
    write(inst.type, address, get(args[2]));
  }
  return old;
}

}  // namespace qd::device::reference
