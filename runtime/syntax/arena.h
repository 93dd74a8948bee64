// A monotonic allocator: all of its memory is freed at once, with the arena, and no destructor runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/syntax/ast.h"

namespace qd::syntax {

class Arena {
 public:
  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  template <class T>
  List<T> copy(const T* first, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (count == 0) return {};
    void* place = allocate(count * sizeof(T), alignof(T));
    std::memcpy(place, static_cast<const void*>(first), count * sizeof(T));
    return {static_cast<const T*>(place), count};
  }

  /// Room for `count` characters, not initialised.
  char* characters(size_t count) { return static_cast<char*>(allocate(count, 1)); }

 private:
  void* allocate(size_t size, size_t alignment) {
    size_t skipped = -reinterpret_cast<uintptr_t>(next_) & (alignment - 1);
    if (size + skipped > static_cast<size_t>(end_ - next_)) {
      grow(size);
      skipped = 0;  // fresh chunks are aligned for everything
    }
    std::byte* place = next_ + skipped;
    next_ = place + size;
    return place;
  }

  void grow(size_t size) {
    const size_t chunk = std::max(size, chunk_size_);
    chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(chunk));
    next_ = chunks_.back().get();
    end_ = next_ + chunk;
    chunk_size_ = std::min<size_t>(chunk_size_ * 2, size_t{1} << 20);
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
  size_t chunk_size_ = 8192;
};

/// Collects a list on a stack shared by nested lists of one type, then moves it into the arena in one piece.
template <class T>
class ListBuilder {
 public:
  explicit ListBuilder(std::vector<T>& stack) : stack_(stack), base_(stack.size()) {}
  ~ListBuilder() { stack_.resize(base_); }
  ListBuilder(const ListBuilder&) = delete;
  ListBuilder& operator=(const ListBuilder&) = delete;

  void push(const T& item) { stack_.push_back(item); }
  size_t size() const { return stack_.size() - base_; }
  const T& back() const { return stack_.back(); }
  const T& operator[](size_t index) const { return stack_[base_ + index]; }
  List<T> finish(Arena& arena) const { return arena.copy(stack_.data() + base_, size()); }

 private:
  std::vector<T>& stack_;
  size_t base_;
};

}  // namespace qd::syntax
