// The processor that the process runs on, as LLVM describes it.
#pragma once

#include <string>
#include <string_view>

namespace qd::codegen {

/// LLVM's name of the processor.
const std::string& host_name();

/// Whether the processor has one of LLVM's features. Those that begin with a word of the environment variable
/// QD_WITHOUT_CPU_FEATURES, such as `avx512,avx10`, are taken as absent: so tests run the code of other processors.
bool host_has(std::string_view feature);

/// All features, for LLVM: `+avx2,-avx512f,...`.
const std::string& host_features();

}  // namespace qd::codegen
