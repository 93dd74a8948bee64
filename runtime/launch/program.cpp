// Program: its arrays, the kernels that it loads from files, and its output.
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>

#include "runtime/back_ends/back_ends.h"
#include "runtime/launch/background.h"
#include "runtime/launch/program_state.h"

namespace qd {
namespace {

std::atomic<uint64_t> next_field_id = 1;

void check_block_sizes(const Config& config) {
  if (const int lanes = config.cpu_subgroup_size; lanes != 8 && lanes != 16 && lanes != 32 && lanes != 64)
    throw std::invalid_argument(fmt::format("cpu_subgroup_size must be 8, 16, 32 or 64, not {}", lanes));
  if (const int threads = config.default_gpu_block_dim; threads < 1 || threads > ir::kMaxBlockDim)
    throw std::invalid_argument(
        fmt::format("default_gpu_block_dim must be from 1 to {}, not {}", ir::kMaxBlockDim, threads));
}

uint32_t stack_bytes(const Config& config) {
  constexpr int64_t kMost = 512 << 10;
  if (const int64_t bytes = config.cuda_stack_limit; bytes < 0 || bytes > kMost)
    throw std::invalid_argument(fmt::format("cuda_stack_limit must be from 0 to {}, not {}", kMost, bytes));
  return static_cast<uint32_t>(config.cuda_stack_limit);
}

}  // namespace

Program::State::State(Config config, LaunchObserver* observer)
    : config(config), observer(observer), launcher(make_device(config)) {
  prepare_background();
  check_block_sizes(config);
  if (config.kernel_profiler) launcher.profiler = std::make_unique<Profiler>();
  launcher.print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  launcher.warn = [this](std::string_view text) {
    if (warn) warn(text);
  };
  warn = [](std::string_view text) { fmt::print(stderr, "{}\n", text); };
  if (const CacheOptions kept = cache_options(config); !kept.folder.empty())
    cache = std::make_shared<CodeCache>(kept, launcher.device()->target());
  *cache_of_driver = cache;
}

std::unique_ptr<device::Device> Program::State::make_device(const Config& config) {
  device::DeviceOptions options{.device = config.device,
                                .threads = config.cpu_max_num_threads,
                                .random_seed = config.random_seed,
                                .stack_bytes = stack_bytes(config),
                                .timeout = config.device_timeout};
  options.warn = [this](const std::string& text) {
    if (launcher.warn) launcher.warn(text);
  };
  options.kept.find = [slot = cache_of_driver](std::string_view key) -> std::optional<std::string> {
    const std::shared_ptr<CodeCache> cache = slot->lock();
    return cache ? cache->find_of_driver(key) : std::nullopt;
  };
  options.kept.put = [slot = cache_of_driver](std::string_view key, std::string_view bytes) {
    if (const std::shared_ptr<CodeCache> cache = slot->lock()) cache->put_of_driver(key, bytes);
  };
  return back_ends::make(config.arch, options);
}

void Program::State::show_warnings(const std::vector<frontend::Warning>& warnings) {
  if (!warn) return;
  for (const frontend::Warning& warning : warnings) {
    if (warning.kind == frontend::Warning::Kind::Deprecated && warn_deprecated) {
      warn_deprecated(warning);
    } else {
      warn(message(warning));
    }
  }
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

Program::~Program() {
  if (state_->of_parent()) {
    state_.release();  // NOLINT(bugprone-unused-return-value): it never ends
    return;
  }
  // No wait for these launches will come, so failures can only be printed.
  while (!settled()) {
    try {
      sync();
    } catch (const KernelRuntimeError& error) {
      if (state_->warn) state_->warn(error.what());
    }
  }
}

const Config& Program::config() const { return state_->config; }

std::unique_ptr<Ndarray> Program::ndarray(ir::Type type, std::vector<int32_t> shape) {
  return ndarray(ArrayDescription{type, std::move(shape)});
}

std::unique_ptr<Ndarray> Program::ndarray(ArrayDescription description, std::shared_ptr<device::Memory> memory) {
  return std::make_unique<Ndarray>(*this, std::move(description), std::move(memory));
}

Field& Program::field(ir::Type type, std::vector<int32_t> shape, std::string name) {
  return field(ArrayDescription{type, std::move(shape)}, std::move(name));
}

Field& Program::field(ArrayDescription description, std::string name, std::shared_ptr<device::Memory> memory) {
  uint64_t id = next_field_id++;
  auto field = std::make_shared<Field>(*this, std::move(description), std::move(memory), std::move(name), id);
  std::lock_guard lock(state_->mutex);
  return *(state_->fields[id] = std::move(field));
}

std::shared_ptr<const Field> Program::release(const Field& field) {
  if (state_->of_parent()) return field.shared_from_this();
  std::lock_guard lock(state_->mutex);
  const auto found = state_->fields.find(field.id());
  if (found == state_->fields.end()) return nullptr;
  std::shared_ptr<const Field> own = std::move(found->second);
  state_->fields.erase(found);
  return own;
}

std::shared_ptr<const void> Program::destroy(const Field& field) { return field.place()->destroy(); }

void Program::set_print(std::function<void(std::string_view)> print) { state_->launcher.print = std::move(print); }
void Program::set_warn_deprecated(std::function<void(const frontend::Warning&)> warn) {
  state_->warn_deprecated = std::move(warn);
}
void Program::set_warn(std::function<void(std::string_view)> warn) { state_->warn = std::move(warn); }

void Program::sync(LaunchPoll* poll) { state_->launcher.wait(poll); }

Profiler* Program::profiler() { return state_->launcher.profiler.get(); }
std::string Program::device_name() const { return state_->launcher.device()->name(); }

bool Program::checks_claims() const { return state_->launcher.device()->capabilities().claims; }
int Program::subgroup_size() const {
  const int of_device = state_->launcher.device()->capabilities().subgroup_size;
  return of_device ? of_device : state_->config.cpu_subgroup_size;
}
bool Program::host_memory() const { return state_->launcher.device()->capabilities().host_memory; }

bool Program::settled() const { return state_->launcher.settled(); }

std::shared_ptr<LaunchStream> Program::new_stream() { return state_->launcher.new_stream(); }
std::shared_ptr<LaunchStream> Program::default_stream() const { return state_->launcher.default_stream(); }
void Program::sync(LaunchStream& stream, LaunchPoll* poll) { state_->launcher.wait_for(stream, poll); }
void Program::destroy(const std::shared_ptr<LaunchStream>& stream, LaunchPoll* poll) {
  state_->launcher.destroy(stream, poll);
}
LaunchEvent Program::record(LaunchStream& stream) { return state_->launcher.record(stream); }
void Program::sync(const LaunchEvent& event, LaunchPoll* poll) { state_->launcher.wait_for(event, poll); }
void Program::wait(LaunchStream& stream, const LaunchEvent& event, LaunchPoll* poll) {
  state_->launcher.wait_in(stream, event, poll);
}
void Program::end_early() { state_->launcher.end_early(); }

void Program::take_in_launches(LaunchPoll* poll) { state_->launcher.take_in(poll); }

void Program::take_in_over() { state_->launcher.take_in_over(); }

std::shared_ptr<device::Memory> Program::memory(size_t size) { return state_->launcher.device()->allocate(size); }

void* Program::map(device::Memory& memory, device::Memory::Access access, LaunchPoll* poll) {
  state_->launcher.wait_for(memory, poll);
  return memory.map(access);
}

void Program::share(device::Memory& memory, LaunchPoll* poll) {
  state_->launcher.wait_for(memory, poll);
  memory.share();
}

device::Exchange* Program::exchange() const { return state_->launcher.device()->exchange(); }

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
  const KernelOptions options{.graph = frontend::decorated_with(*source, "graph"),
                              .checkpoints = frontend::decorated_with(*source, "checkpoints")};
  kernel = std::make_unique<Kernel>(*this, std::move(*source), loaded.environment, options);
  return *kernel;
}

}  // namespace qd
