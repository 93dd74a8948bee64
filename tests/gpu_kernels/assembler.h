// NVIDIA's assembler, where this machine has it, as a check of PTX.
#pragma once

#include <string>

namespace qd::testing {

/// nvJitLink of a CUDA toolkit, or of the Python package nvidia-nvjitlink; loaded at the first use. It needs no GPU.
/// The environment variable QD_NVJITLINK may name its library.
class Assembler {
 public:
  Assembler();
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;
  ~Assembler();

  /// Why there is none; empty when there is one.
  const std::string& missing() const { return missing_; }
  /// The assembler's errors in PTX for a processor such as sm_75; empty when the PTX is right.
  std::string errors(const std::string& ptx, const std::string& processor) const;

 private:
  void* library_ = nullptr;
  std::string missing_;
};

}  // namespace qd::testing
