// Claims of an element that go together, and those that do not.
#include "runtime/device/element_claims.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace qd::device {
namespace {

using ir::Access;

TEST(ElementClaims, TwoSectionsMayBothReadOrBothChangeAtomically) {
  const Access all[] = {Access::Read, Access::Write, Access::Atomic};
  for (Access first : all) {
    for (Access second : all) {
      ElementClaims claims;
      EXPECT_EQ(claims.claim(64, 1, 5, first), 0);
      const bool fits = first == second && first != Access::Write;
      EXPECT_EQ(claims.claim(64, 2, 6, second), fits ? 0 : 6);
      EXPECT_EQ(claims.claim(72, 2, 6, second), 0) << "another element";
    }
  }
}

TEST(ElementClaims, ASectionMayDoAnything) {
  ElementClaims claims;
  for (Access access : {Access::Read, Access::Write, Access::Atomic, Access::Read})
    EXPECT_EQ(claims.claim(8, 3, 1, access), 0);
  EXPECT_EQ(claims.claim(8, 4, 2, Access::Read), 2) << "the write is remembered behind the reads";
}

TEST(ElementClaims, WhatIsInNoSectionClaimsNothing) {
  ElementClaims claims;
  EXPECT_EQ(claims.claim(8, 0, 1, Access::Write), 0);
  EXPECT_EQ(claims.claim(8, 1, 2, Access::Write), 0);
  EXPECT_EQ(claims.claim(8, 0, 1, Access::Write), 0);
}

TEST(ElementClaims, AForkBeginsAnew) {
  ElementClaims claims;
  EXPECT_EQ(claims.claim(8, 1, 1, Access::Write), 0);
  claims.clear();
  EXPECT_EQ(claims.claim(8, 2, 2, Access::Write), 0);
}

TEST(ElementClaims, OfTwoThreadsOneIsFirst) {
  constexpr uint64_t kElements = 20'000;
  ElementClaims claims;
  std::atomic<uint64_t> told = 0;
  std::vector<std::thread> threads;
  for (uint32_t section : {1u, 2u}) {
    threads.emplace_back([&, section] {
      for (uint64_t i = 0; i < kElements; ++i) told += claims.claim(8 * i, section, section, Access::Write) != 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(told, kElements);
}

}  // namespace
}  // namespace qd::device
