// Miscompilations of ptxas, NVIDIA's assembler, that is also in the driver: rewrites PTX to instructions of the same
// meaning that it gets right. Seen with ptxas 12.8 and 13.0, for sm_75 to sm_90, by disassembling its output, and on an
// H200 with driver 580.
#pragma once

#include <string>

namespace qd::codegen::nvptx {

/// - `setp.lt.s32 p, a, b` before `setp.lt.u32 q, a, b`, or the other way round: with -O2 and -O3 the second comparison
///   is removed where the first one has held, as if the types were the same. This removes the bounds check in
///   `x[i] if i < n else 0`. `lo`, `ls`, `hi` and `hs` are other names of the unsigned comparisons, and not affected.
/// - `neg.s16` and `abs.s16` of -32768 give 32768 to an instruction that reads a signed number, such as `cvt.s32.s16`.
std::string without_ptxas_faults(const std::string& ptx);

}  // namespace qd::codegen::nvptx
