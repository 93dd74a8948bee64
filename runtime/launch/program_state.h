// The state of a Program; only files of this folder use it.
#pragma once

#include <map>
#include <mutex>
#include <unordered_map>

#include "runtime/device/host_threads.h"
#include "runtime/launch/code_cache.h"
#include "runtime/launch/program.h"
#include "runtime/launch/variant.h"

namespace qd {

struct Program::State {
  State(Config config, LaunchObserver* observer);

  Config config;
  LaunchObserver* observer;
  /// `cache`, for the device's driver: it is made after the device.
  std::shared_ptr<std::weak_ptr<CodeCache>> cache_of_driver = std::make_shared<std::weak_ptr<CodeCache>>();
  Launcher launcher;
  std::function<void(std::string_view)> warn;
  std::function<void(const frontend::Warning&)> warn_deprecated;  // may be null: `warn` gets it
  std::shared_ptr<CodeCache> cache;                               // null: there is no cache

  /// Shows these warnings, and those of the cache.
  void show_warnings(const std::vector<frontend::Warning>& warnings);

  /// Whether this process is the child of the one that made the program. Its threads do not exist here, and may have
  /// held its locks: nothing of it runs, not even its end.
  bool of_parent() const { return forks != device::fork_count(); }
  const uint64_t forks = device::fork_count();

  std::mutex mutex;  // guards the members below
  std::unordered_map<uint64_t, std::shared_ptr<Field>> fields;
  struct File {
    std::shared_ptr<const syntax::Module> module;
    std::shared_ptr<frontend::Environment> environment;
  };
  std::map<std::string, File> files;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Kernel>> kernels;

  std::unique_ptr<device::Device> make_device(const Config& config);

  /// The Field of an array; null when it is none.
  const Field* field_of(const Ndarray* array);
};

}  // namespace qd
