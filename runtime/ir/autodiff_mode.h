// Mode of automatic differentiation of a compiled kernel.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qd::ir {

/// A variant of a kernel is compiled for one mode, which is a part of its key.
enum class AutodiffMode : uint8_t {
  Primal,           // the kernel as it is written
  Forward,          // computes duals beside the numbers
  Reverse,          // adds to the gradients of the arrays that it reads, from those of the arrays that it writes
  StackSizes,       // returns the sizes of the stacks that Reverse needs: made of the same kernel, with its gradients
  Recorded,         // the kernel as it is written; keeps the old numbers of elements that RecordedReverse needs
  Validation,       // as Recorded; with asserts that no element is overwritten that has been read, in debug mode
  RecordedReverse,  // Reverse of a launch that was Recorded
  RecordedStackSizes,  // StackSizes of RecordedReverse
};

constexpr size_t kAutodiffModes = static_cast<size_t>(AutodiffMode::RecordedStackSizes) + 1;

/// Whether launches in a mode run the kernel as it is written.
constexpr bool is_as_written(AutodiffMode mode) {
  return mode == AutodiffMode::Primal || mode == AutodiffMode::Validation || mode == AutodiffMode::Recorded;
}

/// Whether kernels of a mode get the gradients of their arrays.
constexpr bool has_gradients(AutodiffMode mode) {
  return mode != AutodiffMode::Primal && mode != AutodiffMode::Forward;
}

}  // namespace qd::ir
