// Passes that we add to LLVM's pipeline for the CPU.
#pragma once

#include <llvm/IR/PassManager.h>

namespace qd::codegen {

// Loops that stay fast although they count.

/// Runs before the vectoriser. A count that stands in an arm of an innermost loop moves to a place that every iteration
/// passes, and becomes a sum of "the arm was entered, and the condition held". So the vectoriser sees one sum of a
/// condition, and does not have to blend two sums.
struct FlattenCounts : llvm::PassInfoMixin<FlattenCounts> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Runs before the vectoriser. Keeps LLVM from interleaving a loop only because the loop has sums of counts: integer
/// sums have no latency that interleaving would hide, and more copies cost compile time and registers.
struct InterleaveLess : llvm::PassInfoMixin<InterleaveLess> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Counts conditions in vectors on AVX-512. There a vector of conditions is a bit mask, and one addition under the mask
/// does what otherwise takes a widening of the mask and a subtraction. Runs after the last pass that would turn it
/// back.
struct CountUnderMask : llvm::PassInfoMixin<CountUnderMask> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager& analyses);
};

/// Keeps the counts of a vector loop in memory where it has more than `most_in_registers`: the number of conditions of
/// a vector that hold is added to one number, instead of each condition to a sum of its own. For many sums there are no
/// registers, so they would be vectors in memory, and it takes long to compile how they are added up behind the loop.
/// Runs after the last pass that would move numbers back to registers, and before CountUnderMask.
struct CountsInMemory : llvm::PassInfoMixin<CountsInMemory> {
  explicit CountsInMemory(size_t most) : most_in_registers(most) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

  size_t most_in_registers;
};

// Sums to which only some iterations add.

/// Runs before the vectoriser. In an innermost loop, `if c: s += x` becomes `s += x if c else -0.0`, which gives the
/// same s. LLVM vectorises a float sum under a condition only where no value can be NaN. It vectorises a sum that
/// always adds wherever additions may be reordered.
struct ConditionalSums : llvm::PassInfoMixin<ConditionalSums> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Parallel loops, marked for the vectoriser.

/// Runs before the vectoriser. LLVM drops the mark "the accesses of this parallel loop are independent" when it merges
/// stores. This pass gives the mark back to all accesses through an array's address. It unmarks a loop in which the
/// vectoriser would move neighbouring accesses to one place, past other accesses of the same iteration: in marked loops
/// the vectoriser does not check whether those touch the same memory.
struct ParallelAccesses : llvm::PassInfoMixin<ParallelAccesses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Conditional stores, turned into selections, for code that compares and swaps.

/// Runs before the vectoriser. A store under a condition, to a place where the same iteration has stored before,
/// becomes a store of a selected value. So a sorting network consists of minima and maxima instead of branches, which
/// no processor can predict.
struct UnconditionalStores : llvm::PassInfoMixin<UnconditionalStores> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Inner loops.

/// Vectorises innermost loops inside of others, such as `for k in range(count[i])`. LLVM makes a loop of several
/// vectors at once, say of 32 numbers, and leaves shorter loops to single iterations. Here another loop with vectors of
/// 4 numbers or so does the rest first. Runs in front of LLVM's vectoriser: the loops over the axes of a task are long,
/// and would only compile longer, by up to a third.
struct ShortLoops : llvm::PassInfoMixin<ShortLoops> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Roots.

/// Compares squares instead of roots in fast-math code, where a root serves nothing else. Runs before the vectoriser,
/// for which roots are dear.
struct RootComparisons : llvm::PassInfoMixin<RootComparisons> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

/// Rewrites divisions of f32 in fast-math code: x / sqrt(y) and x / (y * sqrt(y)) become products with
/// powers of the processor's approximate 1 / sqrt(y), after a step of Newton's method. For AVX-512. Runs last.
struct FastReciprocals : llvm::PassInfoMixin<FastReciprocals> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Signs.

/// Compares vectors of integers with 0, x >= 0, instead of x > -1, as LLVM writes it. For AVX-512, where the
/// instruction that makes a vector of -1 waits for the former value of its register: behind a call, such as that of exp
/// in a loop, each iteration would wait for the one before. Runs last.
struct SignComparisons : llvm::PassInfoMixin<SignComparisons> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Functions of f16, kept in vectors.

/// Computes functions of f16 (floor, sqrt, minnum, ...) in f32, which gives the same numbers. Runs last: an earlier
/// pass of LLVM would turn them back into functions of f16.
struct HalfFunctions : llvm::PassInfoMixin<HalfFunctions> {
  llvm::PreservedAnalyses run(llvm::Module& llvm_module, llvm::ModuleAnalysisManager&);
};

}  // namespace qd::codegen
