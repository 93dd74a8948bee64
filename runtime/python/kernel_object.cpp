// Calls kernels from Python. The time of a launch is the time of this code, so it runs no Python code, and allocates as
// little as possible.
#include "runtime/python/module_parts.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <structmember.h>

#include <cstring>

#include "runtime/launch/launch_record.h"
#include "runtime/launch/tape_reads.h"
#include "runtime/python/kept_arguments.h"
#include "runtime/python/raise.h"
#include "runtime/python/signal_poll.h"
#include "runtime/python/streams.h"

namespace qd::python {

namespace {

struct KernelState {
  std::shared_ptr<Program> program;  // outlives the kernel
  std::shared_ptr<Objects> objects;
  std::shared_ptr<PythonEnvironment> environment;
  std::unique_ptr<Kernel> kernel;
  std::vector<nb::object> names;  // interned
  KeptCalls kept;

  ~KernelState() {
    // Destroying a variant may wait for another thread, which needs the GIL.
    {
      GilRelease no_gil;
      kernel.reset();
    }
    if (environment) environment->release();
  }
};

struct KernelObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  KernelState* state;
  PyObject* held;  // a list of the objects that the kernel has captured
};

/// Whether a name is that of the argument for the stream of a call.
bool names_stream(PyObject* name) { return PyUnicode_CompareWithASCIIString(name, "qd_stream") == 0; }

/// The arguments of a call in the order of the parameters; `storage` holds them when some came by name. `stream` gets
/// the argument qd_stream.
PyObject* const* in_order(const KernelState& state, PyObject* const* args, size_t count, PyObject* names,
                          std::vector<PyObject*>& storage, PyObject*& stream) {
  const std::vector<frontend::ParameterTree>& trees = state.kernel->signature().trees;
  size_t parameters = trees.size();
  const std::string& kernel = state.kernel->name();
  auto expected = [&] {
    return fmt::format("Kernel {} takes {} argument{}", kernel, parameters, parameters == 1 ? "" : "s");
  };
  if (count > parameters) throw KernelArgumentError(fmt::format("Too many arguments: {}, got {}", expected(), count));
  if (!names && count == parameters) return args;
  storage.assign(parameters, nullptr);
  std::copy(args, args + count, storage.begin());
  const Py_ssize_t all_named = names ? PyTuple_GET_SIZE(names) : 0;
  Py_ssize_t named = all_named;
  for (Py_ssize_t k = 0; k < all_named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(names, k);
    size_t i = 0;
    while (i < parameters && PyUnicode_Compare(state.names[i].ptr(), name) != 0) ++i;
    if (i == parameters && names_stream(name)) {
      stream = args[count + static_cast<size_t>(k)];
      --named;
      continue;
    }
    if (i == parameters || storage[i]) {
      auto text = nb::cast<std::string>(nb::handle(name));
      if (i == parameters)
        throw KernelArgumentError(fmt::format("Unexpected argument '{}' of kernel {}", text, kernel));
      throw KernelArgumentError(fmt::format("Multiple values for argument '{}' of kernel {}", text, kernel));
    }
    storage[i] = args[count + static_cast<size_t>(k)];
  }
  for (size_t i = 0; i < parameters; ++i) {
    if (storage[i]) continue;
    size_t given = count + static_cast<size_t>(named);
    throw KernelArgumentError(fmt::format("Missing argument '{}': {}, got {}", trees[i].name, expected(), given));
  }
  return storage.data();
}

/// Outcome of a launch of a kernel with checkpoints: the label of the checkpoint at which it has yielded, or None, the
/// value of that checkpoint's flag, and the state for a later launch to resume.
nb::object outcome(const CheckpointedLaunch& launch) {
  const nb::bytes kept(reinterpret_cast<const char*>(launch.kept.data()), launch.kept.size() * sizeof(uint64_t));
  const nb::object label = launch.yielded ? nb::object(nb::int_(*launch.yielded)) : nb::none();
  return nb::make_tuple(label, launch.value, kept);
}

/// The kept call of these arguments, with leaves that are up to date; null: `call` gets all leaves. Calls in a mode of
/// differentiation are not kept.
std::shared_ptr<KeptCall> kept_call(KernelState& state, PyObject* const* args, CallArguments& call,
                                    ir::AutodiffMode mode) {
  const std::vector<frontend::ParameterTree>& trees = state.kernel->signature().trees;
  const bool wanted = mode == ir::AutodiffMode::Primal && state.kept.wanted(*state.kernel);
  std::shared_ptr<KeptCall> kept = wanted ? state.kept.find(args) : nullptr;
  if (!wanted || (kept && kept->in_use)) {
    for (size_t i = 0; i < trees.size(); ++i) call.add(trees[i], args[i]);
    return nullptr;
  }
  if (kept) {
    state.kept.remove(*kept);  // until its leaves are complete
    if (!kept->refresh(args, call)) {
      call.clear();
      kept.reset();
    }
  }
  if (!kept) kept = std::make_shared<KeptCall>(*state.kernel, args, call);
  if (!kept->has_instances()) return nullptr;
  state.kept.add(kept);
  return kept;
}

/// Marks a kept call as used by a launch; null: none.
class InUse {
 public:
  explicit InUse(KeptCall* call) : call_(call) { mark(true); }
  ~InUse() { mark(false); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  void mark(bool used) {
    if (call_) call_->in_use = used;
  }
  KeptCall* call_;
};

/// Launches. `resumed`: the begin of a kernel with checkpoints; null: at the beginning.
nb::object launch(KernelState& state, PyObject* const* args, size_t count, PyObject* names,
                  CheckpointedLaunch* resumed = nullptr, ir::AutodiffMode mode = ir::AutodiffMode::Primal,
                  TapeReads* reads = nullptr, LaunchRecord* record = nullptr) {
  LaunchScope scope;
  CheckpointedLaunch fresh;
  CheckpointedLaunch* const checkpointed = resumed ? resumed : state.kernel->options().checkpoints ? &fresh : nullptr;
  std::vector<PyObject*> storage;
  PyObject* stream_object = nullptr;
  args = in_order(state, args, count, names, storage, stream_object);
  std::shared_ptr<LaunchStream> stream;
  if (stream_object && state.kernel->options().graph)
    throw KernelRuntimeError(
        fmt::format("kernel {}: qd_stream= is not compatible with graph=True", state.kernel->name()));
  if (stream_object) stream = stream_of_call(stream_object, state.program, state.kernel->name());
  CallArguments arguments(state.program, *state.objects, *state.kernel, mode);
  const frontend::Signature& signature = state.kernel->signature();
  const std::shared_ptr<KeptCall> kept = kept_call(state, args, arguments, mode);
  const InUse in_use(kept.get());
  const std::vector<Argument>& leaves = kept ? kept->bound.arguments : arguments.leaves();
  arguments.check(leaves);
  std::vector<Scalar> values;
  try {
    SignalPoll* poll = SignalPoll::of_this_thread();
    GilRelease no_gil;
    values = state.kernel->launch(
        leaves, {poll, stream.get(), checkpointed, mode, kept ? &kept->bound : nullptr, reads, record});
  } catch (const KernelInterrupted&) {
    arguments.finish();
    SignalPoll::raise();
  } catch (const KernelAssertionError&) {
    arguments.finish();
    throw;
  }
  arguments.finish();
  scope.raise();
  if (checkpointed) return outcome(*checkpointed);
  if (mode == ir::AutodiffMode::Reverse || mode == ir::AutodiffMode::RecordedReverse) return nb::none();
  return result_object(signature, values, *state.objects);
}

KernelState& state_of(PyObject* self) {
  KernelState* state = reinterpret_cast<KernelObject*>(self)->state;
  if (!state) throw KernelRuntimeError("the kernel is no more: the garbage collector has it");
  return *state;
}

PyObject* kernel_vectorcall(PyObject* self, PyObject* const* args, size_t flags, PyObject* names) {
  // Keeps the state alive, because the call itself may reset the program.
  nb::object keep = nb::borrow(self);
  try {
    return launch(state_of(self), args, static_cast<size_t>(PyVectorcall_NARGS(flags)), names).release().ptr();
  } catch (abi::__forced_unwind&) {
    wait_for_end();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}

ir::AutodiffMode mode_named(std::string_view name) {
  if (name == "forward") return ir::AutodiffMode::Forward;
  if (name == "reverse") return ir::AutodiffMode::Reverse;
  if (name == "validation") return ir::AutodiffMode::Validation;
  if (name == "recorded") return ir::AutodiffMode::Recorded;
  if (name == "recorded reverse") return ir::AutodiffMode::RecordedReverse;
  throw std::invalid_argument(fmt::format("there is no mode {}", name));
}

/// Launches with a tuple and a dict of arguments.
nb::object launch_with(KernelState& state, PyObject* positional, PyObject* named, CheckpointedLaunch* resumed,
                       ir::AutodiffMode mode, TapeReads* reads = nullptr, LaunchRecord* record = nullptr) {
  std::vector<PyObject*> values;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(positional); ++i) values.push_back(PyTuple_GET_ITEM(positional, i));
  const size_t count = values.size();
  nb::list names;
  for (auto [name, value] : nb::cast<nb::dict>(nb::handle(named))) {
    names.append(name);
    values.push_back(value.ptr());
  }
  const nb::tuple keywords(names);
  return launch(state, values.data(), count, nb::len(keywords) == 0 ? nullptr : keywords.ptr(), resumed, mode, reads,
                record);
}

/// Launches in a mode of automatic differentiation: in_mode(mode, args, kwargs[, TapeReads or None[, LaunchRecord]]).
/// Its names are those of qd.ad.
PyObject* kernel_in_mode(PyObject* self, PyObject* arguments) {
  nb::object keep = nb::borrow(self);
  try {
    const char* name = nullptr;
    PyObject *positional = nullptr, *named = nullptr, *reads = Py_None, *record = Py_None;
    if (!PyArg_ParseTuple(arguments, "sO!O!|OO", &name, &PyTuple_Type, &positional, &PyDict_Type, &named, &reads,
                          &record))
      return nullptr;
    return launch_with(state_of(self), positional, named, nullptr, mode_named(name),
                       nb::cast<TapeReads*>(nb::handle(reads)), nb::cast<LaunchRecord*>(nb::handle(record)))
        .release()
        .ptr();
  } catch (abi::__forced_unwind&) {
    wait_for_end();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}

/// Resumes: resume(label, kept, args, kwargs), a launch that begins at a checkpoint. `kept`: bytes of an earlier
/// outcome, or None.
PyObject* kernel_resume(PyObject* self, PyObject* arguments) {
  nb::object keep = nb::borrow(self);
  try {
    long long label = 0;
    PyObject *kept = nullptr, *positional = nullptr, *named = nullptr;
    if (!PyArg_ParseTuple(arguments, "LOO!O!", &label, &kept, &PyTuple_Type, &positional, &PyDict_Type, &named))
      return nullptr;
    KernelState& state = state_of(self);
    CheckpointedLaunch resumed;
    resumed.from = label;
    if (kept != Py_None) {
      const auto bytes = nb::cast<nb::bytes>(nb::handle(kept));
      if (bytes.size() % sizeof(uint64_t) != 0)
        throw KernelRuntimeError("kernel " + state.kernel->name() + " cannot be resumed: the status is damaged");
      resumed.kept.resize(bytes.size() / sizeof(uint64_t));
      std::memcpy(resumed.kept.data(), bytes.c_str(), bytes.size());
    }
    return launch_with(state, positional, named, &resumed, ir::AutodiffMode::Primal).release().ptr();
  } catch (abi::__forced_unwind&) {
    wait_for_end();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}

int kernel_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<KernelObject*>(self)->held);
  return 0;
}

int kernel_clear(PyObject* self) {
  auto* object = reinterpret_cast<KernelObject*>(self);
  delete std::exchange(object->state, nullptr);
  Py_CLEAR(object->held);
  return 0;
}

void kernel_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  kernel_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// Observations for tests of caches, as a dict.
PyObject* kernel_observations(PyObject* self, void*) {
  const KernelState* state = reinterpret_cast<KernelObject*>(self)->state;
  if (!state) return PyErr_Format(PyExc_ReferenceError, "the kernel is no more"), nullptr;
  const Kernel& kernel = *state->kernel;
  const CacheObservations seen = kernel.cache_observations();
  nb::dict all;
  all["cache_key_generated"] = seen.key_generated;
  all["cache_validated"] = seen.validated;
  all["cache_loaded"] = seen.loaded;
  all["cache_stored"] = seen.stored;
  all["cache_hit"] = seen.code_found;
  all["found_kernel_in_materialize_cache"] = kernel.found_variant_on_last_call();
  all["num_offloaded_tasks"] = kernel.num_tasks_on_last_call();
  all["gradient_stack_bytes"] = kernel.stack_bytes_on_last_call();
  nb::list forms;
  for (const std::string& form : kernel.loop_forms_on_last_call()) forms.append(form);
  all["loop_forms"] = nb::tuple(forms);
  return all.release().ptr();
}

PyMethodDef kMethods[] = {{"in_mode", kernel_in_mode, METH_VARARGS, nullptr},
                          {"resume", kernel_resume, METH_VARARGS, nullptr},
                          {nullptr, nullptr, 0, nullptr}};
PyGetSetDef kGetSet[] = {{"observations", kernel_observations, nullptr, nullptr, nullptr},
                         {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMemberDef kMembers[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(KernelObject, vectorcall), READONLY, nullptr},
                          {nullptr, 0, 0, 0, nullptr}};
PyType_Slot kSlots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(kernel_dealloc)},
                        {Py_tp_traverse, reinterpret_cast<void*>(kernel_traverse)},
                        {Py_tp_clear, reinterpret_cast<void*>(kernel_clear)},
                        {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                        {Py_tp_members, kMembers},
                        {Py_tp_methods, kMethods},
                        {Py_tp_getset, kGetSet},
                        {0, nullptr}};
PyType_Spec kSpec = {
    "qdcov._native.Kernel", sizeof(KernelObject), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, kSlots};

PyTypeObject* kernel_type = nullptr;

}  // namespace

void add_kernel_type(nb::module_& module) {
  nb::object type = nb::steal(PyType_FromSpec(&kSpec));
  if (!type.is_valid()) throw nb::python_error();
  module.attr("Kernel") = type;
  nb::class_<TapeReads>(module, "TapeReads", "What the launches of a tape that validates them have read.");
  nb::class_<LaunchRecord>(module, "LaunchRecord", "What a launch has recorded for its gradient.")
      .def("empty", &LaunchRecord::empty);
  kernel_type = reinterpret_cast<PyTypeObject*>(type.release().ptr());
}

nb::object make_kernel(std::shared_ptr<Program> program, std::shared_ptr<Objects> objects, nb::object function,
                       KernelOptions options) {
  auto state = std::make_unique<KernelState>();
  state->program = std::move(program);
  state->objects = std::move(objects);
  frontend::FunctionSource source = Objects::source(function);
  nb::list held;
  held.append(function);
  state->environment = std::make_shared<PythonEnvironment>(held, state->objects);
  state->kernel = std::make_unique<Kernel>(*state->program, std::move(source), state->environment, options);
  for (const frontend::ParameterTree& tree : state->kernel->signature().trees)
    state->names.push_back(nb::steal(PyUnicode_InternFromString(tree.name.c_str())));
  auto* object = reinterpret_cast<KernelObject*>(kernel_type->tp_alloc(kernel_type, 0));
  if (!object) throw nb::python_error();
  object->vectorcall = kernel_vectorcall;
  object->state = state.release();
  object->held = held.release().ptr();
  return nb::steal(reinterpret_cast<PyObject*>(object));
}

}  // namespace qd::python
