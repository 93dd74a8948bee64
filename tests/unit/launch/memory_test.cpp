// Memory that arrays share, and layouts of their elements.
#include <gmock/gmock.h>

#include "runtime/launch/program.h"

namespace qd {
namespace {

using ir::Type;
using ::testing::ElementsAre;

TEST(Arrays, OfVectorsAndMatrices) {
  Program program;
  auto vectors = program.ndarray(ArrayDescription{Type::F32, {4}, {3}});
  EXPECT_EQ(vectors->size(), 4);
  EXPECT_EQ(vectors->layout().components, 3);
  EXPECT_EQ(vectors->span<float>().size(), 12u);
  Field& matrices = program.field(ArrayDescription{Type::F64, {2, 5}, {2, 2}}, "m");
  EXPECT_THAT(matrices.value().element_shape, ElementsAre(2, 2));
  EXPECT_THAT(matrices.value().shape, ElementsAre(2, 5));
  EXPECT_EQ(matrices.value().layout.components, 4);
  EXPECT_THROW(program.ndarray(ArrayDescription{Type::F32, {4}, {0}}), std::invalid_argument);
}

// A struct {f32[3], f64}: two arrays in one memory.
TEST(Arrays, ShareAMemory) {
  Program program;
  auto memory = program.memory(24 * 5);
  ArrayDescription position{Type::F32, {5}, {3}}, mass{Type::F64, {5}};
  position.layout.stride = mass.layout.stride = 24;
  mass.offset = 16;
  Field& p = program.field(position, "p", memory);
  Field& m = program.field(mass, "m", memory);
  EXPECT_EQ(static_cast<char*>(m.data()) - static_cast<char*>(p.data()), 16);
  EXPECT_EQ(p.value().layout.stride, 24);
  EXPECT_EQ(p.slot().shape[0], 5);
  mass.offset = 24;
  EXPECT_THROW(program.field(mass, "n", memory), std::invalid_argument) << "the last element ends behind the memory";
  mass.offset = -8;
  EXPECT_THROW(program.field(mass, "n", memory), std::invalid_argument);
}

TEST(Arrays, MemoryLivesAsLongAsAnArrayOfIt) {
  Program program;
  auto memory = program.memory(64);
  std::weak_ptr<device::Memory> watched = memory;
  auto array = program.ndarray(ArrayDescription{Type::I32, {16}}, std::move(memory));
  EXPECT_FALSE(watched.expired());
  array.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(Fields, MemoryGoesWithTheField) {
  Program program;
  Field& field = program.field(Type::I32, {16}, "f");
  std::weak_ptr<device::Memory> watched = field.memory();
  const std::shared_ptr<FieldPlace> place = field.place();
  EXPECT_EQ(place->memory(), field.memory());
  std::shared_ptr<const Field> own = program.release(field);
  EXPECT_EQ(program.release(*own), nullptr) << "it is given away once";
  EXPECT_FALSE(place->gone());
  own.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_TRUE(place->gone());
}

TEST(Fields, AHoldKeepsTheMemory) {
  Program program;
  Field& field = program.field(Type::I32, {16}, "f");
  std::weak_ptr<device::Memory> watched = field.memory();
  const std::shared_ptr<FieldPlace> place = field.place();
  auto hold = place->hold(), same = place->hold();
  program.release(field);
  EXPECT_FALSE(watched.expired());
  EXPECT_FALSE(place->gone()) << "who holds it uses it";
  hold.reset();
  EXPECT_FALSE(watched.expired());
  same.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(Fields, DestroyTakesTheMemoryFromHolds) {
  Program program;
  Field& field = program.field(Type::I32, {16}, "f");
  std::weak_ptr<device::Memory> watched = field.memory();
  const std::shared_ptr<FieldPlace> place = field.place();
  const auto hold = place->hold();
  std::shared_ptr<const void> kept = program.destroy(field);
  EXPECT_TRUE(place->gone());
  program.release(field);
  EXPECT_FALSE(watched.expired()) << "for launches in place that have begun";
  kept.reset();
  EXPECT_TRUE(watched.expired());
}

TEST(Fields, AGradientThatIsGoneIsNone) {
  Program program;
  Field& field = program.field(Type::F32, {4}, "f");
  Field& grad = program.field(Type::F32, {4}, "f.grad");
  field.set_grad(grad);
  ASSERT_NE(field.value().grad, nullptr);
  EXPECT_EQ(field.value().grad->id, grad.id());
  program.release(grad);
  EXPECT_EQ(field.value().grad, nullptr);
}

TEST(Arrays, TheSameLayoutHasTheSameDescription) {
  Program program;
  ArrayDescription plain{Type::F32, {4, 2}, {3}}, spelled = plain, planes = plain;
  spelled.layout = {.stride = 12, .component_stride = 4, .order = {0, 1}};
  planes.layout = {.stride = 4, .component_stride = 32, .order = {1, 0}};
  EXPECT_EQ(program.ndarray(plain)->layout(), program.ndarray(spelled)->layout());
  EXPECT_NE(program.ndarray(plain)->layout(), program.ndarray(planes)->layout());
  EXPECT_EQ(program.ndarray(planes)->span<float>().size(), 24u);
  EXPECT_NO_THROW(program.ndarray(planes, program.memory(96)));
  EXPECT_THROW(program.ndarray(planes, program.memory(92)), std::invalid_argument)
      << "the last plane ends behind the memory";
  planes.layout.order = {1, 1};
  EXPECT_THROW(program.ndarray(planes), std::invalid_argument);
}

}  // namespace
}  // namespace qd
