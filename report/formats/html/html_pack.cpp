// Packing of page data: deflate by libdeflate, and base64.
#include "report/formats/html/page_data.h"

#include <libdeflate.h>

#include <memory>
#include <new>
#include <vector>

#include "report/formats/common/digests.h"

namespace qd::report {
namespace {

// Compression level 1: it takes a quarter of the time of level 6, for a seventh more bytes of sources.
constexpr int kLevel = 1;

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};

}  // namespace

std::string packed(std::string_view text) {
  thread_local std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(libdeflate_alloc_compressor(kLevel));
  thread_local std::vector<char> buffer;
  if (!compressor) throw std::bad_alloc();
  size_t bound = libdeflate_deflate_compress_bound(compressor.get(), text.size());
  if (buffer.size() < bound) buffer.resize(bound);
  size_t size = libdeflate_deflate_compress(compressor.get(), text.data(), text.size(), buffer.data(), buffer.size());
  return base64({buffer.data(), size});
}

}  // namespace qd::report
