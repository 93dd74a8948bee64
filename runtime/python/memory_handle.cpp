#include "runtime/python/memory_handle.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "runtime/ir/type.h"
#include "runtime/python/waiting.h"

namespace qd::python {

namespace nb = nanobind;

namespace {

struct ExchangeHandle {
  std::shared_ptr<Program> program;
  device::Exchange& of() const { return *program->exchange(); }
};

/// The bytes of a memory as a numpy array, which keeps the memory alive. They may be used after map(), until the next
/// launch that uses the memory.
nb::object numpy_view(nb::handle_t<MemoryHandle> self) {
  device::Memory& memory = *nb::inst_ptr<MemoryHandle>(self)->memory;
  const size_t shape[] = {memory.size()};
  return nb::cast(nb::ndarray<nb::numpy, uint8_t>(memory.host_address(), 1, shape, self));
}

/// Calls Program::map. `only_reads`: the host does not write before it maps the memory again.
void map_memory(const MemoryHandle& handle, bool only_reads) {
  using Access = device::Memory::Access;
  const Access access = only_reads ? Access::Read : Access::Write;
  std::shared_ptr<Program> program = handle.program.lock();
  if (program && program->host_memory() && program->settled()) return;
  const std::shared_ptr<device::Memory> memory = handle.memory;
  if (!program) {
    memory->map(access);
    return;
  }
  waiting_for_launches([&](LaunchPoll* poll) { program->map(*memory, access, poll); });
}

/// Notes that the host has written: if other libraries use the memory, they find it there.
void written_memory(const MemoryHandle& handle) {
  if (!handle.memory->shared()) return;
  const GilRelease no_gil;
  handle.memory->unmap();
}

/// Calls Program::share, unless the memory is shared already.
void share_memory(const MemoryHandle& handle) {
  const std::shared_ptr<device::Memory> memory = handle.memory;
  if (memory->shared()) return;
  std::shared_ptr<Program> program = handle.program.lock();
  if (!program) return memory->share();
  waiting_for_launches([&](LaunchPoll* poll) { program->share(*memory, poll); });
}

nb::dlpack::dtype dlpack_type(ir::Type type) {
  using Code = nb::dlpack::dtype_code;
  const Code code = type == ir::Type::U1  ? Code::Bool
                    : ir::is_float(type)  ? Code::Float
                    : ir::is_signed(type) ? Code::Int
                                          : Code::UInt;
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * ir::size_in_bytes(type)), 1};
}

/// An array of a memory, for other libraries: an object with `__dlpack__`, which keeps the memory alive. `offset` is in
/// bytes, `strides` are in elements.
nb::object dlpack_view(nb::handle_t<MemoryHandle> self, const ExchangeHandle& device, int64_t offset,
                       const std::string& type, const std::vector<size_t>& shape, const std::vector<int64_t>& strides) {
  device::Memory& memory = *nb::inst_ptr<MemoryHandle>(self)->memory;
  return nb::cast(nb::ndarray<nb::array_api>(static_cast<char*>(memory.address()) + offset, shape.size(), shape.data(),
                                             self, strides.data(), dlpack_type(*ir::type_from_name(type)),
                                             device.of().dlpack_type(), device.of().number()));
}

/// Contents of a capsule of DLPack: the address, the type by its code and its bits, the shape, the strides in elements,
/// whether it is read-only, and the object that keeps the memory alive.
nb::object opened(nb::handle capsule) {
  nb::ndarray<> array;
  nb::ndarray<nb::ro> read_only;
  const bool writable = nb::try_cast(capsule, array);
  if (!writable && !nb::try_cast(capsule, read_only)) throw nb::value_error("it gives no capsule of DLPack");
  auto described = [&](auto& of) {
    nb::list shape, strides;
    for (size_t axis = 0; axis < of.ndim(); ++axis) {
      shape.append(of.shape(axis));
      strides.append(of.stride(axis));
    }
    const nb::dlpack::dtype type = of.dtype();
    return nb::make_tuple(reinterpret_cast<uint64_t>(of.data()), type.lanes == 1 ? int{type.code} : -1, int{type.bits},
                          nb::tuple(shape), nb::tuple(strides), !writable, nb::cast(of, nb::rv_policy::reference));
  };
  return writable ? described(array) : described(read_only);
}

}  // namespace

nb::object exchange_of(std::shared_ptr<Program> program) {
  return program->exchange() ? nb::cast(ExchangeHandle{std::move(program)}) : nb::none();
}

void add_memory(nb::module_& module) {
  nb::class_<ExchangeHandle>(module, "Exchange")
      .def("dlpack_type", [](const ExchangeHandle& handle) { return handle.of().dlpack_type(); })
      .def("number", [](const ExchangeHandle& handle) { return handle.of().number(); })
      .def("opened", [](const ExchangeHandle&, nb::handle capsule) { return opened(capsule); })
      .def("why_not", [](const ExchangeHandle& handle, uint64_t address) { return handle.of().why_not(address); })
      .def("order",
           [](const ExchangeHandle& handle, uint64_t earlier, uint64_t later) { handle.of().order(earlier, later); });
  nb::class_<MemoryHandle>(module, "Memory")
      .def("numpy", &numpy_view)
      .def("map", &map_memory, nb::arg("only_reads"))
      .def("written", &written_memory)
      .def("share", &share_memory)
      .def("address", [](const MemoryHandle& handle) { return reinterpret_cast<uint64_t>(handle.memory->address()); })
      .def("dlpack_view", &dlpack_view);
}

}  // namespace qd::python
