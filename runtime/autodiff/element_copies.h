// Elements that an iteration reads and then overwrites, copied to local variables.
#pragma once

#include <map>

#include "runtime/autodiff/primal.h"

namespace qd::autodiff {

/// Gives an iteration a copy of each element that it reads and overwrites behind the read, where it has stored or read
/// the element before:
///
///     x[i] = a              x[i] = a;  c = a
///     if x[i] < 0.0:        if c < 0.0:
///         x[i] = 0.0            x[i] = 0.0;  c = 0.0
///
/// So the gradient's launch, which finds the last number in the array, needs no other one from there, but for the first
/// read of an element that the iteration has not stored before. Elements that other iterations may add to are left out:
/// Primal::may_be_shared(). Returns whether the kernel has changed. Adds to `first_reads` the instructions that give a
/// copy its first number and are no reads of the kernel.
bool copy_elements(const Primal& primal, std::map<ir::InstId, FirstRead>& first_reads);

}  // namespace qd::autodiff
