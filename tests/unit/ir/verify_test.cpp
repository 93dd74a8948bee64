// Each rule of the verifier, seen failing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "runtime/ir/kernel.h"

namespace qd::ir {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kHead = R"(
kernel k
param 0 n i32
param 1 a f32
array 0 x f32 rank 2 parameter
array 1 z i32 rank 1 field 3 shape [8]
result i32
function 0 "/k.py" k 1
location 0 function 0 line 1 col 0
loop 0 parallel
loop 1 serial
format 0 "" {i32 ""} ""
probe 0 function 0 -1 -> 2
temps 2
counters 1
)";

struct Case {
  const char* text;   // behind kHead
  const char* error;  // empty: the kernel is right
};

constexpr Case kCases[] = {
    {"body { %0 = const i32 3 return %0 }", ""},
    // tables
    {"param 2 b void body { }", "param 2 has no type"},
    {"array 2 w void rank 0 parameter body { }", "array 2 has no type"},
    {"array 2 w i32 rank 2 field 1 shape [4] body { }", "array 2 of rank 2 has a shape of 1 axes"},
    {"array 2 w f32 rank 1 gradient 3 parameter body { }", "array 2: its gradient is no array"},
    {"array 2 w f32 rank 1 dual 0 parameter body { }", "array 2: its dual, array 0, has other elements"},
    {"array 2 w i32 rank 1 dual 1 parameter body { }", "array 2: its dual, array 1, has other elements"},
    {"location 1 function 5 line 1 col 0 body { }", "location 1 names function 5, which does not exist"},
    {"location 1 function 0 line 1 col 0 caller 1 body { }", "location 1 has caller 1: callers come first"},
    {"function 1 \"/k.py\" f 300000000 body { }", "function 1 is in line 300000000, which no source has"},
    {"location 1 function 0 line -300000000 col 0 body { }", "location 1 is in line -300000000, which no source has"},
    {"probe 1 function 0 1 -> 300000000 body { }", "probe 1 is in line 300000000, which no source has"},
    {"decision 0 function 0 if 1 0 300000000 0 condition 0 1 0 1 1 -> true false body { }",
     "decision 0 is in line 300000000, which no source has"},
    {"format 1 \"\" {i32 \"\"} body { }", "format 1 has 1 pieces and 1 specs for 1 values"},
    {"probe 1 function 2 1 -> 2 body { }", "probe 1 names function 2, which does not exist"},
    {"probe 1 function 0 1 -> 2 variant 0 body { }", "probe 1 names variant 0, which does not exist"},
    {"end_probes [1] body { }", "end_probes names probe 1, which does not exist"},
    {"begin_counter 2 body { }", "begin_counter is 2, but there are 1 counters"},
    {"end_counter 1 body { }", "end_counter is 1, but there are 1 counters"},
    // values
    {"body { %1 = neg i32 %0 %0 = const i32 1 }", "%1 (unary): %0 is not defined here"},
    {"body { %7 = const u1 true if %7 { %0 = const i32 1 } %1 = neg i32 %0 }", "%1 (unary): %0 is not defined here"},
    {"body { %0 = const i32 1 @4 }", "location 4 does not exist"},
    {"body { %0 = const i32 1 %1 = add i32 %0 }", "%1 (binary): 1 operands instead of 2"},
    {"body { %0 = alloca i32 %1 = neg i32 %0 }", "operand 0 is a pointer"},
    {"body { %0 = const i32 1 %1 = load i32 %0 }", "operand 0 is no pointer"},
    {"body { %0 = alloca i32 store %0, %0 }", "operand 1 is a pointer"},
    {"body { %0 = const i32 1 %1 = for 1 [%0, %0) { } %2 = neg i32 %1 }", "%1 has no value"},
    {"body { %0 = alloca void }", "%0 (alloca): has no type"},
    // types and indices of each operation
    {"body { %0 = const i8 200 }", "bits 0xc8 are not those of a i8"},
    {"body { %0 = const u16 65536 }", "bits 0x10000 are not those of a u16"},
    {"body { %0 = const f32 0x1ffffffff }", "are not those of a f32"},
    {"body { %0 = arg i32 2 }", "param 2 does not exist"},
    {"body { %0 = arg i32 1 }", "the param is f32"},
    {"body { %0 = shape i64 0 0 }", "%0 (shape): is not i32"},
    {"body { %0 = shape i32 2 0 }", "array 2 does not exist"},
    {"body { %0 = shape i32 1 1 }", "axis 1 does not exist"},
    {"body { %0 = const i32 0 %1 = for 0 [%0, %0) { %2 = loop_index i64 %1 0 } }", "is i64, the bounds are i32"},
    {"body { %0 = const u64 0 %1 = for 0 [%0, %0) { %2 = loop_index u64 %1 0 } }", ""},
    {"body { %0 = const f32 0 %1 = for 0 [%0, %0) { } }", "%1 (for): operand 0 is f32, not i32"},
    {"body { %0 = const i32 0 %2 = const i64 0 %1 = for 0 [%0, %2) { } }", "the bounds of axis 0 are i32 and i64"},
    {"body { %0 = const i32 0 %1 = for 0 [%0, %0) { %2 = loop_index i32 %1 1 } }", "axis 1 does not exist"},
    {"body { %0 = const i32 0 %1 = for 0 [%0, %0) { } %2 = loop_index i32 %1 0 }", "is not inside of loop %1"},
    {"body { %0 = const i32 1 %1 = neg i64 %0 }", "operand 0 is i32, not i64"},
    {"body { %0 = const f32 1 %1 = bit_not f32 %0 }", "bits of a float"},
    {"body { %0 = const i32 1 %1 = logical_not i32 %0 }", "is not u1"},
    {"body { %0 = const i32 1 %1 = is_nan u1 %0 }", "is_nan takes a float and gives u1"},
    {"body { %0 = const f32 1 %1 = popcnt i32 %0 }", "counts the bits of an integer"},
    {"body { %0 = const i32 1 %1 = const i64 1 %2 = add i32 %0, %1 }", "operand 1 is i64, not i32"},
    {"body { %0 = const i32 1 %1 = div i32 %0, %0 }", "is no float"},
    {"body { %0 = const f32 1 %1 = shl f32 %0, %0 }", "bits of a float"},
    {"body { %0 = const i32 1 %1 = lt i32 %0, %0 }", "%1 (compare): is not u1"},
    {"body { %0 = const i32 1 %1 = const f32 1 %2 = lt u1 %0, %1 }", "operand 1 is f32, not i32"},
    {"body { %0 = const i32 1 %1 = bit_cast f64 %0 }", "changes the width"},
    {"body { %0 = const i32 1 %1 = select i32 %0, %0, %0 }", "operand 0 is i32, not u1"},
    {"body { %0 = global_temp i32 2 }", "temp 2 does not exist"},
    {"body { %0 = global_temp i32 1 %1 = global_temp f32 1 }", "temp 1 is f32 here and i32 elsewhere"},
    {"body { %0 = const i32 1 %1 = element_ptr i32 0 [%0, %0] }", "the array is f32"},
    {"body { %0 = const i32 1 %1 = element_ptr f32 0 [%0] }", "1 indices for rank 2"},
    {"body { %0 = const f32 1 %1 = element_ptr i32 1 [%0] }", "operand 0 is f32, not i32"},
    {"body { %0 = const i64 1 %1 = element_ptr i32 1 [%0] }", ""},
    {"body { %0 = const i32 1 %1 = element_ptr i32 9 [%0] }", "array 9 does not exist"},
    {"body { %0 = alloca i32 %1 = load i64 %0 }", "operand 0 is i32, not i64"},
    {"body { %0 = alloca i32 %1 = const f32 1 store %0, %1 }", "operand 1 is f32, not i32"},
    {"body { %0 = alloca f32 %1 = const f32 1 %2 = atomic xor f32 %0, %1 }", "bits of a float"},
    {"body { %0 = alloca i32 %1 = const f32 1 %2 = atomic add i32 %0, %1 }", "operand 1 is f32, not i32"},
    {"body { %0 = alloca f32 %1 = const f32 1 %2 = atomic_cas f32 %0, %1, %1 }", "is no integer"},
    {"body { %0 = alloca i32 %1 = const i32 0 %2 = local_ptr i32 %0, %1 }", "operand 0 is no local array"},
    {"body { %0 = alloca i32 4 %1 = const i32 4 %2 = local_ptr i32 %0, %1 }", "index 4 of 4"},
    {"body { %0 = alloca i32 4 %1 = const i32 3 %2 = local_ptr i32 %0, %1 }", ""},
    {"body { %0 = alloca i32 4 %1 = const i32 3 %2 = local_ptr f32 %0, %1 }", "operand 0 is i32, not f32"},
    {"body { %0 = alloca i32 5000000 }", "an array of 5000000 numbers"},
    {"body { %0 = const i32 1 if %0 { } }", "operand 0 is i32, not u1"},
    {"body { %0 = const i32 1 %1 = for 2 [%0, %0) { } }", "loop 2 does not exist"},
    {"body { %1 = for 1 { } }", "0 bounds"},
    {"body { %0 = const u8 1 %1 = for 1 [%0, %0) { } }", "operand 0 is u8, not i32"},
    {"body { return }", "0 values for 1 results"},
    {"body { %0 = const f32 1 return %0 }", "operand 0 is f32, not i32"},
    {"body { assert 0 }", "has no condition"},
    {"body { %0 = const i32 1 assert 0 %0, %0 }", "operand 0 is i32, not u1"},
    {"body { %0 = const u1 true assert 0 %0 }", "0 values for a format of 1"},
    {"body { print 1 }", "format 1 does not exist"},
    {"body { %0 = const f32 1 print 0 %0 }", "value 0 is f32, the format says i32"},
    {"body { probe 1 }", "probe 1 does not exist"},
    {"body { %0 = const u1 true count 1 %0 }", "counter 1 does not exist"},
    {"body { %0 = const i32 1 count 0 %0 }", "operand 0 is i32, not i64"},
    // control
    {"body { break }", "is not in a loop"},
    {"body { continue }", "is not in a loop"},
    {"body { loop { break probe 0 } }", "%0 (break): is not the last of its block"},
    {"body { %0 = const i32 1 %1 = for 0 [%0, %0) { break } }", "would leave a parallel loop"},
    {"body { %0 = const i32 1 %1 = for 1 [%0, %0) { break } }", ""},
    {"body { %0 = const u1 true %1 = const i32 1 if %0 { %2 = for 0 [%1, %1) { break } } }", ""},
    {"body { %0 = const i32 1 %1 = const u1 true if %1 { return %0 } }", "is not at the end of the kernel"},
    {"body { %0 = const i32 1 return %0 %1 = const i32 1 }", "(return): is not the last of its block"},
    {"body { %0 = const i32 1 %1 = for 1 [%0, %0) { } exhausted { %2 = const i32 1 } }",
     "its block of exhaustion probes holds %2"},
    // routines
    {"routine 0 r (i32) -> (f32, u1) { %0 = call_arg i32 0 %1 = cast f32 %0 %2 = call 0 0 (%0) %3 = call_result u1 %2 "
     "1 return %1, %3 }",
     ""},
    {"routine 0 r () -> (i32) { }", "routine r does not end with a return"},
    {"routine 0 r (void) -> () { }", "routine r passes something without a type"},
    {"routine 0 r (i32) -> (f32) { %0 = call_arg i32 0 return %0 }", "operand 0 is i32, not f32"},
    {"routine 0 r () -> (f32) { %0 = const f32 1 loop { return %0 } return %0 }", "is not at the end of the routine"},
    {"routine 0 r (i32) -> () { %0 = call_arg f32 0 }", "the parameter is i32"},
    {"routine 0 r (i32) -> () { %0 = call_arg i32 1 }", "parameter 1 does not exist"},
    {"routine 0 r () -> () { %0 = global_temp i32 0 }", "is in a routine"},
    {"routine 0 r () -> () { %0 = const i32 1 %1 = for 0 [%0, %0) { break } }", ""},
    {"routine 0 r () -> () { %1 = neg i32 %0 } body { %0 = const i32 1 }", "%0 is not defined here"},
    {"routine 0 r () -> () { %0 = stack_left i32 }", "is no i64"},
    {"body { %0 = call_arg i32 0 }", "is in no routine"},
    {"body { %0 = call 0 0 () }", "routine 0 does not exist"},
    {"routine 0 r (i32) -> () { } body { %0 = call 0 0 () }", "0 values for 1 parameters"},
    {"routine 0 r (i32) -> () { } body { %0 = const f32 1 %1 = call 0 0 (%0) }", "operand 0 is f32, not i32"},
    {"routine 0 r () -> () { } body { %0 = call 0 0 () %1 = call_result i32 %0 0 }", "result 0 of 0"},
    {"routine 0 r () -> (f32) { %5 = const f32 1 return %5 } body { %0 = call 0 0 () %1 = call_result i32 %0 0 }",
     "the result is f32"},
    {"routine 0 r () -> (f32) { %5 = const f32 1 return %5 } body { %1 = call_result f32 %0 0 %0 = call 0 0 () }",
     "%0 is no call before it"},
    {"body { %0 = const i32 1 %1 = call_result i32 %0 0 }", "%0 is no call before it"},
    // tasks
    {"body { } task serial t { body { } }", "a kernel has a body or tasks, not both"},
    {"task serial t { prologue { } body { } }", "task t is serial, but has a prologue, an epilogue, a loop or bounds"},
    {"task serial t { body { } epilogue { } }", "task t is serial, but has a prologue, an epilogue, a loop or bounds"},
    {"task parallel t loop %0 [0, 1) { prologue { } body { %1 = const i32 1 } epilogue { %2 = neg i32 %1 } }",
     "%1 is not defined here"},
    {"task parallel t loop %0 [0, 1) { prologue { %1 = const i32 1 } body { } epilogue { %2 = neg i32 %1 } }", ""},
    {"task serial t trip_counter 0 { body { } }", "task t is serial, but has a trip counter"},
    {"task serial t start_counter 3 { body { } }", "task t: start_counter is 3, but there are 1 counters"},
    {"task serial t start_probes [4] { body { } }", "task t names probe 4, which does not exist"},
    {"task parallel t [0, 1) { prologue { } body { } }", "task t is parallel, but has no loop"},
    {"task parallel t loop %0 { prologue { } body { } }", "task t has 0 bounds"},
    {"task parallel t loop %0 [0, temp 2) { prologue { } body { } }", "bound in temp 2, which does not exist"},
    {"task parallel t loop %0 [0, shape 0 2) { prologue { } body { } }",
     "bound is axis 2 of array 0, which does not exist"},
    {"task parallel t loop %0 [0, param 1) { prologue { } body { } }", "bound is param 1, which is no i32"},
    {"task parallel t loop %0 [i64 0, i64 param 0) { body { %1 = loop_index i64 %0 0 } }", ""},
    {"task parallel t loop %0 [i64 0, i64 param 0) { body { %1 = loop_index i32 %0 0 } }",
     "is i32, the bounds are i64"},
    {"task parallel t loop %0 [u32 0, u32 param 0) { body { } }", "bound is param 0, which is no u32"},
    {"task parallel t loop %0 [0, i64 5) { body { } }", "bounds of axis 0 have two types"},
    {"task parallel t loop %0 [0, 5000000000) { body { } }", "bound 5000000000 is no i32"},
    {"task parallel t loop %0 [f32 0, f32 5) { body { } }", "a bound is f32"},
    {"task serial t { body { %1 = global_temp f32 0 } } task parallel t loop %0 [0, temp 0) { prologue { } body { } }",
     "temp 0 is i32 here and f32 elsewhere"},
    {"task parallel t loop %0 [0, 1) { prologue { %1 = loop_index i32 %0 0 } body { } }", "is not inside of loop %0"},
    {"task parallel t loop %0 [0, 1) { prologue { %1 = const i32 1 } body { %2 = neg i32 %1 continue } }", ""},
    {"task parallel t loop %0 [0, 1) { prologue { } body { break } }", "would leave a parallel loop"},
    {"task parallel t loop %0 [0, 1) { prologue { %1 = const i32 1 } body { } } task serial u { body { %2 = neg i32 %1 "
     "} }",
     "%1 is not defined here"},
};

