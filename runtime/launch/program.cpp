// Program: memory, kernels of files, output.
#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>

#include "runtime/launch/program_state.h"

namespace qd {
namespace {

constexpr size_t kAlignment = 64;

std::atomic<uint64_t> next_field_id = 1;

size_t bytes(ir::Type type, const std::vector<int32_t>& shape) {
  if (shape.size() > kMaxRank) throw std::invalid_argument(fmt::format("an array has at most {} dimensions, not {}", kMaxRank, shape.size()));
  size_t total = ir::size_in_bytes(type);
  for (int32_t extent : shape) {
    if (extent < 0) throw std::invalid_argument(fmt::format("the shape of an array is not negative: {}", extent));
    if (__builtin_mul_overflow(total, static_cast<size_t>(extent), &total)) throw std::bad_alloc();
  }
  return total;
}

/// Zeroed and aligned. Large memory comes from calloc as pages that nobody has touched yet; the address that free() needs stands before the data.
void* allocate(size_t size) {
  if (size > std::numeric_limits<size_t>::max() / 2) throw std::bad_alloc();
  void* block = std::calloc(size + kAlignment + sizeof(void*), 1);
  if (!block) throw std::bad_alloc();
  uintptr_t data = (reinterpret_cast<uintptr_t>(block) + sizeof(void*) + kAlignment - 1) / kAlignment * kAlignment;
  reinterpret_cast<void**>(data)[-1] = block;
  return reinterpret_cast<void*>(data);
}

}  // namespace

Ndarray::Ndarray(Program&, ir::Type type, std::vector<int32_t> shape) : type_(type), shape_(std::move(shape)) {
  slot_.data = allocate(bytes(type_, shape_));
  std::copy(shape_.begin(), shape_.end(), slot_.shape);
}

Ndarray::~Ndarray() { std::free(static_cast<void**>(slot_.data)[-1]); }

int64_t Ndarray::size() const {
  int64_t product = 1;
  for (int32_t extent : shape_) product *= extent;
  return product;
}

Field::Field(Program& program, ir::Type type, std::vector<int32_t> shape, std::string name, uint64_t id)
    : Ndarray(program, type, std::move(shape)), name_(std::move(name)), id_(id) {}

frontend::Field Field::value() const { return {id_, type(), shape(), name_}; }

Program::State::State(Config config, LaunchObserver* observer) : config(config), observer(observer), machine(config.cpu_max_num_threads, config.random_seed) {
  machine.print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  warn = [](std::string_view text) { fmt::print(stderr, "{}\n", text); };
  if (!config.offline_cache.folder.empty()) cache = std::make_shared<CodeCache>(config.offline_cache);
}

void Program::State::show_warnings(const std::vector<std::string>& warnings) {
  if (!warn) return;
  for (const std::string& warning : warnings) warn(warning);
  if (!cache) return;
  for (const std::string& warning : cache->files().take_warnings()) warn(warning);
}

const Field* Program::State::field_of(const Ndarray* array) {
  std::lock_guard lock(mutex);
  for (const auto& [id, field] : fields) {
    if (field.get() == array) return field.get();
  }
  return nullptr;
}

Program::Program(Config config, LaunchObserver* observer) : state_(std::make_unique<State>(config, observer)) {}
Program::~Program() = default;

const Config& Program::config() const { return state_->config; }

std::unique_ptr<Ndarray> Program::ndarray(ir::Type type, std::vector<int32_t> shape) { return std::make_unique<Ndarray>(*this, type, std::move(shape)); }

Field& Program::field(ir::Type type, std::vector<int32_t> shape, std::string name) {
  uint64_t id = next_field_id++;
  auto field = std::make_unique<Field>(*this, type, std::move(shape), std::move(name), id);
  std::lock_guard lock(state_->mutex);
  return *(state_->fields[id] = std::move(field));
}

void Program::set_print(std::function<void(std::string_view)> print) { state_->machine.print = std::move(print); }
void Program::set_warn(std::function<void(std::string_view)> warn) { state_->warn = std::move(warn); }

void Program::sync() {}

Kernel& Program::load_kernel(const std::string& path, const std::string& name) {
  std::error_code error;
  std::string file = std::filesystem::canonical(path, error).string();
  if (error) throw std::runtime_error(fmt::format("{}: {}", path, error.message()));
  std::lock_guard lock(state_->mutex);
  std::unique_ptr<Kernel>& kernel = state_->kernels[{file, name}];
  if (kernel) return *kernel;
  State::File& loaded = state_->files[file];
  if (!loaded.module) {
    syntax::ParseResult result = syntax::parse_file(file);
    if (result.error) throw frontend::syntax_error(*result.error, file);
    loaded.module = std::move(result.module);
    loaded.environment = frontend::module_environment(loaded.module, file);
  }
  std::optional<frontend::FunctionSource> source = frontend::find_function(loaded.module, file, name);
  if (!source) throw std::runtime_error(fmt::format("{}: no kernel named {}", path, name));
  kernel = std::make_unique<Kernel>(*this, std::move(*source), loaded.environment);
  return *kernel;
}

}  // namespace qd
