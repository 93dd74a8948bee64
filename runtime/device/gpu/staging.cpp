#include "runtime/device/gpu/staging.h"

#include <algorithm>
#include <cstring>

#include "runtime/device/gpu/gpu.h"

namespace qd::device::gpu {
namespace {

constexpr size_t kStagedPiece = size_t{4} << 20;
/// Least size, in bytes, of a copy by pieces; less is copied at once: drivers have memory of their own for it.
constexpr size_t kLeastStaged = size_t{64} << 10;

/// Calls piece(number, offset, size) for each piece of so many bytes.
template <class Piece>
void each_piece(size_t size, Piece&& piece) {
  size_t number = 0;
  for (size_t offset = 0; offset < size; offset += kStagedPiece)
    piece(number++, offset, std::min(kStagedPiece, size - offset));
}

}  // namespace

bool Staging::allocate() {
  for (std::byte*& piece : pieces_) {
    if (piece || refused_) continue;
    void* memory = nullptr;
    const Result result = gpu_.driver().host_allocate(&memory, kStagedPiece, kPortableHostMemory);
    if (is_sticky(result)) gpu_.require("host_allocate", result);
    refused_ = result != kSuccess;
    piece = static_cast<std::byte*>(memory);
  }
  return !refused_;
}

void Staging::free() {
  for (std::byte*& piece : pieces_) {
    if (piece) gpu_.driver().host_free(piece);
    piece = nullptr;
  }
}

void Staging::wait(Handle stream) { gpu_.require("stream_synchronize", gpu_.driver().stream_synchronize(stream)); }

void Staging::copy(Address to, const void* from, size_t size, Handle stream) {
  const Driver& driver = gpu_.driver();
  if (size < kLeastStaged || !allocate()) {
    gpu_.require("copy_to_device", driver.copy_to_device(to, from, size, stream));
    return wait(stream);
  }
  each_piece(size, [&](size_t number, size_t offset, size_t bytes) {
    std::byte* piece = pieces_[number % 2];
    std::memcpy(piece, static_cast<const std::byte*>(from) + offset, bytes);
    if (number > 0) wait(stream);  // so that the other piece is free
    gpu_.require("copy_to_device", driver.copy_to_device(to + offset, piece, bytes, stream));
  });
  wait(stream);
}

void Staging::copy(void* to, Address from, size_t size, Handle stream) {
  const Driver& driver = gpu_.driver();
  if (size < kLeastStaged || !allocate()) {
    gpu_.require("copy_to_host", driver.copy_to_host(to, from, size, stream));
    return wait(stream);
  }
  auto fetch = [&](size_t number) {
    const size_t offset = number * kStagedPiece;
    if (offset >= size) return;
    gpu_.require("copy_to_host", driver.copy_to_host(pieces_[number % 2], from + offset,
                                                     std::min(kStagedPiece, size - offset), stream));
  };
  fetch(0);
  each_piece(size, [&](size_t number, size_t offset, size_t bytes) {
    wait(stream);
    fetch(number + 1);
    std::memcpy(static_cast<std::byte*>(to) + offset, pieces_[number % 2], bytes);
  });
}

}  // namespace qd::device::gpu