constexpr Case kBlockCases[] = {
    {"body { %0 = const i32 1 %1 = for 0 [%0, %0) { barrier block } }", ""},
    {"body { barrier block }", "%0 (barrier): is not in a parallel loop"},
    {"body { %0 = const i32 1 %1 = for 1 [%0, %0) { %2 = thread i32 } }", "%2 (thread): is not in a parallel loop"},
    {"routine 0 r () -> () { %0 = lane i32 } body { }", "%0 (lane): is not in a parallel loop"},
    {"body { %0 = const i32 1 %1 = for 0 [%0, %0) { barrier device } }", "the threads of a device cannot meet"},
    {"body { %0 = const i32 1 %1 = for 0 [%0, %0) { %2 = shared f32 5000000 } }", "an array of 5000000 numbers"},
    {"body { %0 = const i32 1 %1 = for 0 [%0, %0) { %2 = shuffle f32 %0, %0 } }", "operand 0 is i32, not f32"},
    {"task parallel t loop %0 [0, 1) block_dim 8 { body { loop { fence device break } } }", ""},
    {"task parallel t loop %0 [0, 1) { body { barrier block } }", "task t has blocks of 0 threads"},
    {"task parallel t loop %0 [0, 1) block_dim 1025 { body { barrier block } }", "task t has blocks of 1025 threads"},
    {"task parallel t loop %0 [0, 1) block_dim 8 { prologue { barrier block } body { } }", "is not in a parallel loop"},
};

