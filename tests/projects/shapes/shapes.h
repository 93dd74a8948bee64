#pragma once
#include <vector>

template <typename T>
T clamp(T value, T low, T high) {
  if (value < low) return low;
  if (value > high) {
    return high;
  }
  return value;
}

class Stack {
 public:
  Stack() : size_(0) {}
  void push(int value) {
    items_.push_back(value);
    ++size_;
  }
  int pop() {
    if (size_ == 0) return -1;
    --size_;
    int last = items_.back();
    items_.pop_back();
    return last;
  }

 private:
  std::vector<int> items_;
  int size_;
};
