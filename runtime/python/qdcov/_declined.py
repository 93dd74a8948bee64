"""Names that Taichi and Quadrants have at their top level and this package does not, each with its replacement."""

from __future__ import annotations

from typing import Any, NoReturn

_SPARSE = "fields here are dense: qd.field(...), or qd.root.dense(...).place(...)"
_PICTURES = "Pillow and matplotlib read, write and show what field.to_numpy() gives"
_DRAWING = "matplotlib, or any other library that draws numpy arrays, shows what field.to_numpy() gives"
_MESHES = "keep elements and their neighbours in fields of indices"
_GRADIENTS = "qd.ad has it"
_HINT = "it is a hint to a compiler that this one does without; leave it out"
_AHEAD = "kernels are kept in the offline cache, and C++ programs compile them by themselves"
_DEVICES = "qd.init takes qd.cpu, qd.cuda, qd.amdgpu, qd.vulkan and qd.python"
_LOOPS = "qd.loop_config(...) in front of the loop says so"
_TEXTURES = "keep pictures in fields of vectors"
_LOGGING = "print, or Python's module logging"
_KINDS = "qd.types has it"
_ERRORS = "errors of kernels are qd.KernelCompilationError, qd.KernelTypeError, qd.KernelRuntimeError and their like"
_ARRAYS = "qd.Ndarray and qd.Field are the classes of all arrays; qd.Vector.ndarray and qd.Matrix.field make those of vectors and matrices"
_ERROR_KINDS = ("Assertion", "Compilation", "Name", "Runtime", "RuntimeType", "Syntax", "Type", "Index")

DECLINED: dict[str, str] = {
    name: advice
    for advice, names in {
        _DRAWING: "GUI ui Window",
        _PICTURES: "tools imread imwrite imshow imresize imdisplay VideoManager PLYWriter PLYReader hex_to_rgb rgb_to_hex",
        _SPARSE: "SNode activate deactivate deactivate_all_snodes is_active length append get_addr rescale_index pointer bitmasked dynamic hash",
        _MESHES: "Mesh MeshInstance MeshMetadata TetMesh TriMesh mesh_local mesh_patch_idx",
        _GRADIENTS: "Tape FwdMode clear_all_gradients grad_for grad_replaced no_grad",
        _HINT: "block_local cache_read_only no_activate",
        _AHEAD: "aot AOT DeviceCapability",
        _DEVICES: "opengl gles dx11 dx12 wasm cc",
        _LOOPS: "block_dim parallelize serialize bit_vectorize strictly_serialize",
        _TEXTURES: "Texture Format",
        _LOGGING: "error warn warning info debug trace",
        _KINDS: "is_integral is_real is_signed",
        _ERRORS: " ".join(f"{peer}{kind}Error" for peer in ("Taichi", "Quadrants") for kind in _ERROR_KINDS),
        _ARRAYS: "ScalarField MatrixField ScalarNdarray VectorNdarray MatrixNdarray",
        "numpy and scipy.sparse solve linear systems on the host": (
            "linalg sparse_matrix_builder SparseMatrixBuilder SparseSolver SparseMatrix SparseCG MatrixFreeCG"
        ),
        "a dataclass groups arguments": "ArgPack argpack",
        "@qd.kernel(graph=True) makes a graph of a kernel": "Arg ArgKind Graph GraphBuilder",
        "cProfile and py-spy measure the host": "clear_scoped_profiler_info print_scoped_profiler_info",
        "the profiler of qd has times alone": (
            "CuptiMetric collect_kernel_profiler_metrics get_predefined_cupti_metrics set_kernel_profiler_metrics print_memory_profiler_info"
        ),
        "take qd.i8, qd.u8 or qd.f16, or pack bits with << and |": "quant BitpackedFields",
        "annotate with qd.types.ndarray()": "any_arr any_array ext_arr",
        "qd.profiler.print_kernel_profiler_info() prints the times": "print_kernel_profile_info print_kernel_profiler_info",
        "qd.profiler.get_kernel_profiler_total_time() gives it": "kernel_profiler_total_time",
        "qd.svd takes the matrix and a type": "sifakis_svd",
        "qd.random(qd.i32) gives an integer, and % a range of them": "randint",
        "qd.__version__ says which this is": "version",
        "a dtype converts when it is called, as in qd.f32(x)": "cook_dtype",
        "fields are placed with qd.root.dense(...).place(...)": "place",
        "there is nothing experimental here": "experimental",
        "what is public is in qd itself": "lang core",
        "pytest tests programs": "test benchmark",
    }.items()
    for name in names.split()
}


class Declined:
    """A name of a peer that is not supported. Programs may import it, and pass it by in a branch that does not run."""

    def __init__(self, name: str, reason: str) -> None:
        self.__dict__.update(_name=name, _reason=reason)

    def __repr__(self) -> str:
        return f"<{self._name}, which is not supported: {self._reason}>"

    def _refuse(self, *_arguments: Any, **_named: Any) -> NoReturn:
        raise NotImplementedError(f"{self._name} is not supported: {self._reason}")

    __call__ = __getitem__ = __setitem__ = __iter__ = __enter__ = __setattr__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # protocols that Python and libraries ask for: inspect, copy, doctest
            raise AttributeError(name)
        return Declined(f"{self._name}.{name}", self._reason)

    def __instancecheck__(self, _instance: Any) -> bool:
        return False

    def __subclasscheck__(self, _subclass: Any) -> bool:
        return False

    def __mro_entries__(self, _bases: tuple[Any, ...]) -> NoReturn:
        self._refuse()