void check(std::span<const Case> cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    std::vector<std::string> errors = verify(parse(std::string(kHead) + c.text));
    if (*c.error) {
      EXPECT_THAT(errors, Contains(HasSubstr(c.error)));
    } else {
      EXPECT_THAT(errors, IsEmpty());
    }
  }
}

TEST(Verify, EachRule) { check(kCases); }
TEST(Verify, Blocks) { check(kBlockCases); }

/// Invalid ids, which the printed form cannot express.
TEST(Verify, IdsThatDoNotExist) {
  const Kernel good = parse("kernel k body { %0 = const u1 true if %0 { probe 0 } } ");
  auto errors = [&](auto&& change) {
    Kernel kernel = good;
    change(kernel);
    return verify(kernel);
  };
  EXPECT_THAT(errors([](Kernel& k) { k.body = static_cast<BlockId>(99); }), ElementsAre("the body does not exist"));
  EXPECT_THAT(errors([](Kernel& k) { k[k.body].push_back(static_cast<InstId>(99)); }),
              ElementsAre("a block holds %99, which does not exist"));
  EXPECT_THAT(errors([](Kernel& k) { k.insts[1].blocks[0] = static_cast<BlockId>(99); }),
              Contains(HasSubstr("block that does not exist")));
  EXPECT_THAT(errors([](Kernel& k) { k.insts[0].operand_count = 99; }),
              Contains(HasSubstr("operands that do not exist")));
  EXPECT_THAT(errors([](Kernel& k) { k.operands[0] = InstId::None; }),
              Contains(HasSubstr("an operand does not exist")));
  EXPECT_THAT(errors([](Kernel& k) { k.tasks.push_back({}); }), Contains(HasSubstr("has no body")));
  EXPECT_THAT(errors([](Kernel& k) { k.arrays.push_back({Array::Kind::Field, "f", Type::F32, 1, {-4}, 7}); }),
              Contains(HasSubstr("array 0 has an extent of -4")));
  EXPECT_THAT(errors([](Kernel& k) { k.tasks.emplace_back().loop = static_cast<InstId>(99); }),
              Contains(HasSubstr("loop that does not exist")));
}

TEST(Verify, ShapesThatOnlyCodeCanBuild) {
  const Kernel good = parse("kernel k body { %0 = const u1 true if %0 { } loop { break } }");
  ASSERT_THAT(verify(good), IsEmpty());
  auto errors = [&](auto&& change) {
    Kernel kernel = good;
    change(kernel);
    return verify(kernel);
  };
  EXPECT_THAT(errors([](Kernel& k) { k[k.body].push_back(k[k.body][0]); }),
              Contains(HasSubstr("stands in two places")));
  EXPECT_THAT(errors([](Kernel& k) { k[k[k.body][1]].blocks[1] = k[k[k.body][1]].blocks[0]; }),
              Contains(HasSubstr("stands in two places")));
  EXPECT_THAT(errors([](Kernel& k) { k[k[k.body][1]].blocks[1] = BlockId::None; }),
              Contains(HasSubstr("has the wrong number of blocks")));
  EXPECT_THAT(errors([](Kernel& k) { k[k[k.body][1]].type = Type::I32; }), Contains(HasSubstr("has a type")));
}

}  // namespace
}  // namespace qd::ir
