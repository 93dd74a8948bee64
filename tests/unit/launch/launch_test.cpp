// The host API: programs, kernels of a file, arguments, results, prints and failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <regex>
#include <thread>

#include "runtime/codegen/cpu/compile.h"
#include "runtime/launch/program.h"

namespace qd {
namespace {

using ir::Type;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/kernels.py";

class Launch : public ::testing::Test {
 protected:
  Kernel& kernel(const std::string& name) { return program.load_kernel(kFile, name); }
  std::unique_ptr<Ndarray> floats(int n) { return program.ndarray(Type::F32, {n}); }
  std::unique_ptr<Ndarray> integers(std::vector<int32_t> values) {
    auto array = program.ndarray(Type::I32, {static_cast<int32_t>(values.size())});
    std::copy(values.begin(), values.end(), array->span<int32_t>().begin());
    return array;
  }

  Config config = [] {
    Config config;
    config.debug = true;
    config.cpu_max_num_threads = 2;
    return config;
  }();
  Program program{config};
};

TEST_F(Launch, Saxpy) {
  auto x = floats(100'000), y = floats(100'000);
  std::iota(x->span<float>().begin(), x->span<float>().end(), 0.0f);
  EXPECT_TRUE(kernel("saxpy")(2.0, x.get(), y.get()).empty());
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(y->span<float>()[i], 2.0f * i);
  EXPECT_EQ(kernel("saxpy").num_tasks_on_last_call(), 1);
}

TEST_F(Launch, SameArrayTwice) {
  auto x = floats(1000);
  for (float& value : x->span<float>()) value = 1;
  kernel("saxpy")(2, x.get(), x.get());
  for (float value : x->span<float>()) ASSERT_EQ(value, 3);
}

TEST_F(Launch, EmptyArrays) {
  auto x = floats(0);
  kernel("saxpy")(2, x.get(), x.get());
  EXPECT_EQ(std::get<int64_t>(kernel("total")(integers({}).get())[0]), 0);
}

TEST_F(Launch, OneVariantForEachElementType) {
  auto a = integers({1, 2, 3});
  auto b = program.ndarray(Type::F64, {2});
  for (int round = 0; round < 3; ++round) {
    kernel("fill")(a.get(), round);
    kernel("fill")(b.get(), round + 10);
    EXPECT_EQ(a->span<int32_t>()[2], round);
    EXPECT_EQ(b->span<double>()[1], round + 10);
  }
}

TEST_F(Launch, ForeignMemory) {
  std::vector<float> x{1, 2, 3}, y{0, 0, 1};
  ArrayView xs{x.data(), Type::F32, 1, {3}}, ys{y.data(), Type::F32, 1, {3}};
  kernel("saxpy")(10, xs, ys);
  EXPECT_EQ(y, (std::vector<float>{10, 20, 31}));
  ArrayView skewed{reinterpret_cast<char*>(y.data()) + 1, Type::F32, 1, {2}};
  EXPECT_THAT([&] { kernel("saxpy")(10, xs, skewed); },
              ThrowsMessage<KernelRuntimeTypeError>(HasSubstr("not aligned")));
}

TEST_F(Launch, TemplatesAreCompared) {
  Field& f = program.field(Type::I32, {3}, "f");
  Field& g = program.field(Type::F32, {2}, "g");
  auto set = [&](const Argument& field, const Argument& value) { kernel("set_template")(field, value); };
  set(frontend::Value(f.value()), 1);
  EXPECT_EQ(f.span<int32_t>()[2], 1);
  set(&f, 2);
  EXPECT_EQ(f.span<int32_t>()[0], 2);
  set(&g, 0.5);
  EXPECT_EQ(g.span<float>()[1], 0.5f);
  set(&f, 1);
  EXPECT_EQ(f.span<int32_t>()[2], 1);
  EXPECT_EQ(g.span<float>()[1], 0.5f);
  EXPECT_THAT(
      [&] { set(floats(3).get(), 1); },
      ThrowsMessage<KernelRuntimeTypeError>(HasSubstr("expected a field or a value (template), got f32 ndarray")));
}

TEST_F(Launch, Results) {
  auto values = kernel("echo")(-3, 65535, 0.25, true);
  EXPECT_EQ(values, (std::vector<Scalar>{int64_t{-3}, int64_t{65535}, 0.25, int64_t{1}}));
  std::vector<int32_t> many(50'000);
  std::iota(many.begin(), many.end(), 0);
  EXPECT_EQ(std::get<int64_t>(kernel("total")(integers(many).get())[0]), 50'000 / 2 * 49'999);
}

TEST_F(Launch, WrongArgumentsAreNamed) {
  auto x = floats(3);
  auto square = program.ndarray(Type::F32, {3, 3});
  auto numbers = integers({1});
  auto message = [&](auto... arguments) {
    try {
      kernel("saxpy")(arguments...);
    } catch (const KernelRuntimeTypeError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(1, x.get(), square.get()),
            "Argument \"y\" of kernel saxpy: expected f32 ndarray of 1 dimension, got f32 ndarray of 2 dimensions");
  EXPECT_EQ(message(1, x.get(), numbers.get()),
            "Argument \"y\" of kernel saxpy: expected f32 ndarray of 1 dimension, got i32 ndarray of 1 dimension");
  EXPECT_EQ(message(1, x.get(), 2.5),
            "Argument \"y\" of kernel saxpy: expected f32 ndarray of 1 dimension, got float 2.5");
  EXPECT_EQ(message(x.get(), x.get(), x.get()),
            "Argument \"a\" of kernel saxpy: expected f32, got f32 ndarray of 1 dimension");
  EXPECT_EQ(message(1, x.get()), "Missing argument 'y': Kernel saxpy takes 3 arguments, got 2");
  EXPECT_EQ(message(1, x.get(), x.get(), 4), "Too many arguments: Kernel saxpy takes 3 arguments, got 4");
  EXPECT_EQ(message(1, x.get(), static_cast<Ndarray*>(nullptr)),
            "Argument \"y\" of kernel saxpy: expected f32 ndarray of 1 dimension, got null");
  EXPECT_THAT(
      [&] { kernel("echo")(1.0, 0, 0, 0); },
      ThrowsMessage<KernelRuntimeTypeError>(HasSubstr("Argument \"a\" of kernel echo: expected i8, got float 1")));
  EXPECT_THAT([&] { kernel("echo")(256, 0, 0, 0); },
              ThrowsMessage<KernelRuntimeTypeError>(HasSubstr("expected i8, got 256, which is out of its range")));
  EXPECT_THAT([&] { kernel("echo")(0, -1, 0, 0); },
              ThrowsMessage<KernelRuntimeTypeError>(HasSubstr("expected u16, got -1, which is out of its range")));
  // Once a variant exists, the checks are the same.
  kernel("saxpy")(1, x.get(), x.get());
  EXPECT_EQ(message(1, x.get(), square.get()),
            "Argument \"y\" of kernel saxpy: expected f32 ndarray of 1 dimension, got f32 ndarray of 2 dimensions");
}

TEST_F(Launch, AFailedAssertNamesKernelValuesAndLine) {
  auto x = integers({1, 2, -3, 4});
  try {
    kernel("positive")(x.get());
    FAIL();
  } catch (const KernelAssertionError& error) {
    EXPECT_EQ(std::string(error.what()), "(kernel=positive) x[2] is -3\nat i=2\n" + kFile + ":40 in positive");
  }
  EXPECT_EQ(x->span<int32_t>()[0], 1) << "tasks after the failed one are skipped";
  x->span<int32_t>()[2] = 3;
  kernel("positive")(x.get());
  EXPECT_EQ(x->span<int32_t>()[2], 100);
}

TEST_F(Launch, PrintsComeInOrderAtTheEnd) {
  std::string text;
  int calls = 0;
  program.set_print([&](std::string_view more) {
    text += more;
    ++calls;
  });
  kernel("speak")(7, 0.1);
  EXPECT_EQ(text, "n is|7|0.1\n0.10 and    7\n");
  EXPECT_EQ(calls, 1);
}

TEST_F(Launch, RandomNumbersDependOnTheSeed) {
  auto numbers = [&](uint64_t seed) {
    Config config;
    config.random_seed = seed;
    Program other(config);
    auto x = other.ndarray(Type::F32, {1000});
    other.load_kernel(kFile, "draw")(x.get());
    return std::vector<float>(x->span<float>().begin(), x->span<float>().end());
  };
  EXPECT_EQ(numbers(1), numbers(1));
  EXPECT_NE(numbers(1), numbers(2));
  auto x = floats(1000);
  kernel("draw")(x.get());
  std::vector<float> first(x->span<float>().begin(), x->span<float>().end());
  kernel("draw")(x.get());
  EXPECT_NE(first, std::vector<float>(x->span<float>().begin(), x->span<float>().end()));
}

TEST_F(Launch, FromManyThreads) {
  Kernel& saxpy = kernel("saxpy");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      auto x = floats(30'000), y = floats(30'000);
      for (float& value : x->span<float>()) value = 1;
      for (int round = 0; round < 50; ++round) saxpy(1, x.get(), y.get());
      for (float value : y->span<float>()) ASSERT_EQ(value, 50);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Launch, WhatIsNotThereIsNamed) {
  EXPECT_THAT([&] { program.load_kernel("/no/such/file.py", "k"); },
              ThrowsMessage<std::runtime_error>("/no/such/file.py: No such file or directory"));
  EXPECT_THAT([&] { kernel("nothing"); }, ThrowsMessage<std::runtime_error>(kFile + ": no kernel named nothing"));
}

TEST_F(Launch, TextsOfAVariant) {
  auto x = floats(1);
  Argument arguments[] = {1.0, x.get(), x.get()};
  EXPECT_THAT(kernel("saxpy").ir_text(arguments), HasSubstr("task parallel"));
  EXPECT_THAT(kernel("saxpy").assembly(arguments), HasSubstr("saxpy.0:"));
}

// AMD's processors have these instructions, and are faster without them.
TEST_F(Launch, GathersAndScattersOnlyWhereTheyAreFast) {
  if (!codegen::host_cpu().starts_with("znver")) GTEST_SKIP() << "for AMD's processors";
  auto x = floats(160);
  config.debug = false;
  Program optimised(config);
  Argument arguments[] = {x.get(), x.get()};
  const std::string assembly = optimised.load_kernel(kFile, "turned").assembly(arguments);
  EXPECT_THAT(assembly, Not(HasSubstr("gather")));
  EXPECT_THAT(assembly, Not(HasSubstr("scatter")));
}

std::string assembly_of_steps(const std::string& name) {
  Program program;
  auto x = program.ndarray(Type::F32, {16}), y = program.ndarray(Type::F32, {16});
  Argument arguments[] = {x.get(), y.get(), 3};
  return program.load_kernel(kFile, name).assembly(arguments);
}

TEST(ScalarLoops, HaveTheirOnlySineAmidThem) { EXPECT_THAT(assembly_of_steps("sines"), Not(HasSubstr("call"))); }

TEST(ScalarLoops, TakeLogarithmsWithoutIntegerRegisters) {
  if (codegen::host_cpu().find("+avx512vl") == std::string::npos)
    GTEST_SKIP() << "for the registers of one kind of processor";
  const std::string assembly = assembly_of_steps("logarithms");
  EXPECT_THAT(assembly, HasSubstr("vpsrld"));
  EXPECT_FALSE(std::regex_search(assembly, std::regex(R"(vmov[dq]\s+%[er]\w+, %xmm)"))) << assembly;
}

TEST(DebugOff, CostsNothing) {
  for (const bool debug : {false, true}) {
    Config config;
    config.debug = debug;
    Program program(config);
    auto x = program.ndarray(Type::I32, {4});
    auto y = program.ndarray(Type::F32, {4, 4});
    Argument arguments[] = {x.get(), y.get(), 1};
    auto code = [&](const std::string& name) {
      std::string text = program.load_kernel(kFile, name).assembly(arguments);
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at))
        text.replace(at, name.size(), "kernel");
      return text;
    };
    const std::string asserting = code("asserting"), quiet = code("quiet");
    EXPECT_EQ(asserting == quiet, !debug) << asserting << quiet;
  }
}

TEST(Arrays, AreZeroedAndAligned) {
  Program program;
  for (std::vector<int32_t> shape : {std::vector<int32_t>{}, {1}, {3, 5}, {2, 3, 4, 5}, {1000, 1000}}) {
    auto array = program.ndarray(Type::F64, shape);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array->data()) % 64, 0u);
    EXPECT_EQ(array->size(), std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
    for (double value : array->span<double>()) ASSERT_EQ(value, 0);
  }
  EXPECT_THROW(program.ndarray(Type::F32, {-1}), std::invalid_argument);
  EXPECT_THROW(program.ndarray(Type::F32, std::vector<int32_t>(13, 1)), std::invalid_argument);
  EXPECT_THROW(program.ndarray(Type::F32, std::vector<int32_t>(3, 2'000'000'000)), std::bad_alloc);
}

}  // namespace
}  // namespace qd
