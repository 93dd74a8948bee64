#include <cstdio>
#include <cstring>

#include "shapes.h"

#define TWICE(x) ((x) > 3 ? (x) : (x) * 2)

static int unused(int n) {
  for (int i = 0; i < n; ++i)
    if (i == 3 && n > 5) return i;
  return 0;
}

int classify(int n) {
  switch (n) {
    case 0: return 10;
    case 1:
    case 2: return 20;
    default: break;
  }
  while (true) {
    if (--n < 0 || n == 17) break;
  }
  return n > 5 ? 1 : n < -7 ? 2 : 3;
}

int main(int argc, char**) {
  Stack stack;
  for (int i = 0; i < 3; ++i) stack.push(TWICE(i));
  auto twice = [](int x) {
    if (x > 100) return 0;
    return 2 * x;
  };
  int total = 0;
  try {
    total += twice(stack.pop()) + clamp(argc, 0, 5) + static_cast<int>(clamp(2.5, 3.0, 4.0));
  } catch (...) {
    return 9;
  }
  if (argc > 100) unused(total);
  return classify(2) + classify(30) > 0 && total > 0 ? 0 : 1;
}
