# Read by the scripts that build wheels: `. ci/static/machine.sh "$@"` takes `--machine MACHINE` off the front of the
# arguments that it is given. Sets `machine`, which is this computer's without it, `options`, those of pip for CMake to
# compile for that machine, and `arguments`, the others. As root for another machine than this one.
machine=$(uname -m) options=() arguments=("$@")
if [ "${1:-}" = --machine ]; then
  machine=${2:-}
  arguments=("${@:3}")
fi
case "$machine" in
  "$(uname -m)")
    # With the compiler of build/release, whose objects ccache then has.
    export CC=cc CXX=c++
    ;;
  aarch64)
    ci/install-packages g++-aarch64-linux-gnu qemu-user-static
    sysroot=$(ci/arm64-sysroot)
    options=(-C cmake.define.CMAKE_TOOLCHAIN_FILE="$PWD/ci/static/aarch64.cmake" -C cmake.define.QD_SYSROOT="$sysroot")
    ;;
  *) stop "wheels are built for x86_64 and aarch64, here not for '$machine'" ;;
esac
