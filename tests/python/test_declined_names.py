"""Names that Taichi and Quadrants have at their top level: each is here, or names its replacement."""

from __future__ import annotations

import pytest
import qd

PEERS = """
    CRITICAL DEBUG ERROR Field FieldsBuilder Format GUI INFO Layout Matrix MatrixField MatrixNdarray Mesh MeshInstance Ndarray SNode ScalarField
    ScalarNdarray Struct StructField StructType TRACE TaichiAssertionError TaichiCompilationError TaichiNameError TaichiRuntimeError
    TaichiRuntimeTypeError TaichiSyntaxError TaichiTypeError Texture Vector VectorNdarray WARN abs acos activate ad algorithms amdgpu any_arr aot
    append arm64 asin assume_in_range atan2 atomic_add atomic_and atomic_max atomic_min atomic_mul atomic_or atomic_sub atomic_xor axes bit_cast
    bit_shr bitmasked block_local cache_read_only cast ceil cfg cos cpu cuda data_oriented dataclass deactivate deactivate_all_snodes dx11
    dynamic eig exp experimental extension f16 f32 f64 field float32 floor func get_addr gles global_thread_idx gpu graph grouped hash hex_to_rgb
    hip i i16 i32 i64 i8 ij ijk imread imresize imshow imwrite init int32 is_active is_extension_supported is_logging_effective j k kernel l
    length linalg log loop_config loop_unique math max mesh_local mesh_patch_idx metal min mod ndarray ndrange no_activate one opengl pointer
    polar_decompose pow profiler pyfunc randn random raw_div raw_mod real_func ref rescale_index reset rgb_to_hex root round rsqrt select
    set_logging_level simt sin solve sqrt static static_assert static_print stop_grad svd sym_eig sync tan tanh template tools types u16 u32 u64
    u8 ui uint32 vulkan x64 zero Tensor Template Stream Event create_stream perf_dispatch pure checkpoint GraphStatus QuadrantsRuntimeError
    QuadrantsCompilationError
""".split()


@pytest.mark.parametrize("name", PEERS)
def test_each_name_is_here_or_says_what_to_use(name: str) -> None:
    if hasattr(qd, name):
        return
    with pytest.raises(AttributeError, match=rf"^qd\.{name} is not supported yet: .{{10,}}"):
        getattr(qd, name)


@pytest.mark.parametrize("name", sorted(qd._declined.DECLINED))
def test_declined_names_are_not_there(name: str) -> None:
    assert not hasattr(qd, name) and name not in dir(qd)


def test_other_names_are_unknown() -> None:
    with pytest.raises(AttributeError, match="module 'qd' has no attribute 'nothing_like_it'"):
        qd.nothing_like_it  # noqa: B018


@qd.kernel
def draws():
    gui = qd.GUI("title")  # noqa: F841


def test_in_kernels(arch: str) -> None:
    with pytest.raises((qd.KernelNameError, AttributeError, qd.KernelTypeError), match="qd.GUI"):
        draws()
