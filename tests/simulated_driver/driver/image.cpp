// A head of fixed size with the number of all bytes; a line for each kernel; the object.
#include "tests/simulated_driver/driver/image.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <sstream>

namespace qd::simulated {
namespace {

constexpr std::string_view kMagic = "qd simulated code 2 ";
constexpr size_t kHead = kMagic.size() + 21;  // 20 digits and the end of the line

}  // namespace

std::string pack(const Image& image) {
  std::string rest = fmt::format("{} {}\n", image.subgroup_size, image.kernels.size());
  for (const KernelFacts& kernel : image.kernels)
    rest += fmt::format("{} {} {} {}\n", kernel.name, kernel.threads, kernel.block_bytes, int{kernel.checked});
  rest += image.object;
  return fmt::format("{}{:020}\n{}", kMagic, kHead + rest.size(), rest);
}

std::optional<Image> unpack(const void* memory) {
  const auto* text = static_cast<const char*>(memory);
  if (!text || std::strncmp(text, kMagic.data(), kMagic.size()) != 0) return std::nullopt;
  const size_t size = std::strtoull(text + kMagic.size(), nullptr, 10);
  if (size < kHead) return std::nullopt;
  std::istringstream stream(std::string(text + kHead, size - kHead));
  Image image;
  size_t kernels = 0;
  stream >> image.subgroup_size >> kernels;
  for (size_t i = 0; i < kernels && stream; ++i) {
    KernelFacts kernel;
    stream >> kernel.name >> kernel.threads >> kernel.block_bytes >> kernel.checked;
    image.kernels.push_back(kernel);
  }
  if (!stream || stream.get() != '\n') return std::nullopt;
  const auto begin = kHead + static_cast<size_t>(stream.tellg());
  image.object.assign(text + begin, size - begin);
  return image;
}

}  // namespace qd::simulated
