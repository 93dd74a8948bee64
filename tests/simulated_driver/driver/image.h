// The code that the simulated devices load: an ELF object of this computer, and the facts that a launch needs of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace qd::simulated {

struct KernelFacts {
  std::string name;
  uint32_t threads = 1;      // of a group, for which the code was made
  uint64_t block_bytes = 0;  // of shared variables
  bool checked = false;      // the code tells a checker what it does
};

struct Image {
  uint32_t subgroup_size = 32;
  std::vector<KernelFacts> kernels;
  std::string object;
};

std::string pack(const Image& image);
/// Reads as many bytes as the image says that it has. Nothing: this is no image.
std::optional<Image> unpack(const void* memory);

}  // namespace qd::simulated
