// Arrays: the layout of their elements in memory.
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <numeric>

#include "runtime/launch/program.h"

namespace qd {
namespace {

/// The product of two sizes. Throws std::bad_alloc when a size_t cannot hold it.
size_t product(size_t a, size_t b) {
  size_t result;
  if (__builtin_mul_overflow(a, b, &result)) throw std::bad_alloc();
  return result;
}

size_t elements(const std::vector<int32_t>& shape) {
  if (shape.size() > kMaxRank)
    throw std::invalid_argument(fmt::format("an array has at most {} dimensions, not {}", kMaxRank, shape.size()));
  size_t total = 1;
  for (int32_t extent : shape) {
    if (extent < 0) throw std::invalid_argument(fmt::format("the shape of an array is not negative: {}", extent));
    total = product(total, static_cast<size_t>(extent));
  }
  return total;
}

/// Makes equal layouts have equal descriptions: values that equal the default are left out.
void normalize(ArrayDescription& description) {
  const int64_t size = ir::size_in_bytes(description.type);
  ir::Layout& layout = description.layout;
  layout.components = 1;
  for (int32_t extent : description.element_shape) {
    if (extent < 1)
      throw std::invalid_argument(
          fmt::format("a vector or a matrix has at least 1 component on each axis, not {}", extent));
    layout.components *= extent;
  }
  if (layout.stride == size * layout.components) layout.stride = 0;
  if (layout.component_stride == size || layout.components == 1) layout.component_stride = 0;
  std::vector<int32_t> axes(description.shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (layout.order == axes) layout.order.clear();
  std::vector<int32_t> sorted = layout.order;
  std::sort(sorted.begin(), sorted.end());
  if (!layout.order.empty() && sorted != axes)
    throw std::invalid_argument("the order of an array's axes names each of them once");
}

/// Number of bytes from the beginning of the memory to the end of the last number.
size_t extent(const ArrayDescription& description) {
  const size_t count = elements(description.shape);
  const ir::Layout& layout = description.layout;
  const auto size = static_cast<size_t>(ir::size_in_bytes(description.type)),
             components = static_cast<size_t>(layout.components);
  if (layout.stride < 0 || layout.component_stride < 0 || description.offset < 0)
    throw std::invalid_argument("a layout has no negative strides");
  if (count == 0) return 0;
  const size_t stride = layout.stride ? static_cast<size_t>(layout.stride) : product(size, components);
  const size_t inside = layout.component_stride ? static_cast<size_t>(layout.component_stride) : size;
  const size_t element = product(components - 1, inside) + size;
  size_t end = product(count - 1, stride);
  for (const size_t more : {element, static_cast<size_t>(description.offset)}) {
    if (__builtin_add_overflow(end, more, &end)) throw std::bad_alloc();
  }
  return end;
}

std::string shape_text(const std::vector<int32_t>& shape) {
  return fmt::format("shape ({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

Ndarray::Ndarray(Program& program, ArrayDescription description, std::shared_ptr<device::Memory> memory)
    : program_(program), description_(std::move(description)), memory_(std::move(memory)) {
  normalize(description_);
  const size_t bytes = extent(description_);
  if (!first_index().empty() && first_index().size() != shape().size())
    throw std::invalid_argument("an array has one first index for each axis");
  if (!memory_) memory_ = program.memory(bytes);
  if (bytes > memory_->size())
    throw std::invalid_argument(
        fmt::format("an array of {} bytes does not fit into a memory of {}", bytes, memory_->size()));
  slot_.data = static_cast<char*>(memory_->address()) + description_.offset;
  std::copy(shape().begin(), shape().end(), slot_.shape);
  memory_->set_name(fmt::format("an ndarray of {}, {}", ir::name(type()), shape_text(shape())));
}

void* Ndarray::data() {
  return static_cast<char*>(program_.map(*memory_, device::Memory::Access::Write)) + description_.offset;
}

int64_t Ndarray::size() const {
  int64_t count = 1;
  for (int32_t n : shape()) count *= n;
  return count;
}

Field::Field(Program& program, ArrayDescription description, std::shared_ptr<device::Memory> memory, std::string name,
             uint64_t id)
    : Ndarray(program, std::move(description), std::move(memory)),
      name_(std::move(name)),
      id_(id),
      place_(std::make_shared<FieldPlace>(slot(), this->memory())) {
  this->memory()->set_name(
      fmt::format("field {}of {}", name_.empty() ? "" : fmt::format("`{}` ", name_), shape_text(shape())));
}

const Ndarray* Field::gradient() const {
  const std::shared_ptr<const Field> gradient = grad_.lock();
  return gradient && !gradient->place()->gone() ? gradient.get() : nullptr;
}

frontend::HostField Field::value() const {
  auto value_of = [](const std::weak_ptr<const Field>& other) {
    const std::shared_ptr<const Field> field = other.lock();
    return field && !field->place()->gone() ? std::make_shared<const frontend::HostField>(field->value()) : nullptr;
  };
  return {id_,       type(),        shape(),         name_,           element_shape(),
          layout(),  first_index(), value_of(grad_), value_of(dual_), value_of(whole_),
          component_};
}

}  // namespace qd
