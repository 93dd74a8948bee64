# Toolchain of ci/wheels for AArch64, with the libraries of ci/arm64-sysroot in QD_SYSROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_SYSROOT ${QD_SYSROOT})
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES QD_SYSROOT)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)  # nanobind's lies beside the Python that builds
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${QD_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${QD_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${QD_SYSROOT}/usr/share/pkgconfig)
